import { fileURLToPath } from "node:url";
import type { Instant } from "../../src/domain/time/day.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { openPostgresStore } from "../../src/store/engines/postgres/open.ts";
import { type Crowd, ReplicaRun } from "../platforms/replica-run.ts";
import { addressOf } from "../support/postgres.ts";
import { runSql } from "../support/postgres-databases.ts";
import type { Processes, SplitwatchProcess } from "../support/process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, reconnecting } from "../support/web-chat-client.ts";

const REPORT_PRELOAD = fileURLToPath(new URL("report-preload.js", import.meta.url));

const PROCESSES = 3;

/** Commands of a person of the web chat, who is forgotten at the end. */
const WEB_COMMANDS = [
  "watch I1 I2",
  "settings digest:on",
  "watchlist",
  "list",
  "status",
  "calc ratio 1:20 shares 1000",
  "mute 1h",
  "forget confirm:yes",
];

const DATABASE_USAGE = `
select
  (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables)::float8 as "tableBytes",
  (select sum(n_live_tup) from pg_stat_user_tables)::float8 as "liveRows",
  (select sum(n_dead_tup) from pg_stat_user_tables)::float8 as "deadRows",
  (select sum(size) from pg_ls_waldir())::float8 as "walFileBytes",
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walPosition"`;

const CONNECTIONS = `
select substring(application_name from 'pid (\\d+)')::int as pid, count(*)::int as connections
from pg_stat_activity where datname = current_database() and application_name like 'splitwatch pid %' group by 1`;

interface DatabaseUsage {
  readonly tableBytes: number;
  readonly liveRows: number;
  readonly deadRows: number;
  readonly walFileBytes: number;
  /** Bytes that were written to the write-ahead log so far. */
  readonly walPosition: number;
}

/** Resources of a process after garbage collection. */
interface ProcessUsage {
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly residentBytes: number;
  readonly resources: number;
  readonly descriptors: number;
  /** Connections to the database. */
  readonly connections: number;
}

export interface SteadyUsage {
  readonly processes: readonly ProcessUsage[];
  readonly database: DatabaseUsage;
}

interface ReportingProcess {
  readonly splitwatch: SplitwatchProcess;
  report(): Promise<Omit<ProcessUsage, "connections">>;
}

/** Three processes on one database with a constant load: changes of splits, commands on all platforms, and live streams. */
export class SteadyRun {
  readonly #replicas: ReplicaRun;
  /** Removes old data; it is no process of the run. */
  readonly #store: Store;
  #processes: readonly ReportingProcess[] = [];
  #rounds = 0;

  private constructor(replicas: ReplicaRun, store: Store) {
    this.#replicas = replicas;
    this.#store = store;
  }

  static async start(folder: string, processes: Processes, crowd: Crowd): Promise<SteadyRun> {
    const replicas = await ReplicaRun.begin(folder, processes, crowd);
    const address = addressOf(replicas.server.url());
    const store = await openPostgresStore({ address, clock: systemClock, log: SILENT_LOG, holder: "retention" });
    const run = new SteadyRun(replicas, store);
    const started: ReportingProcess[] = [];
    for (let count = 0; count < PROCESSES; count += 1) started.push(await run.#startProcess());
    run.#processes = started;
    await waitUntil("both platforms are connected", () => replicas.isConnected);
    return run;
  }

  async #startProcess(): Promise<ReportingProcess> {
    let receive: (report: Omit<ProcessUsage, "connections">) => void = ignore;
    const splitwatch = await this.#replicas.start({
      env: { NODE_OPTIONS: `--import=${REPORT_PRELOAD}` },
      onMessage: (message) => {
        const { report } = message as { readonly report?: Omit<ProcessUsage, "connections"> };
        if (report) receive(report);
      },
    });
    return {
      splitwatch,
      report: () =>
        new Promise((resolve) => {
          receive = resolve;
          splitwatch.send({ report: true });
        }),
    };
  }

  /** A change of a split, and people who use one of the processes. */
  async round(): Promise<void> {
    const address = await this.#nextAddress();
    this.#replicas.change();
    const end = new AbortController();
    const reading = readStream(`${address}/api/stream?channel=general`, end.signal);
    const name = `reader-${this.#rounds}`;
    for (const line of WEB_COMMANDS) await reconnecting(() => ask(address, name, line));
    await this.#replicas.useChats();
    end.abort();
    await reading;
  }

  async #nextAddress(): Promise<string> {
    const next = this.#processes[this.#rounds % PROCESSES];
    this.#rounds += 1;
    if (!next) throw new Error("no process is running");
    return next.splitwatch.ready;
  }

  /** Removes what is older. */
  prune(before: Instant): Promise<void> {
    return this.#store.prune(before);
  }

  async usage(): Promise<SteadyUsage> {
    const reports = await Promise.all(this.#processes.map((process) => process.report()));
    const [database, connections] = await runSql(this.#replicas.server.url(), DATABASE_USAGE, CONNECTIONS);
    const counts = new Map<number, number>(connections?.rows.map((row) => [row.pid, row.connections]));
    const processes = reports.map((report, index) => ({
      ...report,
      connections: counts.get(this.#processes[index]?.splitwatch.pid ?? 0) ?? 0,
    }));
    return { processes, database: database?.rows[0] as DatabaseUsage };
  }

  /** Waits until nothing is pending. Returns the alerts that were lost, sent twice or out of order, and the errors in the logs. */
  async problems(): Promise<readonly string[]> {
    await this.#replicas.settle();
    const errors = this.#processes.flatMap(({ splitwatch }) =>
      splitwatch.log().filter(({ level }) => level === "error"),
    );
    return [...this.#replicas.problems(), ...errors.map((line) => JSON.stringify(line))];
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#replicas.close();
  }
}

function ignore(): void {}

async function readStream(url: string, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await reconnecting(() => fetch(url, { signal }));
    for await (const _ of body ?? []);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
