import type { TickerMention } from "../domain/article/article.ts";
import { containsName, foldName, foldText } from "../domain/article/company-name.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import {
  EXCHANGE_NAME,
  exchangeOfMatch,
  findExchangeAfter,
  findLastListingExchange,
  skipExchangeNames,
} from "./exchange-names.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";

/** A ticker at its position in a text. */
export interface TickerMatch extends TickerMention {
  readonly start: number;
  readonly end: number;
  /**
   * `tag`: with its exchange, or `(Ticker: ACME)`. `cashtag`: `$ACME`. `cell`: in a table, beside a CUSIP.
   * `wording`: `under the symbol "ACME"`. `renamed`: `under the new symbol "ACME"`.
   */
  readonly form: "tag" | "cashtag" | "cell" | "wording" | "renamed";
}

const SYMBOL = String.raw`([A-Z0-9]{1,6}(?:[.-][A-Z0-9]{1,3}|\/(?:WS|WT|UN|RT|U|R|W))?)(?![A-Za-z0-9]|\s*:)`;

/** Words in capitals that are not symbols. */
const NOT_SYMBOLS: ReadonlySet<string> = new Set(
  "NASDAQ NYSE OTC OTCQB OTCQX OTCID TSX TSXV CSE PINK LISTED TRADED QUOTED TBD TBA NONE N NA US CUSIP ISIN THE LLC INC OMX RULE".split(
    " ",
  ),
);

/** Amounts and currencies after a dollar sign: `$M`, `US$`, `$CAD`. */
const MONEY: ReadonlySet<string> = new Set("MM BN USD CAD AUD NZD HKD SGD TWD US HK NT SG NZ CDN CA AU".split(" "));

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

const CASHTAG = /(?<![\w$])\$([A-Z]{2,6}(?:[.-][A-Z]{1,2})?)(?![\w$])/g;

/** A symbol in one table cell, followed by a CUSIP in the next. */
const CELL = /(?:^|[\n|])\s?([A-Z]{1,5})\s?[\n|]\s?(?=[0-9A-Z]{8}\d\s?(?:$|[\n|]))(?=[A-Z]{0,8}\d)/g;

/**
 * `under the symbol "ACME"`, `Ticker: ACME`, `the trading symbol ACME`, `the symbol will remain "ACME"`, `with the stock
 * code "ACME"`. A label in capitals is a heading and does not match.
 */
const WORDING = new RegExp(
  String.raw`\b(?<adjective>(?:[Nn]ew )?(?:[Ss]tock |[Tt]rading |[Tt]icker )?)(?:(?:[Tt]icker|[Ss]ymbol)s?(?: [Ss]ymbols?)?|(?<=(?:[Ss]tock|[Tt]rading|[Tt]icker|[Ss]hare) )(?<code>[Cc]ode))(?:\s?(?<colon>:)\s?|[^.;:"'\n]{0,50}? (?:remains?|be|is|as|of) |,? )(?<quote>["']?)(?=[A-Z0-9])${SYMBOL.replace("(", "(?<symbol>")}`,
  "g",
);
/** `under the same ACME symbol`, `reverting to its normal “ACME” ticker`. */
const WORDING_AFTER = new RegExp(
  String.raw`\b(?:under (?:the|its)|revert(?:s|ing)?(?: back)? to(?: the| its)?)(?: (?:same|existing|current|normal|regular|original|usual)){0,2} (?<quote>["']?)(?=[A-Z0-9])${SYMBOL.replace("(", "(?<symbol>")}["']? (?:(?:stock|trading|ticker) )?(?:symbol|ticker)\b`,
  "g",
);
const FORMER = /\b(?:former|formerly|previous|previously|old|prior)\b[^.;]*$/i;

/** Returns the tickers at a match of a pattern. */
type MatchParser = (plain: string, match: RegExpExecArray) => readonly TickerMatch[];

/** Parsers of the forms of tickers, each with the pattern that it needs. */
const FORMS: readonly (readonly [RegExp, MatchParser])[] = [
  [EXCHANGE_NAME, parseTag],
  [CASHTAG, parseCashtag],
  [CELL, parseCell],
  [WORDING, parseWording],
  [WORDING_AFTER, parseWording],
];

/** Finds the tickers of a text, in text order. A ticker may occur several times. */
export function findTickers(plain: string): TickerMatch[] {
  return FORMS.flatMap(([pattern, parse]) => findForm(plain, pattern, parse)).toSorted((a, b) => a.start - b.start);
}

function findForm(plain: string, pattern: RegExp, parse: MatchParser): readonly TickerMatch[] {
  const tickers: TickerMatch[] = [];
  for (const match of plain.matchAll(pattern)) {
    tickers.push(...parse(plain, match));
    if (tickers.length >= MAX_MATCHES) break;
  }
  return tickers.slice(0, MAX_MATCHES);
}

function parseTag(plain: string, match: RegExpExecArray): readonly TickerMatch[] {
  const exchange = exchangeOfMatch(match);
  const end = match.index + match[0].length;
  if (!exchange) return [];
  const inBrackets = isInBrackets(plain, match.index);
  const before = inBrackets ? symbolBefore(plain, match.index, end) : undefined;
  return before ? [{ ...before, exchange, form: "tag" }] : tagAfter(plain, end, exchange, inBrackets);
}

function symbolBefore(plain: string, at: number, end: number): SymbolMatch | undefined {
  if (endOfMatch(TAG_END, plain, end) === undefined) return undefined;
  const from = Math.max(0, at - SYMBOL_CONTEXT);
  const match = SYMBOL_BEFORE.exec(plain.slice(from, at));
  const symbol = match ? toSymbol(match) : undefined;
  return symbol && { ...symbol, start: from + symbol.start, end: from + symbol.end };
}

function isInBrackets(plain: string, at: number): boolean {
  const before = plain.slice(Math.max(0, at - MAX_BRACKET_DISTANCE), at);
  const opened = Math.max(before.lastIndexOf("("), before.lastIndexOf("["));
  return opened > Math.max(before.lastIndexOf(")"), before.lastIndexOf("]"));
}

/** Symbols after the name of an exchange that ends at `at`. */
function tagAfter(plain: string, at: number, exchange: Exchange, inBrackets: boolean): readonly TickerMatch[] {
  const from = endOfMatch(COLON, plain, at) ?? (inBrackets ? endInBrackets(plain, at) : undefined);
  if (from === undefined) return [];
  const first = symbolAt(SYMBOL_HERE, plain, from) ?? (inBrackets ? symbolAt(MIXED_CASE, plain, from) : undefined);
  if (!first || (!inBrackets && isHeadingWord(plain, first))) return [];
  const tag: TickerMatch = { ...first, exchange, form: "tag" };
  return inBrackets ? withNextSymbols(plain, tag) : [tag];
}

function endInBrackets(plain: string, at: number): number | undefined {
  const end = skipExchangeNames(plain, at);
  return end === at ? endOfMatch(BRACKETED_SEPARATOR, plain, at) : endOfMatch(COLON, plain, end);
}

/** Outside brackets the words after a colon may be a heading: `NASDAQ: A NEW ERA`. */
function isHeadingWord(plain: string, { ticker, end }: SymbolMatch): boolean {
  return ticker.length < 2 || endOfMatch(MORE_CAPITALS, plain, end) !== undefined;
}

/** The ticker with those of the list that it begins: `ACME, ACMEW and ACMEU`. */
function withNextSymbols(plain: string, first: TickerMatch): readonly TickerMatch[] {
  const tickers = [first];
  let next = symbolAt(NEXT_SYMBOL, plain, first.end);
  while (next && tickers.length < MAX_MATCHES) {
    tickers.push({ ...first, ...next });
    next = symbolAt(NEXT_SYMBOL, plain, next.end);
  }
  return tickers;
}

function parseCashtag(_: string, match: RegExpExecArray): readonly TickerMatch[] {
  const symbol = toSymbol(match);
  return symbol && !MONEY.has(symbol.ticker) ? [{ ...symbol, exchange: null, form: "cashtag" }] : [];
}

function parseCell(_: string, match: RegExpExecArray): readonly TickerMatch[] {
  const symbol = toSymbol(match);
  return symbol ? [{ ...symbol, exchange: null, form: "cell" }] : [];
}

function parseWording(plain: string, match: RegExpExecArray): readonly TickerMatch[] {
  const first = firstOfWording(plain, match);
  if (!first) return [];
  return match.groups?.quote ? withNextSymbols(plain, first) : [first];
}

function firstOfWording(plain: string, match: RegExpExecArray): TickerMatch | undefined {
  const { adjective = "", code, colon, quote, symbol: symbolText = "" } = match.groups ?? {};
  const symbol = toSymbol(match, symbolText);
  if (!symbol || (!colon && !quote && isHeadingWord(plain, symbol))) return undefined;
  const before = clauseBefore(plain, match.index);
  if (FORMER.test(before)) return undefined;
  const exchange = findExchangeAfter(plain, symbol.end) ?? findLastListingExchange(before + match[0]) ?? null;
  return code ? parseCode(symbol, exchange) : { ...symbol, exchange, form: wordingForm(adjective, colon) };
}

/** Omits a stock code without a supported exchange, because such codes are used in Hong Kong and Sydney. */
function parseCode(symbol: SymbolMatch, exchange: Exchange | null): TickerMatch | undefined {
  return exchange === null || /\d/.test(symbol.ticker) ? undefined : { ...symbol, exchange, form: "wording" };
}

function wordingForm(adjective: string, colon: string | undefined): TickerMatch["form"] {
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
  // Former suffixes of the over-the-counter market are not part of the symbol: ACME.PK, ACME.OB.
  const ticker = parseTicker(text.replace(/\.(?:PK|OB|QB)$/, ""));
  if (!ticker || NOT_SYMBOLS.has(ticker)) return undefined;
  const start = match.index + match[0].lastIndexOf(text);
  return { ticker, start, end: start + text.length };
}

function endOfMatch(sticky: RegExp, plain: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(plain) ? sticky.lastIndex : undefined;
}

/** A ticker that is not in an exchange tag, with its company and sentence. */
export interface TickerInSentence extends TickerMention {
  readonly company: string;
  readonly sentence: Sentence;
}

/** Symbols that only a directory can confirm: `(ACME)`, `shares of ACME`, `ACME shares`. */
const UNCONFIRMED =
  /\((?<bracketed>[A-Z]{1,6}(?:\.[A-Z]{1,2})?)\)|\b(?:shares|stock|units) of (?<owned>[A-Z]{2,6})\b|(?<![\w.])(?<owner>[A-Z]{2,6})(?:'s)? (?:common |ordinary )?(?:shares|stock|units)\b/g;
const MAX_UNCONFIRMED = 50;

/** Finds the first symbol that the directory lists for a company named in the text. */
export function findListedTicker(
  sentences: readonly Sentence[],
  directory: SymbolDirectory,
): TickerInSentence | undefined {
  const listedTickers = findUnconfirmed(sentences).flatMap(({ ticker, sentence }) =>
    directory.find(ticker).map(({ company, exchange }) => ({ ticker, company, exchange, sentence })),
  );
  if (listedTickers.length === 0) return undefined;
  const foldedText = foldText(sentences.map(({ plain }) => plain).join("\n"));
  return listedTickers.find(({ company }) => containsName(foldName(company), foldedText));
}

function findUnconfirmed(sentences: readonly Sentence[]): readonly Omit<TickerInSentence, "company">[] {
  const tickers: Omit<TickerInSentence, "company">[] = [];
  for (const sentence of sentences) {
    for (const { groups: { bracketed, owned, owner } = {} } of findMatches(UNCONFIRMED, sentence.plain)) {
      const ticker = parseTicker(bracketed ?? owned ?? owner ?? "");
      if (ticker && !NOT_SYMBOLS.has(ticker)) tickers.push({ ticker, exchange: null, sentence });
      if (tickers.length === MAX_UNCONFIRMED) return tickers;
    }
  }
  return tickers;
}

/** Abbreviations that follow the name of a company or authority and are not tickers. */
const NOT_BARE_TICKERS: ReadonlySet<string> = new Set(
  `NASDAQ NYSE AMEX OTC OTCQB TSX TSXV CSE ASX LSE HKEX SEC FDA EMA EPA FTC IRS FINRA DTC DTCC CEO CFO COO CTO CMO IR PR
  HR US USA UK EU UAE USD CAD AUD ADS ADSS ADR ADRS GDR ETF ETFS ETN ETNS IPO SPAC AGM EGM BOD MOU LOI NAV LLC INC LTD
  PLC CORP AI IT TV ESG R D`.split(/\s+/),
);

const NAME_WORD = String.raw`[\p{Lu}\d][\p{L}\d.,&'-]*`;
/** A text that consists of a company name only. */
const NAME = new RegExp(`^${NAME_WORD}(?: (?:${NAME_WORD}|&|of|and|the|de)){0,7}$`, "u");
const LEGAL_FORM = /(?:^| )(?:Inc|Incorporated|Corp|Corporation|Co|Ltd|Limited|plc|PLC|N\.V|S\.A|SA|SE|AG|LLC)\.?$/;
const REGULATOR = /\b(?:Commission|Administration|Authority|Agency|Department|Exchange|Committee|Board|Service)\b/;
const NOT_ISSUER = /^(?:The|Holders|Shareholders|Stockholders|Investors|Board|Directors|Management|Shares|Units)\b/;
const IN_BRACKETS = /\(([A-Z]{2,5})\)/;
const WITHOUT_BRACKETS = / ([A-Z]{2,5})(?= )/;
/** End of a dateline, or a list marker. */
const CLAUSE_START = / -{1,2} |^[-*\u2022] /g;
/** Text after an issuer: a verb such as ` announced`, or its shares, as in `'s stock`. */
const ISSUER_CONTINUATION =
  /^(?:'s)?(?: (?:has|have|is|are|today|also|now|hereby))* (?:announc|said\b|says\b|report|declar|will\b|plans?\b|to (?:effect|implement|conduct|carry|undertake|proceed|execute|complete)|approv|complet|implement|effect|shares\b|stock\b)/i;

const MAX_NAME_LENGTH = 100;
const MAX_DATELINE_LENGTH = 160;

/**
 * Finds the ticker in `Acme Boats (ACME) announced`, or in `Acme Boats Ltd. ACME announced`, where a legal form ends the
 * name. Excludes abbreviations of the name, which occur elsewhere in the text without brackets.
 */
export function findBareTicker(sentences: readonly Sentence[]): TickerInSentence | undefined {
  return leadSentences(sentences)
    .map(parseBareTicker)
    .find((bareTicker) => bareTicker && !isAbbreviation(bareTicker, sentences));
}

interface BareTicker extends TickerInSentence {
  /** Position in the plain text of the sentence. */
  readonly start: number;
}

function parseBareTicker(sentence: Sentence): BareTicker | undefined {
  const opening = sentence.plain.slice(0, MAX_DATELINE_LENGTH + MAX_NAME_LENGTH);
  const start = startOfClause(opening);
  const clause = opening.slice(start);
  for (const pattern of [IN_BRACKETS, WITHOUT_BRACKETS]) {
    const match = pattern.exec(clause);
    const symbol = match?.[1] ?? "";
    const company = clause.slice(0, match?.index).trim();
    const ticker = NOT_BARE_TICKERS.has(symbol) ? undefined : parseTicker(symbol);
    if (!match || !ticker || !isIssuer(company, pattern === WITHOUT_BRACKETS)) continue;
    if (!ISSUER_CONTINUATION.test(clause.slice(match.index + match[0].length))) continue;
    return { ticker, exchange: null, company, sentence, start: start + match.index + match[0].indexOf(symbol) };
  }
  return undefined;
}

function startOfClause(opening: string): number {
  const last = findMatches(CLAUSE_START, opening.slice(0, MAX_DATELINE_LENGTH)).at(-1);
  return last ? last.index + last[0].length : 0;
}

function isIssuer(name: string, needsLegalForm: boolean): boolean {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name) || REGULATOR.test(name) || NOT_ISSUER.test(name)) return false;
  return !needsLegalForm || LEGAL_FORM.test(name);
}

/** Whether a word in brackets is an abbreviation of the name. Without brackets it is always a symbol. */
function isAbbreviation({ ticker, company, sentence, start }: BareTicker, sentences: readonly Sentence[]): boolean {
  if (sentence.plain[start - 1] !== "(") return false;
  const word = new RegExp(String.raw`(?<![\w($])${ticker.replaceAll(".", String.raw`\.`)}(?![\w)])`);
  return sentences.some(({ plain }) => word.test(plain.replaceAll(company, " ")));
}
