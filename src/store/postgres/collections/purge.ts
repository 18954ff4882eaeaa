import { sql, type Transaction } from "kysely";
import type { PendingPurge } from "../../../ports/state-records.ts";
import type { Schema } from "../schema.ts";
import { purgeAlerts } from "./alert-purge.ts";
import { changeCount } from "./counters.ts";
import { markPurged, type PurgeTime } from "./purged-people.ts";
import { lockSettings, purgeSettings } from "./settings-purge.ts";

/** `tests`: further messages with a test that the person requested. */
type Purge = Partial<PendingPurge> & Pick<PendingPurge, "person"> & PurgeTime;

/** Removes all data about the person. */
export async function purgeData(
  transaction: Transaction<Schema>,
  { person, tests = [], ...time }: Purge,
): Promise<void> {
  // No commit is under way, so that all deliveries are visible.
  await sql`select from snapshot for update`.execute(transaction);
  await lockSettings(transaction, person);
  await markPurged(transaction, person, time);
  const { waiting, testMessageIds } = await purgeAlerts(transaction, person);
  const { rules, people } = await purgeSettings(transaction, person, [...testMessageIds, ...tests]);
  await changeCount(transaction, "waiting", -waiting);
  await changeCount(transaction, "rules", -rules);
  await changeCount(transaction, "people", -people);
}
