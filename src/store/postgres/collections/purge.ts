import { sql, type Transaction } from "kysely";
import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { PendingPurge } from "../../../ports/state-records.ts";
import type { Schema } from "../schema.ts";
import { purgeAlerts } from "./alert-purge.ts";
import { changeCount } from "./counters.ts";
import { markPurged } from "./purged-people.ts";
import { lockSettings, purgeSettings } from "./settings-purge.ts";

/** `at`: time by the clock of the process. `tests`: further messages with a test that the person requested. */
type Purge = Partial<PendingPurge> & Pick<PendingPurge, "person"> & { readonly at: Instant };

/** Removes all data about the person. */
export async function purgeData(transaction: Transaction<Schema>, { person, tests = [], at }: Purge): Promise<void> {
  // No commit is under way, so that all deliveries are visible.
  await sql`select from snapshot for update`.execute(transaction);
  await lockSettings(transaction, person);
  await markPurged(transaction, person, at);
  const { waiting, testMessageIds } = await purgeAlerts(transaction, person);
  const { rules, people } = await purgeSettings(transaction, person, [...testMessageIds, ...tests]);
  await purgeRateSlots(transaction, person);
  await changeCount(transaction, "waiting", -waiting);
  await changeCount(transaction, "rules", -rules);
  await changeCount(transaction, "people", -people);
}

/** Removes the rate limits of the person's direct channel: their keys end with the id or the destination. */
async function purgeRateSlots(transaction: Transaction<Schema>, person: Person): Promise<void> {
  const keys = [person.id, destinationKey(person)].map((end) => `${person.platform}:${end}`);
  await transaction.deleteFrom("rate_slots").where("key", "in", keys).execute();
}
