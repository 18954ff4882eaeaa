import { sql } from "kysely";
import type { Person } from "../../../domain/alert/destination.ts";
import type { Database } from "../database.ts";
import { purgeAlerts } from "./alert-purge.ts";
import { markPurged } from "./purged-people.ts";
import { lockSettings, purgeSettings } from "./settings-purge.ts";

/** Removes all data about the person in one transaction. `now`: shared time. */
export async function purgePerson(database: Database, person: Person, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    // No commit is under way, so that all deliveries are visible.
    await sql`select from snapshot for update`.execute(transaction);
    await lockSettings(transaction, person);
    await markPurged(transaction, person, now);
    const { testMessageIds } = await purgeAlerts(transaction, person);
    await purgeSettings(transaction, person, testMessageIds);
  });
}
