import { sql } from "kysely";
import {
  type Destination,
  type DestinationKey,
  isPerson,
  parseDestinationKey,
} from "../../../domain/alert/destination.ts";
import { isAnonymous } from "../../../domain/alert/personal-data.ts";
import type { Database } from "../database.ts";

/** Returns people and channels on a platform about which more than history is stored. */
export async function findDestinations({ db }: Database, platform: string): Promise<readonly Destination[]> {
  // ";" follows ":".
  const [from, to] = [`${platform}:`, `${platform};`];
  const { rows } = await sql<{ readonly key: DestinationKey }>`
    select person as key from watchlists where person >= ${from} and person < ${to}
    union select person from direct_channels where person >= ${from} and person < ${to}
    union select person from calendars where person >= ${from} and person < ${to}
    union select person from imports where person >= ${from} and person < ${to}
    union select destination from rules where destination >= ${from} and destination < ${to}
    union select created_by from rules where created_by >= ${from} and created_by < ${to}
    union select destination from destination_settings where destination >= ${from} and destination < ${to}
    union select key from queues where key >= ${from} and key < ${to} and waiting > 0
    union select destination from postings where destination >= ${from} and destination < ${to}
  `.execute(db);
  return rows
    .map(({ key }) => parseDestinationKey(key))
    .filter((destination) => !(isPerson(destination) && isAnonymous(destination)));
}
