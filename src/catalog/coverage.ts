import type { Exchange } from "../domain/split/exchange.ts";
import { type Ratio, ratioCode, sameRatio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type Day, dayInZone, HOUR_MS, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { instantAt } from "../domain/time/wall-clock.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import { buildCatalog } from "./catalog.ts";
import { marketOf } from "./catalog-observation.ts";
import { type CatalogSplit, type CompleteSplit, completeSplits } from "./catalog-split.ts";
import { ANOTHER_SPLIT_DAYS, tradingDaysApart } from "./ex-dates.ts";
import type { Observation } from "./observation.ts";
import { OFFICIAL_LISTS, type OfficialList } from "./precedence.ts";
import type { Release } from "./release.ts";

/** A split as the exchange's own list states it. */
export interface ListedSplit {
  readonly ticker: Ticker;
  /** Null if the list states several exchanges' splits without naming the exchange. */
  readonly exchange: Exchange | null;
  readonly ratio: Ratio | null;
  readonly exDate: Day;
  readonly url: string;
  readonly isFund: boolean;
}

/** A listed split without a row. `lacks`: the terms that no source states; null if no source knows the split. */
export interface MissedSplit extends ListedSplit {
  readonly lacks: readonly ("ratio" | "exchange" | "company" | "ex date" | "status")[] | null;
}

export type ComparedField = "ratio" | "exDate" | "exchange";

export interface Difference {
  readonly split: ListedSplit;
  readonly field: ComparedField;
  readonly listed: string;
  readonly catalog: string;
}

/** Number of found splits whose value equals the list's, of those for which the list states a value. */
interface Agreement {
  readonly equal: number;
  readonly compared: number;
}

/** How the rows of one catalog agree with a list. */
export interface Comparison {
  readonly found: number;
  readonly missed: readonly MissedSplit[];
  readonly agreement: Readonly<Record<ComparedField, Agreement>>;
  readonly differences: readonly Difference[];
  /** Hours from the first sight of a split to 09:30 in New York on its ex date; null if no split was found. */
  readonly leadHours: { readonly median: number; readonly worstDecile: number } | null;
  /** Number of found splits by the source that was the first to show them. */
  readonly firstSources: ReadonlyMap<string, number>;
}

/** A row that the list does not have, with the sources that state it. */
export interface ExtraRow extends CompleteSplit {
  readonly sources: readonly string[];
  readonly url: string;
}

/** Coverage of the listed splits of one group: shares, or exchange-traded funds. */
export interface GroupCoverage {
  readonly splits: number;
  /** With all sources, the list included. */
  readonly all: Comparison;
  /** As if the list had not been read. */
  readonly others: Comparison;
  readonly extra: readonly ExtraRow[];
}

/** A trading halt on the eve of a split, without a split in the list. */
export interface UnlistedHalt {
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  readonly exDate: Day;
  readonly url: string;
}

/** The trading halts of the month, which confirm listed splits of shares independently. */
export interface HaltCoverage {
  /** Number of listed splits with a halt on their eve. */
  readonly confirmed: number;
  readonly unlisted: readonly UnlistedHalt[];
}

/** Coverage of the exchanges that one list covers; `problem` says why nothing could be compared. */
export type ListCoverage = OfficialList & ({ readonly problem: string } | ComparedList);

export interface ComparedList extends GroupCoverage {
  readonly problem: null;
  /** Day of the first reading of the list; null if it was read before the month. */
  readonly readSince: Day | null;
  /** Exchange-traded funds, which are not among the other figures; null if there are none. */
  readonly funds: GroupCoverage | null;
  /** Null if no halt of these exchanges in the month is stored. */
  readonly halts: HaltCoverage | null;
}

export interface CoverageReport {
  readonly month: string;
  readonly lists: readonly ListCoverage[];
  /** Number of rows of exchanges without a list. */
  readonly uncompared: ReadonlyMap<Exchange, number>;
}

interface Records {
  readonly releases: readonly Release[];
  readonly observations: readonly Observation[];
}

/**
 * Compares the splits of a month, by ex date, with the exchanges' own lists: the rows of the whole catalog, and those of a
 * catalog that is derived without the list. What a list states is the result of all its stored revisions.
 * @param month `YYYY-MM`
 */
export function measureCoverage(records: Records, month: string): CoverageReport {
  const catalog = buildCatalog(records);
  const firstSight = firstSightOf(records.releases);
  const lists = OFFICIAL_LISTS.map((list) => coverageOf(list, { ...records, catalog, firstSight, month }));
  return { month, lists, uncompared: uncomparedRows(catalog, month) };
}

interface Context extends Records {
  readonly catalog: readonly CatalogSplit[];
  readonly firstSight: FirstSightOf;
  readonly month: string;
}

function coverageOf(list: OfficialList, context: Context): ListCoverage {
  const { releases, observations, catalog, month } = context;
  const own = observations.filter(({ source }) => source === list.source);
  if (!own.some((observation) => isOfMonth(observation, month)))
    return { ...list, problem: problemOf(list.source, own, month) };
  const listed = listedSplits(own);
  const others = observations.filter(({ source }) => source !== list.source);
  const catalogOfOthers = buildCatalog({ releases, observations: others });
  const compared: ComparedCatalogs = {
    all: { matches: matchRows(listed, catalog, list), splits: catalog },
    others: { matches: matchRows(listed, catalogOfOthers, list), splits: catalogOfOthers },
  };
  const group = (isFund: boolean): GroupCoverage =>
    groupCoverage({ ...compared, listed: listed.filter((split) => split.isFund === isFund), isFund, list, context });
  const funds = group(true);
  return {
    ...list,
    ...group(false),
    problem: null,
    readSince: readSince(own, month),
    funds: funds.splits + funds.extra.length === 0 ? null : funds,
    halts: haltCoverage(listed, list, context),
  };
}

/** Why a list can't be compared in the month. */
function problemOf(source: string, own: readonly Observation[], month: string): string {
  const days = own.map(({ observedAt }) => dayInZone(observedAt, MARKET_ZONE)).toSorted(compareText);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return `no observation of ${source} is stored`;
  if (first.slice(0, month.length) > month) return `the records of ${source} start on ${first}, after ${month}`;
  if (last < month) return `the newest observation of ${source} is of ${last}, before ${month}`;
  return `no observation of ${source} in ${month} is stored`;
}

/** The rows of each catalog that match listed splits. */
type ComparedCatalogs = Readonly<
  Record<"all" | "others", { readonly matches: Matches; readonly splits: readonly CatalogSplit[] }>
>;

interface GroupParts extends ComparedCatalogs {
  readonly listed: readonly ListedSplit[];
  readonly isFund: boolean;
  readonly list: OfficialList;
  readonly context: Context;
}

function groupCoverage({ listed, all, others, isFund, list, context }: GroupParts): GroupCoverage {
  const { month, firstSight } = context;
  const ofMonth = listed.filter(isIn(month));
  const extra = extraRows(all.splits, all.matches, list).filter(isIn(month));
  return {
    splits: ofMonth.length,
    all: comparisonOf(ofMonth, { ...all, list, firstSight }),
    others: comparisonOf(ofMonth, { ...others, list, firstSight }),
    extra: extra.filter(({ company }) => isTradedFund(company) === isFund),
  };
}

/** Names of exchange-traded funds, notes and products: "Acme Daily Semiconductor Bear 3X Shares", "Acme UltraShort Gold". */
const FUND_NAME =
  /\b(?:ETF|ETN|ETP)s?\b|\bexchange[- ]traded\b|\b(?:Bull|Bear|Long|Short|Inverse|Daily)\b.*\b[1-5](?:\.\d+)?X\b|\b[1-5](?:\.\d+)?X\b.*\b(?:Bull|Bear|Long|Short|Inverse|Daily|Shares)\b|\bUltra(?:Short|Pro)\b|\bProShares\b/i;

function isTradedFund(company: string | null): boolean {
  return company !== null && FUND_NAME.test(company);
}

function haltCoverage(
  listed: readonly ListedSplit[],
  { exchanges }: OfficialList,
  { observations, month }: Context,
): HaltCoverage | null {
  const halts = observations.filter(({ kind }) => kind === "confirmed").flatMap((halt) => haltOf(halt, exchanges));
  const ofMonth = halts.filter(isIn(month));
  if (ofMonth.length === 0) return null;
  const [halted, known] = [new Set(ofMonth.map(keyOf)), new Set(listed.map(keyOf))];
  const shares = listed.filter(isIn(month)).filter(({ isFund }) => !isFund);
  const unlisted = new Map(ofMonth.filter((halt) => !known.has(keyOf(halt))).map((halt) => [keyOf(halt), halt]));
  return {
    confirmed: shares.filter((split) => halted.has(keyOf(split))).length,
    unlisted: [...unlisted].toSorted(([a], [b]) => compareText(a, b)).map(([, halt]) => halt),
  };
}

function keyOf({ ticker, exDate }: Pick<UnlistedHalt, "ticker" | "exDate">): string {
  return `${exDate} ${ticker}`;
}

function haltOf({ listings, exDate, url }: Observation, exchanges: readonly Exchange[]): readonly UnlistedHalt[] {
  const [listing] = listings;
  if (exDate === null || !listing?.exchange || !exchanges.includes(listing.exchange)) return [];
  return [{ ticker: listing.ticker, exchange: listing.exchange, exDate, url }];
}

function isIn(month: string): (row: { readonly exDate: Day }) => boolean {
  return ({ exDate }) => exDate.startsWith(month);
}

function isOfMonth({ exDate, observedAt }: Observation, month: string): boolean {
  return exDate?.startsWith(month) === true || dayInZone(observedAt, MARKET_ZONE).startsWith(month);
}

function readSince(own: readonly Observation[], month: string): Day | null {
  const first = dayInZone(Math.min(...own.map(({ observedAt }) => observedAt)), MARKET_ZONE);
  return first > `${month}-01` ? first : null;
}

/** The splits in the latest state of the list, without those that were cancelled or have no date. */
function listedSplits(own: readonly Observation[]): readonly ListedSplit[] {
  const splits = buildCatalog({ releases: [], observations: own }).flatMap((split): readonly ListedSplit[] => {
    const [listing] = split.listings;
    const { exDate, ratio, status, facts, company } = split;
    if (status !== "announced" || exDate === null || listing === undefined) return [];
    return [{ ...listing, ratio, exDate, url: facts.exDate[0]?.url ?? "", isFund: isTradedFund(company) }];
  });
  const distinct = new Map(splits.map((split) => [keyOf(split), split]));
  return [...distinct].toSorted(([a], [b]) => compareText(a, b)).map(([, split]) => split);
}

interface Match {
  readonly row: CompleteSplit;
  readonly split: CatalogSplit;
}

type Matches = ReadonlyMap<ListedSplit, Match>;

/** The row of each listed split: of the same symbol in the same market, with the nearest ex date. */
function matchRows(listed: readonly ListedSplit[], catalog: readonly CatalogSplit[], list: OfficialList): Matches {
  const rows = catalog.flatMap((split) => completeSplits(split).map((row) => ({ row, split })));
  const bySymbol = groupBy(
    rows
      .filter(({ row }) => isSameMarket(row, list))
      .flatMap((match) => symbolsOf(match.split).map((ticker) => ({ ticker, match }))),
    ({ ticker }) => ticker,
  );
  const matches = new Map<ListedSplit, Match>();
  const taken = new Set<CompleteSplit>();
  for (const split of listed) {
    const [nearest] = (bySymbol.get(split.ticker) ?? [])
      .map(({ match }) => ({ match, apart: tradingDaysApart(split.exDate, match.row.exDate) }))
      .filter(({ match, apart }) => apart <= ANOTHER_SPLIT_DAYS && !taken.has(match.row))
      .toSorted((a, b) => a.apart - b.apart);
    if (nearest === undefined) continue;
    taken.add(nearest.match.row);
    matches.set(split, nearest.match);
  }
  return matches;
}

function isSameMarket({ exchange }: CompleteSplit, { exchanges }: OfficialList): boolean {
  return exchanges.some((one) => marketOf(one) === marketOf(exchange));
}

function symbolsOf({ listings }: CatalogSplit): readonly Ticker[] {
  return [...new Set(listings.map(({ ticker }) => ticker))];
}

interface Compared {
  readonly matches: Matches;
  readonly splits: readonly CatalogSplit[];
  readonly list: OfficialList;
  readonly firstSight: FirstSightOf;
}

function comparisonOf(listed: readonly ListedSplit[], { matches, splits, list, firstSight }: Compared): Comparison {
  const found = listed.flatMap((split) => {
    const match = matches.get(split);
    return match === undefined ? [] : [{ listed: split, row: match.row, first: firstSight(match.split) }];
  });
  const fields = found.flatMap(({ listed: split, row }) => fieldsOf(split, row, list));
  const leads = found.map(({ listed: { exDate }, first }) => (openingOf(exDate) - first.at) / HOUR_MS);
  return {
    found: found.length,
    missed: listed.filter((split) => !matches.has(split)).map((split) => missedSplit(split, splits)),
    agreement: {
      ratio: agreementOf("ratio", fields),
      exDate: agreementOf("exDate", fields),
      exchange: agreementOf("exchange", fields),
    },
    differences: fields.flatMap(({ isEqual, ...difference }) => (isEqual ? [] : [difference])),
    leadHours: quantilesOf(leads),
    firstSources: countBy(found.map(({ first }) => first.source)),
  };
}

interface FieldComparison extends Difference {
  readonly isEqual: boolean;
}

/** Compares the values that the list states. A list that names no exchange still limits the exchanges. */
function fieldsOf(split: ListedSplit, row: CompleteSplit, { exchanges }: OfficialList): readonly FieldComparison[] {
  const { ratio, exDate } = split;
  const allowed = split.exchange === null ? exchanges : [split.exchange];
  return [
    ...(ratio === null
      ? []
      : [
          {
            split,
            field: "ratio",
            listed: ratioCode(ratio),
            catalog: ratioCode(row.ratio),
            isEqual: sameRatio(ratio, row.ratio),
          } as const,
        ]),
    { split, field: "exDate", listed: exDate, catalog: row.exDate, isEqual: exDate === row.exDate },
    {
      split,
      field: "exchange",
      listed: allowed.join(", "),
      catalog: row.exchange,
      isEqual: allowed.includes(row.exchange),
    },
  ];
}

function agreementOf(field: ComparedField, fields: readonly FieldComparison[]): Agreement {
  const compared = fields.filter((one) => one.field === field);
  return { equal: compared.filter(({ isEqual }) => isEqual).length, compared: compared.length };
}

/** A split that is known, but has no row, lacks a term. */
function missedSplit(missed: ListedSplit, splits: readonly CatalogSplit[]): MissedSplit {
  const known = splits.find(
    (split) =>
      symbolsOf(split).includes(missed.ticker) &&
      (split.lastExDate === null || tradingDaysApart(split.lastExDate, missed.exDate) <= ANOTHER_SPLIT_DAYS) &&
      completeSplits(split).length === 0,
  );
  return { ...missed, lacks: known === undefined ? null : missingTerms(known) };
}

function missingTerms(split: CatalogSplit): NonNullable<MissedSplit["lacks"]> {
  const { ratio, exDate, company, listings, status } = split;
  return [
    ...(status === "announced" ? [] : (["status"] as const)),
    ...(ratio === null ? (["ratio"] as const) : []),
    ...(exDate === null ? (["ex date"] as const) : []),
    ...(company === null ? (["company"] as const) : []),
    ...(listings.some(({ exchange }) => exchange !== null) ? [] : (["exchange"] as const)),
  ];
}

/** Rows of the list's exchanges that match none of its splits, regardless of the ex date. */
function extraRows(
  catalog: readonly CatalogSplit[],
  matches: Matches,
  { exchanges }: OfficialList,
): readonly ExtraRow[] {
  const matched = new Set([...matches.values()].map(({ split }) => split));
  return catalog
    .filter((split) => !matched.has(split))
    .flatMap((split) => completeSplits(split).map((row) => extraRow(row, split)))
    .filter(({ exchange }) => exchanges.includes(exchange))
    .toSorted((a, b) => compareText(a.exDate, b.exDate) || compareText(a.ticker, b.ticker));
}

function extraRow(row: CompleteSplit, { observations, facts }: CatalogSplit): ExtraRow {
  const sources = [...new Set(observations.map(({ source }) => source))].toSorted();
  return { ...row, sources, url: facts.exDate[0]?.url ?? "" };
}

interface FirstSight {
  readonly at: Instant;
  readonly source: string;
}

type FirstSightOf = (split: CatalogSplit) => FirstSight;

/** A release is seen when it is found in the feed, which is before its page is read. */
function firstSightOf(releases: readonly Release[]): FirstSightOf {
  const foundAt = new Map(releases.map((release) => [`${release.source} ${release.url}`, release.foundAt]));
  return ({ observations }) => {
    let first: FirstSight = { at: Number.POSITIVE_INFINITY, source: "" };
    for (const { source, url, observedAt } of observations) {
      const at = foundAt.get(`${source} ${url}`) ?? observedAt;
      if (at < first.at || (at === first.at && source < first.source)) first = { at, source };
    }
    return first;
  };
}

const OPENING_MINUTE = 9 * 60 + 30;

function openingOf(exDate: Day): Instant {
  return instantAt(exDate, OPENING_MINUTE, MARKET_ZONE);
}

/** Median, and the lead that a tenth of the splits does not exceed (nearest rank). */
function quantilesOf(leads: readonly number[]): Comparison["leadHours"] {
  const sorted = leads.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  if (sorted.length === 0) return null;
  const median = (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
  return { median, worstDecile: at(Math.ceil(sorted.length / 10) - 1) };
}

function countBy<K>(keys: readonly K[]): ReadonlyMap<K, number> {
  const counts = [...groupBy(keys, (key) => key)].map(([key, same]) => [key, same.length] as const);
  return new Map(counts.toSorted(([, a], [, b]) => b - a));
}

function uncomparedRows(catalog: readonly CatalogSplit[], month: string): ReadonlyMap<Exchange, number> {
  const compared = new Set(OFFICIAL_LISTS.flatMap(({ exchanges }) => exchanges));
  const rows = catalog.flatMap(completeSplits).filter(isIn(month));
  return countBy(rows.map(({ exchange }) => exchange).filter((exchange) => !compared.has(exchange)));
}
