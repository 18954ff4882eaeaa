import { sql, type Transaction } from "kysely";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { HOUR_MS } from "../../../domain/time/day.ts";
import type { Schema } from "../schema.ts";

/** Makes commits that were prepared before the purge add no alerts for the person. */
export async function markPurged(transaction: Transaction<Schema>, person: Person, now: number): Promise<void> {
  const key = destinationKey(person);
  await sql`
    with outdated as (delete from purged_people where at < ${now - HOUR_MS} and person <> ${key})
    insert into purged_people (person, at) values (${key}, ${now}) on conflict (person) do update set at = excluded.at
  `.execute(transaction);
}

/** Ends the mark: the person has set something since. */
export async function unmarkPurged(transaction: Transaction<Schema>, key: DestinationKey): Promise<void> {
  await sql`delete from purged_people where person = ${key}`.execute(transaction);
}
