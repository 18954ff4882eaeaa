import { afterEach, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { Observation } from "../../src/catalog/observation.ts";
import { DAY_MS } from "../../src/domain/time/day.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { observationKey } from "../../src/ports/store.ts";
import { splitRowsOf } from "../../src/sources/live/served-rows.ts";
import { createNoticesReader } from "../../src/sources/nasdaq/notice-reader.ts";
import { followStatements } from "../../src/sources/official/follow-statements.ts";
import { openRecordCache } from "../../src/sources/record-cache.ts";
import type { OpenSource } from "../../src/sources/source-definition.ts";
import { FakeNotices, SPLIT_TITLE, splitBody } from "../support/nasdaqtrader.ts";
import { MemoryObservations } from "../support/source-records.ts";
import { type SourceServer, startSourceServer } from "../support/source-server.ts";

/** Clock on which the pause between two readings lasts until the test ends it. */
class PollClock implements Clock {
  readonly #time: Clock;
  #resume: (() => void) | null = null;
  #paused: (() => void) | null = null;

  constructor(time: Clock) {
    this.#time = time;
  }

  now(): number {
    return this.#time.now();
  }

  monotonic(): number {
    return this.#time.monotonic();
  }

  sleep(_: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve());
      this.#resume = resolve;
      this.#paused?.();
    });
  }

  /** Lets one poll begin, unless one is under way, and waits until it ends. */
  poll(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#paused = resolve;
    });
    this.#resume?.();
    return ended;
  }
}

const stored = new MemoryObservations();
let server: SourceServer | undefined;
let source: OpenSource | undefined;

afterEach(async () => {
  await source?.stop();
  await server?.close();
});

/** Starts to follow the notices with what an earlier run stored, and waits for the first poll. */
async function start({ origin, tools }: SourceServer): Promise<PollClock> {
  await source?.stop();
  const observations = await openRecordCache(stored, observationKey);
  const reader = createNoticesReader(origin, { ...tools, recordedObservations: () => observations.all() });
  const clock = new PollClock(tools.clock);
  const ended = clock.poll();
  source = followStatements(reader, { observations, clock, log: SILENT_LOG });
  await ended;
  return clock;
}

interface State {
  /** Kind, ratio and ex date of each revision. */
  readonly observations: readonly string[];
  readonly rows: readonly string[];
  readonly events: readonly string[];
  readonly status: string | undefined;
}

function state(): State {
  const splits = buildCatalog({ releases: [], observations: stored.stored.values() });
  return {
    observations: [...stored.stored.values()].map(describeRevision),
    rows: splits.flatMap(splitRowsOf).map((row) => `${row.ticker} ${row.ratio} ${row.ex_date} ${row.date_announced}`),
    events: splits.flatMap(({ events }) => events.map(({ kind, terms }) => `${kind} ${terms.exDate ?? "no date"}`)),
    status: splits.map(({ status }) => status).join(" "),
  };
}

function describeRevision({ kind, ratio, exDate }: Observation): string {
  return `${kind} 1:${ratio?.oldShares ?? "?"} ${exDate ?? "no date"}`;
}

it("a notice that is revised in place, over two restarts, changes one split", async () => {
  const fake = new FakeNotices();
  const started = await startSourceServer((request) => fake.answer(request));
  server = started;
  const publish = (body: string, title = SPLIT_TITLE): void => fake.publish({ number: "2026-101", title, body });
  const first = "announced 1:40 2026-03-10";

  publish(splitBody());
  let clock = await start(started);
  await clock.poll();
  expect(state()).toEqual({
    observations: [first],
    rows: ["QLMR 1:40 2026-03-10 2026-02-27"],
    events: ["announced 2026-03-10"],
    status: "announced",
  });

  // The title stays the same, and the process is stopped meanwhile.
  const moved = "postponed 1:30 2026-03-19";
  publish(
    splitBody({
      ratio: "one-for-thirty (1-30)",
      effective: "The reverse stock split has been postponed and will become effective on Thursday, March 19, 2026.",
    }),
  );
  started.tools.clock.skip(DAY_MS);
  clock = await start(started);
  expect(state()).toEqual({
    observations: [first, moved],
    rows: ["QLMR 1:30 2026-03-19 2026-02-27"],
    events: ["announced 2026-03-10", "postponed 2026-03-19"],
    status: "announced",
  });

  const open = "postponed 1:30 no date";
  const undated = splitBody({
    ratio: "one-for-thirty (1-30)",
    effective: "The effective date of the reverse stock split is to be announced.",
  });
  publish(undated, `(UPDATED) ${SPLIT_TITLE}`);
  await clock.poll();
  expect(state()).toEqual({
    observations: [first, moved, open],
    rows: [],
    events: ["announced 2026-03-10", "postponed 2026-03-19", "postponed no date"],
    status: "postponed",
  });

  clock = await start(started);
  expect(state().observations).toEqual([first, moved, open]);
  const dated = splitBody({
    ratio: "one-for-thirty (1-30)",
    effective: "The reverse stock split will become effective on Tuesday, March 24, 2026.",
  });
  publish(dated, `(UPDATED 3/5/2026) ${SPLIT_TITLE}`);
  await clock.poll();
  expect(state()).toMatchObject({
    observations: [first, moved, open, "announced 1:30 2026-03-24"],
    rows: ["QLMR 1:30 2026-03-24 2026-02-27"],
    status: "announced",
  });
});
