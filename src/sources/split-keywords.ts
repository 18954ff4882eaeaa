import type { CatalogSplit } from "../catalog/catalog-split.ts";
import type { Release } from "../catalog/release.ts";
import { containsName, foldName, foldText } from "../domain/article/company-name.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { REVERSE_SPLIT } from "../extraction/split-patterns.ts";

/** Keyword in a heading or teaser that suggests a reverse split. A test checks each pattern against its example. */
export interface KeywordRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly example: string;
}

/**
 * The rules favor recall: a false positive costs one request, a false negative loses a split. `consolidated results` and
 * `reverse takeover` alone don't match.
 */
export const KEYWORD_RULES: readonly KeywordRule[] = [
  { name: "a split", pattern: /\bsplits?\b|splitting/i, example: "1-for-20 Stock Split" },
  {
    name: "a misspelled reverse split",
    pattern: /reverse ?-?(?:stock|share|unit|ads)/i,
    example: "ReverseStock Split",
  },
  { name: "a consolidation", pattern: /consolidat(?:i?on|ing|e)(?!d)\b/i, example: "Share Consolidation" },
  { name: "a rollback", pattern: /\broll-?\s?back/i, example: "10:1 roll-back" },
  {
    name: "a ratio",
    pattern: /\b(?:1|one|\d+) ?[-‐-―]? ?(?:for|to) ?[-‐-―]? ?\w+ (?:basis|reverse|ratio)|\bratio\b/i,
    example: "Change in Ratio",
  },
  { name: "depositary shares", pattern: /\bADSs?\b|\bADRs?\b|depositary/i, example: "Plan to Change its ADS Ratio" },
  {
    name: "the share capital",
    pattern: /recapitali[sz]|capital (?:re(?:organi[sz]ation|structuring|duction)|structure)|share capital/i,
    example: "Capital Reorganization",
  },
  {
    name: "a change of symbol or security number",
    pattern:
      /\bCUSIP\b|\bISIN\b|(?:name|symbol|ticker)s? change|change of (?:name|symbol)|new (?:\w+ )?(?:symbol|ticker)/i,
    example: "Announces Name Change and New Trading Symbol",
  },
  {
    name: "a listing requirement",
    pattern:
      /minimum bid|bid price|listing (?:rule|requirement|standard|qualification)|delist|deficien|non-?compliance|(?:regain|compliance with|meets?) .{0,40}(?:nasdaq|nyse|listing|compliance)/i,
    example: "Regains Compliance with Nasdaq",
  },
  {
    name: "a vote",
    pattern:
      /(?:special|extraordinary|general|annual) (?:general )?meeting|(?:stock|share|unit)holders? (?:approv|vote)|\bEGM\b/i,
    example: "Results of Special Meeting",
  },
  {
    name: "the daily bulletins of an exchange",
    pattern: /\bTSX[ -]?V(?:enture)?\b.{0,40}\bbulletins?\b/i,
    example: "TSX Venture Exchange Stock Maintenance Bulletins",
  },
  { name: "a split in French", pattern: /regroupement|fractionnement/i, example: "Regroupement d'actions" },
];

/** Whether the feed's heading and teaser suggest a release about a reverse split. */
export function mayConcernSplit({ heading, teaser }: Pick<Release, "heading" | "teaser">): boolean {
  const text = `${heading}\n${teaser}`;
  return KEYWORD_RULES.some(({ pattern }) => pattern.test(text));
}

/** The extraction's pattern without the global flag. With that flag, each `test` would start after the previous match. */
const SPLIT_NAME_PATTERN = new RegExp(REVERSE_SPLIT.source, REVERSE_SPLIT.flags.replace("g", ""));

/** Whether the text mentions a reverse split. */
export function mentionsSplit(text: string): boolean {
  return SPLIT_NAME_PATTERN.test(text);
}

type KeywordItem = Pick<Release, "heading" | "teaser" | "tickers">;

/** Companies with a pending split on a day, by ticker and by folded name. */
interface PendingCompanies {
  readonly today: Day;
  readonly tickers: ReadonlySet<Ticker>;
  readonly names: readonly (readonly string[])[];
}

/** Cache of `pendingCompanies` by list of splits: folding all names for each item is too slow. */
const pendingBySplits = new WeakMap<readonly CatalogSplit[], PendingCompanies>();

/** Whether the item is about a company with a pending split. A release that cancels the split may have any heading. */
export function concernsPendingSplit(item: KeywordItem, splits: readonly CatalogSplit[], today: Day): boolean {
  const { tickers, names } = pendingCompanies(splits, today);
  if (item.tickers.some(({ ticker }) => tickers.has(ticker))) return true;
  const words = foldText(`${item.heading}\n${item.teaser}`);
  return names.some((name) => containsName(name, words));
}

function pendingCompanies(splits: readonly CatalogSplit[], today: Day): PendingCompanies {
  const cached = pendingBySplits.get(splits);
  if (cached?.today === today) return cached;
  const pending = splits.filter((split) => isPendingOn(split, today));
  const tickers = new Set(pending.flatMap(({ listings }) => listings.map(({ ticker }) => ticker)));
  const names = pending.flatMap(({ company }) => (company === null ? [] : [foldName(company)]));
  const companies = { today, tickers, names };
  pendingBySplits.set(splits, companies);
  return companies;
}

function isPendingOn({ status, exDate }: CatalogSplit, today: Day): boolean {
  return status === "postponed" || (status === "announced" && (exDate ?? today) >= today);
}

/** In characters; longer texts are searched in the thread of readers. */
const MAX_SEARCHED_LENGTH = 4_000;

/** Whether the release is about a reverse split, by its facts, its text or its feed item. */
export function concernsReverseSplit(release: Release): boolean {
  const { facts, heading, teaser, text } = release;
  if (facts !== null && facts.kind !== "other" && facts.kind !== "forward_split") return true;
  const written = `${heading}\n${(facts === null ? null : text) ?? teaser}`;
  if (written.length > MAX_SEARCHED_LENGTH && release.mentionsSplit !== undefined) return release.mentionsSplit;
  return mentionsSplit(written.slice(0, MAX_SEARCHED_LENGTH));
}
