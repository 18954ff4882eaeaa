import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { createHostQueue, type QueueOptions } from "./host-queue.ts";

const PACE_MS = 10_000;

/** A queue with the requests that it ran, by name, at the time at which each started. */
function start() {
  const clock = new ManualClock();
  const queue = createHostQueue(clock);
  const startedAt = clock.now();
  const ran: { readonly name: string; readonly atMs: number }[] = [];
  const signal = new AbortController().signal;
  return {
    clock,
    signal,
    ran,
    names: () => ran.map(({ name }) => name),
    add: (name: string, options: Partial<QueueOptions> = {}): Promise<void> =>
      queue.run({ host: "wire.example", kind: "page", paceMs: PACE_MS, signal, ...options }, async () => {
        ran.push({ name, atMs: clock.now() - startedAt });
      }),
  };
}

describe("requests for feeds", () => {
  it("pass forty pages, and every request keeps its pace", async () => {
    const { add, clock, names, ran } = start();
    const pages = Array.from({ length: 40 }, (_, n) => add(`page ${n}`));
    await clock.advance(0);
    await clock.advance(PACE_MS + 5_000);
    const feeds = [add("feed", { kind: "feed", paceMs: 1_000 }), add("robots", { kind: "robots", paceMs: 1_000 })];
    await clock.advance(0);
    await clock.advance(45 * PACE_MS);
    await Promise.all([...pages, ...feeds]);
    expect(names().slice(0, 5)).toEqual(["page 0", "page 1", "feed", "robots", "page 2"]);
    expect(ran.slice(0, 5).map(({ atMs }) => atMs)).toEqual([0, 10_000, 15_000, 16_000, 26_000]);
    const pauses = ran.slice(1).map(({ atMs }, at) => atMs - (ran[at]?.atMs ?? 0));
    expect(pauses.slice(4).every((ms) => ms === PACE_MS)).toBe(true);
    expect(names().slice(4)).toEqual(Array.from({ length: 38 }, (_, n) => `page ${n + 2}`));
  });

  it("don't pass a page that has waited for more than two minutes", async () => {
    const { add, clock, names } = start();
    await add("feed", { kind: "feed" });
    const page = add("page");
    for (let seconds = 0; seconds < 180 && !names().includes("page"); seconds += 5) {
      void add("feed", { kind: "feed", paceMs: 1_000 });
      await clock.advance(5_000);
    }
    await page;
    const waited = names().indexOf("page") * 5_000;
    expect(waited).toBeGreaterThanOrEqual(2 * MINUTE_MS);
    expect(waited).toBeLessThanOrEqual(2 * MINUTE_MS + PACE_MS + 5_000);
  });

  it("are run in call order among themselves", async () => {
    const { add, clock, names } = start();
    const feeds = ["a", "b", "c"].map((name) => add(name, { kind: "feed" }));
    await clock.advance(0);
    await clock.advance(3 * PACE_MS);
    await Promise.all(feeds);
    expect(names()).toEqual(["a", "b", "c"]);
  });
});

it("runs requests to different hosts at the same time", async () => {
  const { add, names } = start();
  await Promise.all([add("a", { host: "a.example" }), add("b", { host: "b.example" })]);
  expect(names()).toEqual(["a", "b"]);
});

it("runs the next request after one that fails", async () => {
  const queue = createHostQueue(new ManualClock());
  const options = { host: "a.example", kind: "feed", paceMs: 0, signal: new AbortController().signal } as const;
  await expect(queue.run(options, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  await expect(queue.run(options, () => Promise.resolve("ran"))).resolves.toBe("ran");
});

describe("an abort", () => {
  it("rejects queued requests at once, whether first or not, and runs those of others", async () => {
    const { add, clock, names } = start();
    const stop = new AbortController();
    await add("a");
    const stopped = [add("b", { signal: stop.signal }), add("c", { signal: stop.signal })];
    const other = add("d");
    stop.abort(new Error("stopped"));
    for (const result of await Promise.allSettled(stopped)) expect(result).toMatchObject({ status: "rejected" });
    await clock.advance(PACE_MS);
    await other;
    expect(names()).toEqual(["a", "d"]);
    await expect(add("e", { signal: stop.signal })).rejects.toThrow("stopped");
  });
});

describe("a signal that many requests share", () => {
  const warnings: Error[] = [];
  const record = (warning: Error): number => warnings.push(warning);
  afterEach(() => process.off("warning", record));

  it("causes no warning of a leak, and has no listener left when they are done", async () => {
    process.on("warning", record);
    const { add, clock, signal } = start();
    const requests = Array.from({ length: 30 }, (_, n) => add(`request ${n}`));
    expect(getEventListeners(signal, "abort").length).toBeGreaterThan(10);
    await clock.advance(0);
    await clock.advance(30 * PACE_MS);
    await Promise.all(requests);
    await setImmediate();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
