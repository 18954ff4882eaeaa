import type { Transaction } from "kysely";
import type { Person } from "../../domain/alert/destination.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { Schema } from "../schema.ts";
import { purgeAlerts } from "./alert-purge.ts";
import { changeCount } from "./counters.ts";
import type { PurgedPeople } from "./purged-people.ts";
import { lockSettings, purgeSettings } from "./settings-purge.ts";
import { lockSnapshot } from "./snapshot.ts";

interface Purge {
  readonly person: Person;
  /** Further messages with a test that the person requested. */
  readonly tests?: readonly string[];
  /** Time by the clock of the process. */
  readonly at: Instant;
  readonly purged: PurgedPeople;
  /** This process, which ends its claim of the person's queue; null if it has no claims. */
  readonly holder: number | null;
}

/** Removes all data about the person. */
export async function purgeData(
  transaction: Transaction<Schema>,
  { person, tests = [], at, purged, holder }: Purge,
): Promise<void> {
  // No commit is under way, so that all deliveries are visible.
  await lockSnapshot(transaction);
  await lockSettings(transaction, person);
  await purged.mark(transaction, person, at);
  const { waiting, testMessageIds } = await purgeAlerts(transaction, person, holder);
  const { rules, people } = await purgeSettings(transaction, person, [...testMessageIds, ...tests]);
  await changeCount(transaction, "waiting", -waiting);
  await changeCount(transaction, "rules", -rules);
  await changeCount(transaction, "people", -people);
}
