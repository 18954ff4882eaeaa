// PostgreSQL for the measurements: a server of their own with durable writes, or a database on the server of DATABASE_URL.
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { importModules } from "./bundle.mjs";
import { log } from "./silent.mjs";

/** Not imported: its types would change how the other scripts are checked. */
const { Client } = createRequire(import.meta.url)("pg");

/** Of the kernel's clock that counts the CPU time of processes. */
const TICKS_PER_SECOND = 100;
const PEOPLE_PER_STATEMENT = 10_000;

/** Opens the store in a database, with its limits of messages in this process. `folder` as in `importModules`. */
export async function openPostgres(folder, url) {
  const [{ openPostgresStore }, { readDatabaseAddress }, { systemClock }] = await importModules(folder, [
    "store/engines/postgres/open",
    "store/engines/postgres/settings",
    "lib/clock",
  ]);
  const address = readDatabaseAddress(url).value;
  return openPostgresStore({ address, clock: systemClock, log, holder: "bench" });
}

/** Starts a server, or uses the one of DATABASE_URL, whose CPU time is unknown. */
export async function startPostgres() {
  const given = process.env.DATABASE_URL;
  const server = given === undefined ? await startServer() : null;
  const base = given ?? server.url();
  const created = [];
  return {
    async createDatabase() {
      const name = `splitwatch_bench_${randomBytes(6).toString("hex")}`;
      await runSql(base, `create database ${name} template template0 encoding 'UTF8'`);
      created.push(name);
      return Object.assign(new URL(base), { pathname: name }).href;
    },
    /** CPU time of all processes of the server, in milliseconds; undefined on another machine. */
    cpuMs: () => (server === null ? undefined : cpuMsOf(server.pid)),
    async stop() {
      if (server !== null) return server.dispose();
      for (const name of created) await runSql(base, `drop database ${name} with (force)`);
    },
  };
}

async function startServer() {
  const [{ PostgresServer }] = await importModules("postgres-server", ["../test/support/postgres-server"]);
  return PostgresServer.start({ durable: true });
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function runSql(url, statement, parameters = []) {
  return withConnection(url, async (query) => query(statement, parameters));
}

export async function withConnection(url, work) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (statement, parameters = []) => (await client.query(statement, parameters)).rows);
  } finally {
    await client.end();
  }
}

/** Adds watchlists to an open store's database. */
export async function fillWatchlists(url, records) {
  await withConnection(url, async (query) => {
    let batch = [];
    const write = async () => {
      const people = batch.map(({ person }) => `${person.platform}:${person.kind}:${person.id}`);
      const sizes = batch.map(({ tickers }) => new Set(tickers).size);
      await query("insert into watchlists (person, size) select * from unnest($1::text[], $2::int[])", [people, sizes]);
      const entries = batch.flatMap(({ tickers }, n) => [...new Set(tickers)].map((ticker) => [people[n], ticker]));
      await query("insert into watchlist_entries (person, ticker) select * from unnest($1::text[], $2::text[])", [
        entries.map(([person]) => person),
        entries.map(([, ticker]) => ticker),
      ]);
      batch = [];
    };
    for (const { value } of records) {
      batch.push(value);
      if (batch.length === PEOPLE_PER_STATEMENT) await write();
    }
    if (batch.length > 0) await write();
    await query("vacuum analyze");
  });
}

/** Sequential scans so far of tables that contain more rows than `rows`: their number by table. */
export async function sequentialScans(url, rows) {
  const statement = "select relname, seq_scan::int from pg_stat_user_tables where n_live_tup > $1";
  const found = await runSql(url, statement, [rows]);
  return Object.fromEntries(found.map(({ relname, seq_scan: scans }) => [relname, scans]));
}

async function cpuMsOf(main) {
  let ticks = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await statOf(name);
    if (fields === null) continue;
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((place) => Number(fields[place]));
    if (Number(name) === main) ticks += user + system + childUser + childSystem;
    else if (parent === main) ticks += user + system;
  }
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

/** Fields of a process after its name; null if it has ended. */
async function statOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return text === null ? null : text.slice(text.lastIndexOf(")") + 2).split(" ");
}
