import { sql } from "kysely";
import type { Attempt, DeliveryId, MessageRef } from "../../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { createJumpDetector } from "../../../lib/clock.ts";
import { createMutex } from "../../../lib/mutex.ts";
import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import { type Claim, ClaimLostError } from "../../../ports/store.ts";
import type { Database } from "../database.ts";
import type { Membership } from "../membership.ts";
import type { SharedTime } from "../shared-time.ts";
import { endReleaseDelay } from "./release-delays.ts";

/** Delays that are ended together, when the system clock was set. */
const BATCH = 10_000;

export interface ClaimParts {
  readonly database: Database;
  readonly membership: Membership;
  readonly time: SharedTime;
  readonly clock: Clock;
}

/** Columns of an attempt. */
export interface AttemptRow {
  readonly message_id: string;
  readonly deliveries: readonly DeliveryId[];
  readonly body: unknown;
  readonly reply_to: MessageRef | null;
  readonly created_at: number;
  readonly state: Attempt["state"];
  readonly sends: number;
  readonly blind_resends: number;
  readonly not_before: number;
  readonly delay_ms: number | null;
  readonly problem: string | null;
}

type ClaimRow = { readonly key: DestinationKey; readonly slot_at: number | null } & (
  | AttemptRow
  | { readonly message_id: null }
);

/** Claims of this process, which end when they are released or the process is declared dead. */
export class PostgresClaims {
  readonly #parts: ClaimParts;
  readonly #held = new Set<DestinationKey>();
  /** Claims of this process before it was declared dead, until their workers release them. */
  readonly #lost = new Set<DestinationKey>();
  readonly #oneAtATime = createMutex();
  readonly #detectJump: () => number;
  /** True if the database may contain claims of this process that it doesn't know, because an answer was lost. */
  #mayHoldUnknown = false;

  constructor(parts: ClaimParts) {
    this.#parts = parts;
    this.#detectJump = createJumpDetector(parts.clock);
    parts.membership.onLost(() => {
      for (const key of this.#held) this.#lost.add(key);
      this.#held.clear();
    });
  }

  /** False while workers of lost claims may be about to send. */
  mayStillSend(): boolean {
    return this.#lost.size === 0 && this.#parts.membership.mayStillSend();
  }

  claim(request: { limit: number; platforms: readonly string[] }): Promise<readonly Claim[]> {
    return this.#oneAtATime(async () => {
      // Delays until a time of day, such as the end of quiet hours, depend on the system clock.
      if (this.#detectJump() !== 0) await this.#endReleaseDelays(request.platforms);
      const rows = await this.#take(request);
      return rows.map((row) => ({
        to: parseDestinationKey(row.key),
        attempt: attemptOf(row),
        slotAt: row.slot_at === null ? null : row.slot_at - this.#sharedMinusMonotonic(),
      }));
    });
  }

  async #take({ limit, platforms }: { limit: number; platforms: readonly string[] }): Promise<readonly ClaimRow[]> {
    const { database, membership, time } = this.#parts;
    const { id } = membership;
    const kept = this.#mayHoldUnknown ? [...this.#held] : null;
    this.#mayHoldUnknown = false;
    const { rows } = await this.#watched(() =>
      sql<ClaimRow>`
        select * from claim_queues(${id}, ${platforms}, ${limit}, ${time.now()}, ${kept})
      `.execute(database.db),
    );
    // Declared dead in the meantime: the claims are lost already.
    if (membership.id !== id) return [];
    for (const { key } of rows) this.#held.add(key);
    return rows;
  }

  claimOne(destination: Destination): Promise<boolean> {
    const { database, membership } = this.#parts;
    const key = destinationKey(destination);
    return this.#oneAtATime(async () => {
      const { id } = membership;
      const { rows } = await this.#watched(() =>
        sql<{ readonly claimed: boolean }>`
          select claim_queue(${id}, ${key}, ${destination.platform}) as claimed
        `.execute(database.db),
      );
      if (!rows[0]?.claimed || membership.id !== id) return false;
      this.#held.add(key);
      return true;
    });
  }

  async release(destination: Destination, delayMs = 0, slotAt: MonotonicTime | null = null): Promise<void> {
    const { database, time } = this.#parts;
    const key = destinationKey(destination);
    const wasLost = this.#lost.delete(key);
    this.#held.delete(key);
    if (wasLost) throw lost(key);
    const due = delayMs > 0 ? Math.ceil(time.now() + delayMs) : null;
    const slot = slotAt === null ? null : slotAt + this.#sharedMinusMonotonic();
    const { rows } = await this.#watched(() =>
      sql<{ readonly released: boolean }>`
        select release_queue(${this.owner(key)}, ${key}, ${due}, ${Math.ceil(delayMs)}, ${slot}) as released
      `.execute(database.db),
    );
    if (!rows[0]?.released) throw lost(key);
  }

  #sharedMinusMonotonic(): number {
    const { time, clock } = this.#parts;
    return time.now() - clock.monotonic();
  }

  /** Runs a statement. If it fails, it may have been executed; the next claim frees what this process doesn't know. */
  async #watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#mayHoldUnknown = true;
      throw error;
    }
  }

  async recheck(destination: Destination): Promise<void> {
    await endReleaseDelay(this.#parts.database.db, destinationKey(destination));
  }

  async nextDueMs(platforms: readonly string[]): Promise<number | null> {
    const now = this.#parts.time.now();
    const { rows } = await sql<{ readonly due: number | null }>`
      select min(next.due_at) as due
      from unnest(${platforms}::text[]) as wanted(platform)
      cross join lateral (
        select due_at from queues
        where platform = wanted.platform and holder is null and waiting > 0 and due_at > ${now}
        order by due_at limit 1
      ) as next
    `.execute(this.#parts.database.db);
    const due = rows[0]?.due ?? null;
    return due === null ? null : due - now;
  }

  /** Id for a statement about the destination, which another process may have claimed. Throws if this process has lost it. */
  owner(key: DestinationKey): number {
    if (this.#lost.has(key)) throw lost(key);
    return this.#parts.membership.id;
  }

  async #endReleaseDelays(platforms: readonly string[]): Promise<void> {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        update queues set release_due = null, release_delay = null
        where key in (
          select key from queues
          where platform = any(${platforms}) and holder is null and waiting > 0 and due_at is not null
            and release_due is not null
          limit ${BATCH} for update skip locked
        )
      `.execute(this.#parts.database.db);
      if (numAffectedRows < BATCH) return;
    }
  }
}

/** `of`: a destination or a message. */
export function lost(of: string): ClaimLostError {
  return new ClaimLostError(`claim of ${of}: another process has the destination; nothing was written`);
}

/** Null if the columns are those of an outer join without an attempt. */
export function attemptOf(
  row: { readonly key: DestinationKey } & (AttemptRow | { readonly message_id: null }),
): Attempt | null {
  if (row.message_id === null) return null;
  return {
    messageId: row.message_id,
    to: parseDestinationKey(row.key),
    deliveries: row.deliveries,
    body: row.body,
    replyTo: row.reply_to,
    createdAt: row.created_at,
    state: row.state,
    sends: row.sends,
    blindResends: row.blind_resends,
    notBefore: row.not_before,
    ...(row.delay_ms === null ? {} : { delayMs: row.delay_ms }),
    problem: row.problem,
  };
}

/** Longest delay, after a start, of an attempt that an earlier version stored without the length of its delay. */
const DEFAULT_DELAY_MS = 5 * MINUTE_MS;

/** Limits delays that are longer than they were: the database's clock was set back while no process was running. */
export async function limitDelays({ db }: Database, now: number): Promise<void> {
  await sql`
    update queues set
      attempt_due = least(attempt_due, ${now} + attempt_delay),
      pause_due = least(pause_due, ${now} + pause_delay),
      release_due = least(release_due, ${now} + release_delay)
    where delayed_at > ${now}
  `.execute(db);
  await sql`
    update queues set attempt_due = ${now + DEFAULT_DELAY_MS}, attempt_delay = ${DEFAULT_DELAY_MS}
    where attempt_due > ${now + DEFAULT_DELAY_MS} and attempt_delay is null
  `.execute(db);
}
