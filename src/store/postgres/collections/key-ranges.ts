import { type RawBuilder, sql } from "kysely";
import { destinationKey, destinationSchema } from "../../../domain/alert/destination.ts";

/** Greater than every character that a key contains. */
const LAST_CHARACTER = "\u{10FFFF}";

/** Keys that start with the same characters. */
export interface KeyRange {
  readonly from: string;
  /** Greater than every key of the range. */
  readonly to: string;
}

/** Ranges of the keys of destinations on the platform whose ids start with `idPrefix`. */
export function keyRanges(platform: string, idPrefix: string): readonly KeyRange[] {
  const prefixes =
    idPrefix === ""
      ? [`${platform}:`]
      : destinationSchema.shape.kind.options.map((kind) => destinationKey({ platform, kind, id: idPrefix }));
  return prefixes.map((from) => ({ from, to: from + LAST_CHARACTER }));
}

/** Condition for the keys of destinations on the platform whose ids start with `idPrefix`; it selects ranges of an index. */
export function keyRange(column: string, platform: string, idPrefix: string): RawBuilder<boolean> {
  const ranges = keyRanges(platform, idPrefix).map(
    ({ from, to }) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`,
  );
  return sql`(${sql.join(ranges, sql` or `)})`;
}
