import { type RawBuilder, sql } from "kysely";
import { destinationKey, destinationSchema } from "../../domain/alert/destination.ts";

/** Greater than every character that a key contains. */
const LAST_CHARACTER = "\u{10FFFF}";

/** Keys that start with the same characters. */
interface KeyRange {
  readonly from: string;
  /** Greater than every key of the range. */
  readonly to: string;
}

function rangeOf(prefix: string): KeyRange {
  return { from: prefix, to: prefix + LAST_CHARACTER };
}

/** Ranges of the keys of destinations on the platform whose ids start with `idPrefix`. */
export function keyRanges(platform: string, idPrefix: string): readonly KeyRange[] {
  if (idPrefix === "") return [rangeOf(`${platform}:`)];
  const kinds = destinationSchema.shape.kind.options;
  return kinds.map((kind) => rangeOf(destinationKey({ platform, kind, id: idPrefix })));
}

/** Condition for the keys of destinations on the platform whose ids start with `idPrefix`; it selects ranges of an index. */
export function keyRange(column: string, platform: string, idPrefix: string): RawBuilder<boolean> {
  return sql`(${sql.join(
    keyRanges(platform, idPrefix).map((range) => isWithin(column, range)),
    sql` or `,
  )})`;
}

/** Condition for the texts that start with `prefix`; it selects a range of an index. */
export function startsWith(column: string, prefix: string): RawBuilder<boolean> {
  return isWithin(column, rangeOf(prefix));
}

export function isWithin(column: string, { from, to }: KeyRange): RawBuilder<boolean> {
  return sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`;
}
