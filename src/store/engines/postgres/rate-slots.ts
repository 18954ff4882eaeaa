import { type Generated, type Kysely, sql } from "kysely";
import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { createBatcher } from "../../../lib/batcher.ts";
import type { RateLimit } from "../../../ports/chat-platform.ts";
import type { RateSlots, Reservation } from "../../../ports/rate-slots.ts";
import type { SharedTime } from "../../process-clock.ts";
import type { PostgresDatabase } from "./database.ts";

/** Keys that were idle for longer are removed. If used again, they count as new. */
const KEY_IDLE_MS = 10 * MINUTE_MS;
const MAX_REMOVED_KEYS = 1_000;

/** Requests that one statement answers. Others wait for it, so that the database gets few statements however many messages are sent. */
const MAX_BATCH = 500;

/** Times are shared times and may have fractions. */
interface RateSlotsTable {
  key: string;
  next_at: number | null;
  blocked_until: Generated<number>;
}

interface Request {
  readonly limits: readonly RateLimit[];
  readonly maxWaitMs: number;
}

/** Slots of all processes that use the database, in its time. */
export class PostgresRateSlots implements RateSlots {
  readonly areShared = true;
  readonly reserve: RateSlots["reserve"];
  readonly blockedFor: RateSlots["blockedFor"];
  readonly #db: Kysely<{ rate_slots: RateSlotsTable }>;
  readonly #time: SharedTime;
  #cleanedAt = 0;

  constructor({ db }: PostgresDatabase, time: SharedTime) {
    this.#db = db.withTables<{ rate_slots: RateSlotsTable }>();
    this.#time = time;
    const reserve = createBatcher(MAX_BATCH, (requests: readonly Request[]) => this.#reserve(requests));
    const blockedFor = createBatcher(MAX_BATCH, (requests: readonly (readonly RateLimit[])[]) =>
      this.#blockedFor(requests),
    );
    // Platforms without limits need no statement.
    this.reserve = async (limits, maxWaitMs) =>
      limits.length === 0 ? { waitMs: 0, isTaken: true } : reserve({ limits, maxWaitMs });
    this.blockedFor = async (limits) => (limits.length === 0 ? 0 : blockedFor(limits));
  }

  /** A process without others starts without slots, so that it doesn't matter whether the clock was set while none was running. */
  static async open(database: PostgresDatabase, time: SharedTime): Promise<PostgresRateSlots> {
    await sql`
      with reset as (delete from rate_slots where (select count(*) from processes) <= 1)
      update queues set slot_at = null where slot_at is not null and (select count(*) from processes) <= 1
    `.execute(database.db);
    return new PostgresRateSlots(database, time);
  }

  async block(key: string, ms: number): Promise<void> {
    const now = this.#time.now();
    await this.#db
      .insertInto("rate_slots")
      .values({ key, blocked_until: now + ms })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet({
          blocked_until: sql`greatest(rate_slots.blocked_until, excluded.blocked_until)`,
        }),
      )
      .execute();
  }

  /** Removes the rate limits of the person's direct channel: their keys end with the id or the destination. */
  async purge(person: Person): Promise<void> {
    const keys = [person.id, destinationKey(person)].map((end) => `${person.platform}:${end}`);
    await this.#db.deleteFrom("rate_slots").where("key", "in", keys).execute();
  }

  async #blockedFor(requests: readonly (readonly RateLimit[])[]): Promise<readonly number[]> {
    const now = this.#time.now();
    const rows = await this.#db
      .selectFrom("rate_slots")
      .select(["key", "blocked_until"])
      .where(sql<boolean>`key = any(${[...new Set(requests.flat().map(({ key }) => key))]})`)
      .where("blocked_until", ">", now)
      .execute();
    const until = new Map(rows.map((row) => [row.key, row.blocked_until]));
    return requests.map((limits) => Math.max(0, ...limits.map(({ key }) => (until.get(key) ?? now) - now)));
  }

  async #reserve(requests: readonly Request[]): Promise<readonly Reservation[]> {
    const keys = [...new Set(requests.flatMap(({ limits }) => limits.map(({ key }) => key)))];
    const positions = new Map(keys.map((key, index) => [key, index + 1]));
    const limits = requests.flatMap((request) => request.limits);
    const rows = await this.#db.connection().execute(async (db) => {
      // Read after a connection is free, so that the time of the slots is the current one.
      const now = this.#time.now();
      const result = await sql<{ readonly slot_at: number; readonly is_taken: boolean }>`
        select * from reserve_slots(
          ${keys}::text[],
          ${requests.map(({ maxWaitMs }) => maxWaitMs)}::float8[],
          ${requests.map((request) => request.limits.length)}::int[],
          ${limits.map(({ key }) => positions.get(key))}::int[],
          ${limits.map(({ everyMs }) => everyMs)}::float8[],
          ${limits.map(({ burst }) => burst)}::int[],
          ${limits.map(({ isShared }) => isShared)}::bool[],
          ${now}
        )`.execute(db);
      return result.rows;
    });
    const now = this.#time.now();
    this.#removeIdle(now);
    return rows.map(({ slot_at: slotAt, is_taken: isTaken }) => ({ waitMs: slotAt - now, isTaken }));
  }

  /** Removes some idle keys in the background, now and then. A failure is no problem: the next call tries again. */
  #removeIdle(now: number): void {
    if (now - this.#cleanedAt < KEY_IDLE_MS) return;
    this.#cleanedAt = now;
    const idle = sql`
      delete from rate_slots where key in (
        select key from rate_slots
        where greatest(next_at, blocked_until) < ${now - KEY_IDLE_MS}
        limit ${MAX_REMOVED_KEYS} for update skip locked
      )`;
    idle.execute(this.#db).catch(() => undefined);
  }
}
