/** Maximum number of entries in a single part. */
const MAX_UNDIVIDED = 8_192;

/** A power of 2. At a million entries, one part grows in about 1 ms. */
const PARTS = 64;

const HASHED_LENGTH = 8;

/**
 * Map with text keys that grows in small steps: a `Map` moves all of its entries whenever its size doubles, which takes 60 to 100 ms
 * at half a million. Entries are in order of creation only while there are at most 8,192.
 */
export class LargeMap<K extends string, V> {
  readonly #separator: string | null;
  /** One part, or `PARTS`. */
  #parts: readonly Map<K, V>[] = [new Map()];
  #size = 0;

  /** Keys that are equal up to the separator share a part, so that adding them one after another uses little memory at a time. */
  constructor(separator: string | null = null) {
    this.#separator = separator;
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    return this.#partOf(key).get(key);
  }

  has(key: K): boolean {
    return this.#partOf(key).has(key);
  }

  set(key: K, value: V): void {
    this.#setIn(this.#partOf(key), key, value);
  }

  /** Sets the value unless there is one. Returns false if there is. */
  add(key: K, value: V): boolean {
    const part = this.#partOf(key);
    const isNew = !part.has(key);
    if (isNew) this.#setIn(part, key, value);
    return isNew;
  }

  delete(key: K): boolean {
    const isDeleted = this.#partOf(key).delete(key);
    if (isDeleted) this.#size -= 1;
    return isDeleted;
  }

  *keys(): Generator<K> {
    for (const part of this.#parts) yield* part.keys();
  }

  #setIn(part: Map<K, V>, key: K, value: V): void {
    const before = part.size;
    part.set(key, value);
    this.#size += part.size - before;
    if (part.size > MAX_UNDIVIDED && this.#parts.length === 1) this.#divide(part);
  }

  #divide(all: Map<K, V>): void {
    this.#parts = Array.from({ length: PARTS }, () => new Map());
    for (const [key, value] of all) this.#partOf(key).set(key, value);
  }

  #partOf(key: K): Map<K, V> {
    const index = this.#parts.length === 1 ? 0 : hashOf(key, this.#endOf(key)) & (PARTS - 1);
    return this.#parts[index] as Map<K, V>;
  }

  #endOf(key: K): number {
    const end = this.#separator === null ? -1 : key.indexOf(this.#separator);
    return end < 0 ? key.length : end;
  }
}

/** Hash of the characters before `end`, which differ in most ids: FNV-1a over the code units. */
function hashOf(key: string, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, end - HASHED_LENGTH); at < end; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 16);
}
