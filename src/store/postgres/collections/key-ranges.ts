import { type RawBuilder, sql } from "kysely";
import { destinationKey, destinationSchema } from "../../../domain/alert/destination.ts";

/** Greater than every character that a key contains. */
const LAST_CHARACTER = "\u{10FFFF}";

/** Condition for the keys of destinations on the platform whose ids start with `idPrefix`; it selects a range of an index. */
export function keyRange(column: string, platform: string, idPrefix: string): RawBuilder<boolean> {
  const prefixes =
    idPrefix === ""
      ? [`${platform}:`]
      : destinationSchema.shape.kind.options.map((kind) => destinationKey({ platform, kind, id: idPrefix }));
  const ranges = prefixes.map((prefix) => {
    return sql`${sql.ref(column)} >= ${prefix} and ${sql.ref(column)} < ${prefix + LAST_CHARACTER}`;
  });
  return sql`(${sql.join(ranges, sql` or `)})`;
}
