import type { Instant } from "../domain/time/day.ts";

const MAX_PER_PERSON = 3;

/** Limit for the JSON of all imports together. */
const MAX_TOTAL_CHARACTERS = 4 * 1024 * 1024;

/** An import without its content. */
export interface ImportSize {
  readonly id: string;
  /** Key of the person. */
  readonly person: string;
  readonly until: Instant;
  /** Characters of its JSON. */
  readonly size: number;
}

/** Returns the newest imports within the limits, of a list that begins with the oldest. */
export function newestImports(imports: readonly ImportSize[], now: Instant): readonly ImportSize[] {
  const counts = new Map<string, number>();
  const newest: ImportSize[] = [];
  let total = 0;
  for (const pending of imports.filter(({ until }) => until > now).toReversed()) {
    const count = (counts.get(pending.person) ?? 0) + 1;
    counts.set(pending.person, count);
    total += pending.size;
    if (count <= MAX_PER_PERSON && (total <= MAX_TOTAL_CHARACTERS || newest.length === 0)) newest.push(pending);
  }
  return newest;
}
