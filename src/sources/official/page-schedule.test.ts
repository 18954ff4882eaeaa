import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { FetchError, type FetchFailure } from "../web/fetch-error.ts";
import { createPageSchedule, type ScheduledPage } from "./page-schedule.ts";

const { signal } = new AbortController();

function start(...ids: readonly string[]) {
  const clock = new ManualClock();
  const schedule = createPageSchedule<string>(clock);
  const failing = new Map<string, FetchFailure>();
  const requested: string[] = [];
  const request = async ({ id }: ScheduledPage): Promise<string> => {
    requested.push(id);
    const failure = failing.get(id);
    if (failure !== undefined) throw new FetchError(failure, `${id} failed`);
    return `text of ${id}`;
  };
  const pages = ids.map((id) => ({ id, version: "1" }));
  return {
    clock,
    schedule,
    failing,
    /** Reads the due pages; returns the ids of the requested pages. */
    read: async (listed: readonly ScheduledPage[] = pages): Promise<readonly string[]> => {
      requested.splice(0);
      await schedule.read(schedule.due(listed), { request, signal });
      return [...requested];
    },
  };
}

/** Pauses in minutes between the attempts to read a page that fails. */
async function pausesInMinutes(failure: FetchFailure, days: number): Promise<readonly number[]> {
  const { clock, failing, read } = start("a");
  failing.set("a", failure);
  const pauses: number[] = [];
  let last = clock.now();
  for (const end = clock.now() + days * DAY_MS; clock.now() < end; clock.skip(MINUTE_MS)) {
    if ((await read()).length === 0) continue;
    pauses.push((clock.now() - last) / MINUTE_MS);
    last = clock.now();
  }
  return pauses.slice(1);
}

describe("a schedule of pages", () => {
  it("keeps the text of a page with the version of its entry", async () => {
    const { clock, read, schedule } = start("a", "b");
    expect(await read()).toEqual(["a", "b"]);
    expect(schedule.get("a")).toEqual({ version: "1", readAt: clock.now(), value: "text of a" });
    expect(schedule.get("c")).toBeNull();
    expect([schedule.isTried("b"), schedule.isTried("c")]).toEqual([true, false]);
  });

  it("retries a missing page after a minute, then with growing pauses for 14 days", async () => {
    const pauses = await pausesInMinutes("gone", 40);
    expect(pauses.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
    expect(new Set(pauses.slice(11))).toEqual(new Set([24 * 60]));
    expect(pauses.reduce((sum, minutes) => sum + minutes, 0)).toBeLessThanOrEqual(15 * 24 * 60);
  });

  it("retries a page at least hourly, without an end, while its host fails", async () => {
    const pauses = await pausesInMinutes("unreachable", 20);
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(pauses.at(-1)).toBe(60);
    expect(pauses.length).toBeGreaterThan(19 * 24);
  });

  it("doesn't count an outage of the host toward the retry period of a page", async () => {
    const { clock, failing, read, schedule } = start("a");
    failing.set("a", "unreachable");
    await read();
    clock.skip(20 * DAY_MS);
    failing.set("a", "gone");
    await read();
    expect(schedule.unresolved().map(({ message }) => message)).toEqual(["a failed"]);
    clock.skip(MINUTE_MS);
    expect(await read()).toEqual(["a"]);
  });

  it("reads a page immediately when its entry in the list changes, even after its retry period", async () => {
    const { clock, failing, read, schedule } = start("a");
    failing.set("a", "gone");
    for (let days = 0; days < 16; days += 1) {
      await read();
      clock.skip(DAY_MS);
    }
    expect(schedule.unresolved()).toMatchObject([{ message: "a failed; given up after 14 days" }]);
    expect(await read()).toEqual([]);
    failing.clear();
    expect(await read([{ id: "a", version: "2" }])).toEqual(["a"]);
    expect(schedule.unresolved()).toEqual([]);
  });

  it("stops at a failure of the host, but not at a failure of a page", async () => {
    const { failing, read } = start("a", "b", "c");
    failing.set("a", "unreadable");
    failing.set("b", "refused");
    expect(await read()).toEqual(["a", "b"]);
  });

  it("reads missing and unreadable pages after the others", async () => {
    const { clock, failing, read } = start("a", "b");
    failing.set("a", "gone");
    await read();
    clock.skip(HOUR_MS);
    expect(await read()).toEqual(["b", "a"]);
  });

  it("drops the failures of pages that are no longer listed", async () => {
    const { failing, read, schedule } = start("a");
    failing.set("a", "gone");
    await read();
    expect(schedule.unresolved()).toHaveLength(1);
    await read([]);
    expect(schedule.unresolved()).toEqual([]);
  });
});
