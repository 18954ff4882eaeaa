import type { Page } from "../ports/inspection.ts";

/** A page of the first entries. The next page follows the key of its last one. `entries`: one more than `limit`, if there are more. */
export function pageOf<T extends { readonly key: string }, R>(
  entries: readonly T[],
  limit: number,
  itemOf: (entry: T) => R,
): Page<R> {
  const page = entries.slice(0, limit);
  return { items: page.map(itemOf), next: entries.length > limit ? (page.at(-1)?.key ?? null) : null };
}
