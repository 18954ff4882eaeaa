import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { aRule, BOB, GENERAL, ticker } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { createMetrics } from "../lib/metrics.ts";
import { createMutex } from "../lib/mutex.ts";
import type { PollReport, Resource, Store } from "../ports/store.ts";
import { openLowdbStore } from "../store/lowdb/open.ts";
import { createStalenessMonitor, type StalenessMonitor } from "./staleness.ts";

const HALF_AN_HOUR = 30 * MINUTE_MS;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let store: Store;
let watch: StalenessMonitor;
let sourceProblem: string | null;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  sourceProblem = null;
  await open();
  await store.rules.add(aRule({ events: ["stale"], tickers: [ticker("BOLT")], destination: GENERAL }));
  await store.rules.add(aRule({ destination: { ...GENERAL, id: "usual" } }));
  await store.watchlists.add(BOB, [ticker("ACME")]);
});

afterEach(async () => {
  await store.close();
  await folder.remove();
});

async function open(): Promise<void> {
  store = await openLowdbStore({ dir: folder.path, clock, log: silentLog });
  watch = createStalenessMonitor({
    store,
    clock,
    log: silentLog,
    metrics: createMetrics(),
    reaches: () => true,
    wake: () => undefined,
    exclusive: createMutex(),
    isStale: (_resource, readAt) => readAt === null || clock.now() - readAt > HALF_AN_HOUR,
    source: { sample: false },
    sourceProblem: () => sourceProblem,
  });
}

async function restart(): Promise<void> {
  await store.close();
  await open();
}

/** As a poll does: reports, then has the watch look. */
async function poll(resource: Resource, outcome: PollReport["outcome"], events = 0): Promise<void> {
  const previous = (await store.polls.read())[resource]?.lastCompleteAt ?? null;
  const at = clock.now();
  const lastCompleteAt = outcome === "complete" ? at : previous;
  const detail = outcome === "complete" ? "read" : "the source answered 500";
  await store.polls.write({ resource, at, outcome, detail, records: 0, quarantined: [], lastCompleteAt });
  await watch.polled(events);
}

async function pollBoth(outcome: PollReport["outcome"], events = 0): Promise<void> {
  await poll("splits", outcome, events);
  await poll("articles", outcome);
}

/** `begun splits: …` and `over 3` that wait for the channel that asked, with who else was told. */
async function told(): Promise<readonly string[]> {
  const usual = await store.outbox.waitingAt({ ...GENERAL, id: "usual" });
  const bob = await store.outbox.waitingAt(BOB);
  expect([...usual, ...bob]).toEqual([]);
  const waiting = await store.outbox.waitingAt(GENERAL);
  return waiting.map(({ event }) => {
    if (event.kind !== "stale") return event.kind;
    return event.state === "begun" ? `begun ${event.problem}` : `over ${event.eventCount}`;
  });
}

describe("data that grows old", () => {
  it("is told where it was asked for, whatever tickers the rule names, and so is its end", async () => {
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR);
    await poll("splits", "failed");
    expect(await told()).toEqual([]);
    clock.skip(MINUTE_MS);
    await poll("splits", "failed");
    await poll("splits", "failed");
    expect(await told()).toEqual(["begun splits: the source answered 500"]);
    await pollBoth("complete", 3);
    await pollBoth("complete", 2);
    expect(await told()).toEqual(["begun splits: the source answered 500", "over 3"]);
  });

  it("is seen while the source wants not to be asked", async () => {
    await pollBoth("complete");
    await poll("splits", "failed");
    clock.skip(HALF_AN_HOUR + MINUTE_MS);
    await watch.look();
    expect(await told()).toHaveLength(1);
  });

  it("is told again neither by a restart nor by the first failure after it", async () => {
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR + MINUTE_MS);
    await pollBoth("failed");
    await restart();
    await watch.look();
    await pollBoth("failed");
    clock.skip(HALF_AN_HOUR + MINUTE_MS);
    await pollBoth("failed");
    expect(await told()).toEqual(["begun splits: the source answered 500"]);
    await poll("splits", "complete", 1);
    expect(await told()).toHaveLength(1);
    await poll("articles", "complete");
    expect(await told()).toEqual(["begun splits: the source answered 500", "over 1"]);
  });

  it("is not what a sleep of the machine leaves behind", async () => {
    await pollBoth("complete");
    clock.skip(8 * 60 * MINUTE_MS);
    await watch.look();
    await poll("splits", "complete");
    expect(await told()).toEqual([]);
  });

  it("is told half an hour after a start that never read anything", async () => {
    await pollBoth("failed");
    clock.skip(HALF_AN_HOUR + MINUTE_MS);
    await pollBoth("failed");
    expect(await told()).toEqual(["begun splits: the source answered 500"]);
  });

  it("is a list that is doubted for long, too", async () => {
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR + MINUTE_MS);
    await poll("splits", "suspicious");
    expect(await told()).toHaveLength(1);
  });

  it("is that of a source that answers but cannot read its own", async () => {
    await pollBoth("complete");
    sourceProblem = "No wire can be read.";
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR + MINUTE_MS);
    await pollBoth("complete");
    sourceProblem = null;
    await pollBoth("complete");
    expect(await told()).toEqual(["begun No wire can be read.", "over 0"]);
  });

  it("is told no more than once an hour", async () => {
    await pollBoth("complete");
    for (let times = 0; times < 4; times += 1) {
      clock.skip(HALF_AN_HOUR + MINUTE_MS);
      await pollBoth("failed");
      await pollBoth("complete");
    }
    expect(await told()).toHaveLength(4);
  });
});
