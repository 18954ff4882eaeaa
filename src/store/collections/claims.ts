import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import type { Attempt } from "../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import { createJumpDetector } from "../../lib/clock.ts";
import { inPages } from "../../lib/collections.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { type Claim, ClaimLostError, type Claims, type DestinationCounts, PAGE_SIZE } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import type { Membership } from "../membership.ts";
import type { Notifications } from "../notifications.ts";
import type { SharedTime } from "../process-clock.ts";
import type { Schema } from "../schema.ts";
import { endReleaseDelay, NO_RELEASE_DELAY, removeEmptyQueues } from "./queues.ts";

/** Due destinations that are counted, in each of three groups, so that a count reads few rows. */
const MAX_COUNTED_DUE = 100;

/** Delays that are ended together. */
const BATCH = 10_000;

export interface ClaimParts {
  readonly database: Database;
  readonly membership: Membership;
  readonly notifications: Notifications;
  readonly time: SharedTime;
  readonly clock: Clock;
}

/** Columns of an attempt. */
export type AttemptRow = Selectable<Schema["attempts"]>;

interface ClaimedQueue {
  readonly key: DestinationKey;
  readonly first_arrival: number | null;
  readonly slot_at: number | null;
}

/** Claims of this process, which end when they are released or the process is declared dead. */
export class SqlClaims implements Claims {
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

  claimDue(request: { limit: number; platforms: readonly string[] }): Promise<readonly Claim[]> {
    return this.#oneAtATime(async () => {
      // Delays until a time of day, such as the end of quiet hours, depend on the system clock.
      if (this.#detectJump() !== 0) await this.#endReleaseDelays(request.platforms);
      const { queues, attempts } = await this.#take(request);
      return queues.map(({ key, slot_at }) => ({
        to: parseDestinationKey(key),
        attempt: attempts.get(key) ?? null,
        slotAt: slot_at === null ? null : slot_at - this.#sharedMinusMonotonic(),
      }));
    });
  }

  async #take(request: { limit: number; platforms: readonly string[] }): Promise<{
    readonly queues: readonly ClaimedQueue[];
    readonly attempts: ReadonlyMap<DestinationKey, Attempt>;
  }> {
    const { database, membership } = this.#parts;
    const { id } = membership;
    const kept = this.#mayHoldUnknown ? [...this.#held] : null;
    this.#mayHoldUnknown = false;
    const taken = await this.#watched(() =>
      database.transaction(async (transaction) => {
        if (!(await membership.fence(transaction))) return NOTHING;
        const areOthersFree = kept === null || (await freeClaims(transaction, id, kept));
        const queues = await takeDue(transaction, { ...request, holder: id, now: this.#parts.time.now() });
        return {
          queues,
          areOthersFree,
          attempts: await attemptsAt(
            transaction,
            queues.map(({ key }) => key),
          ),
        };
      }),
    );
    // Declared dead in the meantime: the claims are lost already.
    if (membership.id !== id) return NOTHING;
    if (!taken.areOthersFree) this.#mayHoldUnknown = true;
    // A purge ends a claim before its worker releases it.
    const queues = taken.queues.filter(({ key }) => !this.#held.has(key));
    for (const { key } of queues) this.#held.add(key);
    return { ...taken, queues };
  }

  claim(destination: Destination): Promise<boolean> {
    const { database, membership } = this.#parts;
    const key = destinationKey(destination);
    return this.#oneAtATime(async () => {
      const { id } = membership;
      const claimed = await this.#watched(() =>
        database.transaction(async (transaction) => {
          if (!(await membership.fence(transaction))) return false;
          const rows = await transaction
            .insertInto("queues")
            .values({ key, platform: destination.platform, holder: id })
            .onConflict((conflict) =>
              conflict
                .column("key")
                .doUpdateSet({
                  holder: id,
                  retry_requested: sql`case when queues.holder = ${id} then queues.retry_requested else false end`,
                })
                .where((eb) => eb.or([eb("queues.holder", "is", null), eb("queues.holder", "=", id)])),
            )
            .returning("key")
            .execute();
          return rows.length > 0;
        }),
      );
      if (!claimed || membership.id !== id) return false;
      this.#held.add(key);
      return true;
    });
  }

  async release(destination: Destination, delayMs = 0, slotAt?: MonotonicTime | null): Promise<void> {
    const { database, time } = this.#parts;
    const key = destinationKey(destination);
    const wasLost = this.#lost.delete(key);
    this.#held.delete(key);
    if (wasLost) throw lost(key);
    const delay =
      delayMs > 0 ? { release_due: Math.ceil(time.now() + delayMs), release_delay: Math.ceil(delayMs) } : {};
    const slot =
      slotAt === undefined ? {} : { slot_at: slotAt === null ? null : slotAt + this.#sharedMinusMonotonic() };
    await this.#watched(() =>
      database.transaction(async (transaction) => {
        await this.lockQueue(transaction, key);
        await transaction
          .updateTable("queues")
          .set({ holder: null, retry_requested: false, ...slot, ...delay })
          .where("key", "=", key)
          .execute();
        await removeEmptyQueues(transaction, [key]);
      }),
    );
  }

  /** Locks the queue of a destination. Throws if another process has claimed it, or this one has lost it. */
  async lockQueue(transaction: Transaction<Schema>, key: DestinationKey): Promise<void> {
    const { membership } = this.#parts;
    // The id at the start: this process may be declared dead, and join again, in the meantime.
    const { id } = membership;
    if (this.#lost.has(key)) throw lost(key);
    const queue = await transaction
      .selectFrom("queues")
      .select("holder")
      .where("key", "=", key)
      .forUpdate()
      .executeTakeFirst();
    const holder = queue?.holder ?? null;
    const isAllowed = holder === null ? await membership.fence(transaction) : holder === id;
    if (!isAllowed) throw lost(key);
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
    const { database, notifications } = this.#parts;
    await database.transaction((transaction) =>
      endReleaseDelay(transaction, notifications, destinationKey(destination)),
    );
  }

  async isAnyDue(platforms: readonly string[]): Promise<boolean> {
    for (const platform of platforms) {
      const due = await this.#parts.database.db
        .selectFrom("queues")
        .select("key")
        .where(isDueOn(platform))
        .orderBy("first_arrival")
        .limit(1)
        .executeTakeFirst();
      if (due !== undefined) return true;
    }
    return false;
  }

  async countDestinations(): Promise<DestinationCounts> {
    const { database, time } = this.#parts;
    const now = time.now();
    const { rows } = await sql<DestinationCounts>`
      select
        ${countUpToLimit("platform, first_arrival", IS_DUE)}
          + ${countUpToLimit("platform, due_at", IS_DELAYED, sql`due_at <= ${now}`)}
          + ${countUpToLimit("holder", sql`holder is not null`, sql`waiting > 0`)} as due,
        (select count(*) from queues where paused_at is not null) as paused
    `.execute(database.db);
    return rows[0] ?? { due: 0, paused: 0 };
  }

  async nextDueMs(platforms: readonly string[]): Promise<number | null> {
    const now = this.#parts.time.now();
    const dues: number[] = [];
    for (const platform of platforms) {
      const next = await this.#parts.database.db
        .selectFrom("queues")
        .select("due_at")
        .where(isDelayedOn(platform))
        .where("due_at", ">", now)
        .orderBy("due_at")
        .limit(1)
        .executeTakeFirst();
      if (next?.due_at) dues.push(next.due_at);
    }
    return dues.length === 0 ? null : Math.min(...dues) - now;
  }

  onWork(listener: () => void): () => void {
    return this.#parts.notifications.listen("deliveries", () => listener());
  }

  async #endReleaseDelays(platforms: readonly string[]): Promise<void> {
    const { database } = this.#parts;
    for (const platform of platforms) {
      let changed = BATCH;
      while (changed === BATCH)
        changed = await database.transaction(async (transaction) => {
          const result = await transaction
            .updateTable("queues")
            .set(NO_RELEASE_DELAY)
            .where("key", "in", (eb) =>
              eb
                .selectFrom("queues")
                .select("key")
                .where(isDelayedOn(platform))
                .where("release_due", "is not", null)
                .limit(BATCH)
                .forUpdate()
                .skipLocked(),
            )
            .executeTakeFirst();
          return Number(result.numUpdatedRows);
        });
    }
  }
}

const NOTHING = { queues: [], attempts: new Map<DestinationKey, Attempt>(), areOthersFree: true };

/** Conditions of the indexes for queues that nobody has claimed: whose deliveries are due, and whose were delayed. */
const IS_DUE = sql<boolean>`holder is null and waiting > 0 and due_at is null`;
const IS_DELAYED = sql<boolean>`holder is null and waiting > 0 and due_at is not null`;

/** Number of the queues that aren't paused, up to a limit; in the order of their index, so that the table isn't scanned. */
function countUpToLimit(order: string, ...conditions: readonly RawBuilder<unknown>[]): RawBuilder<number> {
  return sql`(
    select count(*) from (
      select 1 from queues where ${sql.join([...conditions, sql`paused_at is null`], sql` and `)}
      order by ${sql.raw(order)} limit ${sql.lit(MAX_COUNTED_DUE)}
    ) as counted
  )`;
}

function isDueOn(platform: string): RawBuilder<boolean> {
  return sql<boolean>`platform = ${platform} and ${IS_DUE}`;
}

/** Condition for the queues on the platform that nobody has claimed and whose deliveries are or were delayed. */
function isDelayedOn(platform: string): RawBuilder<boolean> {
  return sql<boolean>`platform = ${platform} and ${IS_DELAYED}`;
}

/**
 * Ends the claims of a process except those that it keeps. Returns false if some remain, because a transaction has their queues: that of
 * a lost connection, until the server ends it.
 */
export async function freeClaims(
  transaction: Transaction<Schema>,
  holder: number,
  kept: readonly DestinationKey[] = [],
): Promise<boolean> {
  const held = transaction.selectFrom("queues").select("key").where("holder", "=", holder);
  const isKept = new Set(kept);
  const unlocked = (await held.forUpdate().skipLocked().execute()).filter(({ key }) => !isKept.has(key));
  for (const rows of inPages(unlocked, PAGE_SIZE)) {
    const page = rows.map(({ key }) => key);
    await transaction
      .updateTable("queues")
      .set({ holder: null, slot_at: null, retry_requested: false })
      .where("key", "in", page)
      .execute();
    await removeEmptyQueues(transaction, page);
  }
  return (await held.execute()).every(({ key }) => isKept.has(key));
}

interface DueRequest {
  readonly limit: number;
  readonly platforms: readonly string[];
  readonly holder: number;
  /** Shared time. */
  readonly now: number;
}

/** Claims queues with due deliveries, longest wait first. */
async function takeDue(
  transaction: Transaction<Schema>,
  { limit, platforms, holder, now }: DueRequest,
): Promise<readonly ClaimedQueue[]> {
  const due: ClaimedQueue[] = [];
  for (const platform of platforms) {
    await endPassedDelays(transaction, platform, now);
    const queues = await transaction
      .selectFrom("queues")
      .select(["key", "first_arrival", "slot_at"])
      .where(isDueOn(platform))
      .orderBy("first_arrival")
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    due.push(...queues);
  }
  const oldest = due.toSorted((a, b) => (a.first_arrival ?? 0) - (b.first_arrival ?? 0)).slice(0, limit);
  for (const page of inPages(oldest, PAGE_SIZE))
    await transaction
      .updateTable("queues")
      .set({ holder, retry_requested: false })
      .where(
        "key",
        "in",
        page.map(({ key }) => key),
      )
      .execute();
  return oldest;
}

async function endPassedDelays(transaction: Transaction<Schema>, platform: string, now: number): Promise<void> {
  const passed = (due: "attempt_due" | "pause_due" | "release_due", delay: string): object => ({
    [due]: sql`case when ${sql.ref(due)} > ${now} then ${sql.ref(due)} end`,
    [delay]: sql`case when ${sql.ref(due)} > ${now} then ${sql.ref(delay)} end`,
  });
  await transaction
    .updateTable("queues")
    .set({
      ...passed("attempt_due", "attempt_delay"),
      ...passed("pause_due", "pause_delay"),
      ...passed("release_due", "release_delay"),
    })
    .where("key", "in", (eb) =>
      eb
        .selectFrom("queues")
        .select("key")
        .where(isDelayedOn(platform))
        .where("due_at", "<=", now)
        .orderBy("due_at")
        .limit(BATCH)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

async function attemptsAt(
  transaction: Transaction<Schema>,
  keys: readonly DestinationKey[],
): Promise<ReadonlyMap<DestinationKey, Attempt>> {
  const attempts = new Map<DestinationKey, Attempt>();
  for (const page of inPages(keys, PAGE_SIZE)) {
    const rows = await transaction.selectFrom("attempts").selectAll().where("queue_key", "in", page).execute();
    for (const row of rows) attempts.set(row.queue_key, attemptOf(row));
  }
  return attempts;
}

/** `of`: a destination or a message. */
export function lost(of: string): ClaimLostError {
  return new ClaimLostError(`claim of ${of}: another process has the destination; nothing was written`);
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    messageId: row.message_id,
    to: parseDestinationKey(row.queue_key),
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

/** Limits delays that are longer than they were: the clock was set back while no process was running. */
export async function limitDelays({ db }: Database, now: number): Promise<void> {
  const limited = (due: string, delay: string): RawBuilder<number> => {
    const latest = sql`${now} + ${sql.ref(delay)}`;
    return sql<number>`case when ${sql.ref(due)} > ${latest} then ${latest} else ${sql.ref(due)} end`;
  };
  await db
    .updateTable("queues")
    .set({
      attempt_due: limited("attempt_due", "attempt_delay"),
      pause_due: limited("pause_due", "pause_delay"),
      release_due: limited("release_due", "release_delay"),
    })
    .where("delayed_at", ">", now)
    .execute();
}
