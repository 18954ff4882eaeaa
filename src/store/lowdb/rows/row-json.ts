/** Returns the JSON of a part that many rows share. */
export type SharedJson = (part: unknown) => string;

/** Writes the value of a row as `JSON.stringify` does, faster. `key`: the row's key as JSON. */
export type ValueJson<V> = (value: V, key: string, shared: SharedJson) => string;

const MAX_CACHED = 4_096;

/** Returns `JSON.stringify` with a cache by identity, which ends with its caller's work. */
export function createSharedJson(): SharedJson {
  const texts = new Map<unknown, string>();
  return (part) => {
    const known = texts.get(part);
    if (known !== undefined) return known;
    if (texts.size >= MAX_CACHED) texts.clear();
    const text = JSON.stringify(part);
    texts.set(part, text);
    return text;
  };
}
