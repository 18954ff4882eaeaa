import { groupBy } from "../lib/collections.ts";
import { buildSplits, type CatalogInput, compareSplits } from "./catalog.ts";
import { type CatalogObservation, companyKeyOf, noticeKey } from "./catalog-observation.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import { permanentSymbol } from "./interim-symbols.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";
import { observationsOf } from "./release-observations.ts";

/** A catalog that is kept up to date with its records. */
export interface IncrementalCatalog {
  /**
   * Returns the same as `buildCatalog(input)`, but builds only what was added, removed or replaced since the last call. Records
   * are compared by identity. The result is the same array if no split changed.
   */
  update(input: CatalogInput): readonly CatalogSplit[];
}

/**
 * Records are grouped so that no split concerns two groups: those with a symbol, a company name or a notice in common, directly
 * or through others, are one group. A change builds only its groups again.
 */
export function createCatalog(): IncrementalCatalog {
  const groupByRecord = new Map<StoredRecord, Group>();
  const groupByKey = new Map<string, Group>();
  let splits: readonly CatalogSplit[] = [];

  function removedRecords(all: readonly StoredRecord[]): ReadonlySet<StoredRecord> {
    const present = new Set(all);
    return new Set([...groupByRecord.keys()].filter((record) => !present.has(record)));
  }

  function affectedBy(removed: ReadonlySet<StoredRecord>, added: readonly Entry[]): ReadonlySet<Group> {
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
    const built = after.flatMap((group) => group.splits);
    if (outdated.size === 0 && built.length === 0) return;
    splits = [...splits.filter((split) => !outdated.has(split)), ...built].toSorted(compareSplits);
  }

  return {
    update(input) {
      const [releases, observations] = [[...input.releases], [...input.observations]];
      const isUnknown = (record: StoredRecord): boolean => !groupByRecord.has(record);
      const added = [
        ...releases.filter(isUnknown).map(entryOfRelease),
        ...observations.filter(isUnknown).map(entryOfObservation),
      ];
      const knownCount = releases.length + observations.length - added.length;
      const removed = knownCount === groupByRecord.size ? NONE : removedRecords([...releases, ...observations]);
      const affected = affectedBy(removed, added);
      const kept = [...affected].flatMap(({ entries }) => entries).filter(({ record }) => !removed.has(record));
      replace(affected, connectedEntries([...kept, ...added]).map(buildGroup));
      return splits;
    },
  };
}

type StoredRecord = Release | Observation;

const NONE: ReadonlySet<StoredRecord> = new Set();

/** A stored record with the keys by which it may concern the same split as another. */
interface Entry {
  readonly record: StoredRecord;
  readonly keys: readonly string[];
  /** What a release states. */
  readonly statements: readonly CatalogObservation[];
  /** An observation as it is stored: what it states depends on the other revisions of its notice. */
  readonly observation: Observation | null;
}

interface Group {
  readonly entries: readonly Entry[];
  readonly splits: readonly CatalogSplit[];
}

function entryOfRelease(record: Release): Entry {
  const statements = observationsOf(record);
  return { record, keys: [`release ${record.url}`, ...statements.flatMap(keysOf)], statements, observation: null };
}

function entryOfObservation(record: Observation): Entry {
  const keys = keysOf({ listings: record.listings, companyKey: companyKeyOf(record.company) });
  return { record, keys: [`notice ${noticeKey(record)}`, ...keys], statements: [], observation: record };
}

/** Symbols are compared across markets, because a listing may be stated without its exchange. */
function keysOf({ listings, companyKey }: Pick<CatalogObservation, "listings" | "companyKey">): readonly string[] {
  const symbolKeys = listings.flatMap((listing) => {
    const permanent = permanentSymbol(listing);
    return [`symbol ${listing.ticker}`, ...(permanent === null ? [] : [`symbol ${permanent}`])];
  });
  return companyKey === "" ? symbolKeys : [...symbolKeys, `company ${companyKey}`];
}

function buildGroup(entries: readonly Entry[]): Group {
  const statements = entries.flatMap((entry) => entry.statements);
  const observations = entries.flatMap(({ observation }) => observation ?? []);
  return { entries, splits: buildSplits(statements, observations) };
}

/** Groups the entries that are connected by keys. */
function connectedEntries(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const entriesByKey = groupBy(
    entries.flatMap((entry) => entry.keys.map((key) => ({ key, entry }))),
    ({ key }) => key,
  );
  const takeConnected = (keys: readonly string[]): readonly Entry[] =>
    keys.flatMap((key) => {
      const connected = entriesByKey.get(key) ?? [];
      entriesByKey.delete(key);
      return connected.map(({ entry }) => entry);
    });
  const grouped = new Set<Entry>();
  return entries.flatMap((entry) => {
    if (grouped.has(entry)) return [];
    const group = new Set([entry]);
    // Entries that are added here are visited, too.
    for (const { keys } of group) for (const other of takeConnected(keys)) group.add(other);
    for (const member of group) grouped.add(member);
    return [[...group]];
  });
}
