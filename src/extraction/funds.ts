import type { Exchange } from "../domain/split/exchange.ts";
import { isSameRatio, type Ratio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import type { DateContext } from "./date-candidates.ts";
import { type FundRow, findFundRows } from "./fund-tables.ts";
import { type FundToken, findFundTokens } from "./fund-tokens.ts";
import { findRatio, NO_RATIO } from "./ratio.ts";
import type { Sentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";

/** Reverse split of one fund in a release about several. */
export interface FundSplit {
  /** Null in a release that names its funds without their tickers. */
  readonly ticker: Ticker | null;
  /** Null if no name is beside the ticker. */
  readonly name: string | null;
  /** Null if the release states two ratios for this fund. */
  readonly ratio: Ratio | null;
  /** Nine characters, without spaces. */
  readonly newCusip: string | null;
  /** Null if no table states it. */
  readonly exchange: Exchange | null;
  /** Undefined if no table has a column of ex dates; null if its cell states no possible day. */
  readonly exDate: Day | null | undefined;
  /** Day on which a table says that the split takes effect, if the table has no ex dates; else null. */
  readonly effectiveDate: Day | null;
  /** Whether the words beside the ratio, or the table, state that the split is a reverse one. */
  readonly isNamedReverse: boolean;
  /** The sentence or table row that states the ratio. */
  readonly sentence: Sentence;
}

type FundNaming = Extract<FundToken, { kind: "fund" }>;
type RatioToken = Extract<FundToken, { kind: "ratio" }>;

/** A fund with its ratio. */
interface Pair {
  readonly fund: FundNaming;
  readonly ratio: RatioToken;
}

/** Marks a release about funds. */
const FUND = /\b(?:ETFs?|ETNs?|ETPs?|exchange[- ]traded|funds?|ProShares)\b/i;
/** Word in the name of a leveraged fund, which a notice may give without the word `fund`. */
const GEARED_FUND = /\b(?:Bull|Bear|UltraShort|UltraPro)\b/;
/** Word that occurs in names of funds. */
export const FUND_NAME =
  /\b(?:ETFs?|ETNs?|ETPs?|Funds?|Shares|Trust|Notes|ProShares|Bull|Bear|[1-5](?:\.\d+)?X|Strategy|Index|Short|Long|Ultra\w*)\b/i;
/** Whether a name is a fund's. A trust may be a company. */
export function isFundName(name: string): boolean {
  return FUND_NAME.test(name.replace(/ Trust$/, ""));
}

/** Marks a heading about funds. Every ticker in its release is then a fund's, even without a name beside it. */
export const TRADED_FUND = /\b(?:ETFs?|ETNs?|ETPs?|exchange[- ]traded|funds)\b/i;
/** Column headings, and words of a heading, which precede the first name of a table or of a heading. */
const COLUMN_HEADINGS =
  /\b(?:(?:Fund|ETF|ETN|Product)s? ?Names?|Name of (?:the )?(?:Fund|ETF)|(?:Reverse |Forward )?(?:Share )?Split Ratios?|Ratio|Ticker(?: Symbols?)?|Symbols?|(?:Old|New|Current|Existing) CUSIPs?|CUSIPs?|Exchange|Listing|(?:Ex|Record|Effective|Payable|Split)[ -]Date|(?:(?:Reverse|Forward) )?(?:(?:Stock|Share|Unit) )?(?:Splits?|Consolidations?) (?:of|for|on|in))\b/gi;
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
/** Dates in other cells of a row, or before a name: `Effective Nov. 18, the Acme Bull ETF`. */
const DATE = new RegExp(
  String.raw`\b(?:${MONTH}\.?\s\d{1,2}\b|\d{1,2}\s${MONTH}\b\.?)(?:,?\s\d{4}\b)?|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b`,
  "g",
);
/** Stands for a date, which is never part of a name. */
const DATE_MARK = "~";
const TRAILING_SEPARATORS = new RegExp(String.raw`[\s;,|${DATE_MARK}]+$`);
/** Marks before the items of a list: `--Ridge Copper ETF`. */
const LIST_MARKS = /(^|\s)[-–—•*·]{1,3}(?=[A-Z])/g;
/** Two names belong to the same fund if at least this many of their last words are equal. */
const MIN_COMMON_WORDS = 2;
const MAX_FUNDS = 200;
/** Word in a fund's name: `3X`, `-1x`, `S&P`, `of`. */
const NAME_WORD = /^(?:[-+]?[A-Z0-9][\w.&+%'/()×-]*|of|and|&|to|the|for|\+)$/;

const UNDATED: DateContext = { dateline: null, exchange: null };

/**
 * Finds the reverse splits of funds in a release, one per fund, in text order. Column headings of a table determine its meaning.
 * Elsewhere, ratio and ticker are in one row or sentence, or in two tables that have only the fund's name in common.
 */
export function findFundSplits(sentences: readonly Sentence[], dates: DateContext = UNDATED): readonly FundSplit[] {
  if (!sentences.some(({ plain }) => FUND.test(plain) || GEARED_FUND.test(plain))) return [];
  const rows = findFundRows(sentences, dates);
  const untabulated = findUntabulatedSplits(sentences);
  const funds = withRows(rows, untabulated);
  const headings = sentences.filter(({ inHeading }) => inHeading);
  if (headings.some(({ plain }) => TRADED_FUND.test(plain))) return funds;
  return funds.filter(({ name, ticker }) => name !== null || headings.some(({ plain }) => namesTicker(plain, ticker)));
}

/** The splits of table rows, with names and CUSIPs from the rest of the release, then the splits that no row states. */
function withRows(rows: readonly FundRow[], untabulated: readonly FundSplit[]): readonly FundSplit[] {
  const funds = new Map<Ticker, FundSplit>();
  for (const row of rows.filter(({ isReverse }) => isReverse)) {
    const other = untabulated.find(({ ticker }) => ticker === row.ticker);
    funds.set(row.ticker, fundOfRow(row, other, funds.get(row.ticker)));
  }
  const inTables = new Set(rows.map(({ sentence }) => sentence));
  const tabulated = new Set<Ticker | null>(rows.map(({ ticker }) => ticker));
  const remaining = untabulated.filter(({ ticker, sentence }) => !tabulated.has(ticker) && !inTables.has(sentence));
  return [...funds.values(), ...(rows.length > 0 ? remaining.filter(({ name }) => name !== null) : remaining)];
}

/** Creates the split of a table row. If another row states different terms for the fund, ratio and ex date are null. */
function fundOfRow(row: FundRow, other: FundSplit | undefined, previous: FundSplit | undefined): FundSplit {
  const fund = { ...row, name: row.name ?? other?.name ?? null, newCusip: row.newCusip ?? other?.newCusip ?? null };
  return previous === undefined || isSameTerms(previous, row)
    ? fund
    : { ...fund, ratio: null, exDate: null, effectiveDate: null };
}

function isSameTerms(a: FundSplit, b: FundRow): boolean {
  return (
    a.ratio !== null && isSameRatio(a.ratio, b.ratio) && a.exDate === b.exDate && a.effectiveDate === b.effectiveDate
  );
}

function findUntabulatedSplits(sentences: readonly Sentence[]): readonly FundSplit[] {
  const tokens = findFundTokens(sentences);
  const tickers = tokens.flat().filter(isFund);
  // A text without another ticker than that of a sponsor names its funds, if they are traded ones.
  const areNamed = tickers.every(isSponsor) && sentences.some(({ plain }) => TRADED_FUND.test(plain));
  const named = areNamed ? pairedSplits(findFundTokens(sentences, "name"), sentences) : [];
  if (named.length > 0) return named;
  const sponsors = findSponsors(tokens);
  return pairedSplits(
    tokens.map((block) =>
      block.filter((token) => !isFund(token) || token.ticker === null || !sponsors.has(token.ticker)),
    ),
    sentences,
  );
}

function pairedSplits(blocks: readonly (readonly FundToken[])[], sentences: readonly Sentence[]): readonly FundSplit[] {
  const rowPairs = blocks.map((block, index) => {
    const pairs = pairRows(block);
    return pairs.length > 0 ? pairs : pairWithHeading(block, blocks[index - 1]);
  });
  const unpairedTokens = blocks.filter((_, index) => rowPairs[index]?.length === 0).flat();
  const pairs = [...rowPairs.flat(), ...pairByName(unpairedTokens.filter(isFund), unpairedTokens.filter(isRatio))];
  const allPairs = pairs.length > 0 ? pairs : pairWithOnlyRatio(unpairedTokens.filter(isFund), sentences);
  return fundsOf(allPairs.slice(0, MAX_FUNDS), blocks);
}

function namesTicker(heading: string, ticker: Ticker | null): boolean {
  return ticker !== null && heading.split(/[^A-Z0-9]+/).includes(ticker);
}

/** Pairs all tickers and ratios of a table or sentence if they alternate. Returns none if the rows cannot be distinguished. */
function pairRows(block: readonly FundToken[]): readonly Pair[] {
  const tokens = block.filter((token) => token.kind !== "cusip");
  // A leading ratio applies to the tickers after it, a trailing ratio to the tickers before it.
  if (tokens[0]?.kind === "ratio") return pairWithPreceding(tokens);
  return pairWithPreceding(withoutRepetitions(tokens.toReversed())).toReversed();
}

/** Tokens without the funds that only another table of the block repeats, such as that of the CUSIPs. */
function withoutRepetitions(tokens: readonly FundToken[]): readonly FundToken[] {
  const withRatio = new Set(
    tokens.flatMap((token, index) => (isFund(token) && tokens[index - 1]?.kind === "ratio" ? keyOf(token) : [])),
  );
  return tokens.filter(
    (token, index) => !isFund(token) || tokens[index - 1]?.kind === "ratio" || !withRatio.has(keyOf(token)),
  );
}

/** Pairs the tickers of a list with the only ratio of the sentence above it: `Two funds will undergo a 1-for-5 reverse split:`. */
function pairWithHeading(block: readonly FundToken[], above: readonly FundToken[] = []): readonly Pair[] {
  const [ratio, ...others] = above;
  if (ratio === undefined || !isRatio(ratio) || others.length > 0 || !ratio.sentence.plain.endsWith(":")) return [];
  return block.some(isRatio) ? [] : block.filter(isFund).map((fund) => ({ fund, ratio }));
}

function pairWithPreceding(tokens: readonly FundToken[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let ratio: RatioToken | undefined;
  for (const [index, token] of tokens.entries()) {
    if (isRatio(token)) {
      if (tokens[index + 1]?.kind !== "fund") return [];
      ratio = token;
    } else if (isFund(token)) {
      if (!ratio) return [];
      pairs.push({ fund: token, ratio });
    }
  }
  return pairs;
}

/** Pairs the rows of two tables by fund name, which may be on either side of the ticker. */
function pairByName(funds: readonly FundNaming[], ratios: readonly RatioToken[]): readonly Pair[] {
  const namedRatios = ratios.slice(0, MAX_FUNDS).map((ratio) => ({ ratio, name: wordsOf(ratio.before) }));
  const limitedFunds = funds.slice(0, MAX_FUNDS);
  const left = limitedFunds.flatMap((fund) => closestByName(fund, "before", namedRatios));
  const right = limitedFunds.flatMap((fund) => closestByName(fund, "after", namedRatios));
  const matches = totalCommonWords(right) > totalCommonWords(left) ? right : left;
  return matches.map(({ fund, ratio }) => ({ fund, ratio }));
}

/** A ratio with the words before it, which may be the name of its fund. */
interface NamedRatio {
  readonly ratio: RatioToken;
  readonly name: readonly string[];
}

interface NameMatch extends Pair {
  readonly commonWords: number;
}

function totalCommonWords(matches: readonly NameMatch[]): number {
  let sum = 0;
  for (const { commonWords } of matches) sum += commonWords;
  return sum;
}

function closestByName(
  fund: FundNaming,
  side: "before" | "after",
  ratios: readonly NamedRatio[],
): readonly NameMatch[] {
  const name = wordsOf(fund[side]);
  const matches = ratios.map(({ ratio, name: words }) => ({ fund, ratio, commonWords: countCommonEnd(name, words) }));
  const commonWords = Math.max(0, ...matches.map((match) => match.commonWords));
  const [best, ...ties] = matches.filter((match) => match.commonWords === commonWords);
  if (!best || commonWords < MIN_COMMON_WORDS || !FUND_NAME.test(name.slice(-commonWords).join(" "))) return [];
  const isUnambiguous = ties.every(
    ({ ratio }) => isSameRatio(ratio.ratio, best.ratio.ratio) && ratio.isReverse === best.ratio.isReverse,
  );
  return isUnambiguous ? [best] : [];
}

function countCommonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9.&+]+/g) ?? [];
}

/** Pairs a list of funds with the only ratio of the release. */
function pairWithOnlyRatio(funds: readonly FundNaming[], sentences: readonly Sentence[]): readonly Pair[] {
  const found = funds.length > 0 ? findRatio(sentences) : NO_RATIO;
  const named = funds.filter((fund) =>
    fund.name === null ? nameBeside(fund) !== null : isSplitAt(fund, found.sentence),
  );
  const { ratio, sentence } = found;
  if (!ratio || !sentence) return [];
  const token: RatioToken = { kind: "ratio", ratio, isReverse: true, isNamed: true, sentence, before: "", after: "" };
  return named.map((fund) => ({ fund, ratio: token }));
}

/** Whether a fund that is only named is in a list, or in the sentence of the ratio. */
function isSplitAt({ name, sentence }: FundNaming, ofRatio: Sentence | null): boolean {
  return sentence.plain === name || sentence === ofRatio;
}

function fundsOf(pairs: readonly Pair[], blocks: readonly (readonly FundToken[])[]): readonly FundSplit[] {
  const funds = new Map<string, FundSplit>();
  for (const { fund, ratio } of pairs) {
    if (!ratio.isReverse) continue;
    const previous = funds.get(keyOf(fund));
    funds.set(keyOf(fund), {
      ticker: fund.ticker,
      name: previous?.name ?? nameOf({ fund, ratio }, blocks),
      ratio: previous && !isSameRatio(previous.ratio, ratio.ratio) ? null : ratio.ratio,
      newCusip: previous === undefined ? newCusipOf(fund, blocks) : previous.newCusip,
      exchange: null,
      exDate: undefined,
      effectiveDate: null,
      isNamedReverse: ratio.isNamed || previous?.isNamedReverse === true,
      sentence: previous?.sentence ?? ratio.sentence,
    });
  }
  return [...funds.values()];
}

/** Ticker of a fund, else its name. */
function keyOf({ ticker, name }: FundNaming): string {
  return ticker ?? wordsOf(name ?? "").join(" ");
}

/** Returns the name beside a ticker, else the name beside its ratio, else the name before the ticker in another sentence. */
function nameOf({ fund, ratio }: Pair, blocks: readonly (readonly FundToken[])[]): string | null {
  return fund.name ?? nameBeside(fund) ?? nameAtEnd(ratio.before) ?? nameElsewhere(fund, blocks);
}

function nameBeside({ before, after }: FundNaming): string | null {
  return nameAtEnd(before) ?? nameAtEnd(after);
}

/** Returns the name before the ticker in another sentence. */
function nameElsewhere({ ticker }: FundNaming, blocks: readonly (readonly FundToken[])[]): string | null {
  const others = blocks.flat().filter((token) => isFund(token) && token.ticker === ticker);
  return others.map(({ before }) => nameAtEnd(before)).find((name) => name !== null) ?? null;
}

/** Returns the capitalized words at the end of a text, without column headings and dates. */
function nameAtEnd(text: string): string | null {
  const undated = text
    .replaceAll(DATE, ` ${DATE_MARK} `)
    .replace(LIST_MARKS, "$1")
    .replace(TRAILING_SEPARATORS, "")
    .replace(/ due$/, "");
  const last = findMatches(COLUMN_HEADINGS, undated).at(-1);
  const words = (last ? undated.slice(last.index + last[0].length) : undated)
    .split(/[\s,;:|"]+/)
    .filter((word) => word !== "" && word !== "-");
  const start = words.findLastIndex((word) => !NAME_WORD.test(word)) + 1;
  const name = words
    .slice(start)
    .join(" ")
    .replace(/^(?:(?:of|and|&|to|the|for|each|in)\s)+/i, "")
    .replace(/\s(?:of|and|&|to|the|for)$/i, "");
  const isCompany = /^(?:Shares|Units|Notes) of /.test(name);
  return FUND_NAME.test(name) && name.includes(" ") && !isCompany ? name : null;
}

/** Returns the second of two CUSIPs after a ticker, or the first if the column headings mark it as new. */
function newCusipOf(fund: FundNaming, blocks: readonly (readonly FundToken[])[]): string | null {
  for (const tokens of blocks) {
    const [first, second, third] = cusipsBeside(fund, tokens);
    if (first === undefined || third !== undefined) continue;
    const columns = cusipColumns(tokens[0]?.before ?? "");
    if (second === undefined) return columns === "new only" ? first : null;
    return columns === "new first" ? first : second;
  }
  return null;
}

function cusipColumns(text: string): "new only" | "new first" | undefined {
  const newAt = text.search(/\bnew cusip/i);
  const oldAt = text.search(/\b(?:old|current|existing) cusip/i);
  if (newAt < 0 || (oldAt >= 0 && oldAt < newAt)) return undefined;
  return oldAt < 0 ? "new only" : "new first";
}

/** CUSIPs in the first row of the fund that has any. */
function cusipsBeside(fund: FundNaming, tokens: readonly FundToken[]): readonly string[] {
  const cusips: string[] = [];
  let isOwnRow = false;
  for (const token of tokens) {
    if (isFund(token)) {
      if (cusips.length > 0) break;
      isOwnRow = keyOf(token) === keyOf(fund);
    } else if (token.kind === "cusip" && isOwnRow) cusips.push(token.cusip);
  }
  return cusips;
}

function isFund(token: FundToken): token is FundNaming {
  return token.kind === "fund";
}

function isRatio(token: FundToken): token is RatioToken {
  return token.kind === "ratio";
}

/** Text beside the ticker of a company that sponsors the funds. A test matches every rule against its example. */
export interface SponsorRule {
  readonly name: string;
  /** Ends with `$`. */
  readonly before?: RegExp;
  /** Begins with `^`. */
  readonly after?: RegExp;
  /** A text with a sponsor's ticker in brackets. */
  readonly example: string;
}

const SPONSOR = "(?:parent|sponsor|issuer|advis[eo]r|manager|provider|purveyor|owner|subsidiary|division|firm)";
/** End of a fund name. */
const FUND_NAME_END = /\b(?:ETFs?|ETNs?|ETPs?|Funds?|Shares|Trust|Notes|Strategy|Index|Futures|Bull|Bear|[\d.]+X) ?$/i;

export const SPONSOR_RULES: readonly SponsorRule[] = [
  {
    name: "described after its ticker",
    after: new RegExp(`^,(?: which is)?(?: the| an?| whose)? (?:(?!of |and )[\\w&'-]+ ){0,3}?${SPONSOR}\\b`, "i"),
    example: "Harbor Bank (NYSE: HBK), the parent company of the sponsor, announced",
  },
  {
    name: "described before its name",
    before: new RegExp(`\\b${SPONSOR}(?: company)?,?(?: [A-Z&][\\w.&'-]*){1,6},? ?$`),
    example: "the ETN sponsor Harbor Bank (NYSE: HBK) announced",
  },
  {
    name: "announces for a fund",
    before: new RegExp(`^(?!.*${FUND_NAME_END.source})`, "is"),
    after: /^,?(?: has| today| also)* (?:announce[sd]|said|says|will (?:implement|effect|execute|conduct))\b/i,
    example: "Harbor Bank (NYSE: HBK) announced",
  },
];

/** Finds the tickers of sponsors. Returns none if the release names no other ticker. */
export function findSponsors(blocks: readonly (readonly FundToken[])[]): ReadonlySet<Ticker> {
  const tickers = blocks.flat().filter(isFund);
  const sponsors = new Set(tickers.filter(isSponsor).flatMap(({ ticker }) => ticker ?? []));
  return tickers.every(({ ticker }) => ticker === null || sponsors.has(ticker)) ? new Set() : sponsors;
}

function isSponsor(token: FundNaming): boolean {
  return SPONSOR_RULES.some((rule) => matchesSponsorRule(rule, token));
}

export function matchesSponsorRule(
  { before, after }: SponsorRule,
  token: Pick<FundToken, "before" | "after">,
): boolean {
  return (before?.test(token.before) ?? true) && (after?.test(token.after) ?? true);
}
