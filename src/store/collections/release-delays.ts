import type { Transaction } from "kysely";
import type { DestinationKey } from "../../domain/alert/destination.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";

/** Ends the delay of the last release of a destination, if there is one, and wakes the processes that deliver. */
export async function endReleaseDelay(
  transaction: Transaction<Schema>,
  notifications: Notifications,
  key: DestinationKey,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("queues")
    .set({ release_due: null, release_delay: null })
    .where("key", "=", key)
    .where("release_due", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notifications.send(transaction, "deliveries");
}
