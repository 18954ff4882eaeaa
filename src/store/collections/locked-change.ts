import type { Transaction } from "kysely";
import { type Destination, type DestinationKey, destinationKey } from "../../domain/alert/destination.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";

/** Step of a transaction that changes what a destination has. `locked`: result of the lock. */
export type LockedStep<L, R> = (transaction: Transaction<Schema>, key: DestinationKey, locked: L) => Promise<R>;

/** Runs `step` in a transaction after `lock`, which makes other changes of the same destination wait. */
export function changeLocked<L, R>(
  database: Database,
  destination: Destination,
  lock: (transaction: Transaction<Schema>, key: DestinationKey) => Promise<L>,
  step: LockedStep<L, R>,
): Promise<R> {
  const key = destinationKey(destination);
  return database.transaction(async (transaction) => step(transaction, key, await lock(transaction, key)));
}
