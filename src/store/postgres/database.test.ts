import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { deferred } from "../../../test/support/deferred.ts";
import { addressOf, freshDatabase, ownServer } from "../../../test/support/postgres.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { StoreError } from "../../ports/store.ts";
import { Database } from "./database.ts";

function open(url: string, log = recordedLog()): Database {
  const database = new Database(addressOf(url), { log, applicationName: "test" });
  onTestFinished(() => database.close());
  return database;
}

function save({ db }: Pick<Database, "db">, person: string, channel: string): Promise<unknown> {
  return db.insertInto("direct_channels").values({ person, channel_id: channel }).execute();
}

async function people({ db }: Database): Promise<readonly string[]> {
  return (await db.selectFrom("direct_channels").select("person").orderBy("person").execute()).map((row) => row.person);
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
  const bothLocked = deferred();
  let locked = 0;
  const change = (first: string, second: string): Promise<void> =>
    database.transaction(async (db) => {
      const update = db.updateTable("direct_channels").set({ channel_id: first });
      await update.where("person", "=", first).execute();
      locked += 1;
      if (locked === 2) bothLocked.resolve();
      await bothLocked.promise;
      await update.where("person", "=", second).execute();
    });
  await Promise.all([change("a", "b"), change("b", "a")]);
  expect(locked).toBe(3);
});

it("continues after a restart of the server, for which new work waits", async () => {
  const server = await ownServer({ durable: false });
  const log = recordedLog();
  const database = open(server.url(), log);
  await sql`select 1`.execute(database.db);

  await server.stop();
  const query = sql`select 2 as two`.execute(database.db);
  await expect.poll(() => database.health()).toContain("database: no connection to 127.0.0.1:");
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
