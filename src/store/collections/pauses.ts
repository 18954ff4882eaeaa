import { sql, type Transaction } from "kysely";
import { type Destination, type DestinationKey, destinationKey } from "../../domain/alert/destination.ts";
import { MAX_PAUSE_MS, type Pause, type PauseCause, pauseAfter, pauseToRetry } from "../../domain/alert/pause.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { Pauses } from "../../ports/store.ts";
import { json } from "../database.ts";
import type { Schema } from "../schema.ts";
import type { ClaimParts, SqlClaims } from "./claims.ts";
import { keyRange } from "./key-ranges.ts";
import { delayUntil, NO_PAUSE, removeEmptyQueues } from "./queues.ts";

/** Pauses of destinations. Each change locks the queue of its destination. */
export class SqlPauses implements Pauses {
  readonly #parts: ClaimParts;
  readonly #claims: SqlClaims;

  constructor(parts: ClaimParts, claims: SqlClaims) {
    this.#parts = parts;
    this.#claims = claims;
  }

  async of(destination: Destination): Promise<Pause | null> {
    const row = await this.#parts.database.db
      .selectFrom("queues")
      .select("pause")
      .where("key", "=", destinationKey(destination))
      .executeTakeFirst();
    return row?.pause ?? null;
  }

  async on(platform: string, idPrefix: string): Promise<readonly Pause[]> {
    const rows = await this.#parts.database.db
      .selectFrom("queues")
      .select("pause")
      .where("paused_at", "is not", null)
      .where(keyRange("key", platform, idPrefix))
      .execute();
    return rows.flatMap(({ pause }) => pause ?? []);
  }

  async pause(to: Destination, reason: string, at: Instant, cause: PauseCause = "not-allowed"): Promise<void> {
    await this.#parts.database.transaction(async (transaction) => {
      const { pause } = await lockCreated(transaction, to);
      const next = pauseAfter(pause, { to, reason, at, cause });
      await this.#save(transaction, { before: pause, pause: next, endsRetryRequest: true });
    });
  }

  async pauseRefused(to: Destination, reason: string, at: Instant, cause: PauseCause): Promise<void> {
    await this.#parts.database.transaction(async (transaction) => {
      const { pause, retry_requested } = await lockCreated(transaction, to);
      await this.#claims.lockQueue(transaction, destinationKey(to));
      const next = pauseAfter(pause, { to, reason, at, cause });
      await this.#save(transaction, {
        before: pause,
        pause: retry_requested ? pauseToRetry(next, at) : next,
        endsRetryRequest: false,
      });
    });
  }

  retry(destination: Destination, at: Instant): Promise<boolean> {
    return this.#parts.database.transaction(async (transaction) => {
      const pause = await this.#requestRetry(transaction, destinationKey(destination));
      if (pause === null) return false;
      await this.#save(transaction, { before: pause, pause: pauseToRetry(pause, at), endsRetryRequest: false });
      return true;
    });
  }

  async resume(destination: Destination): Promise<void> {
    const key = destinationKey(destination);
    await this.#parts.database.transaction(async (transaction) => {
      if ((await this.#requestRetry(transaction, key)) === null) return;
      await transaction.updateTable("queues").set(NO_PAUSE).where("key", "=", key).execute();
      await removeEmptyQueues(transaction, [key]);
    });
  }

  /** A delay until the same time as before does not start again. */
  async #save(transaction: Transaction<Schema>, { before, pause, endsRetryRequest }: PauseChange): Promise<void> {
    const { clock, time } = this.#parts;
    const { to, at, retryAt, delayMs = MAX_PAUSE_MS } = pause;
    const { due, delay } = delayUntil(retryAt, delayMs, { clock, now: time.now() });
    await transaction
      .updateTable("queues")
      .set({
        pause: json(pause),
        paused_at: at,
        ...(before?.retryAt === retryAt ? {} : { pause_due: due, pause_delay: delay }),
        ...(endsRetryRequest ? { retry_requested: false } : {}),
      })
      .where("key", "=", destinationKey(to))
      .execute();
  }

  /** Makes the holder of a claim try again if it is refused. Locks the queue, and returns its pause. */
  async #requestRetry(transaction: Transaction<Schema>, key: DestinationKey): Promise<Pause | null> {
    const row = await transaction
      .updateTable("queues")
      .set({ retry_requested: sql`holder is not null` })
      .where("key", "=", key)
      .returning("pause")
      .executeTakeFirst();
    await this.#parts.notifications.send(transaction, "deliveries");
    if (!row?.pause) return null;
    // The problem of an attempt may be solved, and the next try replaces it.
    await transaction.updateTable("attempts").set({ problem: null }).where("queue_key", "=", key).execute();
    return row.pause;
  }
}

interface PauseChange {
  readonly before: Pause | null;
  readonly pause: Pause;
  /** True if retries that were requested before count no more. */
  readonly endsRetryRequest: boolean;
}

/** Locks the queue of a destination, which is created if there is none. */
function lockCreated(
  transaction: Transaction<Schema>,
  to: Destination,
): Promise<{ readonly pause: Pause | null; readonly retry_requested: boolean }> {
  return transaction
    .insertInto("queues")
    .values({ key: destinationKey(to), platform: to.platform })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ platform: to.platform }))
    .returning(["pause", "retry_requested"])
    .executeTakeFirstOrThrow();
}
