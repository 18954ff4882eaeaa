import type { Transaction } from "kysely";
import { type DestinationKey, destinationKey, type Person } from "../../domain/alert/destination.ts";
import { redactBody, redactRule } from "../../domain/alert/personal-data.ts";
import type { Posting } from "../../ports/state-records.ts";
import { isOneOf, json } from "../database.ts";
import type { Schema } from "../schema.ts";
import { columnsOfRule, lockRules } from "./rules.ts";
import { lockWatchlist } from "./watchlists.ts";

/**
 * Locks what the person sets, before the purge is marked: a rule or ticker is added either before the purge, or after it, which
 * ends the mark.
 */
export async function lockSettings(transaction: Transaction<Schema>, person: Person): Promise<void> {
  const key = destinationKey(person);
  await lockRules(transaction, key);
  await lockWatchlist(transaction, key);
}

interface PurgedSettings {
  /** Number of removed rules. */
  readonly rules: number;
  /** 1 if the person had a watchlist. */
  readonly people: number;
}

/** Removes what the person has set, and the person's name from rules of channels and from postings. */
export async function purgeSettings(
  transaction: Transaction<Schema>,
  person: Person,
  testMessageIds: readonly string[],
): Promise<PurgedSettings> {
  const key = destinationKey(person);
  const watchlist = await transaction
    .deleteFrom("watchlists")
    .where("person", "=", key)
    .returning("size")
    .executeTakeFirst();
  for (const table of ["watchlist_entries", "keyed_records", "calendars"] as const)
    await transaction.deleteFrom(table).where("person", "=", key).execute();
  await transaction.deleteFrom("destination_settings").where("destination", "=", key).execute();
  const rules = await purgeRules(transaction, person, key);
  await purgePostings(transaction, person, testMessageIds);
  return { rules, people: watchlist !== undefined && watchlist.size > 0 ? 1 : 0 };
}

/** Returns the number of removed rules. */
async function purgeRules(transaction: Transaction<Schema>, person: Person, key: DestinationKey): Promise<number> {
  const { numDeletedRows } = await transaction.deleteFrom("rules").where("destination", "=", key).executeTakeFirst();
  for (const table of ["rule_keys", "rule_numbers"] as const)
    await transaction.deleteFrom(table).where("destination", "=", key).execute();
  const created = await transaction
    .selectFrom("rules")
    .select("destination")
    .distinct()
    .where("created_by", "=", key)
    .orderBy("destination")
    .execute();
  for (const row of created) {
    const destination = row.destination as DestinationKey;
    await lockRules(transaction, destination);
    await redactRules(transaction, person, destination);
  }
  return Number(numDeletedRows);
}

async function redactRules(
  transaction: Transaction<Schema>,
  person: Person,
  destination: DestinationKey,
): Promise<void> {
  const rows = await transaction
    .selectFrom("rules")
    .select("value")
    .where("destination", "=", destination)
    .where("created_by", "=", destinationKey(person))
    .execute();
  for (const rule of rows.map(({ value }) => redactRule(value, person)).filter((redacted) => redacted !== null))
    await transaction
      .updateTable("rules")
      .set(columnsOfRule(rule))
      .where("destination", "=", destination)
      .where("number", "=", rule.number)
      .execute();
}

async function purgePostings(
  transaction: Transaction<Schema>,
  person: Person,
  testMessageIds: readonly string[],
): Promise<void> {
  const key = destinationKey(person);
  await transaction.deleteFrom("postings").where("destination", "=", key).execute();
  const rows = await transaction
    .selectFrom("postings")
    .select(["number", "value"])
    .where((eb) => {
      const isShared = eb("shared_by", "=", key);
      // SQLite would read all rows for a condition that is always false.
      return testMessageIds.length === 0 ? isShared : eb.or([isShared, isOneOf("message_id", testMessageIds)]);
    })
    .forUpdate()
    .execute();
  for (const { number, value } of rows) {
    const posting = redactPosting(value, person, testMessageIds);
    await transaction
      .updateTable("postings")
      .set({ value: json(posting), shared_by: posting.sharedBy ? destinationKey(posting.sharedBy) : null })
      .where("number", "=", number)
      .execute();
  }
}

/** A message with a test contains the name of the person who requested it. */
function redactPosting(posting: Posting, person: Person, testMessageIds: readonly string[]): Posting {
  if (testMessageIds.includes(posting.messageId)) return { ...posting, body: redactBody(posting.body, person) };
  const { sharedBy: _, ...anonymous } = posting;
  return anonymous;
}
