import { expect, it, onTestFinished } from "vitest";
import { addressOf, emptyDatabase } from "../../../../test/support/postgres.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import { type Migration, Migrations } from "../../migrations.ts";
import { PostgresDatabase } from "./database.ts";

const FIRST: Migration = { name: "0001-first", statements: ["create table a (x int)", "insert into a values (1)"] };
const SECOND: Migration = { name: "0002-second", statements: ["alter table a add column y int"] };

async function open(): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(addressOf(await emptyDatabase()), { log: SILENT_LOG, applicationName: "test" });
  onTestFinished(() => database.close());
  return database;
}

it("applies pending migrations once and lists them", async () => {
  const database = await open();
  expect(await new Migrations(database, [FIRST]).read()).toEqual({ applied: [], pending: ["0001-first"] });
  expect(await new Migrations(database, [FIRST]).apply()).toEqual(["0001-first"]);

  expect(await new Migrations(database, [FIRST, SECOND]).read()).toEqual({
    applied: ["0001-first"],
    pending: ["0002-second"],
  });
  expect(await new Migrations(database, [FIRST, SECOND]).apply()).toEqual(["0002-second"]);
  expect(await new Migrations(database, [FIRST, SECOND]).apply()).toEqual([]);
});

it("lets one of several processes apply them", async () => {
  const first = await open();
  const others = [1, 2, 3].map(() => new PostgresDatabase(first.address, { log: SILENT_LOG, applicationName: "test" }));
  const applied = await Promise.all(
    [first, ...others].map((database) => new Migrations(database, [FIRST, SECOND]).apply()),
  );
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([["0001-first", "0002-second"], [], [], []]);
  await Promise.all(others.map((database) => database.close()));
});

it("applies none if one fails", async () => {
  const database = await open();
  const broken: Migration = { name: "0002-broken", statements: ["alter table a add column x int"] };
  await expect(new Migrations(database, [FIRST, broken]).apply()).rejects.toThrow(StoreError);
  expect(await new Migrations(database, [FIRST]).read()).toEqual({ applied: [], pending: ["0001-first"] });
});

it("refuses the database of a newer version", async () => {
  const database = await open();
  await new Migrations(database, [FIRST, SECOND]).apply();
  const message =
    "database: written by a newer splitwatch (migration 0002-second); update this one, or use another database";
  await expect(new Migrations(database, [FIRST]).read()).rejects.toThrow(message);
  await expect(new Migrations(database, [FIRST]).apply()).rejects.toThrow(message);
});

it("refuses a database whose migrations differ", async () => {
  const database = await open();
  await new Migrations(database, [FIRST]).apply();
  const changed = { ...FIRST, statements: ["create table a (x bigint)"] };
  const message =
    "database: migration 0001-first was applied in another form; run splitwatch backup with the version that applied it, and splitwatch restore with this one into an empty database";
  await expect(new Migrations(database, [changed]).read()).rejects.toThrow(message);
  await expect(new Migrations(database, [changed, SECOND]).apply()).rejects.toThrow(message);
});
