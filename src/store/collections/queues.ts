import type { Kysely } from "kysely";
import type { DestinationKey } from "../../domain/alert/destination.ts";
import type { Schema } from "../schema.ts";

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
