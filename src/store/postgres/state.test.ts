import { expect, it, onTestFinished } from "vitest";
import { announced, attemptOf, commitOne, deliveryOf, REF, T0 } from "../../../test/contract/store-builders.ts";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { ALICE, aRule, ticker } from "../../../test/support/builders.ts";
import { expectContinued, fillStore } from "../../../test/support/full-state.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, emptyDatabase, freshDatabase } from "../../../test/support/postgres.ts";
import { expectConsistentAlerts } from "../../../test/support/postgres-consistency.ts";
import { channel, openIn, STORY } from "../../../test/support/store-folder.ts";
import { collect } from "../../lib/collections.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { STATE_SCHEMAS, type StateRecord } from "../../ports/state-records.ts";
import type { Store } from "../../ports/store.ts";
import { lowdb } from "../lowdb/index.ts";
import { restoreFolder } from "../lowdb/restore-folder.ts";
import { type StateChunk, stateRecords } from "../state-chunks.ts";
import { PostgresApiKeys } from "./collections/api-keys.ts";
import { openPostgresStore, type PostgresStore } from "./open.ts";
import { readState } from "./read-state.ts";
import { restoreDatabase } from "./restore.ts";

/** The time that the processes of a test share. */
const SHARED_NOW = 1_000_000_000;

async function openOn(url: string, clock = new ManualClock()): Promise<PostgresStore> {
  const start = clock.monotonic();
  const sharedTime = { now: () => SHARED_NOW + clock.monotonic() - start };
  const store = await openPostgresStore({ address: addressOf(url), clock, log: SILENT_LOG, sharedTime });
  onTestFinished(() => store.close());
  return store;
}

async function linesOf(chunks: AsyncIterable<StateChunk>): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const chunk of chunks) lines.push(...chunk.lines.toString("utf8").trimEnd().split("\n"));
  return lines;
}

function linesIn(url: string): Promise<readonly string[]> {
  return linesOf(readState(addressOf(url)));
}

function folderState(dir: string): AsyncIterable<StateChunk> {
  const access = lowdb.select({
    dataDir: dir,
    env: { variables: {}, problems: [], warnings: [], read: () => undefined },
  });
  if (!access) throw new Error("the file store has no conditions");
  return access.readState();
}

function restoreInto(url: string, records: AsyncIterable<StateRecord>): Promise<void> {
  return restoreDatabase(addressOf(url), records, { clock: new ManualClock(), sharedNow: SHARED_NOW });
}

/** Records without what has no order: of records, of the keys of an object, and of the tickers in a watchlist. */
function unordered(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => JSON.stringify(sortedKeys(withSortedTickers(JSON.parse(line) as StateRecord)))).toSorted();
}

function withSortedTickers(record: StateRecord): StateRecord {
  if (record.kind !== "watchlist") return record;
  return { ...record, value: { ...record.value, tickers: record.value.tickers.toSorted() } };
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, sortedKeys(field)]),
  );
}

/** A folder with records of every kind. */
async function filledFolder(): Promise<string> {
  const dir = await temporaryFolder();
  const store = await openIn(dir);
  await fillStore(store);
  await store.close();
  const access = lowdb.select({
    dataDir: dir,
    env: { variables: {}, problems: [], warnings: [], read: () => undefined },
  });
  const created = "2026-03-02T14:00:00.000Z";
  await (await access?.apiKeys())?.change(() => [{ name: "key", sha256: "0".repeat(64), created, revoked: null }]);
  return dir;
}

it("moves a state of files to a database, to another one, and back to files", async () => {
  const dir = await filledFolder();
  const original = await linesOf(folderState(dir));
  const [one, other] = [await emptyDatabase(), await emptyDatabase()];

  await restoreInto(one, stateRecords(folderState(dir)));
  const first = await linesIn(one);
  expect(unordered(first)).toEqual(unordered(original));
  const kinds = new Set(first.map((line) => (JSON.parse(line) as StateRecord).kind));
  expect(Object.keys(STATE_SCHEMAS).filter((kind) => !kinds.has(kind as StateRecord["kind"]))).toEqual(["forgetting"]);
  await expectConsistentAlerts(one);

  await restoreInto(other, stateRecords(readState(addressOf(one))));
  expect(await linesIn(other)).toEqual(first);

  const copy = `${dir}/copy`;
  await restoreFolder(copy, stateRecords(readState(addressOf(other))), { holder: "test" });
  expect(unordered(await linesOf(folderState(copy)))).toEqual(unordered(original));
});

it("continues in a database where the files stopped", async () => {
  const dir = await filledFolder();
  const before = await openIn(dir);
  const token = await before.calendars.tokenOf(ALICE);
  await before.close();
  const url = await emptyDatabase();
  await restoreInto(url, stateRecords(folderState(dir)));

  const store = await openOn(url);
  await expectContinued(store, token);
  expect(await store.rules.count()).toBe(2);
  expect((await new PostgresApiKeys(addressOf(url)).read()).map(({ name }) => name)).toEqual(["key"]);
});

it("equals that of files after the same operations", async () => {
  const dir = await temporaryFolder();
  const [url, files] = [await freshDatabase(), await openIn(dir)];
  const store = await openOn(url);
  for (const step of STORY) for (const each of [store, files]) await step(each);
  await files.close();
  expect(unordered(await linesIn(url))).toEqual(unordered(await linesOf(folderState(dir))));
});

it("is empty before the first change, also without tables", async () => {
  expect(await linesIn(await emptyDatabase())).toEqual([]);
  expect(await linesIn(await freshDatabase())).toEqual([]);
});

it("is not restored into a database that has one, nor in part", async () => {
  const url = await freshDatabase();
  await expect(restoreInto(url, failingRecords())).rejects.toThrow("the file ends");
  expect(await linesIn(url)).toEqual([]);

  const store = await openOn(url);
  await store.rules.add(aRule());
  const before = await linesIn(url);
  await expect(restoreInto(url, stateRecords(readState(addressOf(url))))).rejects.toThrow(
    /^DATABASE_URL: got .*, which already holds a state \(rules, rule_numbers\), expected a database without one\./,
  );
  expect(await linesIn(url)).toEqual(before);
});

it("refuses deliveries without their event", async () => {
  const delivery = deliveryOf(announced("s1"));
  const records = fromList<StateRecord>([{ kind: "delivery", value: delivery }]);
  await expect(restoreInto(await freshDatabase(), records)).rejects.toThrow(
    `delivery ${delivery.id}: its event ${delivery.eventId} is not among the records`,
  );
});

it("completes a purge that an earlier version left", async () => {
  const url = await freshDatabase();
  const records = fromList<StateRecord>([
    { kind: "watchlist", value: { person: ALICE, tickers: [ticker("ACME")] } },
    { kind: "forgetting", value: { person: ALICE, tests: [] } },
  ]);
  await restoreInto(url, records);
  expect((await linesIn(url)).join("\n")).not.toContain("alice");
});

/** Bounds the time of the copies: the more changes, the longer a copy takes, and the more changes are made meanwhile. */
const MAX_CHANGES = 300;

it("is that of one moment while processes change it", async () => {
  const url = await freshDatabase();
  const [one, other] = [await openOn(url), await openOn(url)];
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
    const copy = await emptyDatabase();
    const records = await collect(stateRecords(readState(addressOf(url))));
    await restoreInto(copy, fromList(records));
    await expectConsistentAlerts(copy);
    const numbers = records.flatMap((record) => (record.kind === "rule" ? [record.value.number] : []));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  }
  ending.abort();
  await Promise.all(changes);
});

async function* failingRecords(): AsyncGenerator<StateRecord> {
  yield { kind: "direct-channel", value: { person: ALICE, channelId: "dm" } };
  throw new Error("the file ends");
}

async function* fromList<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
