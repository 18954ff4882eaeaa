import { sql, type Transaction } from "kysely";
import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import { MAX_PAUSE_MS, type Pause, type PauseCause, pauseAfter, pauseToRetry } from "../../../domain/alert/pause.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { json } from "../database.ts";
import { notification } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import { type ClaimParts, lost, type PostgresClaims } from "./claims.ts";
import { keyRange } from "./key-ranges.ts";

interface Refusal extends Pick<Pause, "to" | "reason" | "at"> {
  readonly cause: PauseCause;
}

interface QueueState {
  readonly pause: Pause | null;
  readonly holder: number | null;
  readonly retry_requested: boolean;
}

/** Pauses of destinations. Each change locks the queue of its destination. */
export class PostgresPauses {
  readonly #parts: ClaimParts;
  readonly #claims: PostgresClaims;

  constructor(parts: ClaimParts, claims: PostgresClaims) {
    this.#parts = parts;
    this.#claims = claims;
  }

  async of(destination: Destination): Promise<Pause | null> {
    const key = destinationKey(destination);
    const { rows } = await sql<Pick<QueueState, "pause">>`select pause from queues where key = ${key}`.execute(
      this.#parts.database.db,
    );
    return rows[0]?.pause ?? null;
  }

  async on(platform: string, idPrefix: string): Promise<readonly Pause[]> {
    const { rows } = await sql<{ readonly pause: Pause }>`
      select pause from queues where paused_at is not null and ${keyRange("key", platform, idPrefix)}
    `.execute(this.#parts.database.db);
    return rows.map(({ pause }) => pause);
  }

  async pause(refusal: Refusal): Promise<void> {
    await this.#parts.database.transaction(async (transaction) => {
      const { pause } = await lockQueue(transaction, refusal.to);
      await this.#save(transaction, pause, pauseAfter(pause, refusal));
      await sql`update queues set retry_requested = false where key = ${destinationKey(refusal.to)}`.execute(
        transaction,
      );
    });
  }

  async pauseRefused(refusal: Refusal): Promise<void> {
    const key = destinationKey(refusal.to);
    const owner = this.#claims.owner(key);
    await this.#parts.database.transaction(async (transaction) => {
      const { pause, holder, retry_requested } = await lockQueue(transaction, refusal.to);
      if (!(await mayChangeQueue(transaction, owner, holder))) throw lost(key);
      const next = pauseAfter(pause, refusal);
      await this.#save(transaction, pause, retry_requested ? pauseToRetry(next, refusal.at) : next);
    });
  }

  retry(destination: Destination, at: Instant): Promise<boolean> {
    const key = destinationKey(destination);
    return this.#parts.database.transaction(async (transaction) => {
      const pause = await requestRetry(transaction, key);
      if (pause === null) return false;
      await this.#save(transaction, pause, pauseToRetry(pause, at));
      await clearProblem(transaction, key);
      return true;
    });
  }

  async resume(destination: Destination): Promise<void> {
    const key = destinationKey(destination);
    await this.#parts.database.transaction(async (transaction) => {
      if ((await requestRetry(transaction, key)) === null) return;
      await sql`
        update queues set pause = null, paused_at = null, pause_due = null, pause_delay = null where key = ${key}
      `.execute(transaction);
      await sql`
        delete from queues where key = ${key} and holder is null and waiting = 0 and pause is null
      `.execute(transaction);
      await clearProblem(transaction, key);
    });
  }

  /** A delay until the same time as before does not start again. */
  async #save(transaction: Transaction<Schema>, before: Pause | null, pause: Pause): Promise<void> {
    const { clock, time } = this.#parts;
    const { to, at, retryAt, delayMs = MAX_PAUSE_MS } = pause;
    const remainingMs = Math.min(retryAt - clock.now(), delayMs);
    const key = destinationKey(to);
    await sql`update queues set pause = ${json(pause)}, paused_at = ${at} where key = ${key}`.execute(transaction);
    if (before?.retryAt === retryAt) return;
    const isDue = remainingMs <= 0;
    await sql`
      update queues set
        pause_due = ${isDue ? null : Math.ceil(time.now() + remainingMs)},
        pause_delay = ${isDue ? null : Math.ceil(delayMs)}
      where key = ${key}
    `.execute(transaction);
  }
}

/** Locks the queue of a destination, which is created if there is none. */
async function lockQueue(transaction: Transaction<Schema>, to: Destination): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    insert into queues (key, platform) values (${destinationKey(to)}, ${to.platform})
    on conflict (key) do update set platform = excluded.platform
    returning pause, holder, retry_requested
  `.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("an upsert returns its row");
  return row;
}

async function mayChangeQueue(transaction: Transaction<Schema>, me: number, holder: number | null): Promise<boolean> {
  const { rows } = await sql<{ readonly allowed: boolean }>`
    select may_change_queue(${me}, ${holder}) as allowed
  `.execute(transaction);
  return rows[0]?.allowed === true;
}

/** Makes the holder of a claim try again if it is refused. Locks the queue, and returns its pause. */
async function requestRetry(transaction: Transaction<Schema>, key: DestinationKey): Promise<Pause | null> {
  const { rows } = await sql<Pick<QueueState, "pause">>`
    update queues set retry_requested = holder is not null where key = ${key} returning pause
  `.execute(transaction);
  await notification("deliveries").execute(transaction);
  return rows[0]?.pause ?? null;
}

/** The problem of an attempt may be solved, and the next try replaces it. */
async function clearProblem(transaction: Transaction<Schema>, key: DestinationKey): Promise<void> {
  await sql`update attempts set problem = null where queue_key = ${key}`.execute(transaction);
}
