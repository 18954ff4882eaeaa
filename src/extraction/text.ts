/** A text made plain for the rules to read, with the way back to what was written. */
export interface PlainText {
  /**
   * One kind of blank, hyphen and quote, no emphasis. A line break is left only where a paragraph or a row of a list
   * ends, so a hard break inside a sentence does not cut it.
   */
  readonly plain: string;
  /** What was written between two places of `plain`, word for word. */
  readonly verbatim: (start: number, end: number) => string;
}

/** What is made plain. A single blank before a word stays as it is, so most of a text is never touched. */
const ODD = new RegExp(
  [
    String.raw`(?! [^\s*&])(?:\s|\*{2}|&nbsp;|&#160;|[\u00ad\u200b-\u200d\u2060®™])+`,
    String.raw`[\u2010-\u2015\u2212]`,
    "[“”„‟«»″]",
    "[‘’‚‛′]",
    "[（）：]",
    "&(?:amp|quot|apos|#39);",
  ].join("|"),
  "g",
);

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...spread("“”„‟«»″", '"'),
  ...spread("‘’‚‛′", "'"),
  ...spread("‐‑‒–—―−", "-"),
  ["（", "("],
  ["）", ")"],
  ["：", ":"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
]);

const BLANK_LINE = /\n[^\S\n]*\n|\u2029/;
const ROW_START = /(?:[|•▪●◦·*–-]|\(?\d{1,2}[.)])\s/y;
const NUMBER_IN_BRACKETS = /\(\d[\d.,]{0,8}\)/y;
const NUMBER_WORD = /(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|ty|hundred|thousand)$/i;
/** A paragraph never begins so, nor ends so: such a break was put round a defined term. */
const GOES_ON = /[a-z,;.)\]”’%]|"\)/y;
const UNFINISHED = /[,([“‘]/y;
const UNFINISHED_WORD = /(?:^|\s)(?:a|an|and|at|by|dated|for|from|in|its|of|on|or|the|to|with)$/;
const OPENING_QUOTE = /[\s(]"/y;

export function plainText(raw: string): PlainText {
  const pieces: string[] = [];
  // Two rising lists: the place in `plain` and the place in `raw` that it came from.
  const plainAt = [0];
  const rawAt = [0];
  let done = 0;
  let length = 0;
  for (const odd of raw.matchAll(ODD)) {
    const end = odd.index + odd[0].length;
    const put = PLAIN.get(odd[0]) ?? blankFor(odd[0], raw, odd.index);
    const kept = raw.slice(done, odd.index);
    pieces.push(kept, put);
    plainAt.push(length + kept.length, length + kept.length + put.length);
    rawAt.push(odd.index, end);
    length += kept.length + put.length;
    done = end;
  }
  pieces.push(raw.slice(done));
  return {
    plain: pieces.join(""),
    verbatim: (start, end) => raw.slice(rawPlace(start, lastAtOrBefore), rawPlace(end, firstAtOrJustBefore)),
  };

  function rawPlace(place: number, find: (sorted: readonly number[], place: number) => number): number {
    const at = find(plainAt, place);
    return (rawAt[at] ?? 0) + place - (plainAt[at] ?? 0);
  }
}

function blankFor(odd: string, raw: string, start: number): string {
  if (!/\s|&/.test(odd)) return "";
  const end = start + odd.length;
  if (!odd.includes("\n") && !odd.includes("\u2029")) return " ";
  if (raw[start - 1] === "|" || startsRow(raw, start, end)) return "\n";
  if (repeatsNumber(raw, start, end)) return " ";
  const broken = BLANK_LINE.test(odd) && !matchesAt(GOES_ON, raw, end) && !endsUnfinished(raw, start);
  return broken ? "\n" : " ";
}

function startsRow(raw: string, start: number, end: number): boolean {
  return matchesAt(ROW_START, raw, end) && !repeatsNumber(raw, start, end);
}

/** Digits in brackets behind their own words: `one`, and in the next line or paragraph `(1) share`. */
function repeatsNumber(raw: string, start: number, end: number): boolean {
  return matchesAt(NUMBER_IN_BRACKETS, raw, end) && NUMBER_WORD.test(raw.slice(Math.max(0, start - 12), start));
}

function endsUnfinished(raw: string, end: number): boolean {
  if (UNFINISHED_WORD.test(raw.slice(Math.max(0, end - 8), end))) return true;
  return matchesAt(UNFINISHED, raw, end - 1) || matchesAt(OPENING_QUOTE, raw, end - 2);
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = Math.max(0, at);
  return sticky.test(text);
}

/** The last of the places at or before `place`: what was left out before it is not taken along. */
function lastAtOrBefore(sorted: readonly number[], place: number): number {
  return lowerBound(sorted, place + 1) - 1;
}

/** The first of the places at `place`, else the last before it: what was left out behind it is not taken along. */
function firstAtOrJustBefore(sorted: readonly number[], place: number): number {
  const first = lowerBound(sorted, place);
  return sorted[first] === place ? first : first - 1;
}

function lowerBound(sorted: readonly number[], place: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function spread(written: string, plain: string): (readonly [string, string])[] {
  return written.split("").map((sign) => [sign, plain] as const);
}
