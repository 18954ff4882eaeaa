import { type Exchange, KNOWN_EXCHANGES } from "../domain/split/exchange.ts";
import { isSameRatio, type Ratio, ratioCode } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type Day, dayInZone, HOUR_MS, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { instantAt } from "../domain/time/wall-clock.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import { buildCatalog } from "./catalog.ts";
import { latestConfirmations, marketOf } from "./catalog-observation.ts";
import { type CatalogSplit, type CompleteSplit, completeSplits } from "./catalog-split.ts";
import { MAX_SAME_SPLIT_GAP_DAYS, tradingDaysApart } from "./ex-dates.ts";
import type { Observation } from "./observation.ts";
import { OFFICIAL_LISTS, type OfficialList } from "./precedence.ts";
import type { Release } from "./release.ts";

/** A split in the list of an exchange or regulator. */
export interface ListedSplit {
  readonly ticker: Ticker;
  /** Null if the list covers several exchanges and doesn't state which. */
  readonly exchange: Exchange | null;
  readonly ratio: Ratio | null;
  readonly exDate: Day;
  readonly url: string;
  readonly isFund: boolean;
}

/** A listed split without a complete row in the catalog. `lacks`: the missing terms; null if no source reports the split. */
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

/** `compared`: number of found splits for which the list states a value. `equal`: number of these with the same value. */
interface Agreement {
  readonly equal: number;
  readonly compared: number;
}

/** Comparison of the rows of one catalog with a list. */
export interface Comparison {
  /** Number of listed splits with a matching row. */
  readonly found: number;
  readonly missed: readonly MissedSplit[];
  readonly agreement: Readonly<Record<ComparedField, Agreement>>;
  readonly differences: readonly Difference[];
  /** Hours from the first observation of a split to 09:30 in New York on its ex date; null if no split was found. */
  readonly leadHours: { readonly median: number; readonly worstDecile: number } | null;
  /** Number of found splits by the source of their first observation. */
  readonly firstSources: ReadonlyMap<string, number>;
}

/** A catalog row that is missing from the list. */
export interface ExtraRow extends CompleteSplit {
  readonly sources: readonly string[];
  readonly url: string;
}

/** Coverage of the listed splits of one group: shares, or exchange-traded funds. */
export interface GroupCoverage {
  readonly splits: number;
  /** Comparison with the catalog of all sources, including the list. */
  readonly all: Comparison;
  /** Comparison with the catalog of all sources except the list. */
  readonly others: Comparison;
  readonly extra: readonly ExtraRow[];
}

/** A trading halt on the day before an ex date that the list doesn't contain. */
export interface UnlistedHalt {
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  readonly exDate: Day;
  readonly url: string;
}

/** Comparison of the month's trading halts, an independent confirmation, with the listed splits of shares. */
export interface HaltCoverage {
  /** Number of listed splits with a halt on the day before. */
  readonly confirmed: number;
  readonly unlisted: readonly UnlistedHalt[];
}

/** Coverage of the exchanges of one list; `problem` explains why nothing was compared. */
export type ListCoverage = OfficialList & ({ readonly problem: string } | ComparedList);

export interface ComparedList extends GroupCoverage {
  readonly problem: null;
  /** First day on which the list was read, if that is after the first day of the month; null otherwise. */
  readonly readSince: Day | null;
  /** Exchange-traded funds, which the other figures exclude; null if there are none. */
  readonly funds: GroupCoverage | null;
  /** Null if no halt of these exchanges in the month is stored. */
  readonly halts: HaltCoverage | null;
}

/** Comparison of the catalog with splits that no source states, such as those of a saved calendar. */
export interface SavedCoverage {
  /** Number of splits in the month. */
  readonly splits: number;
  readonly comparison: Comparison;
  /** Rows that the calendar lacks, of the exchanges of which it has splits. */
  readonly extra: readonly ExtraRow[];
}

export interface CoverageReport {
  readonly month: string;
  readonly lists: readonly ListCoverage[];
  /** Null if there are none to compare with. */
  readonly saved: SavedCoverage | null;
  /** Number of rows of exchanges without a list. */
  readonly uncompared: ReadonlyMap<Exchange, number>;
}

interface Records {
  readonly releases: readonly Release[];
  readonly observations: readonly Observation[];
}

/**
 * Compares the lists of the exchanges with the catalog of all sources, and with a catalog that is derived without the list,
 * for the ex dates of one month. The contents of a list are derived from all stored observations of its source.
 * @param month `YYYY-MM`
 * @param savedSplits Splits, of any exchange, with which the catalog of all sources is also compared.
 */
export function measureCoverage(
  records: Records,
  month: string,
  savedSplits: readonly ListedSplit[] | null = null,
): CoverageReport {
  const catalog = buildCatalog(records);
  const firstObservationOf = indexFirstObservations(records.releases);
  const lists = OFFICIAL_LISTS.map((list) => coverageOf(list, { ...records, catalog, firstObservationOf, month }));
  const saved =
    savedSplits === null ? null : savedCoverage(savedSplits, { ...records, catalog, firstObservationOf, month });
  return { month, lists, saved, uncompared: uncomparedRows(catalog, month) };
}

function savedCoverage(listed: readonly ListedSplit[], context: CoverageContext): SavedCoverage {
  const { catalog, month, firstObservationOf } = context;
  const matches = matchRows(listed, catalog, KNOWN_EXCHANGES);
  const listedInMonth = listed.filter(isInMonth(month));
  const compared = { matches, splits: catalog, exchanges: KNOWN_EXCHANGES, firstObservationOf };
  const found = new Set([...matches.values()].map(({ row }) => row.exchange));
  return {
    splits: listedInMonth.length,
    comparison: comparisonOf(listedInMonth, compared),
    extra: extraRows(catalog, matches, [...found]).filter(isInMonth(month)),
  };
}

interface CoverageContext extends Records {
  readonly catalog: readonly CatalogSplit[];
  readonly firstObservationOf: FirstObservationOf;
  readonly month: string;
}

function coverageOf(list: OfficialList, context: CoverageContext): ListCoverage {
  const { releases, observations, catalog, month } = context;
  const listObservations = observations.filter(({ source }) => source === list.source);
  if (!listObservations.some((observation) => concernsMonth(observation, month)))
    return { ...list, problem: problemOf(list.source, listObservations, month) };
  const listed = listedSplits(listObservations);
  const otherObservations = observations.filter(({ source }) => source !== list.source);
  const catalogOfOthers = buildCatalog({ releases, observations: otherObservations });
  const catalogs: ComparedCatalogs = {
    all: { matches: matchRows(listed, catalog, list.exchanges), splits: catalog },
    others: { matches: matchRows(listed, catalogOfOthers, list.exchanges), splits: catalogOfOthers },
  };
  const coverageOfGroup = (isFund: boolean): GroupCoverage =>
    groupCoverage({ ...catalogs, listed: listed.filter((split) => split.isFund === isFund), isFund, list, context });
  const funds = coverageOfGroup(true);
  return {
    ...list,
    ...coverageOfGroup(false),
    problem: null,
    readSince: readSince(listObservations, month),
    funds: funds.splits + funds.extra.length === 0 ? null : funds,
    halts: haltCoverage(listed, list, context),
  };
}

/** Explains why a list can't be compared in the month. */
function problemOf(source: string, observations: readonly Observation[], month: string): string {
  const days = observations.map(({ observedAt }) => dayInZone(observedAt, MARKET_ZONE)).toSorted(compareText);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return `no observation of ${source} is stored`;
  if (first.slice(0, month.length) > month) return `the records of ${source} start on ${first}, after ${month}`;
  if (last < month) return `the newest observation of ${source} dates from ${last}, before ${month}`;
  return `no observation of ${source} in ${month} is stored`;
}

/** The two compared catalogs, each with its rows that match listed splits. */
type ComparedCatalogs = Readonly<
  Record<"all" | "others", { readonly matches: Matches; readonly splits: readonly CatalogSplit[] }>
>;

interface GroupParts extends ComparedCatalogs {
  readonly listed: readonly ListedSplit[];
  readonly isFund: boolean;
  readonly list: OfficialList;
  readonly context: CoverageContext;
}

function groupCoverage({ listed, all, others, isFund, list, context }: GroupParts): GroupCoverage {
  const { month, firstObservationOf } = context;
  const { exchanges } = list;
  const listedInMonth = listed.filter(isInMonth(month));
  const extra = extraRows(all.splits, all.matches, exchanges).filter(isInMonth(month));
  return {
    splits: listedInMonth.length,
    all: comparisonOf(listedInMonth, { ...all, exchanges, firstObservationOf }),
    others: comparisonOf(listedInMonth, { ...others, exchanges, firstObservationOf }),
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
  { observations, month }: CoverageContext,
): HaltCoverage | null {
  const halts = latestConfirmations(observations).flatMap((halt) => haltOf(halt, exchanges));
  const haltsInMonth = halts.filter(isInMonth(month));
  if (haltsInMonth.length === 0) return null;
  const [haltKeys, listedKeys] = [new Set(haltsInMonth.map(keyOf)), new Set(listed.map(keyOf))];
  const shares = listed.filter(isInMonth(month)).filter(({ isFund }) => !isFund);
  const unlisted = new Map(
    haltsInMonth.filter((halt) => !listedKeys.has(keyOf(halt))).map((halt) => [keyOf(halt), halt]),
  );
  return {
    confirmed: shares.filter((split) => haltKeys.has(keyOf(split))).length,
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

function isInMonth(month: string): (row: { readonly exDate: Day }) => boolean {
  return ({ exDate }) => exDate.startsWith(month);
}

/** True if the ex date or the observation is in the month. */
function concernsMonth({ exDate, observedAt }: Observation, month: string): boolean {
  return exDate?.startsWith(month) === true || dayInZone(observedAt, MARKET_ZONE).startsWith(month);
}

function readSince(observations: readonly Observation[], month: string): Day | null {
  const first = dayInZone(Math.min(...observations.map(({ observedAt }) => observedAt)), MARKET_ZONE);
  return first > `${month}-01` ? first : null;
}

/** Returns the splits that the list states at present, except cancelled, postponed and undated ones. */
function listedSplits(observations: readonly Observation[]): readonly ListedSplit[] {
  const splits = buildCatalog({ releases: [], observations }).flatMap((split): readonly ListedSplit[] => {
    const [listing] = split.listings;
    const { exDate, ratio, status, facts, company } = split;
    if (status !== "announced" || exDate === null || listing === undefined) return [];
    return [{ ...listing, ratio, exDate, url: facts.exDate[0]?.url ?? "", isFund: isTradedFund(company) }];
  });
  const splitByKey = new Map(splits.map((split) => [keyOf(split), split]));
  return [...splitByKey].toSorted(([a], [b]) => compareText(a, b)).map(([, split]) => split);
}

interface Match {
  readonly row: CompleteSplit;
  readonly split: CatalogSplit;
}

type Matches = ReadonlyMap<ListedSplit, Match>;

/** Finds the row of each listed split by symbol, market and nearest ex date. */
function matchRows(
  listed: readonly ListedSplit[],
  catalog: readonly CatalogSplit[],
  exchanges: readonly Exchange[],
): Matches {
  const rows = catalog.flatMap((split) => completeSplits(split).map((row) => ({ row, split })));
  const bySymbol = groupBy(
    rows
      .filter(({ row }) => isSameMarket(row, exchanges))
      .flatMap((match) => symbolsOf(match.split).map((ticker) => ({ ticker, match }))),
    ({ ticker }) => ticker,
  );
  const matches = new Map<ListedSplit, Match>();
  const matchedRows = new Set<CompleteSplit>();
  for (const split of listed) {
    const [nearest] = (bySymbol.get(split.ticker) ?? [])
      .map(({ match }) => ({ match, apart: tradingDaysApart(split.exDate, match.row.exDate) }))
      .filter(({ match, apart }) => apart <= MAX_SAME_SPLIT_GAP_DAYS && !matchedRows.has(match.row))
      .toSorted((a, b) => a.apart - b.apart);
    if (nearest === undefined) continue;
    matchedRows.add(nearest.match.row);
    matches.set(split, nearest.match);
  }
  return matches;
}

function isSameMarket({ exchange }: CompleteSplit, exchanges: readonly Exchange[]): boolean {
  return exchanges.some((listed) => marketOf(listed) === marketOf(exchange));
}

function symbolsOf({ listings }: CatalogSplit): readonly Ticker[] {
  return [...new Set(listings.map(({ ticker }) => ticker))];
}

interface ComparisonInput {
  readonly matches: Matches;
  readonly splits: readonly CatalogSplit[];
  readonly exchanges: readonly Exchange[];
  readonly firstObservationOf: FirstObservationOf;
}

function comparisonOf(
  listed: readonly ListedSplit[],
  { matches, splits, exchanges, firstObservationOf }: ComparisonInput,
): Comparison {
  const found = listed.flatMap((split) => {
    const match = matches.get(split);
    return match === undefined ? [] : [{ listed: split, row: match.row, first: firstObservationOf(match.split) }];
  });
  const fields = found.flatMap(({ listed: split, row }) => fieldsOf(split, row, exchanges));
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

/** Compares the values that the list states. If it doesn't state the exchange, any exchange that it covers is accepted. */
function fieldsOf(split: ListedSplit, row: CompleteSplit, exchanges: readonly Exchange[]): readonly FieldComparison[] {
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
            isEqual: isSameRatio(ratio, row.ratio),
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
  const comparisons = fields.filter((comparison) => comparison.field === field);
  return { equal: comparisons.filter(({ isEqual }) => isEqual).length, compared: comparisons.length };
}

/** Adds the missing terms if the catalog has the split, but no complete row of it. */
function missedSplit(missed: ListedSplit, splits: readonly CatalogSplit[]): MissedSplit {
  const incomplete = splits.find(
    (split) =>
      symbolsOf(split).includes(missed.ticker) &&
      (split.lastExDate === null || tradingDaysApart(split.lastExDate, missed.exDate) <= MAX_SAME_SPLIT_GAP_DAYS) &&
      completeSplits(split).length === 0,
  );
  return { ...missed, lacks: incomplete === undefined ? null : missingTerms(incomplete) };
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

/** Returns the catalog's rows for the list's exchanges that match no listed split, with ex dates in any month. */
function extraRows(
  catalog: readonly CatalogSplit[],
  matches: Matches,
  exchanges: readonly Exchange[],
): readonly ExtraRow[] {
  const matchedSplits = new Set([...matches.values()].map(({ split }) => split));
  return catalog
    .filter((split) => !matchedSplits.has(split))
    .flatMap((split) => completeSplits(split).map((row) => extraRow(row, split)))
    .filter(({ exchange }) => exchanges.includes(exchange))
    .toSorted((a, b) => compareText(a.exDate, b.exDate) || compareText(a.ticker, b.ticker));
}

function extraRow(row: CompleteSplit, { observations, facts }: CatalogSplit): ExtraRow {
  const sources = [...new Set(observations.map(({ source }) => source))].toSorted();
  return { ...row, sources, url: facts.exDate[0]?.url ?? "" };
}

interface FirstObservation {
  readonly at: Instant;
  readonly source: string;
}

type FirstObservationOf = (split: CatalogSplit) => FirstObservation;

/** A release counts from the time at which its feed item was found, before its page was read. */
function indexFirstObservations(releases: readonly Release[]): FirstObservationOf {
  const foundAt = new Map(releases.map((release) => [`${release.source} ${release.url}`, release.foundAt]));
  return ({ observations }) => {
    let first: FirstObservation = { at: Number.POSITIVE_INFINITY, source: "" };
    for (const { source, url, observedAt } of observations) {
      const at = foundAt.get(`${source} ${url}`) ?? observedAt;
      if (at < first.at || (at === first.at && source < first.source)) first = { at, source };
    }
    return first;
  };
}

const MARKET_OPEN_MINUTE = 9 * 60 + 30;

function openingOf(exDate: Day): Instant {
  return instantAt(exDate, MARKET_OPEN_MINUTE, MARKET_ZONE);
}

/** Median and 10th percentile (nearest rank). */
function quantilesOf(leads: readonly number[]): Comparison["leadHours"] {
  const sorted = leads.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  if (sorted.length === 0) return null;
  const median = (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
  return { median, worstDecile: at(Math.ceil(sorted.length / 10) - 1) };
}

function countBy<K>(keys: readonly K[]): ReadonlyMap<K, number> {
  const counts = [...groupBy(keys, (key) => key)].map(([key, occurrences]) => [key, occurrences.length] as const);
  return new Map(counts.toSorted(([, a], [, b]) => b - a));
}

function uncomparedRows(catalog: readonly CatalogSplit[], month: string): ReadonlyMap<Exchange, number> {
  const comparedExchanges = new Set(OFFICIAL_LISTS.flatMap(({ exchanges }) => exchanges));
  const rows = catalog.flatMap(completeSplits).filter(isInMonth(month));
  return countBy(rows.map(({ exchange }) => exchange).filter((exchange) => !comparedExchanges.has(exchange)));
}
