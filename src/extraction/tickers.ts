import type { TickerMention } from "../domain/article/article.ts";
import { type Exchange, parseExchange } from "../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { MONEY, NEVER_SYMBOLS } from "./capital-words.ts";
import {
  EXCHANGE_NAME,
  exchangeOfMatch,
  findExchangeAfter,
  findLastListingExchange,
  skipExchangeNames,
} from "./exchange-names.ts";
import { findMatches } from "./text-rule.ts";

/** A ticker at its position in a text. */
export interface TickerMatch extends TickerMention {
  readonly start: number;
  readonly end: number;
  /**
   * `tag`: with its exchange, or `(Ticker: ACME)`. `cashtag`: `$ACME`. `cell`: in a table, beside a CUSIP.
   * `wording`: `under the symbol "ACME"`, or beside its class on the cover of a filing. `renamed`: `under the new symbol "ACME"`.
   */
  readonly form: "tag" | "cashtag" | "cell" | "wording" | "renamed";
  /** Whether it is the symbol of a warrant, right, preferred share or note. */
  readonly isOtherSecurity: boolean;
}

/** Securities that a symbol may belong to; the group holds those that aren't split. */
const SECURITY_NOUN =
  /\b(?:(warrants?|(?:subscription |public )?rights|(?:preferred|preference)(?: stock| shares?| units?)?|(?<!exchange[- ]traded )notes?|debentures?|bonds?|subscription receipts?)|shares?|stock|units?|ADSs?|ADRs?|receipts?|securities)\b/gi;
const OTHER_SECURITY_BEFORE_BRACKET =
  /\b(?:warrants?|(?:preferred|preference) (?:stock|shares?|units?)|(?<!exchange[- ]traded )notes?|debentures?|bonds?)"?\)? ?[([][^()[\]]{0,60}$/i;
/** Suffixes of warrants, rights, preferred shares, notes and debentures. */
const OTHER_SECURITY_SUFFIX = /[./-](?:WSA?|WT|RT|PR?[A-Z]|PR|NT|DB)$/;

const NASDAQ = parseExchange("NASDAQ");
/** Exchanges on which the suffix U denotes units of shares and warrants. In Toronto it denotes units of a trust or US dollars. */
const UNIT_EXCHANGES: ReadonlySet<string> = new Set(["NYSE", "NYSEAMERICAN"]);

/** Class, unit or other suffix: `.B`, `.PR.A`, `/WS`, ` B` before a closing bracket, `.un`. */
const SUFFIX = String.raw`[.-][A-Z0-9]{1,4}|\/(?:WSA?|WT|UN|RT|PR?[A-Z]|[A-Z])| (?:WSA?|WT|UN|RT|PR ?[A-Z]|[A-Z])(?=["']?[)\],;])|\.(?:un|wt|rt|db|[abu])(?=["']?[)\],;])`;
/** A symbol with all of its suffixes. A symbol whose rest has another form isn't matched, because a part may name another security. */
const SYMBOL = String.raw`([A-Z0-9]{1,6}(?:${SUFFIX}){0,3})(?![A-Za-z0-9]|\s*:|[.-][A-Z0-9]{1,9}(?![A-Za-z0-9])|\/[A-Z]{1,2}(?![A-Za-z0-9]))`;

/** Maximum number of matches of one form. Releases name few tickers; the limit bounds hostile input. */
const MAX_MATCHES = 2_000;

/** Maximum distance from a tag's bracket to its exchange, in characters: `("Acme" or the "Company"; NASDAQ: ACME)`. */
const MAX_BRACKET_DISTANCE = 200;
/** Length of the text before `under the symbol` in which the exchange may be named, in characters. */
const MAX_WORDING_CONTEXT = 100;

/** `: `, ` symbol: `, `: (`, `: "`, and `: [` of a link. */
const COLON = /(?: common| stock| ticker| trading){0,3}(?: symbols?)?\s*:\s*[([]?["']?\$?/iy;
/** `(TSX.V-ABC)`, `(Nasdaq | ABC)`, `(Nasdaq ABC)`. Only in brackets: `Nasdaq-listed` is not a tag. */
const BRACKETED_SEPARATOR = /\s?[-|;=]\s?| (?=[A-Z]{2,5}["']?[),;])/y;
/** `(ABC: TSXV)`, up to the name of the exchange. */
const SYMBOL_BEFORE = new RegExp(String.raw`[([,;/&]\s?["']?${SYMBOL.replace(String.raw`|\s*:`, "")}["']?\s?[:-]\s?$`);
/** `Common Stock, par value $0.001 per share | ABC | `, up to the name of the exchange. */
const SYMBOL_OF_CLASS =
  /\b(?:[Cc]ommon [Ss](?:tock|hares?)|[Oo]rdinary [Ss]hares?|[Dd]epositary [Ss]hares?|[Uu]nits?)\b[^;()"]{0,70}?(?:[|:\n]\s?|\b(?:value|share|par) )([A-Z]{2,5})\s?[|(\n]?\s?$/;
/** Other exchanges before the symbol: `, Euronext Amsterdam` in `(NASDAQ, Euronext Amsterdam: ABC)`. */
const OTHER_EXCHANGES = /\s?(?:[,;/|&]|and\b)\s?[A-Z][A-Za-z.]{1,20}(?: [A-Z][A-Za-z.]{1,20}){0,3}(?=\s?:)/y;
/** Words after the symbol by which a tag is that of another company: `(NYSE: ACME supplier)`. */
const ROLE_AFTER =
  /["']?,? (?:an? )?(?:[a-z-]+ )?(?:suppliers?|customers?|partners?|subsidiary|affiliates?|parent|owned|controlled|backed|members?|holders?|shareholders?|investors?|rivals?|competitors?)\b/y;
const TAG_END = /\s?(?:[)\],;/&]|and\b)/y;
const SYMBOL_CONTEXT = 20;
const SYMBOL_HERE = new RegExp(SYMBOL, "y");
/** `(TSXV: Acme)`: a symbol in mixed case. */
const MIXED_CASE = /([A-Z][a-z]{1,4})["']?\s*[)\]]/y;
const NEXT_SYMBOL = new RegExp(
  String.raw`["']?\s*(?:[,;|/&]|and\b|or\b)\s*(?:and\b|or\b)?\s*["']?${SYMBOL}(?=["']?\s*(?:[,;|/&)\]."']|and\b|or\b))`,
  "y",
);
/** Further words in capitals on the same line, as in a heading. */
const MORE_CAPITALS = /["']? +[A-Z]{2,}\b/y;

const CASHTAG = new RegExp(String.raw`(?<![\w$])\$(?=[A-Z]{2})${SYMBOL}(?!\$)`, "g");

/** A symbol in one table cell, followed by a CUSIP in the next. */
const CELL = /(?:^|[\n|])\s?([A-Z]{1,5})\s?[\n|]\s?(?=[0-9A-Z]{8}\d\s?(?:$|[\n|]))(?=[A-Z]{0,8}\d)/g;

/**
 * `under the symbol "ACME"`, `Ticker: ACME`, `the trading symbol ACME`, `the symbol will remain "ACME"`, `with the stock
 * code "ACME"`. A label in capitals is a heading and does not match.
 */
const WORDING = new RegExp(
  String.raw`\b(?<adjective>(?:[Nn]ew )?(?:[Ss]tock |[Tt]rading |[Tt]icker )?)(?:(?:[Tt]icker|[Ss]ymbol)s?(?: [Ss]ymbols?)?|(?<=(?:[Ss]tock|[Tt]rading|[Tt]icker|[Ss]hare) )(?<code>[Cc]ode))(?:\s?(?<colon>:)\s?|[^.;:"'\n]{0,50}? (?:remains?|be|is|as|of|reverts?(?: back)? to) |,? )(?<quote>["'(]?)(?=[A-Z0-9])${SYMBOL.replace("(", "(?<symbol>")}`,
  "g",
);
/** `under the same ACME symbol`, `reverting to its normal “ACME” ticker`, `a "D" appended to the existing ACME symbol`. */
const WORDING_AFTER = new RegExp(
  String.raw`\b(?:(?:under|keep|retain) (?:the|its)|(?:append|add)(?:ed|ing) to (?:the|its)|revert(?:s|ing)?(?: back)? to(?: the| its)?)(?: (?:same|existing|current|normal|regular|original|usual)){0,2} (?<quote>["']?)(?=[A-Z0-9])${SYMBOL.replace("(", "(?<symbol>")}["']? (?:(?:stock|trading|ticker) )?(?:symbol|ticker)\b`,
  "g",
);
/** `trading as "ACME" on both exchanges`, `trades under “ACME”`, `trade as ACME`. */
const TRADING_AS = new RegExp(
  String.raw`\b[Tt]rad(?:es?|ing|ed)(?: on [\w ]{1,40})? (?:as|under) (?<quote>["'(]?)(?=[A-Z]{2})${SYMBOL.replace("(", "(?<symbol>")}`,
  "g",
);
const FORMER = /\b(?:former|formerly|previous|previously|old|prior)\b[^.;]*$/i;

/** Text before the symbol of options: `Option Symbol: ACME`, and `New Symbol: ACME1` beside it. */
const OF_OPTIONS = /\b(?:option|futures)\s(?:symbols?:\s?[A-Z0-9]{1,8}\s)?$/i;

type ParsedTicker = Omit<TickerMatch, "isOtherSecurity">;

/** Returns the tickers at a match of a pattern. */
type MatchParser = (plain: string, match: RegExpExecArray) => readonly ParsedTicker[];

/** Parsers of the forms of tickers, each with the pattern that it needs. */
const FORMS: readonly (readonly [RegExp, MatchParser])[] = [
  [EXCHANGE_NAME, parseTag],
  [CASHTAG, parseCashtag],
  [CELL, parseCell],
  [WORDING, parseWording],
  [WORDING_AFTER, parseWording],
  [TRADING_AS, parseWording],
];

/** Finds the tickers of a text, in text order. A ticker may occur several times. */
export function findTickers(plain: string): TickerMatch[] {
  return FORMS.flatMap(([pattern, parse]) => findForm(plain, pattern, parse)).toSorted((a, b) => a.start - b.start);
}

function findForm(plain: string, pattern: RegExp, parse: MatchParser): readonly TickerMatch[] {
  const tickers: TickerMatch[] = [];
  for (const match of plain.matchAll(pattern)) {
    const parsed = parse(plain, match);
    const isOther = parsed.length === 1 && followsOtherSecurity(plain, match.index, parsed);
    tickers.push(
      ...parsed.map((ticker) => ({ ...ticker, isOtherSecurity: isOther || isOtherSecurity(plain, ticker) })),
    );
    if (tickers.length >= MAX_MATCHES) break;
  }
  return tickers.slice(0, MAX_MATCHES);
}

/** Whether the noun before the wording of a single symbol is another security: `the warrants trade under the symbol`. */
function followsOtherSecurity(plain: string, at: number, [first]: readonly ParsedTicker[]): boolean {
  const isWording = first?.form === "wording" || first?.form === "renamed";
  return isWording && findMatches(SECURITY_NOUN, clauseBefore(plain, at)).at(-1)?.[1] !== undefined;
}

function isOtherSecurity(plain: string, { ticker, exchange, start }: ParsedTicker): boolean {
  if (OTHER_SECURITY_SUFFIX.test(ticker) || (exchange === NASDAQ && /^[A-Z]{4}W$/.test(ticker))) return true;
  if (exchange !== null && UNIT_EXCHANGES.has(exchange) && /[./-]U$/.test(ticker)) return true;
  return OTHER_SECURITY_BEFORE_BRACKET.test(plain.slice(Math.max(0, start - MAX_WORDING_CONTEXT), start));
}

function parseTag(plain: string, match: RegExpExecArray): readonly ParsedTicker[] {
  const exchange = exchangeOfMatch(match);
  const end = match.index + match[0].length;
  if (!exchange) return [];
  const inBrackets = isInBrackets(plain, match.index);
  const before = inBrackets ? symbolBefore(plain, match.index, end) : undefined;
  if (before) return [{ ...before, exchange, form: "tag" }];
  const ofClass = symbolOfClass(plain, match.index);
  return ofClass ? [{ ...ofClass, exchange, form: "wording" }] : tagAfter(plain, end, exchange, inBrackets);
}

function symbolBefore(plain: string, at: number, end: number): SymbolMatch | undefined {
  if (endOfMatch(TAG_END, plain, end) === undefined) return undefined;
  const from = Math.max(0, at - SYMBOL_CONTEXT);
  const match = SYMBOL_BEFORE.exec(plain.slice(from, at));
  const symbol = match ? toSymbol(match) : undefined;
  return symbol && { ...symbol, start: from + symbol.start, end: from + symbol.end };
}

/** Symbol between a class of shares and its exchange, as on the cover of a filing. */
function symbolOfClass(plain: string, at: number): SymbolMatch | undefined {
  const from = Math.max(0, at - MAX_WORDING_CONTEXT);
  const match = SYMBOL_OF_CLASS.exec(plain.slice(from, at));
  const symbol = match ? toSymbol(match) : undefined;
  return symbol && { ...symbol, start: from + symbol.start, end: from + symbol.end };
}

function isInBrackets(plain: string, at: number): boolean {
  const before = plain.slice(Math.max(0, at - MAX_BRACKET_DISTANCE), at);
  const opened = Math.max(before.lastIndexOf("("), before.lastIndexOf("["));
  return opened > Math.max(before.lastIndexOf(")"), before.lastIndexOf("]"));
}

/** Symbols after the name of an exchange that ends at `at`. */
function tagAfter(plain: string, at: number, exchange: Exchange, inBrackets: boolean): readonly ParsedTicker[] {
  const from = endOfMatch(COLON, plain, at) ?? (inBrackets ? endInBrackets(plain, at) : undefined);
  if (from === undefined) return [];
  const first = symbolAt(SYMBOL_HERE, plain, from) ?? (inBrackets ? symbolAt(MIXED_CASE, plain, from) : undefined);
  if (!first || (!inBrackets && isHeadingWord(plain, first))) return [];
  if (endOfMatch(ROLE_AFTER, plain, first.end) !== undefined) return [];
  const tag: ParsedTicker = { ...first, exchange, form: "tag" };
  return inBrackets ? withNextSymbols(plain, tag) : [tag];
}

function endInBrackets(plain: string, at: number): number | undefined {
  const end = skipExchangeNames(plain, at);
  const afterOther = endOfMatch(OTHER_EXCHANGES, plain, end);
  if (afterOther !== undefined) return endOfMatch(COLON, plain, afterOther);
  return end === at ? endOfMatch(BRACKETED_SEPARATOR, plain, at) : endOfMatch(COLON, plain, end);
}

/** Outside brackets the words after a colon may be a heading: `NASDAQ: A NEW ERA`. */
function isHeadingWord(plain: string, { ticker, end }: SymbolMatch): boolean {
  return ticker.length < 2 || endOfMatch(MORE_CAPITALS, plain, end) !== undefined;
}

/** The ticker with those of the list that it begins: `ACME, ACMEW and ACMEU`. */
function withNextSymbols(plain: string, first: ParsedTicker): readonly ParsedTicker[] {
  const tickers = [first];
  let next = symbolAt(NEXT_SYMBOL, plain, first.end);
  while (next && tickers.length < MAX_MATCHES) {
    tickers.push({ ...first, ...next });
    next = symbolAt(NEXT_SYMBOL, plain, next.end);
  }
  return tickers;
}

function parseCashtag(_: string, match: RegExpExecArray): readonly ParsedTicker[] {
  const symbol = toSymbol(match);
  return symbol && !MONEY.has(symbol.ticker) ? [{ ...symbol, exchange: null, form: "cashtag" }] : [];
}

function parseCell(_: string, match: RegExpExecArray): readonly ParsedTicker[] {
  const symbol = toSymbol(match);
  return symbol ? [{ ...symbol, exchange: null, form: "cell" }] : [];
}

function parseWording(plain: string, match: RegExpExecArray): readonly ParsedTicker[] {
  const first = isOfOptions(plain, match.index) ? undefined : firstOfWording(plain, match);
  if (!first) return [];
  return match.groups?.quote ? withNextSymbols(plain, first) : [first];
}

function firstOfWording(plain: string, match: RegExpExecArray): ParsedTicker | undefined {
  const { adjective = "", code, colon, quote, symbol: symbolText = "" } = match.groups ?? {};
  const symbol = toSymbol(match, symbolText);
  if (!symbol || (!colon && !quote && isHeadingWord(plain, symbol))) return undefined;
  const before = clauseBefore(plain, match.index);
  if (FORMER.test(before)) return undefined;
  const exchange = findExchangeAfter(plain, symbol.end) ?? findLastListingExchange(before + match[0]) ?? null;
  return code ? parseCode(symbol, exchange) : { ...symbol, exchange, form: wordingForm(adjective, colon) };
}

function isOfOptions(plain: string, at: number): boolean {
  return OF_OPTIONS.test(plain.slice(Math.max(0, at - MAX_WORDING_CONTEXT), at));
}

/**
 * Omits a stock code without a supported exchange, because such codes are used in Hong Kong and Sydney. A code with a digit after
 * its letters (`ACME1V`) is that of a share elsewhere, and can't be mistaken for another company's symbol.
 */
function parseCode(symbol: SymbolMatch, exchange: Exchange | null): ParsedTicker | undefined {
  const isSymbol = exchange === null ? /^[A-Z]{3,5}\d[A-Z]?$/.test(symbol.ticker) : !/\d/.test(symbol.ticker);
  return isSymbol ? { ...symbol, exchange, form: "wording" } : undefined;
}

function wordingForm(adjective: string, colon: string | undefined): ParsedTicker["form"] {
  if (colon) return "tag";
  return /^new /i.test(adjective) ? "renamed" : "wording";
}

function clauseBefore(plain: string, at: number): string {
  const before = plain.slice(Math.max(0, at - MAX_WORDING_CONTEXT), at);
  return before.slice(Math.max(before.lastIndexOf(". "), before.lastIndexOf("\n")) + 1);
}

interface SymbolMatch {
  readonly ticker: Ticker;
  readonly start: number;
  readonly end: number;
}

function symbolAt(sticky: RegExp, plain: string, at: number): SymbolMatch | undefined {
  sticky.lastIndex = at;
  const match = sticky.exec(plain);
  return match ? toSymbol(match) : undefined;
}

/** Symbol in `text`, which is the first group of the match by default. */
function toSymbol(match: RegExpExecArray, text = match[1] ?? ""): SymbolMatch | undefined {
  const ticker = parseTicker(withoutMarketCode(text).replace(/ (?=\S+$)/, "."));
  if (!ticker || NEVER_SYMBOLS.has(ticker)) return undefined;
  const start = match.index + match[0].lastIndexOf(text);
  return { ticker, start, end: start + text.length };
}

/**
 * Removes what isn't a part of the symbol: former suffixes of the over-the-counter market (`ACME.PK`, `ACME.OB`) and the codes of
 * news agencies for the NYSE and Nasdaq (`ACME.N`, `ACME.O`).
 */
export function withoutMarketCode(symbol: string): string {
  return symbol.replace(/\.(?:PK|OB|QB|N|OQ?)$/, "");
}

function endOfMatch(sticky: RegExp, plain: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(plain) ? sticky.lastIndex : undefined;
}
