import { describe, expect, it } from "vitest";

import { ManualScheduler } from "../../test/support/manual-scheduler.ts";
import type { PollReport } from "../ports/store.ts";
import { createStaleness, type ReadinessParts, readReadiness } from "./readiness.ts";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-03-02T14:00:00Z");
const clock = { now: () => NOW };

function stalenessOf(splits: string): ReturnType<typeof createStaleness> {
  const crons = { splits, articles: "*/5 * * * *" };
  return createStaleness({ scheduler: new ManualScheduler(), clock, timezone: "UTC", crons });
}

function pollOf(resource: PollReport["resource"], parts: Partial<PollReport> = {}): PollReport {
  const report = { resource, at: NOW, outcome: "complete", detail: "read", records: 1, quarantined: [] } as const;
  return { ...report, lastCompleteAt: NOW, ...parts };
}

function partsWith(parts: Partial<ReadinessParts> = {}, splits: Partial<PollReport> = {}): ReadinessParts {
  const polls = { splits: pollOf("splits", splits), articles: pollOf("articles") };
  return {
    store: { health: () => null, polls: { read: async () => polls, write: async () => undefined } },
    platforms: [{ name: "web", health: () => ({ ok: true }) }],
    source: { notes: () => [], problem: () => null },
    isStale: stalenessOf("*/2 * * * *"),
    clock,
    ...parts,
  };
}

describe("data is stale", () => {
  it.each([
    ["*/2 * * * *", 30, 31],
    ["*/15 * * * *", 45, 46],
    ["0 * * * *", 180, 181],
  ])("that is polled at %s: not after %i minutes, but after %i", (cron, fresh, stale) => {
    const isStale = stalenessOf(cron);
    expect(isStale("splits", NOW - fresh * MINUTE_MS)).toBe(false);
    expect(isStale("splits", NOW - stale * MINUTE_MS)).toBe(true);
    expect(isStale("articles", NOW - 31 * MINUTE_MS)).toBe(true);
  });

  it("that was never read completely", () => {
    expect(stalenessOf("0 * * * *")("splits", null)).toBe(true);
  });
});

describe("readiness", () => {
  it("is there when all is well", async () => {
    const ok = { ok: true, detail: expect.any(String) };
    expect(await readReadiness(partsWith())).toEqual({
      ready: true,
      checks: { store: ok, source: ok, splits: ok, articles: ok, web: ok },
    });
  });

  it("is there between two polls an hour apart", async () => {
    const splits = { lastCompleteAt: NOW - 59 * MINUTE_MS };
    expect((await readReadiness(partsWith({}, splits))).ready).toBe(false);
    expect((await readReadiness(partsWith({ isStale: stalenessOf("0 * * * *") }, splits))).ready).toBe(true);
  });

  it("is gone when the source cannot be read, and says why", async () => {
    const source = { notes: () => ["splits.jsonl is gone"], problem: () => "splits.jsonl is gone" };
    const { ready, checks } = await readReadiness(partsWith({ source }));
    expect([ready, checks.source]).toEqual([false, { ok: false, detail: "splits.jsonl is gone" }]);
  });

  it("stays when records are set aside, and says so", async () => {
    const source = {
      notes: () => ["line 2: no ticker", "line 3: no ticker", "line 4: no ticker"],
      problem: () => null,
    };
    const { ready, checks } = await readReadiness(partsWith({ source }));
    expect([ready, checks.source]).toEqual([true, { ok: true, detail: "line 2: no ticker (and 2 more)" }]);
  });

  it.each(["suspicious", "failed"] as const)("is gone when the last poll %s", async (outcome) => {
    expect((await readReadiness(partsWith({}, { outcome }))).checks.splits?.ok).toBe(false);
  });

  it("is there while articles are read in parts, until the last complete reading is too old", async () => {
    const part = { outcome: "incomplete" as const };
    expect((await readReadiness(partsWith({}, part))).ready).toBe(true);
    expect((await readReadiness(partsWith({}, { ...part, lastCompleteAt: NOW - 31 * MINUTE_MS }))).ready).toBe(false);
  });
});
