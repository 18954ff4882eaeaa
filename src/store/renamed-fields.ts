/**
 * Names of persisted keys that changed, old name to new name. Applied to store files of an earlier schema and to
 * version-1 backups. A new name must not also be an old name: the result must not depend on the order of renames.
 */
export const RENAMED_KEYS: Readonly<Record<string, string>> = {
  because: "reasons",
  bornAt: "startedAt",
  calledOff: "withdrawal",
  calledOffBy: "withdrawnBy",
  doubt: "suspicion",
  flips: "transitionTimes",
  goneAt: "removedAt",
  marks: "warnings",
  news: "eventCount",
  place: "destination",
  toldAt: "alertedAt",
  unsettled: "pendingRecord",
};

/** Persisted values that changed, by the current name of their field: old value to new value. */
export const RENAMED_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: { "place-settings": "destination-settings" },
};

export interface Renames {
  readonly keys: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Returns parsed JSON with the current names for all renamed keys and values, at every depth. */
export function renameFields(
  value: unknown,
  renames: Renames = { keys: RENAMED_KEYS, values: RENAMED_VALUES },
): unknown {
  if (Array.isArray(value)) return value.map((item) => renameFields(item, renames));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([oldKey, field]) => {
      const key = find(renames.keys, oldKey) ?? oldKey;
      return [key, typeof field === "string" ? renameValue(key, field, renames) : renameFields(field, renames)];
    }),
  );
}

function renameValue(key: string, value: string, { values }: Renames): string {
  const renamed = find(values, key);
  return (renamed && find(renamed, value)) ?? value;
}

/** Ignores inherited properties: keys may be any text, such as `constructor`. */
function find<V>(table: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
