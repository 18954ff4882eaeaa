import { describe, expect, it } from "vitest";

import { ManualClock } from "../../test/support/manual-clock.ts";
import { ManualScheduler } from "../../test/support/manual-scheduler.ts";
import { temporaryStore } from "../../test/support/temporary-store.ts";
import { type PollReport, StoreError } from "../ports/store.ts";
import { type ReadinessParts, readReadiness } from "./readiness.ts";
import { createPollTiming, type PollTiming } from "./staleness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.parse("2026-03-02T14:00:00Z");

function timingWith(splits: string, clock = new ManualClock()): PollTiming {
  const crons = { splits, articles: "*/5 * * * *" };
  return createPollTiming({ scheduler: new ManualScheduler(), clock, timezone: "UTC", crons });
}

/** The reports of the last polls, as a store returns them. */
async function reportsWith(clock: ManualClock): Promise<ReadinessParts["store"]> {
  const { polls } = await temporaryStore({ clock });
  await polls.write(pollOf("splits"));
  await polls.write(pollOf("articles"));
  return { health: () => null, polls };
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
    source: { notes: () => [], problem: () => null, live: null },
    timing: timingWith("*/2 * * * *"),
    clock: new ManualClock(),
    ...parts,
  };
}

describe("staleness", () => {
  it.each([
    ["*/2 * * * *", 30, 31],
    ["*/15 * * * *", 45, 46],
    ["0 * * * *", 180, 181],
  ])("with polls at %s begins between minute %i and minute %i", (cron, fresh, stale) => {
    const { isStale } = timingWith(cron);
    expect(isStale("splits", NOW - fresh * MINUTE_MS)).toBe(false);
    expect(isStale("splits", NOW - stale * MINUTE_MS)).toBe(true);
    expect(isStale("articles", NOW - 31 * MINUTE_MS)).toBe(true);
  });

  it("applies to data that was never polled completely", () => {
    expect(timingWith("0 * * * *").isStale("splits", null)).toBe(true);
  });
});

describe("readiness without polls", () => {
  it("is possible for a process that only reads or serves the sources", async () => {
    const { ready, checks } = await readReadiness(
      partsWith({ timing: null }, { outcome: "failed", lastCompleteAt: null }),
    );
    expect([ready, Object.keys(checks)]).toEqual([true, ["store", "source", "web"]]);
  });

  it.each([
    ["*/2 * * * *", 7],
    ["0 * * * *", 65],
  ])(
    "with polls at %s ends after %i minutes, also if the system clock is set back and forward",
    async (cron, minutes) => {
      const clock = new ManualClock();
      const parts = partsWith({ timing: timingWith(cron, clock), clock, store: await reportsWith(clock) });
      for (const jumpMs of [0, -HOUR_MS, 2 * HOUR_MS]) {
        clock.jump(jumpMs);
        expect((await readReadiness(parts)).checks.splits?.detail).toContain("last complete 0 s ago");
      }
      clock.skip(minutes * MINUTE_MS);
      expect((await readReadiness(parts)).checks.splits?.ok).toBe(true);
      clock.skip(1);
      const { ok, detail } = (await readReadiness(parts)).checks.splits ?? {};
      expect([ok, detail]).toEqual([
        false,
        `complete: read; last complete ${minutes * 60} s ago; the next poll is overdue`,
      ]);
    },
  );
});

describe("readiness without a readable store", () => {
  const outage = new StoreError("database: no connection to db.example");
  const failing = { read: () => Promise.reject(outage), write: async () => undefined };

  it("is false with the reason, and without checks of the polls", async () => {
    const { ready, checks } = await readReadiness(partsWith({ store: { health: () => null, polls: failing } }));
    expect([ready, checks.store, Object.keys(checks)]).toEqual([
      false,
      { ok: false, detail: outage.message },
      ["store", "source", "web"],
    ]);
  });

  it("doesn't wait for a store that reports a problem", async () => {
    const polls = { ...failing, read: () => new Promise<never>(() => undefined) };
    const { checks } = await readReadiness(partsWith({ store: { health: () => "the disk is full", polls } }));
    expect(checks.store).toEqual({ ok: false, detail: "the disk is full" });
  });

  it("is reported after two seconds without an answer", async () => {
    const clock = new ManualClock();
    const polls = { ...failing, read: () => new Promise<never>(() => undefined) };
    const readiness = readReadiness(partsWith({ clock, store: { health: () => null, polls } }));
    await clock.advance(2_000);
    expect((await readiness).checks.store).toEqual({ ok: false, detail: "no answer within 2 s" });
  });
});

describe("readiness", () => {
  it("is true when every check passes", async () => {
    const ok = { ok: true, detail: expect.any(String) };
    expect(await readReadiness(partsWith())).toEqual({
      ready: true,
      checks: { store: ok, source: ok, splits: ok, articles: ok, web: ok },
    });
  });

  it("is true, with the problem named, while a part of a platform doesn't work", async () => {
    const problem = { reason: "the commands are not registered", since: NOW, retryAt: NOW + MINUTE_MS };
    const platforms = [{ name: "discord", health: () => ({ ok: true, problem }) as const }];
    const { ready, checks } = await readReadiness(partsWith({ platforms }));
    const text = "the commands are not registered; since 2026-03-02T14:00:00.000Z, next try 2026-03-02T14:01:00.000Z";
    expect([ready, checks.discord]).toEqual([true, { ok: true, detail: "connected", problem: text }]);
  });

  it("is true between two polls an hour apart", async () => {
    const splits = { at: NOW - 59 * MINUTE_MS, lastCompleteAt: NOW - 59 * MINUTE_MS };
    expect((await readReadiness(partsWith({}, splits))).ready).toBe(false);
    expect((await readReadiness(partsWith({ timing: timingWith("0 * * * *") }, splits))).ready).toBe(true);
  });

  it("is false, with the reason, when the source cannot be read", async () => {
    const source = { notes: () => ["splits.jsonl is gone"], problem: () => "splits.jsonl is gone", live: null };
    const { ready, checks } = await readReadiness(partsWith({ source }));
    expect([ready, checks.source]).toEqual([false, { ok: false, detail: "splits.jsonl is gone" }]);
  });

  it("is true, with a note, when records are quarantined", async () => {
    const source = {
      notes: () => ["line 2: no ticker", "line 3: no ticker", "line 4: no ticker"],
      problem: () => null,
      live: null,
    };
    const { ready, checks } = await readReadiness(partsWith({ source }));
    expect([ready, checks.source]).toEqual([true, { ok: true, detail: "line 2: no ticker (and 2 more)" }]);
  });

  it("names the first quarantined record of a poll", async () => {
    const reason = 'ACME: ex_date: got "soon", expected a day as YYYY-MM-DD';
    const { ready, checks } = await readReadiness(partsWith({}, { quarantined: [reason, "BETA: ratio: got 1"] }));
    expect([ready, checks.splits?.detail]).toEqual([
      true,
      `complete: read; 2 quarantined (${reason}); last complete 0 s ago`,
    ]);
  });

  it.each(["suspicious", "failed"] as const)("is false when the last poll is %s", async (outcome) => {
    expect((await readReadiness(partsWith({}, { outcome }))).checks.splits?.ok).toBe(false);
  });

  it("is true while polls are incomplete, until the last complete poll is too old", async () => {
    const incomplete = { outcome: "incomplete" as const };
    expect((await readReadiness(partsWith({}, incomplete))).ready).toBe(true);
    expect((await readReadiness(partsWith({}, { ...incomplete, lastCompleteAt: NOW - 31 * MINUTE_MS }))).ready).toBe(
      false,
    );
  });
});
