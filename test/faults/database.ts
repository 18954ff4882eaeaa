import { Client } from "pg";
import { createMutex } from "../../src/lib/mutex.ts";
import type { StateRecord } from "../../src/ports/state-records.ts";
import { readDatabaseState } from "../../src/store/engines/postgres/state.ts";
import { addressOf } from "../support/postgres.ts";
import { dropDatabases, runSql, withDatabase } from "../support/postgres-databases.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import type { Random } from "../support/random.ts";
import { type ProxyDecision, startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { ProcessControl } from "./controlled-process.ts";
import type { FaultyState, OpenState } from "./state.ts";

/** Host name in DATABASE_URL, which a schedule makes unreachable. */
export const DATABASE_HOST = "database.test";

/** The clock of the database shows the schedule's time: this function is found before the server's own. */
const CLOCK = `
create schema faults;
create table faults.time (real float8, virtual float8, speed float8, error_ms float8);
insert into faults.time values (0, 0, 1, 0);
create function faults.clock_timestamp() returns timestamptz language sql volatile as $$
  select to_timestamp((virtual + error_ms
    + (extract(epoch from pg_catalog.clock_timestamp())::float8 * 1000 - real) * speed) / 1000)
  from faults.time
$$`;

/** Server processes of the program's connections. */
const BACKENDS =
  "select pid from pg_stat_activity where datname = current_database() and application_name like 'splitwatch %'";

/** Time in which the server's processes notice that it was killed, in real milliseconds. */
const CRASH_MS = 30_000;

export const LOCKED_TABLES = [
  "snapshot",
  "queues",
  "deliveries",
  "attempts",
  "processes",
  "jobs",
  "rules",
  "rate_slots",
] as const;

export type LockedTable = (typeof LOCKED_TABLES)[number];

/** True for the bytes of a client that contain a commit. */
export function isCommit(bytes: Buffer): boolean {
  return bytes.includes("commit\0");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The server process has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** State in a database of a server that may be stopped, behind a proxy. */
export class FaultyDatabase implements FaultyState {
  readonly kind = "database";
  readonly startSpeed = 1;
  readonly speed = 10;
  readonly failedStart = /\bdatabase: /;
  readonly #server: PostgresServer;
  readonly #name: string;
  readonly #proxy: TcpProxy;
  readonly #control: ProcessControl;
  readonly #frozen = new Set<number>();
  readonly #inOrder = createMutex();
  #clockErrorMs = 0;
  #isClosed = false;

  private constructor(server: PostgresServer, name: string, parts: { proxy: TcpProxy; control: ProcessControl }) {
    this.#server = server;
    this.#name = name;
    this.#proxy = parts.proxy;
    this.#control = parts.control;
  }

  /** Opens a new database of the server for each schedule. */
  static on(server: PostgresServer): OpenState {
    let count = 0;
    return async ({ control }) => {
      count += 1;
      const name = `schedule_${count}`;
      await runSql(server.url(), `create database ${name} template template0 encoding 'UTF8'`);
      await runSql(server.url(name), CLOCK, `alter database ${name} set search_path = public, faults, pg_catalog`);
      const proxy = await startTcpProxy(Number(new URL(server.url()).port));
      const database = new FaultyDatabase(server, name, { proxy, control });
      control.onTimeChange = () => void database.#setClock();
      await database.#setClock();
      return database;
    };
  }

  get env(): Readonly<Record<string, string>> {
    const url = new URL(withDatabase(this.#server.url(), this.#name));
    url.hostname = DATABASE_HOST;
    url.port = String(this.#proxy.port);
    return { DATABASE_URL: url.href };
  }

  read(): AsyncIterable<StateRecord> {
    return readDatabaseState(addressOf(this.#url));
  }

  killAfterWrites(writes: number): void {
    let left = writes;
    this.#proxy.decide = (bytes) => {
      if (left === 0 || !isCommit(bytes)) return "forward";
      left -= 1;
      if (left > 0) return "forward";
      this.#control.kill();
      return "swallow-answer";
    };
  }

  /** Closes the connections of the next commits, before the server receives them or after it has executed them. */
  loseCommits(count: number, decision: Exclude<ProxyDecision, "forward">): void {
    let left = count;
    this.#proxy.decide = (bytes) => {
      if (left === 0 || !isCommit(bytes)) return "forward";
      left -= 1;
      return decision;
    };
  }

  /** Interrupts the network. */
  dropConnections(): void {
    this.#proxy.dropConnections();
  }

  /** Ends all of the server's processes for the program, or one of them, as an administrator does. */
  async terminate(which: "all" | "one", random: Random): Promise<void> {
    const pids = await this.#chosenBackends(which, random);
    await runSql(this.#url, `select pg_terminate_backend(pid) from unnest(array[${pids.join()}]::int[]) as pid`);
  }

  /** Stops the server's processes for the program, or one of them, as a stalled disk does. Returns the function that continues them. */
  async freeze(which: "all" | "one", random: Random): Promise<() => void> {
    const pids = await this.#chosenBackends(which, random);
    for (const pid of pids) {
      this.#frozen.add(pid);
      signal(pid, "SIGSTOP");
    }
    return () => this.#thaw(pids);
  }

  /** Locks a table as a migration does. Returns the function that releases it. */
  async lock(table: LockedTable): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: this.#url });
    client.on("error", () => undefined);
    await client.connect();
    await client
      .query(`begin; set local lock_timeout = '2s'; lock table ${table} in access exclusive mode`)
      .catch(() => undefined);
    return () => client.end();
  }

  /** Stops or kills the server. Returns the function that starts it. */
  async stop(how: "stop" | "kill"): Promise<() => Promise<void>> {
    this.#thaw(this.#frozen);
    await this.#server[how]();
    return () => this.#start();
  }

  /** Sets the clock of the server; 0: it is right. */
  setClockError(ms: number): Promise<void> {
    this.#clockErrorMs = ms;
    return this.#setClock();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#thaw(this.#frozen);
    await this.#proxy.close();
    if (!this.#server.isRunning) await this.#start();
    await dropDatabases(this.#server.url(), this.#name);
  }

  get #url(): string {
    return this.#server.url(this.#name);
  }

  async #start(): Promise<void> {
    // The processes of a server that was killed end some time later.
    const hasStarted = (): Promise<boolean> =>
      this.#server.start().then(
        () => true,
        () => false,
      );
    await waitUntil("the server starts", hasStarted, CRASH_MS);
    await this.#setClock();
  }

  /** A server that is stopped receives the time when it starts. */
  #setClock(): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#server.isRunning || this.#isClosed) return;
      const { real, virtual, speed } = this.#control.time();
      const values = `real = ${real}, virtual = ${virtual}, speed = ${speed}, error_ms = ${this.#clockErrorMs}`;
      await runSql(this.#url, `update faults.time set ${values}`).catch(() => undefined);
    });
  }

  async #chosenBackends(which: "all" | "one", random: Random): Promise<readonly number[]> {
    const [result] = await runSql(this.#url, BACKENDS);
    const pids: readonly number[] = result?.rows.map((row: { readonly pid: number }) => row.pid) ?? [];
    const [first, ...others] = pids;
    return which === "all" || first === undefined ? pids : [random.pick([first, ...others])];
  }

  #thaw(pids: Iterable<number>): void {
    for (const pid of pids) {
      // Another process may have its id meanwhile.
      if (!this.#frozen.delete(pid)) continue;
      signal(pid, "SIGCONT");
    }
  }
}
