import { sql, type Transaction } from "kysely";
import type { PendingPurge } from "../../../ports/state-records.ts";
import type { Schema } from "../schema.ts";
import { purgeAlerts } from "./alert-purge.ts";
import { markPurged } from "./purged-people.ts";
import { lockSettings, purgeSettings } from "./settings-purge.ts";

/** `tests`: further messages with a test that the person requested. `now`: shared time. */
type Purge = Partial<PendingPurge> & Pick<PendingPurge, "person"> & { readonly now: number };

/** Removes all data about the person. */
export async function purgeData(transaction: Transaction<Schema>, { person, tests = [], now }: Purge): Promise<void> {
  // No commit is under way, so that all deliveries are visible.
  await sql`select from snapshot for update`.execute(transaction);
  await lockSettings(transaction, person);
  await markPurged(transaction, person, now);
  const { testMessageIds } = await purgeAlerts(transaction, person);
  await purgeSettings(transaction, person, [...testMessageIds, ...tests]);
}
