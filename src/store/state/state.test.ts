import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { announced, attemptOf, commitOne, deliveryOf, REF, T0 } from "../../../test/contract/store-builders.ts";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { ALICE, aRule, ticker } from "../../../test/support/builders.ts";
import { expectContinued, fillStore } from "../../../test/support/full-state.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, emptyDatabase, freshDatabase } from "../../../test/support/postgres.ts";
import { expectConsistentAlerts } from "../../../test/support/postgres-consistency.ts";
import { channel, STORY } from "../../../test/support/store-folder.ts";
import { EMPTY_SNAPSHOT, headerOf } from "../../domain/diff/snapshot.ts";
import { collect } from "../../lib/collections.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { STATE_SCHEMAS, type StateKind, type StateRecord } from "../../ports/state-records.ts";
import type { Store } from "../../ports/store.ts";
import { insertKeys } from "../collections/api-keys.ts";
import type { Database, OwnDatabase } from "../database.ts";
import { PostgresDatabase } from "../engines/postgres/database.ts";
import { openPostgresStore } from "../engines/postgres/open.ts";
import { readDatabaseState, restoreDatabase } from "../engines/postgres/state.ts";
import { DATABASE_FILE } from "../engines/sqlite/folder.ts";
import { openDatabase, openSqliteStore } from "../engines/sqlite/open.ts";
import { readFolder } from "../engines/sqlite/state.ts";
import { writeState } from "./restore.ts";

/** The time that the processes of a test share. */
const SHARED_NOW = 1_000_000_000;

/** A place for a state, which has none yet. */
interface Place {
  open(): Promise<Store>;
  connect(): Promise<OwnDatabase>;
  read(): AsyncIterable<StateRecord>;
  restore(records: AsyncIterable<StateRecord>): Promise<void>;
  expectConsistent(): Promise<void>;
}

async function withDatabase(database: OwnDatabase, work: (database: Database) => Promise<void>): Promise<void> {
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function folder(): Promise<Place> {
  const dir = await temporaryFolder();
  const connect = (): Promise<OwnDatabase> => openDatabase(join(dir, DATABASE_FILE), SILENT_LOG);
  return {
    open: () => openSqliteStore({ dir, clock: new ManualClock(), log: SILENT_LOG }),
    connect,
    read: () => readFolder(dir),
    async restore(records) {
      const clock = new ManualClock();
      await withDatabase(await connect(), (database) => writeState(database, records, { clock, now: clock.now() }));
    },
    expectConsistent: () => Promise.resolve(),
  };
}

function databaseAt(url: string): Place {
  const address = addressOf(url);
  return {
    open() {
      const clock = new ManualClock();
      const start = clock.monotonic();
      const sharedTime = { now: () => SHARED_NOW + clock.monotonic() - start };
      return openPostgresStore({ address, clock, log: SILENT_LOG, sharedTime });
    },
    connect: () => Promise.resolve(new PostgresDatabase(address, { log: SILENT_LOG, applicationName: "test" })),
    read: () => readDatabaseState(address),
    restore: (records) => restoreDatabase(address, records, { clock: new ManualClock(), sharedNow: SHARED_NOW }),
    expectConsistent: () => expectConsistentAlerts(url),
  };
}

/** The records of a store that nothing has changed yet. */
const EMPTY = [
  { kind: "snapshot", value: headerOf(EMPTY_SNAPSHOT) },
  { kind: "posting-number", value: { last: 0 } },
].map((record) => JSON.stringify(record));

const ENGINES: readonly [name: string, make: () => Promise<Place>][] = [
  ["SQLite", folder],
  ["PostgreSQL", async () => databaseAt(await freshDatabase())],
];

async function openAt(place: Place): Promise<Store> {
  const store = await place.open();
  onTestFinished(() => store.close());
  return store;
}

async function linesAt(place: Place): Promise<readonly string[]> {
  return (await collect(place.read())).map((record) => JSON.stringify(record));
}

/** Stores records of every kind. */
async function fill(place: Place): Promise<void> {
  const store = await place.open();
  await fillStore(store);
  await store.close();
  const created = "2026-03-02T14:00:00.000Z";
  const keys = ["b", "a"].map((name) => ({ name, sha256: "0".repeat(64), created, revoked: null }));
  await withDatabase(await place.connect(), (database) =>
    database.transaction((transaction) => insertKeys(transaction, keys)),
  );
}

describe.each(ENGINES)("state in %s", (_, make) => {
  it.each(ENGINES)("moves to %s and back, unchanged", async (__, makeOther) => {
    const [first, second, third] = [await make(), await makeOther(), await make()];
    await fill(first);
    const original = await linesAt(first);
    const kinds = new Set(original.map((line) => (JSON.parse(line) as StateRecord).kind));
    expect(Object.keys(STATE_SCHEMAS).filter((kind) => !kinds.has(kind as StateKind))).toEqual(["forgetting"]);

    await second.restore(first.read());
    await third.restore(second.read());

    expect(await linesAt(second)).toEqual(original);
    expect(await linesAt(third)).toEqual(original);
    await second.expectConsistent();
    await third.expectConsistent();
  });

  it.each(ENGINES)("continues in %s where it stopped", async (__, makeOther) => {
    const [before, after] = [await make(), await makeOther()];
    await fill(before);
    const store = await before.open();
    const token = await store.calendars.tokenOf(ALICE);
    await store.close();

    await after.restore(before.read());

    const continued = await openAt(after);
    await expectContinued(continued, token);
    expect(await continued.rules.count()).toBe(2);
    expect(await continued.watchlists.count()).toEqual({ people: 2, tickers: 2 });
    expect(await continued.outbox.waitingCount()).toBe(7);
  });

  it("is an empty snapshot before the first change", async () => {
    const place = await make();
    const store = await place.open();
    await store.close();
    expect(await linesAt(place)).toEqual(EMPTY);
  });

  it("is not restored in part", async () => {
    const place = await make();
    await expect(place.restore(failingRecords())).rejects.toThrow("the file ends");
    expect(await linesAt(place)).toEqual(EMPTY);
  });

  it("refuses deliveries without their event", async () => {
    const delivery = deliveryOf(announced("s1"));
    const records = fromList<StateRecord>([{ kind: "delivery", value: delivery }]);
    await expect((await make()).restore(records)).rejects.toThrow(
      `delivery ${delivery.id}: its event ${delivery.eventId} is not among the records`,
    );
  });

  it("completes a purge that was pending", async () => {
    const place = await make();
    await place.restore(
      fromList<StateRecord>([
        { kind: "watchlist", value: { person: ALICE, tickers: [ticker("ACME")] } },
        { kind: "forgetting", value: { person: ALICE, tests: [] } },
      ]),
    );
    expect((await linesAt(place)).join("\n")).not.toContain("alice");
    expect(await (await openAt(place)).watchlists.count()).toEqual({ people: 0, tickers: 0 });
  });

  it.each(["first", "last"])("doesn't use numbers again whose records come %s", async (position) => {
    const place = await make();
    const rules: StateRecord[] = [2, 1].map((number) => ({ kind: "rule", value: { ...aRule(), number } }));
    const last: StateRecord = { kind: "rule-number", value: { at: aRule().destination, last: 5 } };
    await place.restore(fromList<StateRecord>(position === "first" ? [last, ...rules] : [...rules, last]));
    expect(await (await openAt(place)).rules.add(aRule({ minRatio: 99 }))).toMatchObject({ rule: { number: 6 } });
  });

  it("derives the last number of a rule if no record states it", async () => {
    const place = await make();
    await place.restore(fromList<StateRecord>([{ kind: "rule", value: { ...aRule(), number: 4 } }]));
    expect(await (await openAt(place)).rules.add(aRule({ minRatio: 99 }))).toMatchObject({ rule: { number: 5 } });
  });
});

it("is the same after the same operations", async () => {
  const places = await Promise.all(ENGINES.map(([, make]) => make()));
  const stores = await Promise.all(places.map((place) => openAt(place)));
  for (const step of STORY) for (const store of stores) await step(store);
  const [first, second] = await Promise.all(places.map((place) => linesAt(place)));
  expect(second).toEqual(first);
});

describe("state in PostgreSQL", () => {
  it("is empty without tables", async () => {
    expect(await linesAt(databaseAt(await emptyDatabase()))).toEqual([]);
  });

  it("is not restored into a database that has one", async () => {
    const place = databaseAt(await freshDatabase());
    await (await openAt(place)).rules.add(aRule());
    const before = await linesAt(place);
    await expect(place.restore(place.read())).rejects.toThrow(
      /^DATABASE_URL: got .*, which already holds a state \(rules, rule_keys, rule_numbers\), expected a database without one\./,
    );
    expect(await linesAt(place)).toEqual(before);
  });

  it("is that of one moment while processes change it", async () => {
    const url = await freshDatabase();
    const place = databaseAt(url);
    const [one, other] = [await openAt(place), await openAt(place)];
    const ending = new AbortController();
    async function change(store: Store, name: string): Promise<void> {
      for (let n = 0; n < MAX_CHANGES && !ending.signal.aborted; n += 1) {
        const delivery = await commitOne(store, announced(`${name}-${n}`), channel(`${name}-${n}`));
        await store.outbox.saveAttempt(attemptOf(`${name}-${n}`, [delivery], { state: "sending", sends: 1 }));
        await store.outbox.markSent(`${name}-${n}`, REF, T0);
        await store.rules.add(aRule({ tickers: [ticker(`T${n}`)] }));
      }
    }
    const changes = [change(one, "a"), change(other, "b")];
    for (let copies = 0; copies < 3; copies += 1) {
      await commitOne(one, announced(`copy-${copies}`), channel("c"));
      const copy = databaseAt(await emptyDatabase());
      const records = await collect(place.read());
      await copy.restore(fromList(records));
      await copy.expectConsistent();
      const numbers = records.flatMap((record) => (record.kind === "rule" ? [record.value.number] : []));
      expect(numbers).toEqual(numbers.map((__, index) => index + 1));
    }
    ending.abort();
    await Promise.all(changes);
  });
});

/** Bounds the time of the copies: the more changes, the longer a copy takes, and the more changes are made meanwhile. */
const MAX_CHANGES = 300;

async function* failingRecords(): AsyncGenerator<StateRecord> {
  yield { kind: "direct-channel", value: { person: ALICE, channelId: "dm" } };
  throw new Error("the file ends");
}

async function* fromList<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
