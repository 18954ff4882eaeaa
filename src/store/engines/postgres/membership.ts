import { sql, type Transaction } from "kysely";
import type { Instant } from "../../../domain/time/day.ts";
import { createListeners } from "../../../lib/listeners.ts";
import { repeat } from "../../../lib/repeat.ts";
import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import type { StoreProcess } from "../../../ports/inspection.ts";
import type { Log } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import type { Membership } from "../../membership.ts";
import type { Schema } from "../../schema.ts";
import type { DatabaseTime } from "./database-time.ts";
import type { Session } from "./session.ts";

/** Interval of the heartbeats. */
export const BEAT_MS = 2_000;
/** A process whose heart has not beaten for this time is removed, and other processes take over its work. */
const DEAD_AFTER_MS = 20_000;
/** After a longer gap between two reads, a process knows nothing about the others: it or the database was interrupted. */
const MAX_GAP_MS = 5_000;
/**
 * Age of the last heartbeat from which on a process sends nothing. With the longest request, 10 s, it is less than `DEAD_AFTER_MS`:
 * a request of this process ends before another process repeats it.
 */
const SENDS_FOR_MS = 8_000;
/** Age of the last heartbeat from which on a process stops its jobs, since others may start them soon. */
const LEADS_FOR_MS = 10_000;

const BEAT = `
with own as (update processes set beat = beat + 1 where id = $1 returning id)
select
  array(select json_build_array(id, beat) from processes where id <> $1) as others,
  exists(select from own) as "isMember",
  (extract(epoch from clock_timestamp()) * 1000)::float8 + correction_ms as time,
  changes
from shared_time`;

const JOIN = "insert into processes (holder, roles) values ($1, $2) returning id";
const REMOVE = "select remove_process($1, $2) as removed";
const CORRECT_TIME = `
update shared_time set correction_ms = correction_ms - $1, changes = changes + 1 where changes = $2 returning changes`;

const PROCESSES = `select id, holder, id = $1 as "isThis", roles from processes order by id`;

type ProcessRow = Omit<StoreProcess, "jobs"> & { readonly id: number };

interface Heartbeat {
  /** Ids and beats of the other processes. */
  readonly others: readonly (readonly [number, number])[];
  readonly isMember: boolean;
  readonly time: number;
  readonly changes: number;
}

/** The last beat of another process, and since when it is known. */
interface KnownBeat {
  readonly beat: number;
  readonly since: MonotonicTime;
}

interface Moment {
  readonly monotonic: MonotonicTime;
  readonly system: Instant;
}

interface MembershipParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  readonly roles: readonly string[] | null;
  readonly time: DatabaseTime;
}

/**
 * This process among those that use the database. Each one increments its own beat and reads those of the others. One that stops
 * beating is removed, which releases its claims and jobs; if it is only slow, it joins again under a new id.
 */
export class DatabaseMembership implements Membership {
  readonly #session: Session;
  readonly #parts: MembershipParts;
  readonly #others = new Map<number, KnownBeat>();
  readonly #lost = createListeners();
  readonly #beaten = createListeners();
  #endBeats: () => Promise<void> = () => Promise.resolve();
  #id = 0;
  /** Start of the last confirmed heartbeat. */
  #confirmed: Moment;
  #lastRead: MonotonicTime = Number.NEGATIVE_INFINITY;

  private constructor(session: Session, parts: MembershipParts) {
    this.#session = session;
    this.#parts = parts;
    this.#confirmed = this.#now();
  }

  /** Joins the processes. `close` leaves them. */
  static async join(session: Session, parts: MembershipParts): Promise<DatabaseMembership> {
    const membership = new DatabaseMembership(session, parts);
    await membership.#join();
    await membership.beat();
    membership.#endBeats = repeat(() => membership.beat(), {
      everyMs: BEAT_MS,
      clock: parts.clock,
      onFailure: (error) => parts.log.warn("heartbeat failed", { error }),
    });
    return membership;
  }

  get id(): number {
    return this.#id;
  }

  /** Calls `listener` when this process has been removed: others may have its claims and jobs. */
  onLost(listener: () => void): void {
    this.#lost.add(listener);
  }

  /** Calls `listener` after each heartbeat, also after one that failed. */
  onBeat(listener: () => void): void {
    this.#beaten.add(listener);
  }

  /** False if this process may have been declared dead before the answer to a request that it sends now. */
  mayStillSend(): boolean {
    return this.#ageMs() <= SENDS_FOR_MS;
  }

  /** False if this process may be declared dead soon. */
  mayStillLead(): boolean {
    return this.#ageMs() <= LEADS_FOR_MS;
  }

  async fence(transaction: Transaction<Schema>): Promise<boolean> {
    const { rows } = await sql`select from processes where id = ${this.#id} for key share`.execute(transaction);
    return rows.length > 0;
  }

  processes(): Promise<readonly ProcessRow[]> {
    return this.#session.run<ProcessRow & object>("processes", PROCESSES, [this.#id]);
  }

  /** Sends a heartbeat and removes processes that are dead. Throws a StoreError if the database can't be reached. */
  async beat(): Promise<void> {
    try {
      await this.#beat();
    } finally {
      this.#beaten.notify();
    }
  }

  async #beat(): Promise<void> {
    const started = this.#now();
    const [heartbeat] = await this.#session.run<Heartbeat & object>("beat", BEAT, [this.#id]);
    const endedAt = this.#parts.clock.monotonic();
    if (!heartbeat) throw new StoreError("database: the shared time is missing; restore the database from a backup");
    if (heartbeat.isMember) this.#confirmed = started;
    else await this.#joinAgain();
    await this.#readTime(heartbeat, started.monotonic, endedAt);
    for (const [id, beat] of this.#findDead(heartbeat, started.monotonic, endedAt)) await this.#remove(id, beat);
  }

  /** Leaves the processes, which releases all claims and jobs. */
  async close(): Promise<void> {
    await this.#endBeats();
    await this.#session.run("remove", REMOVE, [this.#id, null]).catch((error: unknown) => {
      this.#parts.log.warn("process not removed", { id: this.#id, error });
    });
  }

  async #join(): Promise<void> {
    const started = this.#now();
    const { holder, roles } = this.#parts;
    const [row] = await this.#session.run<{ readonly id: number }>("join", JOIN, [holder, roles]);
    if (!row) throw new StoreError("database: the process could not be registered; check the rights of the user");
    this.#id = row.id;
    this.#confirmed = started;
  }

  async #joinAgain(): Promise<void> {
    const formerId = this.#id;
    this.#others.clear();
    this.#lost.notify();
    await this.#join();
    this.#parts.log.warn("process was declared dead and joined again", { formerId, id: this.#id });
  }

  async #readTime({ time, changes }: Heartbeat, startedAt: MonotonicTime, endedAt: MonotonicTime): Promise<void> {
    const { time: shared, log } = this.#parts;
    const jumpMs = shared.read({ time, changes, startedAt, endedAt });
    if (jumpMs === 0) return;
    const corrected = await this.#session.run("correct time", CORRECT_TIME, [jumpMs, changes]);
    if (corrected.length === 0) return;
    shared.corrected();
    log.warn("clock of the database was set; the shared time continues", { jumpMs });
  }

  /** Returns ids and beats of the processes that have not beaten for too long. */
  #findDead(
    { others }: Heartbeat,
    startedAt: MonotonicTime,
    endedAt: MonotonicTime,
  ): readonly (readonly [number, number])[] {
    if (startedAt - this.#lastRead > MAX_GAP_MS) this.#others.clear();
    this.#lastRead = endedAt;
    const known = new Map(this.#others);
    this.#others.clear();
    for (const [id, beat] of others) {
      const last = known.get(id);
      this.#others.set(id, last?.beat === beat ? last : { beat, since: endedAt });
    }
    return others.filter(([id]) => startedAt - (this.#others.get(id)?.since ?? endedAt) >= DEAD_AFTER_MS);
  }

  async #remove(id: number, beat: number): Promise<void> {
    const [row] = await this.#session.run<{ readonly removed: boolean }>("remove", REMOVE, [id, beat]);
    if (row?.removed) this.#parts.log.warn("dead process removed", { id });
  }

  /** Age of the last confirmed heartbeat. A suspended machine's monotonic clock stops, so its system clock counts too. */
  #ageMs(): number {
    const now = this.#now();
    return Math.max(now.monotonic - this.#confirmed.monotonic, now.system - this.#confirmed.system);
  }

  #now(): Moment {
    const { clock } = this.#parts;
    return { monotonic: clock.monotonic(), system: clock.now() };
  }
}
