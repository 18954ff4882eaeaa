import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { ALICE, aSplit, ticker } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { idlePolling } from "../../../test/support/polling.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { EMPTY_SNAPSHOT, headerOf, headerPatch } from "../../domain/diff/snapshot.ts";
import type { Split } from "../../domain/split/split.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { configuredStore } from "../../store/index.ts";
import { loadSample, sampleAt } from "./sample.ts";
import { SampleSource } from "./sample-source.ts";
import { createServedCatalog } from "./served-catalog.ts";

const sample = await loadSample(join(import.meta.dirname, "../../../config/sample"));
const START = "2026-03-02T14:00:00Z";
const MONDAY = Date.parse(START);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let clock: ManualClock;
let store: Store;
let opened: AsyncDisposableStack;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  clock = new ManualClock(START);
  store = await configuredStore({ dataDir: await temporaryFolder() }).open({ clock, log: SILENT_LOG });
  opened.defer(() => store.close());
  await savePolled("sample:2026-03-02");
});

afterEach(() => opened.disposeAsync());

/** Saves a snapshot, as a poll does. */
async function savePolled(source: string, splits: readonly Split[] = []): Promise<void> {
  const patch = { ...headerPatch({ ...headerOf(EMPTY_SNAPSHOT), source, splitsKnown: true }), replaces: true, splits };
  await store.snapshot.commit({ patch, events: [], deliveries: [] });
}

/** Opens a sample, as a process does at its start. */
async function open({ isPolling = true, withStore = true } = {}) {
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  const updates: number[] = [];
  catalog.onChange(() => updates.push((clock.now() - MONDAY) / SECOND));
  const shared = withStore ? store : null;
  const source = await SampleSource.open({
    sample,
    note: "Sample data.",
    store: shared,
    catalog,
    clock,
    log: SILENT_LOG,
  });
  opened.defer(() => source.stop());
  const polling = idlePolling({ isRunning: isPolling });
  source.start(polling);
  return {
    catalog,
    updates,
    source,
    polling,
    tickers: () =>
      catalog
        .splits()
        .map((split) => split.ticker)
        .toSorted(),
  };
}

async function whileTimePasses(what: string, condition: () => boolean): Promise<void> {
  await waitUntil(what, async () => {
    await clock.advance(SECOND);
    return condition();
  });
}

function tickersAt(ms: number): string[] {
  return sampleAt(sample, MONDAY, MONDAY + ms)
    .splits.map((split) => split.ticker)
    .toSorted();
}

it("updates the catalog and creates the reminders when they are due", async () => {
  const { updates, polling } = await open({ withStore: false });
  const reminders: number[] = [];
  for (let seconds = 1; seconds <= 180; seconds += 1) {
    await clock.advance(SECOND);
    if (polling.reminders() > reminders.length) reminders.push(seconds);
  }
  expect([updates, reminders]).toEqual([[0, 20, 30, 90, 120, 125, 130, 135, 140, 180], [60]]);
});

it("is ready immediately and identifies itself as a sample", async () => {
  const { catalog, source } = await open({ withStore: false });
  expect([catalog.ready, source.sample, source.problems(), source.id]).toEqual([
    true,
    true,
    ["Sample data."],
    "sample:2026-03-02T14:00:00.000Z",
  ]);
});

it("serves the splits of the story at each moment", async () => {
  const { tickers } = await open({ withStore: false });
  for (let minute = 0; minute <= 16; minute += 1) {
    expect(tickers()).toEqual(tickersAt(minute * MINUTE));
    await clock.advance(MINUTE);
  }
});

it("repeats no step after the system clock was set back", async () => {
  const { tickers, updates } = await open({ withStore: false });
  await clock.advance(7 * MINUTE);
  updates.length = 0;
  clock.jump(-5 * MINUTE);
  await clock.advance(5 * MINUTE);
  expect([tickers(), updates]).toEqual([tickersAt(7 * MINUTE), []]);
  await clock.advance(MINUTE);
  expect([tickers(), updates]).toEqual([tickersAt(8 * MINUTE), [480]]);
});

it("has the same id all day before the story, and another one from its start on", async () => {
  const ids = [(await open()).source.id];
  clock.skip(60 * MINUTE);
  const { source } = await open();
  ids.push(source.id);
  await source.story.replay();
  ids.push(source.id, (await open()).source.id);
  clock.skip(DAY);
  ids.push((await open()).source.id);
  const [monday, started] = ["sample:2026-03-02", "sample:2026-03-02T15:00:00.000Z"];
  expect(ids).toEqual([monday, monday, started, started, "sample:2026-03-03"]);
});

it("waits for the first subscription, and then starts with the dates of that day", async () => {
  const { catalog, source, tickers } = await open();
  await clock.advance(20 * MINUTE);
  expect([source.story.startedAt, tickers()]).toEqual([null, tickersAt(0)]);
  clock.skip(DAY);
  await store.watchlists.add(ALICE, [ticker("ZRVNK")]);
  await whileTimePasses("the story starts", () => source.story.startedAt !== null);
  await whileTimePasses("KSTVJ is listed", () => tickers().includes("KSTVJ"));
  expect(catalog.splits().find((split) => split.ticker === "KSTVJ")?.date_announced).toBe("2026-03-03");
});

it("is not started by a process that doesn't poll, which follows the start by another one", async () => {
  const other = await open({ isPolling: false });
  await store.watchlists.add(ALICE, [ticker("ZRVNK")]);
  await clock.advance(5 * SECOND);
  expect(other.source.story.startedAt).toBeNull();
  const { source } = await open();
  await whileTimePasses("the polling process starts the story", () => source.story.startedAt !== null);
  await whileTimePasses("the other process serves it", () => other.source.id === source.id);
  const firstStart = source.story.startedAt;
  await clock.advance(MINUTE);
  await other.source.story.replay();
  expect(other.source.story.startedAt).not.toBe(firstStart);
  await whileTimePasses("the polling process serves the replay", () => other.source.id === source.id);
});

it("keeps the splits of the earlier sample until the next poll, and those of another source", async () => {
  const { source } = await open();
  for (const id of ["sample:2026-03-02", "wires"]) {
    const split = aSplit();
    await savePolled(id, [split]);
    await source.story.replay();
    const { source: after, splits } = await store.snapshot.read();
    const started = `sample:started ${new Date(clock.now()).toISOString()}`;
    expect([after, [...splits.values()]]).toEqual([id === "wires" ? "wires" : started, [split]]);
    await clock.advance(MINUTE);
  }
});

it("continues a story that started earlier on this day", async () => {
  const first = await open();
  await first.source.story.replay();
  await first.source.stop();
  clock.skip(7 * MINUTE);
  const { source, tickers } = await open();
  expect([source.id, tickers()]).toEqual([first.source.id, tickersAt(7 * MINUTE)]);
  await whileTimePasses("the next split is listed", () => tickers().includes("HRWFJ"));
  expect(tickers()).toEqual(tickersAt(8 * MINUTE));
});

it("makes no updates after it is stopped, not even for a start that waits for a poll", async () => {
  const { source, updates, polling } = await open();
  const changes: (() => Promise<void>)[] = [];
  polling.pauseFor = async (change) => void changes.push(change);
  await source.story.replay();
  await source.stop();
  for (const change of changes) await change();
  await clock.advance(20 * MINUTE);
  expect([source.story.startedAt, updates, clock.sleepers]).toEqual([null, [0], 0]);
});
