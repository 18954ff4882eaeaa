import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
  type Transaction,
} from "kysely";
import { backoffMs } from "../../lib/backoff.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../ports/log.ts";
import { StoreError } from "../../ports/store.ts";
import { CLOSED, type ConnectionLimits, Connections } from "./connections.ts";
import { isConflict } from "./errors.ts";
import { DatabaseHealth } from "./health.ts";
import type { Schema } from "./schema.ts";
import type { DatabaseAddress } from "./settings.ts";

/** Connections of one process: enough to keep a server of 100 connections usable for several processes. */
const DEFAULT_LIMITS: ConnectionLimits = {
  maxConnections: 10,
  statementMs: 30_000,
  lockMs: 10_000,
  reconnectMs: 5_000,
};

const MAX_ATTEMPTS = 5;
const CONFLICT_BACKOFF = { firstMs: 10, maxMs: 200, jitter: 0.9 };
const PROBE_BACKOFF = { firstMs: 100, maxMs: 5_000, jitter: 0.5 };

export interface DatabaseOptions {
  readonly log: Log;
  /** Name of the connections in pg_stat_activity. */
  readonly applicationName: string;
  readonly limits?: Partial<ConnectionLimits>;
}

/** Connections to the database. Failures are StoreErrors. New work waits some seconds for a database that restarts. */
export class Database {
  readonly address: DatabaseAddress;
  /**
   * For reads, and for writes of one statement that may be repeated: a connection that is lost during a statement leaves open
   * whether it was executed. All other writes are transactions.
   */
  readonly db: Kysely<Schema>;
  readonly #health: DatabaseHealth;
  readonly #connections: Connections;
  readonly #closed = new AbortController();
  readonly #log: Log;
  #isProbing = false;

  constructor(address: DatabaseAddress, { log, applicationName, limits }: DatabaseOptions) {
    this.address = address;
    this.#log = log;
    this.#health = new DatabaseHealth(log);
    this.#health.onFailure = () => void this.#probe();
    const connections = new Connections(address, applicationName, {
      limits: { ...DEFAULT_LIMITS, ...limits },
      health: this.#health,
    });
    this.#connections = connections;
    this.db = new Kysely<Schema>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => connections,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /**
   * Runs a transaction and repeats it after a deadlock: `work` must have no other effects. If the connection is lost during the
   * commit, its outcome is determined: a failure means that nothing was written.
   */
  async transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.db.transaction().execute(work);
      } catch (error) {
        if (!isConflict(error) || attempts === MAX_ATTEMPTS) throw error;
        await systemClock.sleep(backoffMs(attempts, CONFLICT_BACKOFF));
      }
    }
  }

  /** Runs reads that see the same state. */
  snapshot<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return this.db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
  }

  /** Why the database can't be used; null if it can. */
  health(): string | null {
    return this.#closed.signal.aborted ? CLOSED : this.#health.reason;
  }

  /** Waits for the connections in use. */
  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    await this.#connections.destroy();
  }

  /** Repeats an empty write until the database is available again, so that `health` needs no other work. */
  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    for (let failures = 1; this.#health.failingSince !== null; failures += 1) {
      await systemClock.sleep(backoffMs(failures, PROBE_BACKOFF), this.#closed.signal);
      if (this.#closed.signal.aborted) return;
      await this.db
        .transaction()
        .execute((transaction) => sql`select`.execute(transaction))
        .catch((error: unknown) => {
          // A StoreError is part of `health` already.
          if (!(error instanceof StoreError)) this.#log.error("database probe failed", { error });
        });
    }
    this.#isProbing = false;
  }
}

/** Parameter of type json. Unlike jsonb, it is stored as the same text, in which all strings are possible. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::json`;
}

/** Locks a name until the end of the transaction: other transactions that lock it, or one of the names that share its row, wait. */
export async function lockName(transaction: Transaction<Schema>, name: string): Promise<void> {
  await sql`select from locks where number = hashtextextended(${name}, 0) & 63 for update`.execute(transaction);
}

/** Divides streamed rows into pages of at most `size` rows. */
export async function* pagesOf<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
