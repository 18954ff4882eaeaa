import type { Kysely, Transaction } from "kysely";
import type { DestinationKey } from "../../domain/alert/destination.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";

/** Columns of a queue that isn't paused. */
export const NO_PAUSE = { pause: null, paused_at: null, pause_due: null, pause_delay: null } as const;

/** Columns of a queue whose attempt, or last release, causes no delay. */
export const NO_ATTEMPT_DELAY = { attempt_due: null, attempt_delay: null } as const;
export const NO_RELEASE_DELAY = { release_due: null, release_delay: null } as const;

/** Removes the queues that contain nothing and are not claimed. */
export async function removeEmptyQueues(db: Kysely<Schema>, keys: readonly DestinationKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db
    .deleteFrom("queues")
    .where("key", "in", keys)
    .where("holder", "is", null)
    .where("waiting", "=", 0)
    .where("pause", "is", null)
    .execute();
}

/** Ends the delay of the last release of a destination, if there is one, and wakes the processes that deliver. */
export async function endReleaseDelay(
  transaction: Transaction<Schema>,
  notifications: Notifications,
  key: DestinationKey,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("queues")
    .set(NO_RELEASE_DELAY)
    .where("key", "=", key)
    .where("release_due", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notifications.send(transaction, "deliveries");
}
