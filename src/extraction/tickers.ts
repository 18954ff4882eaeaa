import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import {
  EXCHANGE_NAME,
  exchangeOfMatch,
  findExchangeAfter,
  findLastListingExchange,
  skipExchangeNames,
} from "./exchange-names.ts";

/** A ticker where a text names it. */
export interface TickerMatch extends TickerMention {
  readonly start: number;
  readonly end: number;
  /**
   * `tag`: beside its exchange, or `(Ticker: ACME)`. `cashtag`: `$ACME`. `cell`: in a table, beside a CUSIP.
   * `wording`: `under the symbol "ACME"`. `renamed`: `under the new symbol "ACME"`.
   * `bare`: behind the issuer's name, without an exchange.
   */
  readonly form: "tag" | "cashtag" | "cell" | "wording" | "renamed" | "bare";
}

const SYMBOL = String.raw`([A-Z0-9]{1,6}(?:[.-][A-Z0-9]{1,3}|\/(?:WS|WT|UN|RT|U|R|W))?)(?![A-Za-z0-9]|\s*:)`;

/** Words in capitals that stand where a symbol could. */
const NOT_SYMBOLS: ReadonlySet<string> = new Set(
  "NASDAQ NYSE OTC OTCQB OTCQX OTCID TSX TSXV CSE PINK LISTED TRADED QUOTED TBD TBA NONE N NA US CUSIP ISIN THE LLC INC OMX RULE".split(
    " ",
  ),
);

/** Amounts and currencies: `$M`, `US$`, `$CAD`. */
const MONEY: ReadonlySet<string> = new Set("MM BN USD CAD AUD NZD HKD SGD TWD US HK NT SG NZ CDN CA AU".split(" "));

/** A release names a handful, again and again; what names thousands is made to hurt. */
const MOST_OF_ONE_KIND = 2_000;

/** A tag's bracket opens at most so far before its exchange: `("Acme" or the "Company"; NASDAQ: ACME)`. */
const BRACKET_REACH = 200;
/** How far before `under the symbol` its exchange may stand. */
const WORDING_REACH = 100;

/** `: `, ` symbol: `, `: (`, `: "`, and `: [` of a link. */
const COLON = /(?: common| stock| ticker| trading){0,3}(?: symbols?)?\s*:\s*[([]?["']?\$?/iy;
/** `(TSX.V-ABC)`, `(Nasdaq | ABC)`, `(Nasdaq ABC)`: in brackets only, for `Nasdaq-listed` is no tag. */
const OTHER_COLON = /\s?[-|;=]\s?| (?=[A-Z]{2,5}["']?[),;])/y;
/** `(ABC: TSXV)`, up to the exchange's name. */
const SYMBOL_BEFORE = new RegExp(String.raw`[([,;/&]\s?["']?${SYMBOL.replace(String.raw`|\s*:`, "")}["']?\s?[:-]\s?$`);
const TAG_ENDS = /\s?(?:[)\],;/&]|and\b)/y;
const LONGEST_SYMBOL_BEFORE = 20;
const SYMBOL_HERE = new RegExp(SYMBOL, "y");
/** `(TSXV: Acme)`, printed like a name. */
const MIXED_CASE = /([A-Z][a-z]{1,4})["']?\s*[)\]]/y;
const NEXT_SYMBOL = new RegExp(
  String.raw`["']?\s*(?:[,;|/&]|and\b|or\b)\s*(?:and\b|or\b)?\s*["']?${SYMBOL}(?=["']?\s*(?:[,;|/&)\]."']|and\b|or\b))`,
  "y",
);
/** Capitals that go on: a heading, not a symbol. */
const SHOUTING = /["']?\s+[A-Z]{2,}\b/y;

const CASHTAG = /(?<![\w$])\$([A-Z]{2,6}(?:[.-][A-Z]{1,2})?)(?![\w$])/g;

/** A symbol in one cell and nine signs of a CUSIP in the next. */
const CELL = /(?:^|[\n|])\s?([A-Z]{1,5})\s?[\n|]\s?(?=[0-9A-Z]{8}\d\s?(?:$|[\n|]))(?=[A-Z]{0,8}\d)/g;

/**
 * `under the symbol "ACME"`, `Ticker: ACME`, `the trading symbol ACME`, `the symbol will remain "ACME"`, `with the stock
 * code "ACME"`. The label in capitals is a heading.
 */
const WORDING = new RegExp(
  String.raw`\b(?<adjective>(?:[Nn]ew )?(?:[Ss]tock |[Tt]rading |[Tt]icker )?)(?:(?:[Tt]icker|[Ss]ymbol)s?(?: [Ss]ymbols?)?|(?<=(?:[Ss]tock|[Tt]rading|[Tt]icker|[Ss]hare) )(?<code>[Cc]ode))(?:\s?(?<colon>:)\s?|[^.;:"'\n]{0,50}? (?:remains?|be|is|as|of) |,? )(?<quote>["']?)(?=[A-Z0-9])${SYMBOL.replace("(", "(?<symbol>")}`,
  "g",
);
/** `under the same ACME symbol`, `reverting to its normal “ACME” ticker`. */
const WORDING_BEHIND = new RegExp(
  String.raw`\b(?:under (?:the|its)|revert(?:s|ing)?(?: back)? to(?: the| its)?)(?: (?:same|existing|current|normal|regular|original|usual)){0,2} (?<quote>["']?)(?=[A-Z0-9])${SYMBOL.replace("(", "(?<symbol>")}["']? (?:(?:stock|trading|ticker) )?(?:symbol|ticker)\b`,
  "g",
);
const FORMER = /\b(?:former|formerly|previous|previously|old|prior)\b[^.;]*$/i;

/** The tickers that a text names, in order of appearance; some of them more than once. */
export function findTickers(plain: string): TickerMatch[] {
  const worded = [WORDING, WORDING_BEHIND].map((wording) => findWordings(plain, wording));
  return [findTags(plain), findCashtags(plain), findCells(plain), ...worded]
    .flatMap(firstOnes)
    .toSorted((a, b) => a.start - b.start);
}

function firstOnes(found: Iterable<TickerMatch>): TickerMatch[] {
  const first: TickerMatch[] = [];
  for (const one of found) {
    first.push(one);
    if (first.length === MOST_OF_ONE_KIND) break;
  }
  return first;
}

function* findTags(plain: string): Generator<TickerMatch> {
  for (const found of plain.matchAll(EXCHANGE_NAME)) {
    const exchange = exchangeOfMatch(found);
    const end = found.index + found[0].length;
    if (!exchange) continue;
    const inBrackets = isInBrackets(plain, found.index);
    const before = inBrackets ? symbolBefore(plain, found.index, end) : undefined;
    if (before) yield { ...before, exchange, form: "tag" };
    else yield* readTag(plain, end, exchange, inBrackets);
  }
}

function symbolBefore(plain: string, at: number, end: number): SymbolPlace | undefined {
  if (endOf(TAG_ENDS, plain, end) === undefined) return undefined;
  const from = Math.max(0, at - LONGEST_SYMBOL_BEFORE);
  const found = SYMBOL_BEFORE.exec(plain.slice(from, at));
  const place = found ? readSymbol(found) : undefined;
  return place && { ...place, start: from + place.start, end: from + place.end };
}

function isInBrackets(plain: string, at: number): boolean {
  const before = plain.slice(Math.max(0, at - BRACKET_REACH), at);
  const opened = Math.max(before.lastIndexOf("("), before.lastIndexOf("["));
  return opened > Math.max(before.lastIndexOf(")"), before.lastIndexOf("]"));
}

/** The symbols behind an exchange's name that ends at `at`. */
function* readTag(plain: string, at: number, exchange: Exchange, inBrackets: boolean): Generator<TickerMatch> {
  const from = endOf(COLON, plain, at) ?? (inBrackets ? endInBrackets(plain, at) : undefined);
  if (from === undefined) return;
  const first = symbolAt(SYMBOL_HERE, plain, from) ?? (inBrackets ? symbolAt(MIXED_CASE, plain, from) : undefined);
  if (!first || (!inBrackets && isShouted(plain, first))) return;
  yield { ...first, exchange, form: "tag" };
  if (inBrackets) yield* nextSymbols(plain, first.end, exchange, "tag");
}

function endInBrackets(plain: string, at: number): number | undefined {
  const end = skipExchangeNames(plain, at);
  return end === at ? endOf(OTHER_COLON, plain, at) : endOf(COLON, plain, end);
}

/** Outside brackets a colon may introduce anything: `NASDAQ: A NEW ERA`. */
function isShouted(plain: string, { ticker, end }: SymbolPlace): boolean {
  return ticker.length < 2 || endOf(SHOUTING, plain, end) !== undefined;
}

function* nextSymbols(
  plain: string,
  at: number,
  exchange: Exchange | null,
  how: TickerMatch["form"],
): Generator<TickerMatch> {
  let next = symbolAt(NEXT_SYMBOL, plain, at);
  while (next) {
    yield { ...next, exchange, form: how };
    next = symbolAt(NEXT_SYMBOL, plain, next.end);
  }
}

function* findCashtags(plain: string): Generator<TickerMatch> {
  for (const found of plain.matchAll(CASHTAG)) {
    const symbol = readSymbol(found);
    if (symbol && !MONEY.has(symbol.ticker)) yield { ...symbol, exchange: null, form: "cashtag" };
  }
}

function* findCells(plain: string): Generator<TickerMatch> {
  for (const found of plain.matchAll(CELL)) {
    const symbol = readSymbol(found);
    if (symbol) yield { ...symbol, exchange: null, form: "cell" };
  }
}

function* findWordings(plain: string, wording: RegExp): Generator<TickerMatch> {
  for (const found of plain.matchAll(wording)) {
    const worded = readWording(plain, found);
    if (!worded) continue;
    yield worded;
    const { end, exchange, form: how } = worded;
    if (found.groups?.quote) yield* nextSymbols(plain, end, exchange, how);
  }
}

function readWording(plain: string, found: RegExpExecArray): TickerMatch | undefined {
  const { adjective = "", code, colon, quote, symbol: written = "" } = found.groups ?? {};
  const symbol = readSymbol(found, written);
  if (!symbol || (!colon && !quote && isShouted(plain, symbol))) return undefined;
  const before = clauseBefore(plain, found.index);
  if (FORMER.test(before)) return undefined;
  const exchange = findExchangeAfter(plain, symbol.end) ?? findLastListingExchange(before + found[0]) ?? null;
  return code ? readCode(symbol, exchange) : { ...symbol, exchange, form: howWorded(adjective, colon) };
}

/** Without an exchange of ours beside it, it is a code of Hong Kong or Sydney. */
function readCode(symbol: SymbolPlace, exchange: Exchange | null): TickerMatch | undefined {
  return exchange === null || /\d/.test(symbol.ticker) ? undefined : { ...symbol, exchange, form: "wording" };
}

function howWorded(adjective: string, colon: string | undefined): TickerMatch["form"] {
  if (colon) return "tag";
  return /^new /i.test(adjective) ? "renamed" : "wording";
}

function clauseBefore(plain: string, at: number): string {
  const before = plain.slice(Math.max(0, at - WORDING_REACH), at);
  return before.slice(Math.max(before.lastIndexOf(". "), before.lastIndexOf("\n")) + 1);
}

interface SymbolPlace {
  readonly ticker: Ticker;
  readonly start: number;
  readonly end: number;
}

function symbolAt(sticky: RegExp, plain: string, at: number): SymbolPlace | undefined {
  sticky.lastIndex = at;
  const found = sticky.exec(plain);
  return found ? readSymbol(found) : undefined;
}

/** The symbol that a pattern found: the text of its first group, unless another is given. */
function readSymbol(found: RegExpExecArray, text = found[1] ?? ""): SymbolPlace | undefined {
  // The over-the-counter market's old endings are no part of the symbol: ACME.PK, ACME.OB.
  const ticker = parseTicker(text.replace(/\.(?:PK|OB|QB)$/, ""));
  if (!ticker || NOT_SYMBOLS.has(ticker)) return undefined;
  const start = found.index + found[0].lastIndexOf(text);
  return { ticker, start, end: start + text.length };
}

function endOf(sticky: RegExp, plain: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(plain) ? sticky.lastIndex : undefined;
}
