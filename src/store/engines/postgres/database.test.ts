import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { addressOf, freshDatabase, ownServer } from "../../../../test/support/postgres.ts";
import { runSql } from "../../../../test/support/postgres-databases.ts";
import type { PostgresServer } from "../../../../test/support/postgres-server.ts";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import { startTcpProxy, type TcpProxy } from "../../../../test/support/tcp-proxy.ts";
import { StoreError, StoreSettingError } from "../../../ports/store.ts";
import type { ConnectionLimits } from "./connections.ts";
import { PostgresDatabase } from "./database.ts";

function open(url: string, log = recordedLog(), limits: Partial<ConnectionLimits> = {}): PostgresDatabase {
  const database = new PostgresDatabase(addressOf(url), { log, applicationName: "test", limits });
  onTestFinished(() => database.close());
  return database;
}

function save({ db }: Pick<PostgresDatabase, "db">, person: string, channel: string): Promise<unknown> {
  return db.insertInto("documents").values({ name: person, content: channel }).execute();
}

async function people({ db }: PostgresDatabase): Promise<readonly string[]> {
  return (await db.selectFrom("documents").select("name").orderBy("name").execute()).map((row) => row.name);
}

it("writes nothing of a transaction that fails", async () => {
  const database = open(await freshDatabase());
  const work = database.transaction(async (db) => {
    await save({ db }, "a", "1");
    await save({ db }, "a", "2");
  });
  await expect(work).rejects.toThrow(StoreError);
  expect(await people(database)).toEqual([]);
});

it("fails if the transaction was rolled back although its work succeeded", async () => {
  const database = open(await freshDatabase());
  const work = database.transaction(async (db) => {
    await save({ db }, "a", "1");
    await sql`select 1 / 0`.execute(db).catch(() => undefined);
  });
  await expect(work).rejects.toThrow("database: the transaction was rolled back; repeat the change");
  expect(await people(database)).toEqual([]);
});

it("repeats transactions that lock each other", async () => {
  const database = open(await freshDatabase());
  await Promise.all([save(database, "a", "0"), save(database, "b", "0")]);
  const bothLocked = Promise.withResolvers<void>();
  let locked = 0;
  const change = (first: string, second: string): Promise<void> =>
    database.transaction(async (db) => {
      const update = db.updateTable("documents").set({ content: first });
      await update.where("name", "=", first).execute();
      locked += 1;
      if (locked === 2) bothLocked.resolve();
      await bothLocked.promise;
      await update.where("name", "=", second).execute();
    });
  await Promise.all([change("a", "b"), change("b", "a")]);
  // The repeated one can lock its row before the other one continues, and is repeated again then.
  expect(locked).toBeGreaterThan(2);
});

it.each<[string, (server: PostgresServer) => string]>([
  ["a port", (server) => server.url()],
  ["a Unix socket, which the server removes", (server) => server.socketUrl()],
])("continues after a restart of the server at %s, for which new work waits", async (_, urlOf) => {
  const server = await ownServer({ durable: false });
  const log = recordedLog();
  const database = open(urlOf(server), log);
  await sql`select 1`.execute(database.db);

  await server.stop();
  const query = sql`select 2 as two`.execute(database.db);
  await expect.poll(() => database.health()).toContain("database: no connection to ");
  await server.start();

  expect((await query).rows).toEqual([{ two: 2 }]);
  expect(database.health()).toBeNull();
  expect(log.lines.map(({ event }) => event)).toEqual(["database unavailable", "database available"]);
  expect(log.text()).not.toContain(new URL(server.url()).password);
});

it("becomes healthy again without other work", async () => {
  const server = await ownServer({ durable: false });
  const database = open(server.url());
  await sql`select 1`.execute(database.db);
  await server.kill();
  await expect.poll(() => database.health()).not.toBeNull();
  await server.start();
  await expect.poll(() => database.health()).toBeNull();
});

it("stays unavailable, with one line in the log, while the server is set to read-only", async () => {
  const server = await ownServer({ durable: false });
  const url = server.url();
  await runSql(url, "create table marks (x int)");
  await runSql(url, "alter database postgres set default_transaction_read_only = on");
  const log = recordedLog();
  const database = open(url, log);
  const write = (): Promise<unknown> => sql`insert into marks values (1)`.execute(database.db);
  await expect(write()).rejects.toThrow("is read-only");
  for (let tries = 0; tries < 3; tries += 1)
    await expect(database.transaction((db) => sql`select`.execute(db))).rejects.toThrow("is read-only");
  expect(database.health()).toContain("is read-only");
  expect(log.lines.map(({ event }) => event)).toEqual(["database unavailable"]);
  await runSql(
    url,
    "set default_transaction_read_only = off",
    "alter database postgres reset default_transaction_read_only",
  );
  await expect.poll(() => database.health()).toBeNull();
  await write();
});

it("finds nothing for a text with NUL characters, which no column contains", async () => {
  const database = open(await freshDatabase());
  await save(database, "a", "1");
  const found = await database.db.selectFrom("documents").where("name", "=", "a\0").selectAll().execute();
  const inList = await sql`select from documents where name = any(${["a\0", "b\0"]})`.execute(database.db);
  expect([found, inList.rows]).toEqual([[], []]);
});

async function behindProxy(): Promise<{ database: PostgresDatabase; proxy: TcpProxy }> {
  const url = new URL(await freshDatabase());
  const proxy = await startTcpProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { database: open(url.href, recordedLog(), { maxConnections: 1 }), proxy };
}

it("names no settings when it connects, which poolers refuse", async () => {
  const { database, proxy } = await behindProxy();
  const packets: Buffer[] = [];
  proxy.decide = (bytes) => {
    packets.push(bytes);
    return "forward";
  };
  await sql`select`.execute(database.db);
  // Length and version of the protocol, then names and values that end with a zero byte.
  const parameters = packets[0]?.subarray(8).toString("utf8").split("\0").slice(0, -2) ?? [];
  expect(parameters.filter((_, index) => index % 2 === 0).toSorted()).toEqual([
    "application_name",
    "client_encoding",
    "database",
    "user",
  ]);
});

it("uses its own limits, whatever those of the database are", async () => {
  const url = await freshDatabase();
  const name = new URL(url).pathname.slice(1);
  const limits = ["statement_timeout", "lock_timeout", "idle_session_timeout"];
  await runSql(url, ...limits.map((limit) => `alter database ${name} set ${limit} = '7s'`));
  const database = open(url, recordedLog(), { statementMs: 0, lockMs: 2_000 });
  const { rows } = await sql<{ readonly value: string }>`
    select current_setting(name) as value from unnest(${limits}::text[]) as name
  `.execute(database.db);
  expect(rows.map(({ value }) => value)).toEqual(["0", "2s", "0"]);
});

describe("a connection that is lost during a commit", () => {
  it("is no failure if the server committed", async () => {
    const { database, proxy } = await behindProxy();
    proxy.decide = (bytes) => (bytes.includes("commit") ? "swallow-answer" : "forward");
    await database.transaction((db) => save({ db }, "a", "1"));
    expect(await people(database)).toEqual(["a"]);
    expect(database.health()).toBeNull();
  });

  it("is a failure if the server did not commit", async () => {
    const { database, proxy } = await behindProxy();
    proxy.decide = (bytes) => (bytes.includes("commit") ? "cut" : "forward");
    await expect(database.transaction((db) => save({ db }, "a", "1"))).rejects.toThrow(/^database: no connection to /);
    expect(await people(database)).toEqual([]);
  });
});

/** The error of a connection whose address was changed. */
async function errorAfter(change: Partial<URL>, address?: string): Promise<unknown> {
  const url = Object.assign(new URL(address ?? (await freshDatabase())), change);
  const database = new PostgresDatabase(addressOf(url.href), {
    log: recordedLog(),
    applicationName: "test",
    limits: { reconnectMs: 0 },
  });
  onTestFinished(() => database.close());
  return sql`select 1`.execute(database.db).catch((error: unknown) => error);
}

describe("errors", () => {
  it.each<[string, Partial<URL>, RegExp]>([
    ["an unknown database", { pathname: "/nowhere" }, /^DATABASE_URL: .* has no database nowhere; create it/],
    ["encryption that the server doesn't offer", { search: "?sslmode=require" }, /doesn't offer TLS/],
    ["a file that doesn't exist", { search: "?sslmode=verify-full&sslrootcert=/no/such.pem" }, /such\.pem/],
  ])("name the setting to change for %s", async (_, change, message) => {
    const error = await errorAfter(change);
    expect(error).toBeInstanceOf(StoreSettingError);
    expect(String(error)).not.toContain("hush");
    expect((error as Error).message).toMatch(message);
  });

  it("name the user whose password is wrong", async () => {
    const server = await ownServer({ durable: false });
    const error = await errorAfter({ password: "hush" }, server.url());
    expect(error).toBeInstanceOf(StoreSettingError);
    expect(String(error)).not.toContain("hush");
    expect((error as Error).message).toBe(
      `DATABASE_URL: ${new URL(server.url()).host} refused the password of user splitwatch; correct the password`,
    );
  });

  it("name the server if nothing listens", async () => {
    const error = await errorAfter({ port: "1" });
    expect(error).toBeInstanceOf(StoreError);
    expect(error).not.toBeInstanceOf(StoreSettingError);
    expect((error as Error).message).toBe(
      "database: no connection to 127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1); check that PostgreSQL runs there and is reachable",
    );
  });

  it("name the path of a Unix socket that doesn't exist at the first connection", async () => {
    const error = await errorAfter({ search: "?host=/no/such/folder" });
    expect(error).toBeInstanceOf(StoreSettingError);
    expect((error as Error).message).toMatch(/^DATABASE_URL: a file can't be used \(connect ENOENT \/no\/such\/folder/);
  });

  it("name what keeps a statement waiting", async () => {
    const url = await freshDatabase();
    const owner = open(url);
    const waiting = open(url, recordedLog(), { lockMs: 50 });
    await owner.transaction(async (transaction) => {
      await sql`lock table documents`.execute(transaction);
      await expect(people(waiting)).rejects.toThrow(
        /^database: another session has locked rows or tables of \w+ for too long; find it in pg_stat_activity/,
      );
    });
    const slow = open(url, recordedLog(), { statementMs: 50 });
    await expect(sql`select pg_sleep(10)`.execute(slow.db)).rejects.toThrow(
      /^database: a statement in \w+ was cancelled \(canceling statement due to statement timeout\); check the load/,
    );
  });

  it("name the missing right", async () => {
    const url = new URL(await freshDatabase());
    const owner = open(url.href);
    const role = `reader_${url.pathname.slice(-8)}`;
    await sql.raw(`create role ${role} login password 'reader'`).execute(owner.db);
    onTestFinished(async () => {
      await runSql(url.href, `drop role ${role}`);
    });
    const reader = open(Object.assign(new URL(url), { username: role, password: "reader" }).href);
    await expect(save(reader, "a", "1")).rejects.toThrow(`database: user ${role} lacks rights (permission denied for`);
    await expect(save(reader, "a", "1")).rejects.toThrow(StoreSettingError);
  });
});
