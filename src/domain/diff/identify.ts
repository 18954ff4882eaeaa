import { compareText, groupBy } from "../../lib/collections.ts";
import { hasSameName, isSameCompany, nameKey } from "../article/company-name.ts";
import { type ArticleIndex, announcedSymbols } from "../article/evidence.ts";
import { sharesSymbols } from "../split/exchange.ts";
import { permanentSymbol } from "../split/interim-symbol.ts";
import { ratioCode } from "../split/ratio.ts";
import { hasSameRatio, latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { baseSymbol, type Ticker } from "../split/ticker.ts";
import { type Day, daysBetween } from "../time/day.ts";

/** The rows of a list, matched with the followed splits. */
export interface Identified {
  readonly pairs: readonly Pair[];
  /** Rows without a followed split, sorted by ex date and ticker. */
  readonly newRecords: readonly SplitRecord[];
  /** Followed splits without a row. */
  readonly absent: readonly Split[];
}

/** What helps to recognize a split under a new symbol. */
export interface RenameClues {
  /** Tickers of rows that couldn't be read. Their splits are still listed, so they have no new symbol. */
  readonly unreadableTickers: ReadonlySet<Ticker>;
  readonly articles: ArticleIndex;
}

const NO_CLUES: RenameClues = { unreadableTickers: new Set(), articles: new Map() };

export interface Pair {
  readonly split: Split;
  readonly record: SplitRecord;
}

/** True if the row lists the split under another symbol than before. */
export function isRenamed({ split, record }: Pair): boolean {
  return latestRecord(split).ticker !== record.ticker;
}

type Criterion = (split: Split, record: SplitRecord) => boolean;

/**
 * Matches rows with followed splits, because the data service has no ids. A row with the ticker and exchange of a followed split
 * is a change of that split, unless its ex date has passed or another row matches it better. The closest matches are paired
 * first, regardless of the order of the rows. A followed split without a row and a row without a split are matched too, if the
 * symbol is all that sets them apart (see `pairRenamed`), and so are splits whose companies exchanged their symbols.
 */
export function identify(
  splits: readonly Split[],
  received: readonly SplitRecord[],
  today: Day,
  clues: RenameClues = NO_CLUES,
): Identified {
  const criteria: readonly Criterion[] = [
    (split, record) => isSameListing(split, record) && isSameDate(split, record) && isSameRatio(split, record),
    (split, record) => isSameListing(split, record) && isSameDate(split, record),
    (split, record) => isSameListing(split, record) && canMove(split, record, today) && isSameRatio(split, record),
    (split, record) => isSameListing(split, record) && canMove(split, record, today),
    // The listing may have moved to another exchange. If no term is equal, the symbol belongs to another company.
    (split, record) => isSameDate(split, record) && (isOpen(split) || isSameRatio(split, record)),
    (split, record) => canMove(split, record, today) && isSameRatio(split, record),
  ];
  const byTicker = groupBy(
    splits.toSorted((a, b) => compareText(a.id, b.id)),
    (split) => latestRecord(split).ticker,
  );
  const records = withoutDuplicates(received.map((record) => withPermanentSymbol(record, byTicker)));
  const rows = groupBy(records, (record) => record.ticker);
  const exchanged = pairExchanged(byTicker, records, rows);
  const taken = new Set<Split | SplitRecord>(exchanged.flatMap(({ split, record }) => [split, record]));
  const tickers = [...new Set([...rows.keys(), ...byTicker.keys()])];
  const results = tickers.map((ticker) => {
    const [ofTicker, ofRows] = [byTicker.get(ticker) ?? [], rows.get(ticker) ?? []];
    return pairRows(
      ofTicker.filter((split) => !taken.has(split)),
      ofRows.filter((record) => !taken.has(record)),
      criteria,
    );
  });
  const pairs = [...exchanged, ...results.flatMap((result) => result.pairs)];
  const renamed = pairs.filter(({ split }) => latestRecord(split).formerTickers !== undefined);
  const newRecords = results.flatMap((result) => result.newRecords).toSorted(byExDate);
  const identified = {
    pairs,
    newRecords: newRecords.filter((record) => !renamed.some(({ split }) => isFormerRow(record, split))),
    absent: results.flatMap((result) => result.absent),
  };
  return pairRenamed(identified, { splits, records, today, clues });
}

/** A row under an interim symbol lists the split of the permanent one: ACMED is ACME for some weeks after the split. */
function withPermanentSymbol(record: SplitRecord, byTicker: ByTicker<Split>): SplitRecord {
  const ticker = permanentSymbol(record);
  const isFollowed = ticker !== null && byTicker.get(ticker)?.some((split) => hasSameIssuerName(split, record));
  return isFollowed ? { ...record, ticker } : record;
}

/** True for a row that still lists a split under a former symbol, beside its row under the present one. */
function isFormerRow(record: SplitRecord, split: Split): boolean {
  const { formerTickers = [], exchange } = latestRecord(split);
  const isFormer = formerTickers.includes(record.ticker) && sharesSymbols(exchange, record.exchange);
  return isFormer && isSameDate(split, record) && isSameRatio(split, record) && hasSameIssuerName(split, record);
}

type ByTicker<T> = ReadonlyMap<Ticker, readonly T[]>;

/**
 * Matches splits with the row of their company under the symbol of another company, if that row has the same ratio and ex date and is the
 * only one, and the rows under their own symbol have another company and other terms: ACME's row became ZETA's, and ZETA's ACME's.
 * Companies with equal terms stay matched by symbol.
 */
function pairExchanged(
  splits: ByTicker<Split>,
  records: readonly SplitRecord[],
  rows: ByTicker<SplitRecord>,
): readonly Pair[] {
  const replaced = [...splits.values()].flat().filter((split) => isReplaced(split, rows));
  if (replaced.length === 0) return [];
  const byCompany = groupBy(records, ({ company }) => nameKey(company));
  const pairs = replaced.flatMap((split): readonly Pair[] => {
    const key = nameKey(latestRecord(split).company);
    const [record, ...others] = (byCompany.get(key) ?? []).filter((row) => isMovedRow(split, row, splits));
    return record === undefined || others.length > 0 ? [] : [{ split, record }];
  });
  return pairs.filter(({ record }) => pairs.filter((pair) => pair.record === record).length === 1);
}

/** True if all rows under the split's symbol have another company and another ratio or ex date. */
function isReplaced(split: Split, rows: ByTicker<SplitRecord>): boolean {
  const { ticker, company, exchange } = latestRecord(split);
  const own = (rows.get(ticker) ?? []).filter((row) => sharesSymbols(row.exchange, exchange));
  return own.length > 0 && own.every((row) => isOtherCompany(company, row.company) && !hasSameTerms(split, row));
}

function isOtherCompany(a: string, b: string): boolean {
  return nameKey(a) !== "" && nameKey(b) !== "" && !isSameCompany(a, b);
}

/** True for a row with the split's terms under a symbol whose followed splits are of other companies. */
function isMovedRow(split: Split, row: SplitRecord, splits: ByTicker<Split>): boolean {
  if (!isOtherSymbol(split, row) || !hasSameTerms(split, row)) return false;
  return (splits.get(row.ticker) ?? []).every((other) => isOtherCompany(latestRecord(other).company, row.company));
}

function hasSameTerms(split: Split, record: SplitRecord): boolean {
  return isSameDate(split, record) && isSameRatio(split, record);
}

/** The only other row of the split's company with its ratio and ex date, under another symbol; undefined if there is none or several. */
export function rowOfSameTerms(split: Split, records: readonly SplitRecord[]): SplitRecord | undefined {
  // Names are compared last: it takes longest, and a source that fails loses many splits at one poll.
  const [row, ...others] = records.filter(
    (record) => hasSameTerms(split, record) && isOtherSymbol(split, record) && hasSameIssuerName(split, record),
  );
  return others.length === 0 ? row : undefined;
}

/** Everything that was compared, to find out whether a match is the only one. */
interface Compared {
  readonly splits: readonly Split[];
  readonly records: readonly SplitRecord[];
  readonly today: Day;
  readonly clues: RenameClues;
}

/** Two dates of one split under two symbols are at most this many days apart. */
const MAX_DAYS_MOVED = 14;

/**
 * Matches absent splits with new rows under another symbol: of the same company, or named with the old symbol in a release about
 * the split. Only one term may differ. If several splits or several rows match, none is chosen.
 */
function pairRenamed(identified: Identified, compared: Compared): Identified {
  const absent = new Set(identified.absent);
  const newRecords = new Set(identified.newRecords);
  const pairs: Pair[] = [];
  if (absent.size === 0 || newRecords.size === 0) return identified;
  const isListed = listedSymbols(compared);
  const sameIssuer = sameIssuerRows(compared);
  for (const matches of renameCriteria(compared.today)) {
    for (const split of absent) {
      const record = isListed(split) ? null : onlyMatch(split, matches, sameIssuer);
      if (record === null || !newRecords.has(record)) continue;
      pairs.push({ split, record });
      absent.delete(split);
      newRecords.delete(record);
    }
  }
  return { pairs: [...identified.pairs, ...pairs], newRecords: [...newRecords], absent: [...absent] };
}

function renameCriteria(today: Day): readonly Criterion[] {
  const criteria: readonly Criterion[] = [
    hasSameTerms,
    (split, record) => isOpen(split) && isSameDate(split, record),
    (split, record) =>
      canMove(split, record, today) && isSameRatio(split, record) && daysApart({ split, record }) <= MAX_DAYS_MOVED,
  ];
  return criteria.map(
    (matches): Criterion =>
      (split, record) =>
        matches(split, record) && isOtherSymbol(split, record),
  );
}

/** Returns whether a split's symbol is still listed, perhaps in a row that couldn't be read. */
function listedSymbols({ records, clues }: Compared): (split: Split) => boolean {
  const rows = groupBy(records, (record) => record.ticker);
  return (split) => {
    const { ticker, exchange } = latestRecord(split);
    const isListed = rows.get(ticker)?.some((row) => sharesSymbols(row.exchange, exchange)) ?? false;
    return isListed || clues.unreadableTickers.has(ticker);
  };
}

/** The rows that are of each split's issuer, and the splits of each such row. */
interface SameIssuerRows {
  readonly rowsOf: ReadonlyMap<Split, readonly SplitRecord[]>;
  readonly splitsOf: ReadonlyMap<SplitRecord, readonly Split[]>;
}

/** Finds the rows of the same company, and those named with the split's symbol in a release about the split. */
function sameIssuerRows({ splits, records, clues }: Compared): SameIssuerRows {
  const byCompany = groupBy(records, ({ company }) => nameKey(company));
  const byTicker = groupBy(records, ({ ticker }) => ticker);
  const rowsOf = new Map<Split, readonly SplitRecord[]>();
  const splitsOf = new Map<SplitRecord, Split[]>();
  for (const split of splits) {
    const latest = latestRecord(split);
    const key = nameKey(latest.company);
    const connected = announcedSymbols(latest, clues.articles).flatMap(({ ticker, exchange }) =>
      (byTicker.get(ticker) ?? []).filter((row) => exchange === null || sharesSymbols(exchange, row.exchange)),
    );
    const rows = [...new Set([...(key === "" ? [] : (byCompany.get(key) ?? [])), ...connected])];
    rowsOf.set(split, rows);
    for (const row of rows) {
      const known = splitsOf.get(row);
      if (known) known.push(split);
      else splitsOf.set(row, [split]);
    }
  }
  return { rowsOf, splitsOf };
}

/** The row that matches the split, if no other row matches it and the row matches no other split; null otherwise. */
function onlyMatch(split: Split, matches: Criterion, { rowsOf, splitsOf }: SameIssuerRows): SplitRecord | null {
  const rows = rowsOf.get(split) ?? [];
  const record = rows.find((row) => matches(split, row));
  if (record === undefined || rows.some((row) => row !== record && matches(split, row))) return null;
  return splitsOf.get(record)?.some((rival) => rival !== split && matches(rival, record)) ? null : record;
}

function hasSameIssuerName(split: Split, record: SplitRecord): boolean {
  return hasSameName(latestRecord(split).company, record.company);
}

/** False for another class of the same shares (ACME.A and ACME.B), which is another security. */
function isOtherSymbol(split: Split, record: SplitRecord): boolean {
  const before = latestRecord(split);
  return sharesSymbols(before.exchange, record.exchange) && baseSymbol(before.ticker) !== baseSymbol(record.ticker);
}

function pairRows(
  splits: readonly Split[],
  records: readonly SplitRecord[],
  criteria: readonly Criterion[],
): Identified {
  const pairs: Pair[] = [];
  const absent = new Set(splits);
  const unmatched = new Set(records);
  for (const matches of criteria) {
    for (const pair of nearestFirst([...absent], [...unmatched], matches)) {
      if (!absent.has(pair.split) || !unmatched.has(pair.record)) continue;
      pairs.push(pair);
      absent.delete(pair.split);
      unmatched.delete(pair.record);
    }
  }
  return { pairs, newRecords: [...unmatched], absent: [...absent] };
}

function nearestFirst(splits: readonly Split[], records: readonly SplitRecord[], matches: Criterion): readonly Pair[] {
  return splits
    .flatMap((split) => records.filter((record) => matches(split, record)).map((record) => ({ split, record })))
    .toSorted((a, b) => daysApart(a) - daysApart(b));
}

function daysApart({ split, record }: Pair): number {
  return Math.abs(daysBetween(latestRecord(split).exDate, record.exDate));
}

function isSameListing(split: Split, record: SplitRecord): boolean {
  return latestRecord(split).exchange === record.exchange;
}

function isSameDate(split: Split, record: SplitRecord): boolean {
  return latestRecord(split).exDate === record.exDate;
}

function isSameRatio(split: Split, record: SplitRecord): boolean {
  return hasSameRatio(latestRecord(split), record);
}

/** False for a closed split. A row with another ex date is then a second split, unless a release postponed the closed one. */
function isOpen(split: Split): boolean {
  return split.status !== "closed";
}

/**
 * True if the row can be the split with a changed ex date: the split's ex date hasn't passed, or the row corrects it to an earlier
 * day, or a release postponed the split before it took effect.
 */
function canMove(split: Split, record: SplitRecord, today: Day): boolean {
  const { exDate } = latestRecord(split);
  if (isOpen(split) && (exDate >= today || record.exDate < exDate)) return true;
  return split.withdrawal?.kind === "postponed" && split.withdrawal.exDate === exDate && record.exDate > exDate;
}

/** Returns one row per listing and terms, sorted by ex date and ticker. The result doesn't depend on the order of the rows. */
export function withoutDuplicates(records: readonly SplitRecord[]): SplitRecord[] {
  return [...new Map(records.toSorted(byExDate).map((record) => [termsKey(record), record])).values()];
}

function termsKey({ ticker, exchange, exDate, ratio, ratioText }: SplitRecord): string {
  return JSON.stringify([ticker, exchange, exDate, ratio ? ratioCode(ratio) : ratioText]);
}

/** Sorts by ex date and ticker, then by the other fields, so that different rows always have the same order. */
function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(orderKey(a), orderKey(b));
}

function orderKey({ exDate, ticker, exchange, ratioText, dateAnnounced, company }: SplitRecord): string {
  return JSON.stringify([exDate, ticker, exchange, ratioText, dateAnnounced ?? "", company]);
}
