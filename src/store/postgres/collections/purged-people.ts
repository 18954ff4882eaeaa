import { type Kysely, sql, type Transaction } from "kysely";
import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { localId, redactBody } from "../../../domain/alert/personal-data.ts";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { Schema } from "../schema.ts";

/**
 * Makes commits that were prepared before the purge add no alerts for the person, and messages not contain the name. Heartbeats remove
 * the mark. `at`: time of the purge by the clock of the process.
 */
export async function markPurged(transaction: Transaction<Schema>, person: Person, at: Instant): Promise<void> {
  const keys = [...new Set([person.id, localId(person)])].map((id) => destinationKey({ ...person, id }));
  await sql`
    insert into purged_people (person, at, purged_at)
    select purge_mark(key), (extract(epoch from clock_timestamp()) * 1000)::int8 + correction_ms, ${at}::int8
    from unnest(${keys}::text[]) as key, shared_time
    on conflict (person) do update set at = excluded.at, purged_at = excluded.purged_at
  `.execute(transaction);
}

/** Ends the mark: the person has set something since. */
export async function unmarkPurged(transaction: Transaction<Schema>, key: DestinationKey): Promise<void> {
  await sql`delete from purged_people where person = purge_mark(${key})`.execute(transaction);
}

/** Returns the keys of people who are marked. */
export async function purgedAmong(
  db: Kysely<Schema>,
  keys: readonly DestinationKey[],
  since = Number.MIN_SAFE_INTEGER,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly key: string }>`
    select key from unnest(${keys}::text[]) as key
    where purge_mark(key) in (select person from purged_people where purged_at >= ${since})
  `.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** Returns the attempt without the names of people who were purged while it was rendered. */
export async function withoutPurgedNames(db: Kysely<Schema>, attempt: Attempt): Promise<Attempt> {
  const people = [...possibleNames(attempt.body)].map(
    (id): Person => ({ platform: attempt.to.platform, kind: "person", id }),
  );
  const purged = await purgedAmong(db, people.map(destinationKey), attempt.createdAt - MINUTE_MS);
  let { body } = attempt;
  for (const person of people) if (purged.has(destinationKey(person))) body = redactBody(body, person);
  return { ...attempt, body };
}

/** Length of the longest id or name of a person. */
const MAX_NAME = 64;

/** Parts of the texts that can be the id or name of a person: words, which end before a dot or at their end. */
function possibleNames(body: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === "string") for (const [word] of value.matchAll(/[\w.-]+/g)) addNames(names, word);
    return value;
  });
  return names;
}

function addNames(names: Set<string>, word: string): void {
  if (word.length <= MAX_NAME) names.add(word);
  for (let end = word.indexOf("."); end > 0 && end <= MAX_NAME; end = word.indexOf(".", end + 1))
    names.add(word.slice(0, end));
}
