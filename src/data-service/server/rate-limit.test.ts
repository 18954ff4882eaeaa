import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { createRateLimit } from "./rate-limit.ts";

it("refuses at the edge of a minute what would make more than the limit within any minute", async () => {
  const clock = new ManualClock();
  const limit = createRateLimit({ clock, perMinute: 2 });
  expect(limit.take("a")).toEqual({ ok: true });
  await clock.advance(59_000);
  expect(limit.take("a")).toEqual({ ok: true });
  expect(limit.take("a")).toEqual({ ok: false, retryAfterSeconds: 1 });
  await clock.advance(1_000);
  expect(limit.take("a")).toEqual({ ok: true });
  expect(limit.take("a")).toEqual({ ok: false, retryAfterSeconds: 59 });
});

it("lets pass whoever waited as long as it said", async () => {
  const clock = new ManualClock();
  const limit = createRateLimit({ clock, perMinute: 1 });
  limit.take("a");
  await clock.advance(12_345);
  const refused = limit.take("a");
  expect(refused).toEqual({ ok: false, retryAfterSeconds: 48 });
  await clock.advance(48_000);
  expect(limit.take("a").ok).toBe(true);
});

it("locks nobody out when the system's clock is set back", () => {
  const clock = new ManualClock("2026-03-02T14:00:00Z");
  const limit = createRateLimit({ clock, perMinute: 1 });
  limit.take("a");
  clock.setTo("2026-03-02T13:00:00Z");
  expect(limit.take("a").ok).toBe(true);
});

it("never lets more than the limit pass within a minute, and never refuses below it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 }), (pauses) => {
      const clock = { now: () => now, sleep: () => Promise.resolve() };
      let now = 0;
      const limit = createRateLimit({ clock, perMinute: 3 });
      const passed: number[] = [];
      for (const pause of pauses) {
        now += pause;
        const within = passed.filter((time) => now - time < 60_000).length;
        expect(limit.take("a").ok).toBe(within < 3);
        if (within < 3) passed.push(now);
      }
    }),
  );
});
