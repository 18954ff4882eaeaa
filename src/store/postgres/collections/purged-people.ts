import { type Kysely, sql, type Transaction } from "kysely";
import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, type Person, parsePersonKey } from "../../../domain/alert/destination.ts";
import { redactBody } from "../../../domain/alert/personal-data.ts";
import { HOUR_MS, type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { Schema } from "../schema.ts";

/** Times of a purge: shared, and by the clock of the process. */
export interface PurgeTime {
  readonly now: number;
  readonly at: Instant;
}

/** Makes commits that were prepared before the purge add no alerts for the person, and messages not contain the name. */
export async function markPurged(
  transaction: Transaction<Schema>,
  person: Person,
  { now, at }: PurgeTime,
): Promise<void> {
  const key = destinationKey(person);
  await prunePurged(transaction, now);
  await sql`
    insert into purged_people (person, at, purged_at) values (${key}, ${now}, ${at})
    on conflict (person) do update set at = excluded.at, purged_at = excluded.purged_at
  `.execute(transaction);
}

/** Removes the marks of the people who were purged more than an hour before the shared time `now`. */
export async function prunePurged(db: Kysely<Schema>, now: number): Promise<void> {
  await sql`delete from purged_people where at < ${now - HOUR_MS}`.execute(db);
}

/** Ends the mark: the person has set something since. */
export async function unmarkPurged(transaction: Transaction<Schema>, key: DestinationKey): Promise<void> {
  await sql`delete from purged_people where person = ${key}`.execute(transaction);
}

/** Returns the attempt without the names of people who were purged while it was rendered. */
export async function withoutPurgedNames(db: Kysely<Schema>, attempt: Attempt): Promise<Attempt> {
  const { rows } = await sql<{ readonly person: DestinationKey }>`
    select person from purged_people
    where starts_with(person, ${`${attempt.to.platform}:`}) and purged_at >= ${attempt.createdAt - MINUTE_MS}
  `.execute(db);
  let { body } = attempt;
  for (const { person } of rows) body = redactBody(body, parsePersonKey(person));
  return { ...attempt, body };
}
