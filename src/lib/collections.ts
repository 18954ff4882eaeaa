/** Orders texts by code unit, which doesn't depend on the machine's locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Groups members by a key; groups and members keep the order of the list. */
export function groupBy<K, T>(list: Iterable<T>, keyOf: (member: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const member of list) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group) group.push(member);
    else groups.set(key, [member]);
  }
  return groups;
}

/** Divides a list into pages of at most `size` members. */
export function* inPages<T>(list: Iterable<T>, size: number): Generator<readonly T[]> {
  let page: T[] = [];
  for (const member of list) {
    page.push(member);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Map with at most `max` entries. Setting a further one removes the entry that was set longest ago. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  /** Also moves an existing key to the end. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

/**
 * Caches the latest result of `compute` for each object, until it is called with other details. The objects must be immutable,
 * such as snapshots; a result is freed with its object.
 */
export function memoize<K extends object, D extends readonly (string | number | boolean | null)[], V>(
  compute: (object: K, ...details: D) => V,
): (object: K, ...details: D) => V {
  const results = new WeakMap<K, { readonly details: D; readonly value: V }>();
  return (object, ...details) => {
    const latest = results.get(object);
    if (latest?.details.every((detail, index) => detail === details[index])) return latest.value;
    const value = compute(object, ...details);
    results.set(object, { details, value });
    return value;
  };
}

/** Returns all values of an async iterable. */
export async function collect<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}
