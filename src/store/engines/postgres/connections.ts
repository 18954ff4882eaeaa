import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import {
  Client,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  DatabaseError,
  types as defaultTypes,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult as Result,
} from "pg";
import { backoffMs } from "../../../lib/backoff.ts";
import { systemClock } from "../../../lib/clock.ts";
import { StoreError } from "../../../ports/store.ts";
import { CLOSED, type DatabaseHealth } from "../../health.ts";
import { asStoreError, breaksConnection, failsOnlyWrites, isOutage, readOnlyError } from "./errors.ts";
import type { DatabaseAddress } from "./settings.ts";

/** Time within which the outcome of an interrupted commit is determined. */
const OUTCOME_MS = 30_000;
const BACKOFF = { firstMs: 50, maxMs: 1_000, jitter: 0.5 };

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Time after which the server cancels a statement, in milliseconds; 0: never. */
  readonly statementMs: number;
  readonly lockMs: number;
  /** Time for which new work waits for a database that restarts. */
  readonly reconnectMs: number;
}

const CONNECT_MS = 5_000;
const IDLE_MS = 60_000;
/** A process that is suspended within a transaction holds its locks for at most this time. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long the server takes to report that it cancelled a statement. */
const ANSWER_MS = 5_000;

/** Settings of each connection, by which the server notices within half a minute that a process is gone. */
const COMMON_SETTINGS = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  client_connection_check_interval: 5_000,
  // Limits of the role or the database would end idle connections and long commits.
  idle_session_timeout: 0,
  transaction_timeout: 0,
};

/** The pool waits for the promise, which its types don't state. */
type WaitingPoolConfig = PoolConfig & { readonly onConnect: (client: ClientBase) => Promise<void> };

/** Limits of a connection's statements, in milliseconds; 0: none. */
export interface ServerLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/**
 * Sets the limits of a new connection, whatever those of the role are. A statement instead of parameters of the connection, which
 * poolers refuse. Settings that the server's version doesn't have are left out.
 */
export async function setLimits(client: ClientBase, limits: ServerLimits): Promise<void> {
  const settings = Object.entries({ ...COMMON_SETTINGS, ...limits });
  await client.query(
    `select set_config(name, value, false) from unnest($1::text[], $2::text[]) as wanted (name, value)
     where current_setting(name, true) is not null`,
    [settings.map(([name]) => name), settings.map(([, value]) => String(value))],
  );
}

const BIGINT = 20;
const NUMERIC = 1700;

/** Times and counts are whole numbers that JavaScript represents exactly. */
const types: CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") =>
    id === BIGINT || id === NUMERIC ? Number : defaultTypes.getTypeParser(id, format),
};

/** Options of a connection. Parameters of the address take precedence. */
export function clientConfig(address: DatabaseAddress, applicationName: string): ClientConfig {
  return {
    connectionString: address.url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  };
}

/** A client whose loss shows in its statements. An "error" event without a listener would end the process. */
class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on("error", () => undefined);
  }
}

/** Driver of the query builder: a pool of connections whose failures are StoreErrors. */
export class Connections implements Driver {
  readonly #address: DatabaseAddress;
  readonly #health: DatabaseHealth;
  readonly #reconnectMs: number;
  readonly #pool: Pool;
  readonly #closed = new AbortController();
  #hasConnected = false;
  /** Connections that may be acquired at once, and those who wait for one: only connecting has a time limit, not waiting. */
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(
    address: DatabaseAddress,
    name: string,
    { limits, health }: { limits: ConnectionLimits; health: DatabaseHealth },
  ) {
    this.#address = address;
    this.#health = health;
    this.#reconnectMs = limits.reconnectMs;
    this.#free = limits.maxConnections;
    const config: WaitingPoolConfig = {
      ...clientConfig(address, name),
      Client: PooledClient,
      max: limits.maxConnections,
      idleTimeoutMillis: IDLE_MS,
      // Notices a server that doesn't answer any more.
      ...(limits.statementMs === 0 ? {} : { query_timeout: limits.statementMs + ANSWER_MS }),
      onConnect: (client) =>
        setLimits(client, {
          statement_timeout: limits.statementMs,
          lock_timeout: limits.lockMs,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }),
    };
    this.#pool = new Pool(config);
    this.#pool.on("error", (error) => health.fail(asStoreError(error, address)));
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<PooledConnection> {
    await this.#waitForFree();
    try {
      const until = (this.#health.failingSince ?? systemClock.monotonic()) + this.#reconnectMs;
      return new PooledConnection(await this.#connect(until), this.#address, this.#health);
    } catch (error) {
      this.#endUse();
      throw error;
    }
  }

  async #waitForFree(): Promise<void> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
  }

  /** Passes the use on to the one that has waited longest. */
  #endUse(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }

  async #connect(until: number): Promise<PoolClient> {
    for (let failures = 1; ; failures += 1) {
      if (this.#closed.signal.aborted) throw new StoreError(CLOSED);
      try {
        const client = await this.#pool.connect();
        this.#hasConnected = true;
        return client;
      } catch (error) {
        const problem = this.#health.fail(asStoreError(error, this.#address, this.#hasConnected));
        if (!isOutage(problem) || systemClock.monotonic() >= until) throw problem;
        await systemClock.sleep(backoffMs(failures, BACKOFF), this.#closed.signal);
      }
    }
  }

  beginTransaction(connection: PooledConnection, settings: TransactionSettings): Promise<void> {
    return connection.begin(settings);
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.commit();
    } catch (error) {
      if (!connection.isBroken || connection.transactionId === null) throw error;
      // The check needs a connection, of which the pool has no more than it may use.
      connection.returnToPool();
      if (!(await this.#isCommitted(connection.transactionId))) throw error;
    }
  }

  /** Determines whether a transaction was committed whose connection was lost during the commit. */
  async #isCommitted(transactionId: string): Promise<boolean> {
    const until = systemClock.monotonic() + OUTCOME_MS;
    for (let checks = 1; systemClock.monotonic() < until; checks += 1) {
      const client = await this.#connect(until);
      const status = await transactionStatus(client, transactionId);
      if (status === "committed") return true;
      if (status === "aborted") return false;
      await systemClock.sleep(backoffMs(checks, BACKOFF), this.#closed.signal);
    }
    throw new StoreError(
      "database: the connection was lost during a commit, and its outcome is unknown; check the state before repeating the change",
    );
  }

  rollbackTransaction(connection: PooledConnection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.returnToPool();
    this.#endUse();
  }

  async destroy(): Promise<void> {
    this.#closed.abort();
    await this.#pool.end();
  }
}

type TransactionStatus = "committed" | "aborted" | "in progress" | null;

/** Null: unknown. A server that took over without the transaction reports it as one of the future. */
async function transactionStatus(client: PoolClient, transactionId: string): Promise<TransactionStatus> {
  try {
    const { rows } = await client.query<{ status: TransactionStatus }>("select pg_xact_status($1::xid8) as status", [
      transactionId,
    ]);
    client.release();
    return rows[0]?.status ?? null;
  } catch (error) {
    client.release(true);
    return error instanceof DatabaseError && error.code === "22023" ? "aborted" : null;
  }
}

/** A parameter without NUL characters, which the server rejects. The driver replaces unpaired surrogates in the same way. */
function storable(parameter: unknown): unknown {
  if (Array.isArray(parameter)) return parameter.map(storable);
  return typeof parameter === "string" ? parameter.replaceAll("\0", "\uFFFD") : parameter;
}

function isWrite(command: string): boolean {
  return ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command);
}

/** A connection of the pool while it is in use. */
class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #address: DatabaseAddress;
  readonly #health: DatabaseHealth;
  #isReturned = false;
  isBroken = false;
  /** The current transaction; null if it only reads. */
  transactionId: string | null = null;

  constructor(client: PoolClient, address: DatabaseAddress, health: DatabaseHealth) {
    this.#client = client;
    this.#address = address;
    this.#health = health;
    client.on("error", this.#onLoss);
  }

  readonly #onLoss = (): void => {
    this.isBroken = true;
  };

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.run(sql, parameters);
    return isWrite(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  /** Throws a StoreError. Without parameters, `text` may contain several statements. */
  async run(text: string, parameters: readonly unknown[] = []): Promise<Result> {
    try {
      const result = await this.#client.query(text, parameters.length === 0 ? undefined : parameters.map(storable));
      this.#health.succeed(isWrite(result.command) || (result.command === "COMMIT" && this.transactionId !== null));
      return result;
    } catch (error) {
      if (breaksConnection(error)) this.isBroken = true;
      const problem = asStoreError(error, this.#address);
      throw isOutage(problem) ? this.#health.fail(problem, failsOnlyWrites(error)) : problem;
    }
  }

  /** Begins a transaction; one that writes gets its id in the same round trip. */
  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const level = isolationLevel === undefined ? "" : ` isolation level ${isolationLevel}`;
    this.transactionId = null;
    if (accessMode === "read only") {
      await this.run(`start transaction${level} read only`);
      return;
    }
    const text = `start transaction${level}; select
      pg_current_xact_id()::text as id, current_setting('transaction_read_only')::bool as "isReadOnly"`;
    const results: unknown = await this.run(text);
    const [, { rows }] = results as [Result, Result<{ readonly id: string; readonly isReadOnly: boolean }>];
    if (rows[0]?.isReadOnly) throw this.#refuse(readOnlyError());
    this.transactionId = rows[0]?.id ?? null;
  }

  /** A server that is set to read-only accepts a transaction without writes, which doesn't show that it can be used. */
  #refuse(error: DatabaseError): StoreError {
    this.isBroken = true;
    return this.#health.fail(asStoreError(error, this.#address), true);
  }

  async commit(): Promise<void> {
    const { command } = await this.run("commit");
    // The server rolls back, without an error, a transaction in which a statement failed.
    if (command !== "COMMIT") throw new StoreError("database: the transaction was rolled back; repeat the change");
  }

  async rollback(): Promise<void> {
    if (!this.isBroken) await this.run("rollback").catch(this.#onLoss);
  }

  /** The rows of one moment. The server keeps them, so that no transaction is open while the reader works. */
  async *streamQuery<R>({ sql, parameters }: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    await this.run(`declare streamed_rows no scroll cursor with hold for ${sql}`, parameters);
    try {
      for (let isEnd = false; !isEnd; ) {
        const { rows } = await this.run(`fetch ${chunkSize} from streamed_rows`);
        isEnd = rows.length < chunkSize;
        yield { rows };
      }
    } finally {
      if (!this.isBroken) await this.run("close streamed_rows");
    }
  }

  /** Ends the use of the connection; further calls change nothing. */
  returnToPool(): void {
    if (this.#isReturned) return;
    this.#isReturned = true;
    this.#client.off("error", this.#onLoss);
    this.#client.release(this.isBroken);
  }
}
