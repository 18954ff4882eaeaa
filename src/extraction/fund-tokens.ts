import type { Ratio } from "../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { canBeBareSymbol, isInCapitals } from "./capital-words.ts";
import { normalizeNumbers, parseAmount, ratioOfAmounts, withDigits } from "./number-words.ts";
import { toPlainText } from "./plain-text.ts";
import { ILLUSTRATIVE, RATIO_RULES } from "./ratio-rules.ts";
import type { Sentence } from "./sentences.ts";
import { findMatches, loosePattern } from "./text-rule.ts";

/** A ticker or name, ratio or CUSIP in a release about funds, with the text up to the neighboring tokens. */
export type FundToken = {
  readonly sentence: Sentence;
  readonly before: string;
  readonly after: string;
} /** `name` is only set in a release without tickers. */ & (
  | { readonly kind: "fund"; readonly ticker: Ticker | null; readonly name: string | null }
  /** `isReverse` is false for a forward split. `isNamed`: the words beside the ratio state the direction. */
  | { readonly kind: "ratio"; readonly ratio: Ratio; readonly isReverse: boolean; readonly isNamed: boolean }
  | { readonly kind: "cusip"; readonly cusip: string }
);

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A ratio in digits. `isOldFirst`: the larger number is first, as in `10:1`. */
type RatioMatch = Span & { readonly kind: "ratio"; readonly ratio: Ratio; readonly isOldFirst: boolean };

type TokenMatch =
  | RatioMatch
  | (Span & { readonly kind: "fund"; readonly ticker: Ticker | null; readonly name: string | null })
  | (Span & { readonly kind: "cusip"; readonly cusip: string });

/** Consecutive table cells, or one sentence of prose. */
interface Block {
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly plain: string;
  readonly sentence: Sentence;
}

/** Word of a fund's name: `Daily`, `3X`, `S&P`, `20+`, `&`. */
const NAME_WORD = /^(?:[A-Z][\w.&'/+®™-]*|[\d.]+[xX%+]?|&|\+)$/;
/** Word at the end of a fund's name. */
const LAST_WORD = /^(?:Shares?|ETFs?|ETNs?|ETPs?|Funds?|Trust|Notes?|Securities|exchange-traded)$/i;
/** Words that occur in a fund's name, also in one without an end: `Ridge UltraShort Banks`. */
const FUND_WORD =
  /\b(?:ETFs?|ETNs?|ETPs?|Bull|Bear|[1-5](?:\.\d+)?[xX]|Inverse|Leveraged|Short|Long|Ultra\w*|Daily|Index|Futures|Strategy|Treasury)\b|\S \S+ Fund$/i;
/** Words that occur in lines beside a fund's name, such as headings. */
const NOT_A_FUND =
  /\b(?:Names?|Tickers?|Symbols?|Ratios?|CUSIPs?|Splits?|Announces?|News|Dates?|Press|Contact|Depositary)\b/i;
/** Capitalized words before a name. */
const NOT_FIRST_WORD =
  /^(?:The|This|These|Its|Each|All|Both|For|In|On|Of|And|After|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|\d+|[•*&+-])$/;
const MAX_NAME_WORDS = 16;

const CUSIP = /(?<![A-Z0-9])([0-9A-Z]\d{2}[0-9A-Z]{3}) ?([0-9A-Z]{2}) ?(\d)(?![A-Z0-9])/g;
const SYMBOL = "[A-Z]{2,5}";
/** In brackets. In London a symbol may begin with a digit: `(3XYZ)`. */
const BRACKETED_SYMBOL = `(?:${SYMBOL}|[2-9](?!ND|RD|TH|X)[A-Z]{3})`;
/** Split after the tickers in the place of fund names: `ACM and HMI each undergo a 1-for-5 split`. */
const UNDERGO = "(?:undergo|execute|experience|see|have|conduct)";
const UNDERGOES = String.raw` (?:(?:each|both) )?(?:(?:will|(?:(?:is|are) (?:set |scheduled )?)?to) (?:each )?(?:(?:${UNDERGO}|be) )?|${UNDERGO} )(?:(?:on|at) )?(?:an? (?:[a-z]+ ){0,2})?(?:reverse|split|\d)`;
/** Ticker in brackets (alone or with its exchange), alone in a cell, before a CUSIP or a ratio with a CUSIP, or at the start of a row or list item. */
const TICKER = new RegExp(
  [
    String.raw`\((?:[A-Za-z .]{2,30}: ?)?"?(?<tagged>${BRACKETED_SYMBOL}(?:(?:, |,? and )${SYMBOL}){0,20})"?\)`,
    // The units of a fund in another currency have the suffix U: `ACM / ACM.U`.
    String.raw`^(?<alone>${SYMBOL})(?:(?: ?\/ ?| |, )\k<alone>\.U)?$`,
    String.raw`(?<=\b(?:ETFs?|ETNs?|ETPs?|Funds?|Shares|Trust|Notes) )(?<ending>${SYMBOL})(?= \d{1,3} ?(?:-for-|:|for) ?\d{1,4}$)`,
    String.raw`(?<![\w(])(?<coded>${SYMBOL})(?= (?:\d{1,3}(?:-for-|:)\d{1,4} )?[0-9A-Z]\d{2}[0-9A-Z]{3} ?[0-9A-Z]{2} ?\d(?![A-Z0-9]))`,
    `^(?<first>${SYMBOL})(?= [A-Z][A-Z-]{0,8}[a-z])`,
    String.raw`^(?:[•*-] ?)?(?<labeled>${SYMBOL})(?=(?::| -) ?\d|'?s? (?:reverse )?split is\b)`,
    String.raw`(?<![\w(])(?<subject>${SYMBOL}(?:, ${SYMBOL}){0,20}(?:,? (?:and|&) ${SYMBOL})?)(?=${UNDERGOES})`,
  ].join("|"),
  "g",
);

/** Rest of a fund's name. */
const NAME_AFTER =
  /^ (?:(?:daily|weekly|leveraged|inverse|long|short|bull|bear|target|[\d.]+x) ){0,4}(?:ETPs?|ETFs?|ETNs?|shares|securities|funds?)\b/i;
/** `Acme Clearing Corporation ("ACC")` defines a short name, not a ticker. */
const SHORT_NAME_BEFORE = /\b(?:Corporation|Corp\.?|Company|Commission|Inc\.?|LLC|Ltd\.?|AG|Bank|plc) $/i;

export const FORWARD = /\bforward\b[^.;]{0,25}?\bsplits?\b/i;
export const REVERSE = loosePattern("reverse (?:stock |share |unit )?splits?|consolidation");
const CELL_BREAK = /[\n\t|]|\s{3,}/g;
/** Separator that texts don't contain. */
const CELL_SEPARATOR = "\u0001";
/** Content of a table cell that does not occur alone in prose. */
const CELL = /^(?:\d[\d.]* ?(?:for|:|-for-) ?\d[\d.]*|[\d.]+ ?%|[A-Z]{2,5}|[0-9A-Z]{8}\d)$/i;
const PROSE = /[.:]$/;
export const MAX_CELL_LENGTH = 300;
/** Length of the text kept beside a token, in characters. */
const TOKEN_CONTEXT = 160;
const DIRECTION_AFTER = /^[^.;:0-9]{0,25}?\b(forward|reverse)\b/i;
const DIRECTION_BEFORE =
  /\b(forward|reverse)(?: (?:stock|share|unit))?(?: splits?)?(?: shares)?(?: (?:on|at|in|by))?(?: an?| the)?(?: (?:ratios?|basis)(?: of)?)?[ \n:(-]*$/i;

/** How the funds of a release are found: by their tickers, or by their names if it has none. */
type FundForm = "ticker" | "name";

/** Finds the tokens of each block of a release, in text order. */
export function findFundTokens(
  sentences: readonly Sentence[],
  form: FundForm = "ticker",
): readonly (readonly FundToken[])[] {
  const namesForward = sentences.some(({ plain }) => FORWARD.test(plain));
  let section: "reverse" | "forward" | undefined;
  const tokens: (readonly FundToken[])[] = [];
  for (const block of blocksOf(sentences)) {
    const text = block.cells.map(({ plain }) => plain).join(" ");
    const [isForward, isReverse] = [FORWARD.test(text), REVERSE.test(text)];
    // In a release about both kinds of split only a table heading sets the direction; a passing mention does not.
    if (isForward !== isReverse && (!namesForward || isHeading(block))) section = isForward ? "forward" : "reverse";
    else if (isForward) section = undefined;
    tokens.push(tokensOf(block, section, form));
  }
  return tokens;
}

function isHeading({ cells }: Block): boolean {
  const [first] = cells;
  return cells.length > 1 || (first !== undefined && (first.plain.length < 80 || first.plain.endsWith(":")));
}

function blocksOf(sentences: readonly Sentence[]): readonly Block[] {
  const blocks: { cells: Cell[] }[] = [];
  let table: { cells: Cell[] } | undefined;
  for (const sentence of sentences) {
    const cells = cellsOf(sentence).map((plain) => ({ plain, sentence }));
    const isProse = cells.length === 1 && (PROSE.test(sentence.plain) || sentence.plain.length > MAX_CELL_LENGTH);
    if (table && !isProse) table.cells.push(...cells);
    else {
      table = { cells };
      blocks.push(table);
    }
    if (isProse) table = undefined;
  }
  return blocks;
}

/** Splits a table row into cells at tabs and breaks, which only the verbatim text contains. Prose is one cell. */
function cellsOf(sentence: Sentence): readonly string[] {
  const { verbatim } = sentence;
  if (verbatim.search(CELL_BREAK) < 0) return [withDigits(sentence)];
  const separatedText = normalizeNumbers(toPlainText(verbatim.replaceAll(CELL_BREAK, CELL_SEPARATOR)).plain);
  const pieces = separatedText.split(CELL_SEPARATOR).flatMap((piece) => piece.trim() || []);
  const isList = pieces.filter((piece) => isFundName(piece, true)).length > 1;
  const isTabular = /[\t|]/.test(verbatim) || isList || (pieces.length > 1 && pieces.some((piece) => CELL.test(piece)));
  return isTabular ? pieces : [withDigits(sentence)];
}

function tokensOf({ cells }: Block, section: "reverse" | "forward" | undefined, form: FundForm): readonly FundToken[] {
  const text = cells.map(({ plain }) => plain).join("\n");
  const matches: (TokenMatch & { readonly sentence: Sentence })[] = [];
  let offset = 0;
  for (const { plain, sentence } of cells) {
    const cellMatches = matchesOf(plain, form);
    matches.push(
      ...cellMatches.map((cellMatch) => ({
        ...cellMatch,
        start: cellMatch.start + offset,
        end: cellMatch.end + offset,
        sentence,
      })),
    );
    offset += plain.length + 1;
  }
  const tokens: FundToken[] = [];
  for (const [index, match] of matches.entries()) {
    const before = text.slice(matches[index - 1]?.end ?? 0, match.start);
    const after = text.slice(match.end, matches[index + 1]?.start);
    const context = {
      sentence: match.sentence,
      before: before.slice(-TOKEN_CONTEXT),
      after: after.slice(0, TOKEN_CONTEXT),
    };
    if (match.kind !== "ratio") tokens.push({ ...match, ...context });
    else {
      const direction = directionOfRatio(match.isOldFirst, context, section);
      tokens.push({ ...context, kind: "ratio", ratio: match.ratio, ...direction });
    }
  }
  return tokens;
}

/** Decides by the words beside the ratio, else by the table's heading, else by the order of the two numbers. */
function directionOfRatio(
  isOldFirst: boolean,
  { before, after }: Pick<FundToken, "before" | "after">,
  section: "reverse" | "forward" | undefined,
): { readonly isReverse: boolean; readonly isNamed: boolean } {
  const direction = DIRECTION_AFTER.exec(after)?.[1] ?? DIRECTION_BEFORE.exec(before)?.[1];
  if (direction) return { isReverse: direction.toLowerCase() === "reverse", isNamed: true };
  if (section === undefined) return { isReverse: !isOldFirst, isNamed: false };
  return { isReverse: section === "reverse", isNamed: section === "reverse" };
}

/** Matches in text order, without overlaps. */
function matchesOf(plain: string, form: FundForm): readonly TokenMatch[] {
  if (!/[A-Z\d]/.test(plain)) return [];
  const all = [...ratiosIn(plain), ...cusipsIn(plain), ...(form === "ticker" ? tickersIn : namesIn)(plain)].toSorted(
    (a, b) => a.start - b.start,
  );
  return all.filter(({ start }, index) => start >= (all[index - 1]?.end ?? 0));
}

/** Finds the ratios that a text states in digits. */
export function ratiosIn(plain: string): readonly RatioMatch[] {
  if (!/\d/.test(plain) || ILLUSTRATIVE.test(plain)) return [];
  return RATIO_RULES.filter(({ form }) => form === "digits").flatMap(({ pattern, notBefore, notAfter }) =>
    findMatches(pattern, plain).flatMap(({ 0: text, index, groups = {} }): RatioMatch[] => {
      const [left, right] = [parseAmount(groups.left ?? ""), parseAmount(groups.right ?? "")];
      const ratio = left && right && ratioOfAmounts(left, right);
      const end = index + text.length;
      if (!ratio || notBefore?.test(plain.slice(Math.max(0, index - 60), index))) return [];
      if (notAfter?.test(plain.slice(end, end + 20))) return [];
      const isOldFirst = left.numerator * right.denominator > right.numerator * left.denominator;
      return [{ kind: "ratio", ratio, isOldFirst, start: index, end }];
    }),
  );
}

function cusipsIn(plain: string): readonly TokenMatch[] {
  return findMatches(CUSIP, plain).map(({ 0: text, index }) => ({
    kind: "cusip",
    cusip: text.replaceAll(" ", ""),
    start: index,
    end: index + text.length,
  }));
}

/** Whether a symbol is that of a fund's underlying share: `3x Short Acme (NASDAQ: ACME) Daily ETP Securities`. */
export function isUnderlying(before: string, after: string): boolean {
  const words = before.trimEnd().split(" ").slice(-3);
  return FUND_WORD.test(words.join(" ")) && !LAST_WORD.test(words.at(-1) ?? "") && NAME_AFTER.test(after);
}

/** Whether a quoted word in a bracket is a short name, as any is in a text in capitals. */
function definesShortName(plain: string, at: number): boolean {
  return isInCapitals(plain) || SHORT_NAME_BEFORE.test(plain.slice(Math.max(0, at - 20), at));
}

function tickersIn(plain: string): readonly TokenMatch[] {
  return findMatches(TICKER, plain).flatMap(({ 0: text, index, groups = {} }): TokenMatch[] => {
    if (groups.tagged !== undefined && isUnderlying(plain.slice(0, index), plain.slice(index + text.length))) return [];
    if (text.startsWith('("') && definesShortName(plain, index)) return [];
    const stated = Object.values(groups).find(Boolean) ?? "";
    const symbols = stated.split(/,? (?:and|&) |, /);
    return symbols.flatMap((symbol): TokenMatch[] => {
      const ticker = canBeBareSymbol(symbol) ? parseTicker(symbol) : undefined;
      const start = index + (symbols.length > 1 ? text.lastIndexOf(symbol) : 0);
      const end = symbols.length > 1 ? start + symbol.length : index + text.length;
      return ticker ? [{ kind: "fund", ticker, name: null, start, end }] : [];
    });
  });
}

/** Names of funds: a whole line, such as an item of a list, or words in capitals that end with `Shares`, `ETF` or the like. */
function namesIn(plain: string): readonly TokenMatch[] {
  const matches = findMatches(/\S+/g, plain);
  const words = matches.map(([word]) => word);
  const names: TokenMatch[] = [];
  for (let first = 0; first < words.length; first += 1) {
    if (NOT_FIRST_WORD.test(words[first] ?? "")) continue;
    const last = lastOfName(words, first);
    const start = matches[first]?.index ?? 0;
    const name = plain.slice(start, (matches[last]?.index ?? 0) + (words[last] ?? "").length).replace(/[.,;:]+$/, "");
    const isLine = start <= 2 && last === words.length - 1 && !PROSE.test(plain);
    if (!isFundName(name, isLine)) continue;
    names.push({ kind: "fund", ticker: null, name, start, end: start + name.length });
    first = last;
  }
  return names;
}

function isFundName(name: string, isLine: boolean): boolean {
  const last = name.slice(name.lastIndexOf(" ") + 1);
  if (name.length > MAX_CELL_LENGTH || /[.:]$/.test(name)) return false;
  return name.includes(" ") && FUND_WORD.test(name) && (isLine || LAST_WORD.test(last)) && !NOT_A_FUND.test(name);
}

/** Index of the last word of the name that begins at `first`. */
function lastOfName(words: readonly string[], first: number): number {
  let at = first;
  while (at - first < MAX_NAME_WORDS && continuesName(words.slice(at, at + 3))) at += 1;
  return at;
}

/** Whether the second of three words continues the name that the first one belongs to. */
function continuesName([word = "", next, afterNext = ""]: readonly string[]): boolean {
  if (next === undefined || !NAME_WORD.test(word) || /[,;:)]$/.test(word)) return false;
  if (NAME_WORD.test(next.replace(/[,;:.]+$/, "")) || next === "exchange-traded") return true;
  return /^(?:of|and|the)$/.test(next) && NAME_WORD.test(afterNext) && !LAST_WORD.test(word);
}
