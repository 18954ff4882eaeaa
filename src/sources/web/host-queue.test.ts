import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { createHostQueue, type QueueOptions } from "./host-queue.ts";

const PACE_MS = 10_000;

/** A queue, and the name and start time of each request that it ran. */
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
  it("alternate with forty pages, and every request keeps its pace", async () => {
    const { add, clock, names, ran } = start();
    const pages = Array.from({ length: 40 }, (_, n) => add(`page ${n}`));
    await clock.advance(0);
    await clock.advance(PACE_MS + 5_000);
    const feeds = [add("feed", { kind: "feed", paceMs: 1_000 }), add("robots", { kind: "robots", paceMs: 1_000 })];
    await clock.advance(0);
    await clock.advance(45 * PACE_MS);
    await Promise.all([...pages, ...feeds]);
    expect(names().slice(0, 6)).toEqual(["page 0", "page 1", "feed", "page 2", "robots", "page 3"]);
    expect(ran.slice(0, 6).map(({ atMs }) => atMs)).toEqual([0, 10_000, 15_000, 25_000, 26_000, 36_000]);
    const pauses = ran.slice(1).map(({ atMs }, at) => atMs - (ran[at]?.atMs ?? 0));
    expect(pauses.slice(5).every((ms) => ms === PACE_MS)).toBe(true);
    expect(names().slice(5)).toEqual(Array.from({ length: 37 }, (_, n) => `page ${n + 3}`));
  });

  it("alternate with a page however many feeds are queued", async () => {
    const { add, clock, names } = start();
    await add("feed", { kind: "feed" });
    const feeds = Array.from({ length: 20 }, () => add("feed", { kind: "feed", paceMs: 1_000 }));
    const page = add("page", { paceMs: 1_000 });
    await clock.advance(0);
    await clock.advance(22_000);
    await Promise.all([page, ...feeds]);
    expect(names().indexOf("page")).toBe(1);
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

it("runs the next request after its pace if the system clock was set back", async () => {
  const { add, clock, names } = start();
  await add("a");
  await clock.advance(0);
  clock.jump(-60 * PACE_MS);
  const next = add("b");
  await clock.advance(PACE_MS - 1);
  expect(names()).toEqual(["a"]);
  await clock.advance(1);
  expect(names()).toEqual(["a", "b"]);
  await next;
});

describe("an abort", () => {
  it("rejects the queued requests of its signal immediately and runs the others", async () => {
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

  it("causes no leak warning, and has no listeners after the requests", async () => {
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
