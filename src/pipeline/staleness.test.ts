import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/app.ts";
import { aRule, BOB, GENERAL, ticker } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { commitParts } from "../../test/support/poll-parts.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { createMutex } from "../lib/mutex.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { PollReport, Resource, Store } from "../ports/store.ts";
import { configuredStore } from "../store/index.ts";
import { createStalenessMonitor, type StalenessMonitor } from "./staleness.ts";

const HALF_AN_HOUR_MS = 30 * MINUTE_MS;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let store: Store;
let monitor: StalenessMonitor;
let sourceProblem: string | null;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  sourceProblem = null;
  await open();
  await store.rules.add(aRule({ events: ["stale"], tickers: [ticker("BOLT")], destination: GENERAL }));
  await store.rules.add(aRule({ destination: { ...GENERAL, id: "default" } }));
  await store.watchlists.add(BOB, [ticker("ACME")]);
});

afterEach(async () => {
  await store.close();
  await folder.remove();
});

async function open(): Promise<void> {
  store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  monitor = createStalenessMonitor({
    ...commitParts(),
    store,
    clock,
    exclusive: createMutex(),
    isStale: (_resource, readAt) => readAt === null || clock.now() - readAt > HALF_AN_HOUR_MS,
    source: { sample: false },
    sourceProblem: () => sourceProblem,
  });
}

async function restart(): Promise<void> {
  await store.close();
  await open();
}

/** Reports a poll and notifies the monitor, as the poller does. */
async function poll(resource: Resource, outcome: PollReport["outcome"], events = 0): Promise<void> {
  const previous = (await store.polls.read())[resource]?.lastCompleteAt ?? null;
  const at = clock.now();
  const lastCompleteAt = outcome === "complete" ? at : previous;
  const detail = outcome === "complete" ? "read" : "the source answered 500";
  await store.polls.write({ resource, at, outcome, detail, records: 0, quarantined: [], lastCompleteAt });
  await monitor.recordPoll(events);
}

async function pollBoth(outcome: PollReport["outcome"], events = 0): Promise<void> {
  await poll("splits", outcome, events);
  await poll("articles", outcome);
}

/** `begun splits: …` and `over 3` events that wait for the subscribed channel; no other destination may have one. */
async function staleEvents(): Promise<readonly string[]> {
  const byDefault = await store.outbox.waiting([{ ...GENERAL, id: "default" }]);
  const bob = await store.outbox.waiting([BOB]);
  expect([...byDefault, ...bob]).toEqual([]);
  const waiting = await store.outbox.waiting([GENERAL]);
  return waiting.map(({ event }) => {
    if (event.kind !== "stale") return event.kind;
    return event.state === "begun" ? `begun ${event.problem}` : `over ${event.eventCount}`;
  });
}

describe("stale data", () => {
  it("is reported, with its end, to destinations that subscribed to it, regardless of the rule's tickers", async () => {
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR_MS);
    await poll("splits", "failed");
    expect(await staleEvents()).toEqual([]);
    clock.skip(MINUTE_MS);
    await poll("splits", "failed");
    await poll("splits", "failed");
    expect(await staleEvents()).toEqual(["begun splits: the source answered 500"]);
    await pollBoth("complete", 3);
    await pollBoth("complete", 2);
    expect(await staleEvents()).toEqual(["begun splits: the source answered 500", "over 3"]);
  });

  it("is detected while polls wait at the request of the source", async () => {
    await pollBoth("complete");
    await poll("splits", "failed");
    clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
    await monitor.check();
    expect(await staleEvents()).toHaveLength(1);
  });

  it("is reported once, across restarts and further failures", async () => {
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
    await pollBoth("failed");
    await restart();
    await monitor.check();
    await pollBoth("failed");
    clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
    await pollBoth("failed");
    expect(await staleEvents()).toEqual(["begun splits: the source answered 500"]);
    await poll("splits", "complete", 1);
    expect(await staleEvents()).toHaveLength(1);
    await poll("articles", "complete");
    expect(await staleEvents()).toEqual(["begun splits: the source answered 500", "over 1"]);
  });

  it("is not reported if the next poll succeeds after the machine slept", async () => {
    await pollBoth("complete");
    clock.skip(8 * 60 * MINUTE_MS);
    await monitor.check();
    await poll("splits", "complete");
    expect(await staleEvents()).toEqual([]);
  });

  it("is reported half an hour after a start whose polls all failed", async () => {
    await pollBoth("failed");
    clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
    await pollBoth("failed");
    expect(await staleEvents()).toEqual(["begun splits: the source answered 500"]);
  });

  it("is reported if the list stays suspicious", async () => {
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
    await poll("splits", "suspicious");
    expect(await staleEvents()).toHaveLength(1);
  });

  it("is reported if the source answers but has no readable data", async () => {
    await pollBoth("complete");
    sourceProblem = "No wire can be read.";
    await pollBoth("complete");
    clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
    await pollBoth("complete");
    sourceProblem = null;
    await pollBoth("complete");
    expect(await staleEvents()).toEqual(["begun No wire can be read.", "over 0"]);
  });

  it.each([-4, 4])("is reported half an hour after a start, also if the clock is set by %i hours", async (hours) => {
    await pollBoth("failed");
    clock.jump(hours * 60 * MINUTE_MS);
    clock.skip(HALF_AN_HOUR_MS - MINUTE_MS);
    await pollBoth("failed");
    expect(await staleEvents()).toEqual([]);
    clock.skip(2 * MINUTE_MS);
    await pollBoth("failed");
    expect(await staleEvents()).toHaveLength(1);
  });

  it("is reported although the last report seems to be in the future", async () => {
    for (const jumpMs of [0, -120 * MINUTE_MS]) {
      clock.jump(jumpMs);
      await pollBoth("complete");
      clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
      await pollBoth("failed");
      await pollBoth("complete");
    }
    expect((await staleEvents()).filter((event) => event.startsWith("begun"))).toHaveLength(2);
  });

  it("is reported at most once an hour", async () => {
    await pollBoth("complete");
    for (let times = 0; times < 4; times += 1) {
      clock.skip(HALF_AN_HOUR_MS + MINUTE_MS);
      await pollBoth("failed");
      await pollBoth("complete");
    }
    expect(await staleEvents()).toHaveLength(4);
  });
});
