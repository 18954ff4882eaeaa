import type { Kysely, Transaction } from "kysely";
import type { DestinationKey } from "../../domain/alert/destination.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";

/** Columns of a queue that isn't paused. */
export const NO_PAUSE = { pause: null, paused_at: null, pause_due: null, pause_delay: null } as const;

/** Columns of a queue whose attempt, or last release, causes no delay. */
export const NO_ATTEMPT_DELAY = { attempt_due: null, attempt_delay: null } as const;
export const NO_RELEASE_DELAY = { release_due: null, release_delay: null } as const;

/** Assumed length of a delay that doesn't state it. */
const DEFAULT_DELAY_MS = 5 * MINUTE_MS;

/** `now`: shared time. */
export interface Times {
  readonly clock: Pick<Clock, "now">;
  readonly now: number;
}

/** A delay of a queue: its end, a shared time, and its length; null if it is over. */
interface QueueDelay {
  readonly due: number | null;
  readonly delay: number | null;
}

/** The delay until `at`, which is never longer than when it was set: the clock may have been set back since. */
export function delayUntil(at: Instant, lengthMs: number | undefined, { clock, now }: Times): QueueDelay {
  const remainingMs = Math.min(at - clock.now(), lengthMs ?? Number.POSITIVE_INFINITY);
  if (remainingMs <= 0) return { due: null, delay: null };
  return { due: Math.ceil(now + remainingMs), delay: Math.ceil(lengthMs ?? DEFAULT_DELAY_MS) };
}

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
