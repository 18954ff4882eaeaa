import { MONTH } from "./text-rule.ts";

/** Normalized text with a mapping back to the original. */
export interface PlainText {
  /**
   * Has one kind of space, hyphen and quote, and no emphasis. Only the ends of paragraphs and list rows remain as line
   * breaks, so a hard break does not split a sentence.
   */
  readonly plain: string;
  /** Returns the original text of a range of `plain`. */
  readonly verbatim: (start: number, end: number) => string;
}

/** Punctuation that belongs to the word before it, although a space may separate the two. */
const CLOSING = String.raw`(?:[,;:)\]]|\.(?!\d))(?=[\s,;.)\]]|$)`;

/** Symbol between angle brackets. The other names are tags of files. */
const WIRE_SYMBOL = String.raw`(?!(?:PAGE|TEXT|TYPE|HEAD|BODY|HTML|XML|XBRL|META|LINK|FORM|TITLE)>)[A-Z]{2,5}(?:\.[A-Z]{1,2})?`;

/** Characters to replace. A single space before a word is excluded, so most of a text is copied unchanged. */
const REPLACEABLE = new RegExp(
  [
    String.raw`(?! [^\s*])(?:\s|\*{2}|[\u00ad\u200b-\u200d\u2060®™])+`,
    `(?<=[([]) | (?=${CLOSING})`,
    String.raw`[\u2010-\u2015\u2212]`,
    // Symbols of old wires: `<ACME>`, `<ACME.O>`.
    String.raw`<(?=${WIRE_SYMBOL}>)|(?<=<${WIRE_SYMBOL})>`,
    // Defined terms of ASX forms: `+securities`.
    String.raw`(?<=[\s(])\+(?=[A-Za-z]{3})`,
    "[“”„‟«»″]",
    "[‘’‚‛′]",
    "[（）：]",
  ].join("|"),
  "g",
);

const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ...entriesOf("“”„‟«»″", '"'),
  ...entriesOf("‘’‚‛′", "'"),
  ...entriesOf("‐‑‒–—―−", "-"),
  ["+", ""],
  ["<", "("],
  [">", ")"],
  ["（", "("],
  ["）", ")"],
  ["：", ":"],
]);

const CLOSING_HERE = new RegExp(CLOSING, "y");
const OPENING_BRACKET = /[([]/y;
const BLANK_LINE = /\n[^\S\n]*\n|\u2029/;
const ROW_START = /(?:[|•▪●◦·*–-]|\(?\d{1,2}[.)])\s/y;
const NUMBER_IN_BRACKETS = /\(\d[\d.,]{0,8}\)/y;
const NUMBER_WORD = /(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|ty|hundred|thousand)$/i;
const MONTH_AT_END = new RegExp(String.raw`\b${MONTH}$`);
/** Start of a line that continues the paragraph above a blank line. Some sites put blank lines around a defined term. */
const CONTINUATION = /[a-z,;.)\]”’%]|"\)/y;
/** End of a sentence, which no line below a blank line continues. */
const FINISHED = /[.!?]["”’)]{0,2}$/;
/** Abbreviation with a full stop that may be within a sentence. */
const ABBREVIATION =
  /\b(?:[A-Za-z]|Inc|Corp|Co|Ltd|LLC|Nos?|Mrs?|Ms|Dr|St|Jr|Sr|Messrs|Prof|vs|approx|plc|etc|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$/i;
/** End of a line whose paragraph continues below a blank line. */
const UNFINISHED = /[,([“‘]/y;
const UNFINISHED_WORD = /(?:^|\s)(?:a|an|and|at|by|dated|for|from|in|its|of|on|or|the|to|with)$/;
const OPENING_QUOTE = /[\s(]"/y;
const LINE_START = /[A-Z0-9]/y;

/** Line of a form or memo: `Effective Date: May 4, 2026`. A tag such as `Nasdaq: ACME)` is none. */
const LABELED_LINE =
  /^(?!(?:nasdaq|nyse|otc|tsx|cse|cboe|amex|asx|aim)\w*\b)[A-Z][A-Za-z/&' -]{1,40}:(?:[^\S\n]|$)(?![^(]*\))/i;
const MAX_LABELED_LENGTH = 60;
/** Row of a form: `3.2a Effective date of the consolidation`. */
const NUMBERED_ROW = /^\d{1,2}\.\d{1,2}[a-z]?[^\S\n]\+?[A-Z]/;
/** Heading of a section, in the line above a paragraph without hard line breaks. */
const SECTION_HEADING = /^[A-Z][^\n.,;:]{0,80}[^\S\n][A-Z][\w'’-]{2,}(?:\.[A-Z]{3})?$/;
/** Length of a line that no hard line break limits. */
const UNLIMITED_LENGTH = 130;

/** Normalizes spaces, hyphens and quotes, and removes emphasis and hard line breaks. */
export function toPlainText(raw: string): PlainText {
  // Ascending positions in `plain` and the corresponding positions in `raw`.
  const plainAt = [0];
  const rawAt = [0];
  let shift = 0;
  const plain = raw.replaceAll(REPLACEABLE, (match, start: number) => {
    const replacement = REPLACEMENTS.get(match) ?? spaceFor(match, raw, start);
    plainAt.push(start + shift, start + shift + replacement.length);
    rawAt.push(start, start + match.length);
    shift += replacement.length - match.length;
    return replacement;
  });
  return {
    plain,
    verbatim: (start, end) => raw.slice(rawPosition(start, lastAtOrBefore), rawPosition(end, firstAtOrJustBefore)),
  };

  function rawPosition(position: number, find: (sorted: readonly number[], position: number) => number): number {
    const at = find(plainAt, position);
    return (rawAt[at] ?? 0) + position - (plainAt[at] ?? 0);
  }
}

function spaceFor(match: string, raw: string, start: number): string {
  if (!/\s/.test(match)) return "";
  const end = start + match.length;
  if (matchesAt(CLOSING_HERE, raw, end) || matchesAt(OPENING_BRACKET, raw, start - 1)) return "";
  if (!match.includes("\n") && !match.includes("\u2029")) return " ";
  if (raw[start - 1] === "|" || startsRow(raw, start, end)) return "\n";
  if (repeatsNumber(raw, start, end)) return " ";
  const endsLine = BLANK_LINE.test(match) ? endsParagraph : endsUnwrappedLine;
  return endsLine(raw, start, end) ? "\n" : " ";
}

/** Whether the paragraph before a blank line, which spans a range, is complete. */
function endsParagraph(raw: string, start: number, end: number): boolean {
  if (endsUnfinished(raw, start)) return false;
  const last = raw.slice(Math.max(0, start - 12), start);
  return !matchesAt(CONTINUATION, raw, end) || (FINISHED.test(last) && !ABBREVIATION.test(last));
}

function startsRow(raw: string, start: number, end: number): boolean {
  return matchesAt(ROW_START, raw, end) && !repeatsNumber(raw, start, end) && !endsWithMonth(raw, start);
}

/** Whether the line before a break is complete: it has a label, is above one, or is the heading of a paragraph in one line. */
function endsUnwrappedLine(raw: string, start: number, end: number): boolean {
  if (!matchesAt(LINE_START, raw, end) || endsUnfinished(raw, start) || endsWithMonth(raw, start)) return false;
  const [above, below] = [lineBefore(raw, start), lineAfter(raw, end)];
  const isInBracket = above.lastIndexOf("(") > above.lastIndexOf(")");
  if (isInBracket) return false;
  const isAboveParagraph = below.length === UNLIMITED_LENGTH && SECTION_HEADING.test(above);
  return isAboveParagraph || isLabeled(above) || isLabeled(below) || NUMBERED_ROW.test(below);
}

function isLabeled(line: string): boolean {
  return line.length <= MAX_LABELED_LENGTH && LABELED_LINE.test(line);
}

/** The line that ends at `end`, up to a maximum length. */
function lineBefore(raw: string, end: number): string {
  const line = raw.slice(Math.max(0, end - UNLIMITED_LENGTH), end);
  return line.slice(line.lastIndexOf("\n") + 1).trimStart();
}

/** The line that starts at `start`, up to a maximum length. */
function lineAfter(raw: string, start: number): string {
  return (
    raw
      .slice(start, start + UNLIMITED_LENGTH)
      .split("\n", 1)[0]
      ?.trimEnd() ?? ""
  );
}

/** Digits in brackets that repeat a number word: `one`, and on the next line `(1) share`. */
function repeatsNumber(raw: string, start: number, end: number): boolean {
  return matchesAt(NUMBER_IN_BRACKETS, raw, end) && NUMBER_WORD.test(raw.slice(Math.max(0, start - 12), start));
}

/** Whether a month ends at `end`: the number after it is the day of a date, not that of a row. */
function endsWithMonth(raw: string, end: number): boolean {
  return MONTH_AT_END.test(raw.slice(Math.max(0, end - 10), end));
}

function endsUnfinished(raw: string, end: number): boolean {
  if (UNFINISHED_WORD.test(raw.slice(Math.max(0, end - 8), end))) return true;
  return matchesAt(UNFINISHED, raw, end - 1) || matchesAt(OPENING_QUOTE, raw, end - 2);
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = Math.max(0, at);
  return sticky.test(text);
}

/** Index of the last entry at or before `position`. A range that starts there excludes characters removed before it. */
function lastAtOrBefore(sorted: readonly number[], position: number): number {
  return lowerBound(sorted, position + 1) - 1;
}

/** Index of the first entry equal to `position`, else of the last before it. A range ending there excludes removed characters. */
function firstAtOrJustBefore(sorted: readonly number[], position: number): number {
  const first = lowerBound(sorted, position);
  return sorted[first] === position ? first : first - 1;
}

function lowerBound(sorted: readonly number[], position: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function entriesOf(characters: string, replacement: string): (readonly [string, string])[] {
  return characters.split("").map((character) => [character, replacement] as const);
}

/** Line above a site's list of other releases, which may announce splits of other companies. */
const OTHER_RELEASES =
  /^[ \t]*(?:also from this source|more (?:news|stories|headlines|articles|releases)|more (?:(?:news|press )?(?:releases?|news|stories|articles) )?(?:from|like|by) (?:this|the) [a-z ]{1,29}[a-z]|(?:related|similar|recommended|latest|other|recent|top|trending) (?:news|articles|(?:press |news )?releases|stories)|you may also (?:like|be interested in)|recommended for you|read next)[ \t]*(?::[ \t]*)?$/gim;
/** Minimum number of sentences before the list, which excludes navigation above a release. */
const MIN_SENTENCES_BEFORE = 3;
const SENTENCE = /[a-z\d)%]{2}\.(?=\s|$)/g;

/** Removes the list of other releases that a site shows below a release. */
export function withoutOtherReleases(text: string): string {
  const start = endOfOpening(text);
  if (start === undefined) return text;
  OTHER_RELEASES.lastIndex = start;
  const list = OTHER_RELEASES.exec(text);
  return list ? text.slice(0, list.index) : text;
}

function endOfOpening(text: string): number | undefined {
  let remaining = MIN_SENTENCES_BEFORE;
  for (const { 0: end, index } of text.matchAll(SENTENCE)) {
    remaining -= 1;
    if (remaining === 0) return index + end.length;
  }
  return undefined;
}
