import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type Transaction } from "kysely";
import { backoffMs } from "../../../lib/backoff.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { Log } from "../../../ports/log.ts";
import type { Database } from "../../database.ts";
import { DatabaseHealth } from "../../health.ts";
import type { Schema } from "../../schema.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { isConflict } from "./errors.ts";

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

export interface DatabaseOptions {
  readonly log: Log;
  /** Name of the connections in pg_stat_activity. */
  readonly applicationName: string;
  readonly limits?: Partial<ConnectionLimits>;
}

/** Connections to the database. Failures are StoreErrors. New work waits some seconds for a database that restarts. */
export class PostgresDatabase implements Database {
  readonly address: DatabaseAddress;
  readonly name = "database";
  readonly db: Kysely<Schema>;
  readonly #health: DatabaseHealth;
  readonly #connections: Connections;

  constructor(address: DatabaseAddress, { log, applicationName, limits }: DatabaseOptions) {
    this.address = address;
    this.#health = new DatabaseHealth(log, async () => {
      await this.db.transaction().execute((transaction) => sql`select`.execute(transaction));
    });
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

  readTransaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return this.db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
  }

  async hasTable(name: string): Promise<boolean> {
    const { rows } = await sql<{ readonly found: boolean }>`select to_regclass(${name}) is not null as found`.execute(
      this.db,
    );
    return rows[0]?.found === true;
  }

  health(): string | null {
    return this.#health.reason;
  }

  /** Waits for the connections in use. */
  async close(): Promise<void> {
    if (this.#health.close()) await this.#connections.destroy();
  }
}
