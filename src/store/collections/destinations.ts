import { type RawBuilder, sql } from "kysely";
import {
  type Destination,
  type DestinationKey,
  isPerson,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import { isAnonymous } from "../../domain/alert/personal-data.ts";
import type { Database } from "../database.ts";
import { distinctValues } from "./distinct-values.ts";
import { isWithin, keyRange, keyRanges } from "./key-ranges.ts";

/** Returns people and channels on a platform about which more than history is stored, and whose ids start with `idPrefix`. */
export async function findDestinations(
  { db }: Database,
  platform: string,
  idPrefix = "",
): Promise<readonly Destination[]> {
  const isWanted = (column: string): RawBuilder<boolean> => keyRange(column, platform, idPrefix);
  const { rows } = await sql<{ readonly key: DestinationKey }>`
    select person as key from watchlists where ${isWanted("person")}
    union select person from keyed_records where ${isWanted("person")}
    union select person from calendars where ${isWanted("person")}
    union select destination from rules where ${isWanted("destination")}
    union select created_by from rules where ${isWanted("created_by")}
    union select destination from destination_settings where ${isWanted("destination")}
    union select key from queues where ${isWanted("key")} and (waiting > 0 or paused_at is not null)
    ${sql.join(
      keyRanges(platform, idPrefix)
        .map((range) => distinctValues("postings", "destination", isWithin("destination", range)))
        .map((posted) => sql`union select value from (${posted}) as posted`),
      sql` `,
    )}
  `.execute(db);
  return rows
    .map(({ key }) => parseDestinationKey(key))
    .filter((destination) => !(isPerson(destination) && isAnonymous(destination)));
}
