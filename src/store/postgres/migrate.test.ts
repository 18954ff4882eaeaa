import { expect, it, onTestFinished } from "vitest";
import { addressOf, emptyDatabase } from "../../../test/support/postgres.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { StoreError } from "../../ports/store.ts";
import { Database } from "./database.ts";
import { applyMigrations, readMigrations } from "./migrate.ts";
import type { Migration } from "./migrations/index.ts";

const FIRST: Migration = { name: "0001-first", statements: "create table a (x int); insert into a values (1);" };
const SECOND: Migration = { name: "0002-second", statements: "alter table a add column y int;" };

async function open(): Promise<Database> {
  const database = new Database(addressOf(await emptyDatabase()), { log: SILENT_LOG, applicationName: "test" });
  onTestFinished(() => database.close());
  return database;
}

it("applies pending migrations once and lists them", async () => {
  const database = await open();
  expect(await readMigrations(database, [FIRST])).toEqual({ applied: [], pending: ["0001-first"] });
  expect(await applyMigrations(database, [FIRST])).toEqual(["0001-first"]);

  expect(await readMigrations(database, [FIRST, SECOND])).toEqual({
    applied: ["0001-first"],
    pending: ["0002-second"],
  });
  expect(await applyMigrations(database, [FIRST, SECOND])).toEqual(["0002-second"]);
  expect(await applyMigrations(database, [FIRST, SECOND])).toEqual([]);
});

it("lets one of several processes apply them", async () => {
  const first = await open();
  const others = [1, 2, 3].map(() => new Database(first.address, { log: SILENT_LOG, applicationName: "test" }));
  const applied = await Promise.all([first, ...others].map((database) => applyMigrations(database, [FIRST, SECOND])));
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([["0001-first", "0002-second"], [], [], []]);
  await Promise.all(others.map((database) => database.close()));
});

it("applies none if one fails", async () => {
  const database = await open();
  const broken: Migration = { name: "0002-broken", statements: "alter table a add column x int;" };
  await expect(applyMigrations(database, [FIRST, broken])).rejects.toThrow(StoreError);
  expect(await readMigrations(database, [FIRST])).toEqual({ applied: [], pending: ["0001-first"] });
});

it("refuses the database of a newer version", async () => {
  const database = await open();
  await applyMigrations(database, [FIRST, SECOND]);
  const message =
    "database: written by a newer splitwatch (migration 0002-second); update this one, or use another database";
  await expect(readMigrations(database, [FIRST])).rejects.toThrow(message);
  await expect(applyMigrations(database, [FIRST])).rejects.toThrow(message);
});

it("refuses a database whose migrations differ", async () => {
  const database = await open();
  await applyMigrations(database, [FIRST]);
  const changed = { ...FIRST, statements: "create table a (x bigint);" };
  const message =
    "database: migration 0001-first was applied in another form; use the version of splitwatch that applied it";
  await expect(readMigrations(database, [changed])).rejects.toThrow(message);
  await expect(applyMigrations(database, [changed, SECOND])).rejects.toThrow(message);
});
