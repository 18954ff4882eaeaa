import { spawnSync } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { SILENT_LOG } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import { MAX_LOG_BYTES } from "./checkpoints.ts";
import type { SqliteDatabase } from "./database.ts";
import { openDatabase } from "./open.ts";

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "sqlite-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function open(): Promise<SqliteDatabase> {
  const database = await openDatabase(join(await folder(), "test.db"), SILENT_LOG);
  onTestFinished(() => database.close());
  return database;
}

async function put(database: SqliteDatabase, name: string): Promise<void> {
  await database.db.insertInto("documents").values({ name, content: "" }).execute();
}

/** Makes the disk full for the connection that writes. */
async function limitPages(database: SqliteDatabase, pages: number): Promise<void> {
  await database.transaction((transaction) => sql.raw(`pragma max_page_count = ${pages}`).execute(transaction));
}

async function names(database: SqliteDatabase): Promise<readonly string[]> {
  const rows = await database.db.selectFrom("documents").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

it("creates a file that only its owner can read", async () => {
  const { path } = await open();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(`${path}-wal`)).mode & 0o777).toBe(0o600);
});

it("returns JSON and booleans as values", async () => {
  const { db } = await open();
  const value = { text: "a\u0000b \ud800 é", list: [1, null, true] };
  await db
    .insertInto("destination_settings")
    .values({ destination: "web:channel:a", timezone: null, has_digest: true, value: sql`${JSON.stringify(value)}` })
    .execute();
  expect(await db.selectFrom("destination_settings as s").select(["s.value as v", "has_digest"]).execute()).toEqual([
    { v: value, has_digest: true },
  ]);
});

it("keeps the transactions of a group that succeed when others fail", async () => {
  const database = await open();
  const results = await Promise.allSettled([
    put(database, "a"),
    database.transaction(async (transaction) => {
      await transaction.insertInto("documents").values({ name: "b", content: "" }).execute();
      throw new Error("changed its mind");
    }),
    put(database, "a"),
    put(database, "c"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(await names(database)).toEqual(["a", "c"]);
});

it("shows a write to others only when it is durable", async () => {
  const database = await open();
  await database.transaction(async (transaction) => {
    await transaction.insertInto("documents").values({ name: "a", content: "" }).execute();
    expect(await transaction.selectFrom("documents").select("name").execute()).toHaveLength(1);
    expect(await names(database)).toEqual([]);
  });
  expect(await names(database)).toEqual(["a"]);
});

it("reads one moment while others write", async () => {
  const database = await open();
  await put(database, "a");
  await database.readTransaction(async (transaction) => {
    expect(await transaction.selectFrom("documents").select("name").execute()).toHaveLength(1);
    await put(database, "b");
    expect(await transaction.selectFrom("documents").select("name").execute()).toHaveLength(1);
  });
  expect(await names(database)).toEqual(["a", "b"]);
});

it("streams the rows of one moment, and can be left early", async () => {
  const database = await open();
  for (let index = 0; index < 25; index += 1) await put(database, `${index}`.padStart(2, "0"));
  const read: string[] = [];
  const rows = database.db.selectFrom("documents").select("name").orderBy("name").stream(10);
  for await (const { name } of rows) {
    if (read.length === 0) await put(database, "99");
    read.push(name);
  }
  expect(read).toHaveLength(25);
  for await (const _ of database.db.selectFrom("documents").select("name").stream(10)) break;
  await put(database, "100");
  expect(await names(database)).toHaveLength(27);
});

it("reports a full disk until writes succeed", async () => {
  const database = await open();
  await put(database, "a");
  const { rows } = await sql<{ readonly page_count: number }>`pragma page_count`.execute(database.db);
  const pages = rows[0]?.page_count ?? 0;
  const tooMuch = { name: "b", content: "x".repeat(100_000) };
  await limitPages(database, pages);
  await expect(database.db.insertInto("documents").values(tooMuch).execute()).rejects.toThrow(StoreError);
  expect(database.health()).toContain("test.db: database or disk is full");
  expect(await names(database)).toEqual(["a"]);

  await limitPages(database, pages + 1_000);
  await expect.poll(() => database.health()).toBeNull();
  await database.db.insertInto("documents").values(tooMuch).execute();
  expect(await names(database)).toEqual(["a", "b"]);
});

it("writes all that it reports as written when the disk becomes full within a group", async () => {
  const database = await open();
  await put(database, "a");
  const { rows } = await sql<{ readonly page_count: number }>`pragma page_count`.execute(database.db);
  await limitPages(database, rows[0]?.page_count ?? 0);
  const tooMuch = { name: "c", content: "x".repeat(100_000) };
  const results = await Promise.allSettled([
    put(database, "b"),
    database.db.insertInto("documents").values(tooMuch).execute(),
    put(database, "d"),
  ]);
  expect(results[1]?.status).toBe("rejected");
  const written = ["b", "c", "d"].filter((_, index) => results[index]?.status === "fulfilled");
  expect(await names(database)).toEqual(["a", ...written]);
});

it("names a damaged file and the way out", async () => {
  const path = join(await folder(), "test.db");
  await writeFile(path, "x".repeat(5_000));
  await expect(openDatabase(path, SILENT_LOG)).rejects.toThrow(
    `${path} is damaged: it is no database. No file was changed. Move the folder`,
  );
});

it("rejects what follows after it is closed", async () => {
  const database = await open();
  await database.close();
  await expect(put(database, "a")).rejects.toThrow(StoreError);
  expect(database.health()).not.toBeNull();
  await database.close();
});

/** Writes more than the log holds before it is copied into the file. */
async function putMuch(database: SqliteDatabase): Promise<void> {
  for (let n = 0; n < 6; n += 1)
    await database.db
      .insertInto("documents")
      .values({ name: `large ${n}`, content: "x".repeat(MAX_LOG_BYTES / 4) })
      .execute();
}

it("copies a large log into the file, and makes the log small again", async () => {
  const database = await open();
  const log = `${database.path}-wal`;
  await putMuch(database);
  expect((await stat(log)).size).toBeGreaterThan(MAX_LOG_BYTES);
  await expect.poll(async () => (await stat(database.path)).size).toBeGreaterThan(MAX_LOG_BYTES);
  await expect
    .poll(async () => {
      await put(database, `${Math.random()}`);
      return (await stat(log)).size;
    })
    .toBeLessThanOrEqual(MAX_LOG_BYTES);
});

it("empties the log after a copy that is in progress", async () => {
  const database = await open();
  await putMuch(database);
  await database.truncateLog();
  expect((await stat(`${database.path}-wal`)).size).toBe(0);
});

it("moves the log into the file when it is closed, also during a copy", async () => {
  const database = await open();
  await putMuch(database);
  await database.close();
  await expect(stat(`${database.path}-wal`)).rejects.toThrow("ENOENT");
  expect((await stat(database.path)).size).toBeGreaterThan(MAX_LOG_BYTES);
});

it("acknowledges no write after its log was deleted, and saves all of them when it is closed", async () => {
  const database = await open();
  await put(database, "a");
  await rm(`${database.path}-wal`);
  const problem = "its log was deleted; restart splitwatch";
  await expect(put(database, "b")).rejects.toThrow(problem);
  expect(database.health()).toContain(problem);
  await database.close();

  const reopened = await openDatabase(database.path, SILENT_LOG);
  onTestFinished(() => reopened.close());
  expect(await names(reopened)).toEqual(["a", "b"]);
});

it("leaves no trace of removed rows", async () => {
  const database = await open();
  await put(database, "alice.secret");
  await database.db.deleteFrom("documents").execute();
  await database.truncateLog();
  const { stdout } = spawnSync("cat", [database.path, `${database.path}-wal`], { encoding: "latin1" });
  expect(stdout).not.toContain("alice.secret");
});
