import { parseExchange } from "../domain/split/exchange.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { type CusipResult, findNewCusip } from "./cusip.ts";
import { isMarketClosed } from "./date-candidates.ts";
import { type DateMatch, findDates } from "./dates.ts";
import { type Evidence, quoteEvidence } from "./facts.ts";
import { AMOUNT_PATTERN, type Amount, normalizeNumbers, parseAmount } from "./number-words.ts";
import { toPlainText } from "./plain-text.ts";
import { findRatio, type RatioResult } from "./ratio.ts";
import { type Sentence, splitSentences } from "./sentences.ts";

export const TSXV = parseExchange("TSXV") ?? null;

/** Bulletin of the TSX Venture Exchange about one company: a block of a bulletin's page or of the daily collective release. */
export interface VentureBulletin {
  /** Symbols of the shares, former ones first. Empty if the block names none. */
  readonly tickers: readonly Ticker[];
  /** Name after the change of a name. */
  readonly company: string | null;
  /** Text after `BULLETIN TYPE`, such as `Name Change and Consolidation`. */
  readonly type: string;
  /** Null if not stated. */
  readonly issuedOn: Day | null;
  /** Terms of the consolidation; null if the bulletin is about something else. */
  readonly consolidation: Consolidation | null;
  /** Days of the earlier bulletins that this one corrects or withdraws. */
  readonly refersTo: readonly Day[];
  /** Sentence that withdraws an earlier bulletin. */
  readonly rescission: string | null;
}

/** Consolidation that a bulletin announces, corrects, postpones or cancels. Terms that can't be read are null. */
export interface Consolidation {
  readonly kind: "announced" | "postponed" | "cancelled";
  /** Whether it corrects an earlier bulletin, and states only the terms that change. */
  readonly isCorrection: boolean;
  readonly ratio: Ratio | null;
  readonly exDate: Day | null;
  readonly newCusip: string | null;
  readonly evidence: Evidence;
}

const MAX_BLOCKS = 300;
const MAX_HEADER_LINES = 8;
/** In characters. A longer block is another document; its start states the terms. */
const MAX_BODY_LENGTH = 20_000;
const MAX_LINE_LENGTH = 2_000;

/** Lines that part two blocks. */
const SEPARATOR = /_{5,200}/g;
/** Labels that begin a line. The French text of a bulletin is a block of its own, which is not read. */
const LABEL = /\b(?=(?:BULLETIN\s{1,5}(?:TYPE|DATE)|TYPE DE BULLETIN)\s{0,5}[:|])/gi;
const TYPE_LINE = /^\W{0,5}BULLETIN\s+TYPE\s*[:|]\s*(.*)$/i;
const FRENCH_TYPE_LINE = /^\W{0,5}TYPE\s+DE\s+BULLETIN\b/i;
const DATE_LINE = /^\W{0,5}BULLETIN\s+DATE\b/i;
/** `("HRWL")`, `('HRWL')`, `("HRWL", "HRWL.WT")` */
const SYMBOLS = /\(\s?["']?([A-Z0-9][A-Z0-9."', /&-]{0,40}?)["']?\s?\)/g;
const FORMERLY = /\bformerly\b/i;
/** Number of the bulletin, alone or before the name of the company. */
const BULLETIN_NUMBER = /^BULLETIN V\d{4}-\d{1,6}\b\s*(?=$|[A-Z0-9])/;
/** Start of a page or collective release, above its first block. */
const PREAMBLE = /^(?:TSX VENTURE (?:COMPAN(?:Y|IES)|EXCHANGE)|NEX COMPAN(?:Y|IES)|BULLETINS?\b)/i;

/** Reads the blocks of a page or collective release. Empty if the text has none. */
export function readVentureBulletins(text: string): readonly VentureBulletin[] {
  return findBlocks(text).map(readBlock);
}

interface Block {
  readonly header: string;
  readonly type: string;
  readonly dateLine: string;
  readonly body: readonly string[];
}

function findBlocks(text: string): readonly Block[] {
  const lines = text
    .replaceAll(SEPARATOR, "\n_____\n")
    .replaceAll(LABEL, "\n")
    .split(/\r?\n|\u2028/)
    .map((line) => tidyLine(line.slice(0, MAX_LINE_LENGTH)).replace(BULLETIN_NUMBER, ""));
  const starts = lines.flatMap((line, index) => (TYPE_LINE.test(line) || FRENCH_TYPE_LINE.test(line) ? [index] : []));
  const headerStarts = starts.map((start, index) => headerStart(lines, start, starts[index - 1] ?? -1));
  return starts.slice(0, MAX_BLOCKS).flatMap((start, index): readonly Block[] => {
    const type = TYPE_LINE.exec(lines[start] ?? "")?.[1];
    if (type === undefined) return [];
    const after = lines.slice(start + 1, headerStarts[index + 1] ?? lines.length);
    const end = after.indexOf("_____");
    const body = end < 0 ? after : after.slice(0, end);
    return [
      {
        header: lines
          .slice(headerStarts[index], start)
          .filter((line) => line !== "" && !(PREAMBLE.test(line) && symbolsIn(line).length === 0))
          .join(" "),
        type: type || (body.find((line) => line !== "" && !DATE_LINE.test(line)) ?? ""),
        dateLine: dateLineOf(body),
        body: body.filter((line) => !DATE_LINE.test(line)),
      },
    ];
  });
}

/** The labeled line with the line below, on which its year may be. */
function dateLineOf(body: readonly string[]): string {
  const index = body.findIndex((line) => DATE_LINE.test(line));
  return index < 0 ? "" : body.slice(index, index + 2).join(" ");
}

/** Spaces of one kind, straight quotes, and a table row without its outer bars. */
function tidyLine(line: string): string {
  return line
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]|\*\*/g, "")
    .replace(/[“”„«»″]/g, '"')
    .replace(/[‘’′]/g, "'")
    .replace(/\s+/g, " ")
    .replace(/^ ?\|? ?| ?\|? ?$/g, "");
}

/** Index of the first line above a type line that names the company: all lines below a separator, otherwise those with symbols. */
function headerStart(lines: readonly string[], start: number, previous: number): number {
  const first = Math.max(previous + 1, start - MAX_HEADER_LINES);
  const separator = lines.lastIndexOf("_____", start);
  if (separator >= first) return separator + 1;
  let header = start;
  for (let at = start - 1; at >= first; at -= 1) {
    const line = lines[at] ?? "";
    if (line !== "" && !isHeaderLine(line)) break;
    if (line !== "") header = at;
  }
  return header;
}

function isHeaderLine(line: string): boolean {
  if (PREAMBLE.test(line)) return false;
  const isName = line === line.toUpperCase() && /[A-Z]{2}/.test(line) && !/[.:;]$/.test(line.replace(/\.$/, ""));
  return symbolsIn(line).length > 0 || FORMERLY.test(line) || isName;
}

const CONSOLIDATION = /\bconsolidat(?:i?on|ed|es?|ing)\b/i;
/** Denial, as in `There is no consolidation of capital`. */
const NO_CONSOLIDATION = /\b(?:no|not (?:a|any)|without (?:a|any)?)\s{0,2}(?:share )?consolidation\b/i;

function readBlock({ header, type, dateLine, body }: Block): VentureBulletin {
  const sentences = sentencesOf(body);
  const { tickers, company } = readHeader(header, sentences);
  const [date] = findDates(dateLine, null);
  const issued = date === undefined ? null : { day: date.day, quote: dateLine.slice(0, date.end) };
  const rescission = sentences.find(({ plain }) => RESCINDS_BULLETIN.test(plain)) ?? null;
  return {
    tickers,
    company,
    type,
    issuedOn: issued?.day ?? null,
    consolidation: consolidationOf({ header, type, sentences, issued }),
    refersTo: sentences.flatMap(earlierBulletins),
    rescission: rescission?.verbatim ?? null,
  };
}

/** Sentences of a block. A label, a table row and a line after a full stop begin a sentence; other line breaks are wraps. */
function sentencesOf(body: readonly string[]): readonly Sentence[] {
  let text = "";
  for (const [index, line] of body.entries()) {
    const followsEnd = ENDED_LINE.test(body[index - 1] ?? "");
    const startsSentence = line === "" || LABELED_LINE.test(line) || line.includes("|") || followsEnd;
    text += `${startsSentence ? "\n\n" : "\n"}${line}`;
    if (text.length > MAX_BODY_LENGTH) break;
  }
  return splitSentences(toPlainText(swapNumbers(text.slice(0, MAX_BODY_LENGTH))), false);
}

/** End of a sentence, or of the line `TSX Venture Tier 2 Company`. */
const ENDED_LINE = /(?:[.:;!?)"]|\bCompan(?:y|ies))$/;
const LABELED_LINE = /^[A-Z][\w '&/()-]{2,40}:/;

/** Writes `(10) ten old` as `ten (10) old`, the order of all other texts. */
function swapNumbers(text: string): string {
  return text.replace(
    /\((\d[\d.,]{0,9})\) ?([a-z]{2,12}(?:-[a-z]{3,6})?)(?= (?:old|new|pre|post|existing)\b)/gi,
    "$2 ($1)",
  );
}

const MAX_COMPANY_LENGTH = 150;
/** Suffixes of warrants, rights, debentures, notes and preferred shares. */
const OTHER_SECURITY = /\.(?:WT|WR|RT|DB|NT|PR|PF)(?:\.?[A-Z])?$/;

function readHeader(header: string, sentences: readonly Sentence[]): Pick<VentureBulletin, "tickers" | "company"> {
  const formerly = header.search(FORMERLY);
  const [current, former] = formerly < 0 ? [header, ""] : [header.slice(0, formerly), header.slice(formerly)];
  const labeled = sentences
    .flatMap(({ plain }) => NEW_SYMBOL.exec(plain)?.[1] ?? [])
    .flatMap((text) => parseTicker(text) ?? []);
  const tickers = [...symbolsIn(former), ...symbolsIn(current), ...labeled];
  const name = current.split(/\s?[([]/, 1)[0]?.trim() ?? "";
  const isName = /[\p{L}]{2}/u.test(name) && name.length <= MAX_COMPANY_LENGTH && !PREAMBLE.test(name);
  return {
    tickers: [...new Set(tickers)].filter((ticker) => !OTHER_SECURITY.test(ticker)),
    company: isName ? spelledInText(name, sentences) : null,
  };
}

/** `Trading Symbol: HRWL (new)` */
const NEW_SYMBOL = /\b(?:trading )?symbol ?[:|]+ ?"?([A-Z0-9]{1,6}(?:\.[A-Z]{1,2})?)"? ?\(new\)/i;

/** Symbols in brackets, as in `HARROW LITHIUM CORP. ("HRWL")`. */
export function symbolsIn(text: string): readonly Ticker[] {
  return [...text.matchAll(SYMBOLS)].flatMap(([, symbols = ""]) =>
    symbols.split(/["', /&]+/).flatMap((symbol) => (/^[A-Z0-9.]+$/.test(symbol) ? (parseTicker(symbol) ?? []) : [])),
  );
}

/** The heading writes names in capitals: the spelling of the sentences is preferred. */
function spelledInText(name: string, sentences: readonly Sentence[]): string {
  for (const { plain } of sentences) {
    const at = plain.toLowerCase().indexOf(name.toLowerCase());
    if (at >= 0) return plain.slice(at, at + name.length);
  }
  return name;
}

const RESCINDS_BULLETIN =
  /\bbulletin\b[^;\n]{0,160}\b(?:is|are|has been|have been|was|be)\b[^;\n]{0,20}\b(?:rescinded|withdrawn|cancell?ed|void)\b|\b(?:rescinds?|withdraws?|cancels)\b[^;\n]{0,60}\bbulletin\b/i;
const EARLIER_BULLETIN = /\bbulletins?\b[^;\n]{0,40}\b(?:dated|of|issued(?: on)?)\s$/i;

/** Days in `the TSX Venture Exchange bulletin dated March 2, 2026`. */
function earlierBulletins({ plain }: Sentence): readonly Day[] {
  return findDates(plain, null).flatMap(({ day, start }) =>
    EARLIER_BULLETIN.test(plain.slice(Math.max(0, start - 80), start)) ? [day] : [],
  );
}

interface BlockParts extends Pick<Block, "header" | "type"> {
  readonly sentences: readonly Sentence[];
  /** Day of the bulletin with its label. */
  readonly issued: { readonly day: Day; readonly quote: string } | null;
}

const CORRECTION = /\b(?:correct|amend|revis)/i;

function consolidationOf(block: BlockParts): Consolidation | null {
  const { type, sentences, issued } = block;
  const about = sentences.filter(({ plain }) => CONSOLIDATION.test(plain) && !NO_CONSOLIDATION.test(plain));
  const ratio = withoutContradiction(findRatio(about));
  const exDate = exDateOf(sentences, issued?.day ?? null);
  const change = changeOf(block, ratio.ratio !== null && exDate.day !== null);
  const isCorrection = CORRECTION.test(type);
  const isChange = about.length > 0 && (isCorrection || change !== null);
  if (!isChange && !announcesConsolidation(block, ratio, exDate)) return null;
  const { kind } = change ?? ANNOUNCED;
  const isCancelled = kind === "cancelled";
  const cusip = isCancelled ? NO_CUSIP : findNewCusip(sentences, { isNotice: true });
  const day = isCancelled ? NO_DATE : exDate;
  return {
    kind,
    isCorrection,
    ratio: ratio.ratio,
    exDate: day.day,
    newCusip: cusip.newCusip,
    evidence: {
      ...evidenceOf(block, change),
      ...quoteEvidence("ratio", ratio.sentence ?? unreadRatio(about)),
      ...quoteEvidence("exDate", day.sentence),
      ...quoteEvidence("newCusip", cusip.sentence),
    },
  };
}

const ANNOUNCED = { kind: "announced" } as const;
const NO_CUSIP: CusipResult = { newCusip: null, sentence: null, contradictory: false };

function evidenceOf({ header, type, sentences, issued }: BlockParts, change: Change | null): Evidence {
  const tier = sentences.find(({ plain }) => TIER_LINE.test(plain)) ?? null;
  return {
    kind: change?.sentence?.verbatim ?? `BULLETIN TYPE: ${type}`,
    ...(header !== "" && { ticker: header, company: header }),
    ...quoteEvidence("exchange", tier),
    ...(issued !== null && { announced: issued.quote }),
  };
}

/** `TSX Venture Tier 2 Company`, `NEX Company` */
const TIER_LINE = /^(?:TSX Venture|NEX)\b.{0,20}\bCompan(?:y|ies)$/i;

/** The sentence that seems to state a ratio, although none can be read. */
function unreadRatio(about: readonly Sentence[]): Sentence | null {
  return about.find(({ plain }) => /\bold\b|\bratio\b|\bfor every\b|\b(?:a|the) basis\b/i.test(plain)) ?? null;
}

/** A ratio whose number words differ from the figures beside them, as in `ten (12) old`, is not read. */
function withoutContradiction(result: RatioResult): RatioResult {
  const figures = [...(result.sentence?.plain.matchAll(/([a-z][a-z -]{2,40}?) ?\(([\d.,]{1,10})\)/gi) ?? [])];
  const differs = figures.some(([, words = "", figure = ""]) => {
    const [inWords] = AMOUNT_AT_END.exec(normalizeNumbers(words)) ?? [];
    const [word, digits] = [parseAmount(inWords ?? ""), parseAmount(normalizeNumbers(figure))];
    return word !== undefined && digits !== undefined && !isSameAmount(word, digits);
  });
  return differs ? { ...result, ratio: null, contradictory: true } : result;
}

const AMOUNT_AT_END = new RegExp(`${AMOUNT_PATTERN}$`);

function isSameAmount(a: Amount, b: Amount): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

/** Sentence about an earlier consolidation, or one that another bulletin announced. */
const EARLIER =
  /\bbulletin\b|\b(?:completed|effected|effective) (?:on|in)\b|\b(?:completion of|previously|prior|had consolidated)\b/i;

/**
 * Whether the type of the bulletin names a consolidation that its sentences don't deny. A bulletin of another type announces one
 * if it states the ratio and the first trading day.
 */
function announcesConsolidation(
  { type, sentences }: BlockParts,
  { ratio, sentence }: RatioResult,
  { day }: StatedDay,
): boolean {
  const isDenied = NO_CONSOLIDATION.test(type) || sentences.some(({ plain }) => NO_CONSOLIDATION.test(plain));
  if (CONSOLIDATION.test(type) && !NO_CONSOLIDATION.test(type)) return ratio !== null || !isDenied;
  if (isDenied || ratio === null || day === null || /\bnew listing/i.test(type)) return false;
  return sentence !== null && !EARLIER.test(sentence.plain);
}

interface Change {
  readonly kind: "postponed" | "cancelled";
  /** Null if the type of the bulletin states the change. */
  readonly sentence: Sentence | null;
}

const CANCELLED =
  /\brescind|\brescission|\bcancel|\bwithdr[ae]w|\bwill not (?:be )?(?:proceed|tak)|\bnot (?:be )?proceed|\bnot be completed/i;
const POSTPONED = /\bpostpone|\bdelay|\breschedul|\bdefer/i;
/** Rest of a sentence after the consolidation. Ends before `orders` and `shares`: a consolidation cancels open orders. */
const PREDICATE = /\bconsolidation\b(?:(?!\b(?:orders|options|escrow)\b)[^.;\n]){0,120}/gi;

/**
 * Whether the type, or a sentence about the consolidation or its bulletin, cancels or postpones it; null if nothing does. A
 * bulletin that states all terms itself replaces the one that it rescinds.
 */
function changeOf({ type, sentences }: BlockParts, isComplete: boolean): Change | null {
  const stated = changeIn(type);
  if (stated !== null && !(isComplete && stated === "cancelled")) return { kind: stated, sentence: null };
  for (const sentence of sentences) {
    const { plain } = sentence;
    const isRescinded = !isComplete && RESCINDS_BULLETIN.test(plain);
    const kind = isRescinded ? "cancelled" : changeIn((plain.match(PREDICATE) ?? []).join("\n"));
    if (kind !== null) return { kind, sentence };
  }
  return null;
}

function changeIn(text: string): Change["kind"] | null {
  if (CANCELLED.test(text)) return "cancelled";
  return POSTPONED.test(text) ? "postponed" : null;
}

interface StatedDay {
  /** Null if the stated day contradicts itself or another one, or is no trading day. */
  readonly day: Day | null;
  /** Null if no sentence states a first trading day. */
  readonly sentence: Sentence | null;
}

const NO_DATE: StatedDay = { day: null, sentence: null };
const OPENING = String.raw`\bat (?:the )?(?:market )?open(?:ing)?\b|\bbefore (?:the )?(?:market )?open|\bmarket open`;
const COMMENCES = String.raw`\b(?:will )?(?:commence|begin|start|resume|continue)s? (?:to )?(?:be )?(?:trad|list)`;
/** Wordings of sentences that state the first trading day of the consolidated shares; the first pair that states a day decides. */
const EX_DATE_WORDINGS: readonly (readonly [RegExp, RegExp])[] = [
  [/consolidat/i, new RegExp(String.raw`${OPENING}|${COMMENCES}|\btrading on a\b`, "i")],
  [/\bshares?\b/i, new RegExp(COMMENCES, "i")],
  [/\beffective\b|\bcommence date\b/i, new RegExp(OPENING, "i")],
];
/** Words before a day that is another event's, or the replaced one. */
const OTHER_DAY =
  /\b(?:dated|bulletins?|resolution|approved|passed|meeting|held|previously|originally|record date|expir\w*|from|close of business|announced|instead of|rather than|incorporated)\b[^.;]{0,60}$/i;

function exDateOf(sentences: readonly Sentence[], issuedOn: Day | null): StatedDay {
  for (const wordings of EX_DATE_WORDINGS) {
    const stated = sentences
      .filter(({ plain }) => wordings.every((wording) => wording.test(plain)) && !isAboutOtherSecurity(plain))
      .flatMap((sentence) => daysIn(sentence, issuedOn).map((date) => ({ sentence, date })));
    const [first] = stated;
    if (first === undefined) continue;
    const days = stated.map(({ date }) => dayOf(date));
    const isAgreed = days.every((day) => day !== null && day === days[0]);
    return { day: isAgreed ? (days[0] ?? null) : null, sentence: first.sentence };
  }
  return NO_DATE;
}

function isAboutOtherSecurity(plain: string): boolean {
  return /\b(?:warrants|rights|debentures|notes)\b/i.test(plain) && !/\bshares\b/i.test(plain);
}

function daysIn({ plain }: Sentence, issuedOn: Day | null): readonly DateMatch[] {
  let previousEnd = 0;
  return findDates(plain, issuedOn).filter(({ start, end }) => {
    const before = plain.slice(Math.max(previousEnd, start - 120), start);
    previousEnd = end;
    return !OTHER_DAY.test(before);
  });
}

function dayOf({ day, hasWrongWeekday }: DateMatch): Day | null {
  return hasWrongWeekday || isMarketClosed(TSXV, day) ? null : day;
}
