import { type RawBuilder, sql } from "kysely";
import {
  type Destination,
  type DestinationKey,
  isPerson,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import { isAnonymous } from "../../domain/alert/personal-data.ts";
import type { Database } from "../database.ts";
import { type KeyRange, keyRange, keyRanges } from "./key-ranges.ts";

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
      keyRanges(platform, idPrefix).map((range) => sql`union select destination from (${postedIn(range)}) as posted`),
      sql` `,
    )}
  `.execute(db);
  return rows
    .map(({ key }) => parseDestinationKey(key))
    .filter((destination) => !(isPerson(destination) && isAnonymous(destination)));
}

/** One look-up in the index per destination, which may have many postings. */
function postedIn({ from, to }: KeyRange): RawBuilder<unknown> {
  return sql`
    with recursive posted (destination) as (
      select min(destination) from postings where destination >= ${from} and destination < ${to}
      union all
      select (select min(destination) from postings where destination > posted.destination and destination < ${to})
      from posted where posted.destination is not null
    )
    select destination from posted where destination is not null
  `;
}
