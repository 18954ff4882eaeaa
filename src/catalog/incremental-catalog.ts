import { permanentSymbol } from "../domain/split/interim-symbol.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import { buildSplits, type CatalogInput, compareSplits } from "./catalog.ts";
import { type CatalogObservation, companyKeyOf, noticeKey } from "./catalog-observation.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";
import { observationsOf } from "./release-observations.ts";

/** A catalog that rebuilds only the splits of changed records. */
export interface IncrementalCatalog {
  /**
   * Returns the result of `buildCatalog(input)`. Rebuilds only the splits of records that were added, removed or replaced since
   * the last call, or whose symbols have other names in a new directory; records and directories are compared by identity.
   * Returns the same array if no split changed.
   */
  update(input: CatalogInput): readonly CatalogSplit[];
}

/**
 * Records that share a symbol, a company name or a notice, directly or through other records, form a group. All records of a
 * split are in one group, so a change rebuilds only the affected groups.
 */
export function createIncrementalCatalog(): IncrementalCatalog {
  const groupByRecord = new Map<StoredRecord, Group>();
  const groupByKey = new Map<string, Group>();
  let splits: readonly CatalogSplit[] = [];
  let directory: SymbolDirectory | null = null;

  function findAffectedGroups(removed: ReadonlySet<StoredRecord>, added: readonly RecordEntry[]): ReadonlySet<Group> {
    const groups = [
      ...[...removed].map((record) => groupByRecord.get(record)),
      ...added.flatMap(({ keys }) => keys.map((key) => groupByKey.get(key))),
    ];
    return new Set(groups.filter((group) => group !== undefined));
  }

  function remove({ entries }: Group): void {
    for (const { record, keys } of entries) {
      groupByRecord.delete(record);
      for (const key of keys) groupByKey.delete(key);
    }
  }

  function add(group: Group): void {
    for (const { record, keys } of group.entries) {
      groupByRecord.set(record, group);
      for (const key of keys) groupByKey.set(key, group);
    }
  }

  function replace(before: ReadonlySet<Group>, after: readonly Group[]): void {
    for (const group of before) remove(group);
    for (const group of after) add(group);
    const outdated = new Set([...before].flatMap((group) => group.splits));
    const builtSplits = after.flatMap((group) => group.splits);
    if (outdated.size === 0 && builtSplits.length === 0) return;
    splits = [...splits.filter((split) => !outdated.has(split)), ...builtSplits].toSorted(compareSplits);
  }

  return {
    update(input) {
      const [releases, observations] = [[...input.releases], [...input.observations]];
      const isNew = (record: StoredRecord): boolean => !groupByRecord.has(record);
      const added = [
        ...releases.filter(isNew).map(entryOfRelease),
        ...observations.filter(isNew).map(entryOfObservation),
      ];
      const unchangedCount = releases.length + observations.length - added.length;
      const removed =
        unchangedCount === groupByRecord.size
          ? NO_RECORDS
          : findRemovedRecords(groupByRecord.keys(), [...releases, ...observations]);
      const renamed = findRenamedGroups(groupByRecord.values(), directory, input.directory ?? null);
      directory = input.directory ?? null;
      const affectedGroups = new Set([...renamed, ...findAffectedGroups(removed, added)]);
      const remaining = [...affectedGroups]
        .flatMap(({ entries }) => entries)
        .filter(({ record }) => !removed.has(record));
      const groups = groupConnectedEntries([...remaining, ...added]);
      replace(
        affectedGroups,
        groups.map((entries) => buildGroup(entries, directory)),
      );
      return splits;
    },
  };
}

type StoredRecord = Release | Observation;

const NO_RECORDS: ReadonlySet<StoredRecord> = new Set();

/** A stored record with its keys. Records with a common key may concern the same split. */
interface RecordEntry {
  readonly record: StoredRecord;
  readonly keys: readonly string[];
  /** Statements of a release; empty for an observation. */
  readonly statements: readonly CatalogObservation[];
  /** The stored observation, whose meaning depends on the other revisions of its notice; null for a release. */
  readonly observation: Observation | null;
}

interface Group {
  readonly entries: readonly RecordEntry[];
  readonly splits: readonly CatalogSplit[];
  /** Names of the entries' symbols in the directory of the last build. */
  readonly names: string;
}

function entryOfRelease(record: Release): RecordEntry {
  const statements = observationsOf(record);
  return { record, keys: [`release ${record.url}`, ...statements.flatMap(keysOf)], statements, observation: null };
}

function entryOfObservation(record: Observation): RecordEntry {
  const keys = keysOf({ listings: record.listings, companyKey: companyKeyOf(record.company) });
  return { record, keys: [`notice ${noticeKey(record)}`, ...keys], statements: [], observation: record };
}

const SYMBOL_KEY = "symbol ";

/** Symbols are compared across markets, because a listing may be stated without its exchange. */
function keysOf({ listings, companyKey }: Pick<CatalogObservation, "listings" | "companyKey">): readonly string[] {
  const symbolKeys = listings.flatMap((listing) => {
    const permanent = permanentSymbol(listing);
    return [listing.ticker, ...(permanent === null ? [] : [permanent])].map((ticker) => `${SYMBOL_KEY}${ticker}`);
  });
  return companyKey === "" ? symbolKeys : [...symbolKeys, `company ${companyKey}`];
}

function findRemovedRecords(
  known: Iterable<StoredRecord>,
  records: readonly StoredRecord[],
): ReadonlySet<StoredRecord> {
  const currentRecords = new Set(records);
  return new Set([...known].filter((record) => !currentRecords.has(record)));
}

/** Groups whose symbols have other names in the new directory than in the last one. */
function findRenamedGroups(
  groups: Iterable<Group>,
  last: SymbolDirectory | null,
  directory: SymbolDirectory | null,
): readonly Group[] {
  if (directory === last) return [];
  return [...new Set(groups)].filter(({ entries, names }) => names !== namesOf(entries, directory));
}

function namesOf(entries: readonly RecordEntry[], directory: SymbolDirectory | null): string {
  if (directory === null) return "[]";
  const symbolKeys = new Set(entries.flatMap(({ keys }) => keys.filter((key) => key.startsWith(SYMBOL_KEY))));
  const names = [...symbolKeys].toSorted(compareText).flatMap((key) => {
    const ticker = key.slice(SYMBOL_KEY.length) as Ticker;
    return directory.find(ticker).map(({ company, exchange }) => [ticker, company, exchange]);
  });
  return JSON.stringify(names);
}

function buildGroup(entries: readonly RecordEntry[], directory: SymbolDirectory | null): Group {
  const statements = entries.flatMap((entry) => entry.statements);
  const observations = entries.flatMap(({ observation }) => observation ?? []);
  return { entries, splits: buildSplits(statements, observations, directory), names: namesOf(entries, directory) };
}

/** Groups the entries that are connected by keys. */
function groupConnectedEntries(entries: readonly RecordEntry[]): readonly (readonly RecordEntry[])[] {
  const entriesByKey = groupBy(
    entries.flatMap((entry) => entry.keys.map((key) => ({ key, entry }))),
    ({ key }) => key,
  );
  const takeConnected = (keys: readonly string[]): readonly RecordEntry[] =>
    keys.flatMap((key) => {
      const connected = entriesByKey.get(key) ?? [];
      entriesByKey.delete(key);
      return connected.map(({ entry }) => entry);
    });
  const groupedEntries = new Set<RecordEntry>();
  return entries.flatMap((entry) => {
    if (groupedEntries.has(entry)) return [];
    const group = new Set([entry]);
    // The loop also visits the entries that it adds.
    for (const { keys } of group) for (const other of takeConnected(keys)) group.add(other);
    for (const member of group) groupedEntries.add(member);
    return [[...group]];
  });
}
