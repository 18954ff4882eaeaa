import { type Ratio, sameRatio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { findSponsors } from "./fund-sponsors.ts";
import { type FundToken, findFundTokens } from "./fund-tokens.ts";
import { findRatio } from "./ratio.ts";
import type { Sentence } from "./sentences.ts";

/** The reverse split of one fund, as a release on several tells it. */
export interface FundSplit {
  readonly ticker: Ticker;
  /** Null where no name stands beside the ticker. */
  readonly name: string | null;
  /** Null where the release tells two for this fund. */
  readonly ratio: Ratio | null;
  /** Nine signs, without blanks. */
  readonly newCusip: string | null;
  /** The sentence, or the row of a table, that tells the ratio. */
  readonly sentence: Sentence;
}

type TickerMark = Extract<FundToken, { kind: "ticker" }>;
type RatioMark = Extract<FundToken, { kind: "ratio" }>;

/** A ticker with the ratio of its fund. */
interface Pair {
  readonly ticker: TickerMark;
  readonly ratio: RatioMark;
}

/** Says that a release is about funds, and that a name is one's. */
const FUND = /\b(?:ETFs?|ETNs?|ETPs?|exchange[- ]traded|funds?|ProShares)\b/i;
const FUND_NAME =
  /\b(?:ETFs?|ETNs?|ETPs?|Funds?|Shares|Trust|Notes|ProShares|Bull|Bear|[1-5](?:\.\d+)?X|Strategy|Index|Short|Long|Ultra\w*)\b/i;
/** In a heading these say that what stands in the table are funds, even without their names. */
const TRADED_FUND = /\b(?:ETFs?|ETNs?|ETPs?|exchange[- ]traded|funds)\b/i;
/** Heads of columns, which stand before the first name of a table. */
const HEADS =
  /\b(?:(?:Fund|ETF|ETN|Product)s? ?Names?|Name of (?:the )?(?:Fund|ETF)|(?:Reverse |Forward )?(?:Share )?Split Ratios?|Ratio|Ticker(?: Symbols?)?|Symbols?|(?:Old|New|Current|Existing) CUSIPs?|CUSIPs?|Exchange|Listing)\b/gi;
/** Two names are one fund's where they end in so many equal words. */
const LEAST_WORDS = 2;
const MOST_FUNDS = 200;

/**
 * The funds that a release splits in reverse, each once, in order of appearance; none for a release that is not about
 * funds. Ratio and ticker stand in one row or sentence, or in two tables that only the fund's name joins.
 */
export function findFundSplits(sentences: readonly Sentence[]): readonly FundSplit[] {
  if (!sentences.some(({ plain }) => FUND.test(plain))) return [];
  const marks = findFundTokens(sentences);
  const sponsors = findSponsors(marks);
  const blocks = marks.map((block) => block.filter((mark) => mark.kind !== "ticker" || !sponsors.has(mark.ticker)));
  const inRows = blocks.flatMap(pairRows);
  const paired = new Set<FundToken>(inRows.flatMap(({ ticker, ratio }) => [ticker, ratio]));
  const loose = blocks.flat().filter((mark) => !paired.has(mark));
  const pairs = [...inRows, ...pairByName(loose.filter(isTicker), loose.filter(isRatio))];
  const known = pairs.length > 0 ? pairs : shareOneRatio(loose.filter(isTicker), sentences);
  const funds = fundsOf(known.slice(0, MOST_FUNDS), blocks);
  const headings = sentences.filter(({ inHeading }) => inHeading);
  if (headings.some(({ plain }) => TRADED_FUND.test(plain))) return funds;
  return funds.filter(({ name, ticker }) => name !== null || headings.some(({ plain }) => namesTicker(plain, ticker)));
}

function namesTicker(heading: string, ticker: Ticker): boolean {
  return heading.split(/[^A-Z0-9]+/).includes(ticker);
}

/** Tickers and ratios that take turns in one table or sentence. Nothing where they do not: then rows cannot be told. */
function pairRows(block: readonly FundToken[]): readonly Pair[] {
  const marks = block.filter((mark) => mark.kind !== "cusip");
  // A ratio that comes first holds for the tickers behind it, one that comes last for those before it.
  if (marks[0]?.kind === "ratio") return pairBehind(marks);
  return pairBehind(marks.toReversed()).toReversed();
}

function pairBehind(marks: readonly FundToken[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let ratio: RatioMark | undefined;
  for (const [index, mark] of marks.entries()) {
    if (isRatio(mark)) {
      if (marks[index + 1]?.kind !== "ticker") return [];
      ratio = mark;
    } else if (isTicker(mark)) {
      if (!ratio) return [];
      pairs.push({ ticker: mark, ratio });
    }
  }
  return pairs;
}

/** Joins two tables by the names of their rows, whichever side of its ticker the name stands on. */
function pairByName(tickers: readonly TickerMark[], ratios: readonly RatioMark[]): readonly Pair[] {
  const some = ratios.slice(0, MOST_FUNDS);
  const [left, right] = (["before", "after"] as const).map((side) =>
    tickers.slice(0, MOST_FUNDS).flatMap((ticker) => closestByName(ticker, side, some)),
  );
  const [a, b] = [left ?? [], right ?? []];
  return (weigh(b) > weigh(a) ? b : a).map(({ ticker, ratio }) => ({ ticker, ratio }));
}

interface Match extends Pair {
  readonly words: number;
}

function weigh(matches: readonly Match[]): number {
  let sum = 0;
  for (const { words } of matches) sum += words;
  return sum;
}

function closestByName(ticker: TickerMark, side: "before" | "after", ratios: readonly RatioMark[]): readonly Match[] {
  const name = wordsOf(ticker[side]);
  const scored = ratios.map((ratio) => ({ ticker, ratio, words: commonEnd(name, wordsOf(ratio.before)) }));
  const words = Math.max(0, ...scored.map((one) => one.words));
  const [best, ...ties] = scored.filter((one) => one.words === words);
  if (!best || words < LEAST_WORDS || !FUND_NAME.test(name.slice(-words).join(" "))) return [];
  const isSure = ties.every(
    ({ ratio }) => sameRatio(ratio.ratio, best.ratio.ratio) && ratio.reverse === best.ratio.reverse,
  );
  return isSure ? [best] : [];
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9.&+]+/g) ?? [];
}

/** Where the release tells one ratio and a list of funds. */
function shareOneRatio(tickers: readonly TickerMark[], sentences: readonly Sentence[]): readonly Pair[] {
  const { ratio, sentence } = findRatio(sentences);
  if (!ratio || !sentence) return [];
  const mark: RatioMark = { kind: "ratio", ratio, reverse: true, sentence, before: "", after: "" };
  return tickers.filter((ticker) => nameOf(ticker) !== null).map((ticker) => ({ ticker, ratio: mark }));
}

function fundsOf(pairs: readonly Pair[], blocks: readonly (readonly FundToken[])[]): readonly FundSplit[] {
  const funds = new Map<Ticker, FundSplit>();
  for (const { ticker, ratio } of pairs) {
    if (!ratio.reverse) continue;
    const known = funds.get(ticker.ticker);
    funds.set(ticker.ticker, {
      ticker: ticker.ticker,
      name: known?.name ?? nameOf(ticker, ratio),
      ratio: known && !sameRatio(known.ratio, ratio.ratio) ? null : ratio.ratio,
      newCusip: known?.newCusip ?? newCusipOf(ticker.ticker, blocks),
      sentence: known?.sentence ?? ratio.sentence,
    });
  }
  return [...funds.values()];
}

/** The name beside a ticker, else the one beside its ratio. */
function nameOf(ticker: TickerMark, ratio?: RatioMark): string | null {
  const texts = [ticker.before, ticker.after, ratio?.before ?? ""];
  return texts.map(nameAtEnd).find((name) => name !== null) ?? null;
}

/** The capitalised words that a text ends with, without the heads of the columns before them. */
function nameAtEnd(text: string): string | null {
  const last = [...text.matchAll(HEADS)].at(-1);
  const words = (last ? text.slice(last.index + last[0].length) : text)
    .split(/[\s,;:|"]+/)
    .filter((word) => word !== "" && word !== "-");
  const start = words.findLastIndex((word) => !/^(?:[A-Z0-9][\w.&+%'/()-]*|of|and|&|to|the|for|\+)$/.test(word)) + 1;
  const name = words
    .slice(start)
    .join(" ")
    .replace(/^(?:(?:of|and|&|to|the|for|each|in)\s)+/i, "")
    .replace(/\s(?:of|and|&|to|the|for)$/i, "");
  return FUND_NAME.test(name) && name.includes(" ") ? name : null;
}

/** The second of the two that stand behind a ticker, unless the heads of the table put the new one first. */
function newCusipOf(ticker: Ticker, blocks: readonly (readonly FundToken[])[]): string | null {
  for (const marks of blocks) {
    const at = marks.findIndex((mark) => mark.kind === "ticker" && mark.ticker === ticker);
    const [first, second, third] = cusipsBehind(marks, at);
    if (first === undefined || third !== undefined) continue;
    const heads = headsOf(marks[0]?.before ?? "");
    if (second === undefined) return heads === "new only" ? first : null;
    return heads === "new first" ? first : second;
  }
  return null;
}

function headsOf(text: string): "new only" | "new first" | undefined {
  const newAt = text.search(/\bnew cusip/i);
  const oldAt = text.search(/\b(?:old|current|existing) cusip/i);
  if (newAt < 0 || (oldAt >= 0 && oldAt < newAt)) return undefined;
  return oldAt < 0 ? "new only" : "new first";
}

/** The CUSIPs in the row of the ticker at `at`. */
function cusipsBehind(marks: readonly FundToken[], at: number): readonly string[] {
  if (at < 0) return [];
  const rest = marks.slice(at + 1);
  const end = rest.findIndex((mark) => mark.kind === "ticker");
  return (end < 0 ? rest : rest.slice(0, end)).flatMap((mark) => (mark.kind === "cusip" ? [mark.cusip] : []));
}

function isTicker(mark: FundToken): mark is TickerMark {
  return mark.kind === "ticker";
}

function isRatio(mark: FundToken): mark is RatioMark {
  return mark.kind === "ratio";
}
