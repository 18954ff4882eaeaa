import type { Transaction } from "kysely";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { untilAborted } from "../../lib/abort.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { createListeners } from "../../lib/listeners.ts";
import { createKeyedMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";
import type { JobName, Jobs, Stoppable } from "../../ports/jobs.ts";
import type { Log } from "../../ports/log.ts";
import { StoreError } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import type { Membership } from "../membership.ts";
import type { Notifications } from "../notifications.ts";
import type { ProcessClock } from "../process-clock.ts";
import type { Schema } from "../schema.ts";

type JobNames = readonly [string, ...string[]];

/** Wait before a start that failed, or a request for a job that the store couldn't answer, is repeated. */
const RETRY = { firstMs: 1_000, maxMs: MINUTE_MS, jitter: 0.5 } as const;

interface JobsParts {
  readonly database: Database;
  readonly membership: Membership;
  readonly notifications: Notifications;
  readonly clock: Clock;
  readonly log: Log;
}

/** Parts of a collection that is written by the parts of jobs. */
export interface LedParts {
  readonly database: Database;
  readonly jobs: SqlJobs;
  readonly notifications: Notifications;
}

/** Parts of a collection whose times are those of the process that wrote them. */
export interface TimedParts extends Pick<LedParts, "database" | "jobs"> {
  readonly processClock: ProcessClock;
}

/** Jobs that one of all processes holds at a time. A job is free again when its holder gives it up, stops or is declared dead. */
export class SqlJobs implements Jobs {
  readonly #parts: JobsParts;
  readonly #oneAtATime = createKeyedMutex();
  /** Jobs of this process whose parts run or are being stopped; aborted when the part must stop. */
  readonly #held = new Set<AbortController>();
  readonly #closed = new AbortController();
  /** The held ones that are or may be lost. */
  readonly #lost = new Set<AbortController>();
  /** Calls the waiting requests when a job may be free; null: any job. */
  readonly #woken = createListeners<[name: string | null]>();
  readonly #running = new Set<Promise<void>>();
  /** Jobs that this process no longer needs and may still hold, with the keys of their runs. */
  readonly #unreleased = new Map<string, string>();

  constructor(parts: JobsParts) {
    this.#parts = parts;
    parts.notifications.listen("jobs", (name) => this.#woken.notify(name === "" ? null : name));
    parts.membership.onBeat(() => this.#check());
    parts.membership.onLost(() => this.#stopAll());
  }

  lead(name: JobName, start: (name: string) => Promise<Stoppable>): () => Promise<void> {
    const names = typeof name === "string" ? ([name] as const) : name;
    const wanted = new AbortController();
    const isWanted = AbortSignal.any([wanted.signal, this.#closed.signal]);
    let running: Promise<void> = Promise.resolve();
    void this.#oneAtATime(names[0], () => {
      running = this.#run(names, start, isWanted);
      this.#running.add(running);
      return running.finally(() => this.#running.delete(running));
    });
    return () => {
      wanted.abort();
      return running;
    };
  }

  /**
   * Fails in a process that has lost its jobs, whose parts write what is outdated. Otherwise the process keeps its jobs until the end of
   * the transaction. The statement precedes all others.
   */
  async fence(transaction: Transaction<Schema>): Promise<void> {
    if (this.#lost.size > 0) throw new StoreError("jobs: another process leads now; nothing was written");
    if (!(await this.#parts.membership.fence(transaction)))
      throw new StoreError("jobs: this process was declared dead; nothing was written");
  }

  /** Stops all parts. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#running);
  }

  async #run(names: JobNames, start: (name: string) => Promise<Stoppable>, isWanted: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    for (;;) {
      const name = await this.#acquire(names, isWanted);
      if (name === null) return;
      const held = new AbortController();
      const stop = (): void => held.abort();
      isWanted.addEventListener("abort", stop, { once: true });
      if (isWanted.aborted) stop();
      this.#held.add(held);
      await runJob({ name, start: () => start(name), clock, log }, held.signal);
      this.#held.delete(held);
      this.#lost.delete(held);
      isWanted.removeEventListener("abort", stop);
      await this.#release(name, names[0]);
    }
  }

  /** Resolves with the name of the job that this process holds, or with null when none is wanted any more. */
  async #acquire(names: JobNames, isWanted: AbortSignal): Promise<string | null> {
    for (let failures = 0; !isWanted.aborted; ) {
      const waited = new AbortController();
      const woken = this.#nextWake(names, AbortSignal.any([isWanted, waited.signal]));
      let hasFailed = false;
      for (const name of names) {
        const isHeld = await this.#tryAcquire(name);
        if (isHeld === true) {
          waited.abort();
          return name;
        }
        hasFailed ||= isHeld === null;
      }
      failures = hasFailed ? failures + 1 : 0;
      // Without other processes, nothing else wakes it.
      const retry = hasFailed ? this.#parts.clock.sleep(backoffMs(failures, RETRY), waited.signal) : woken;
      await Promise.race([woken, retry]);
      waited.abort();
    }
    return null;
  }

  #nextWake(names: JobNames, isWanted: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        remove();
        isWanted.removeEventListener("abort", wake);
        resolve();
      };
      const remove = this.#woken.add((free) => {
        if (free === null || names.includes(free)) wake();
      });
      isWanted.addEventListener("abort", wake);
    });
  }

  /** Null if the store failed. */
  async #tryAcquire(name: string): Promise<boolean | null> {
    const { database, membership } = this.#parts;
    const { id } = membership;
    const acquired = await this.#try(name, () =>
      database.db
        .insertInto("jobs")
        .values({ name, holder: id })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder: id })
            .where((where) => where.or([where("jobs.holder", "is", null), where("jobs.holder", "=", id)])),
        )
        .returning("name")
        .execute(),
    );
    if (acquired === null) return null;
    // The process may have been declared dead in the meantime.
    return acquired.length === 1 && membership.id === id && membership.mayStillLead();
  }

  /** A release that fails is repeated after the next heartbeat. */
  async #release(name: string, key: string): Promise<void> {
    const { database, membership, notifications } = this.#parts;
    const released = await this.#try(name, () =>
      database.transaction(async (transaction) => {
        await transaction
          .updateTable("jobs")
          .set({ holder: null })
          .where("name", "=", name)
          .where("holder", "=", membership.id)
          .execute();
        await notifications.send(transaction, "jobs", name);
        return true;
      }),
    );
    if (released === null) this.#unreleased.set(name, key);
  }

  async #try<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#parts.log.warn("job not acquired or released", { job: name, error });
      return null;
    }
  }

  #check(): void {
    if (!this.#parts.membership.mayStillLead()) this.#stopAll();
    for (const [name, key] of this.#unreleased) {
      this.#unreleased.delete(name);
      void this.#oneAtATime(key, () => this.#release(name, key));
    }
    this.#woken.notify(null);
  }

  #stopAll(): void {
    for (const held of this.#held) {
      this.#lost.add(held);
      held.abort();
    }
  }
}

interface JobParts {
  readonly name: string;
  readonly start: () => Promise<Stoppable>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Runs the part of a job until `held` aborts. A start that fails is repeated with backoff. Never rejects. */
async function runJob(parts: JobParts, held: AbortSignal): Promise<void> {
  const part = await startPart(parts, held);
  if (part === null) return;
  await untilAborted(held);
  await part.stop().catch((error: unknown) => parts.log.error("job stop failed", { job: parts.name, error }));
}

/** Null if the job is lost before the part has started. */
async function startPart({ name, start, clock, log }: JobParts, held: AbortSignal): Promise<Stoppable | null> {
  for (let failures = 1; !held.aborted; failures += 1) {
    try {
      return await start();
    } catch (error) {
      log.error("job start failed", { job: name, error });
      await clock.sleep(backoffMs(failures, RETRY), held);
    }
  }
  return null;
}
