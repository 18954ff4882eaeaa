import { array, assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";
import { createRateLimiter, createSlidingWindow } from "./rate-limiter.ts";

const TOKEN: RateLimit = { key: "token", everyMs: 20, burst: 5 };
const CHANNEL: RateLimit = { key: "channel-1", everyMs: 1_000, burst: 1 };
const ANY_WAIT = Number.POSITIVE_INFINITY;

describe("rate limiter", () => {
  it("starts without credit and restores it after an idle period", () => {
    const clock = new ManualClock();
    const limiter = createRateLimiter(clock);
    const first = [1, 2, 3].map(() => limiter.reserve([TOKEN], ANY_WAIT));
    clock.skip(10_000);
    const later = [1, 2, 3, 4, 5, 6].map(() => limiter.reserve([TOKEN], ANY_WAIT));

    expect(first).toEqual([0, 20, 40]);
    expect(later).toEqual([0, 0, 0, 0, 0, 20]);
  });

  it("waits for the strictest limit without delaying other keys", () => {
    const limiter = createRateLimiter(new ManualClock());
    limiter.reserve([TOKEN, CHANNEL], ANY_WAIT);

    expect(limiter.reserve([TOKEN, CHANNEL], ANY_WAIT)).toBe(1_000);
    expect(limiter.reserve([{ ...CHANNEL, key: "channel-2" }], ANY_WAIT)).toBe(0);
  });

  it("takes no slot later than the maximum wait", () => {
    const clock = new ManualClock();
    const limiter = createRateLimiter(clock);
    limiter.reserve([CHANNEL], ANY_WAIT);

    expect(limiter.reserve([CHANNEL], 500)).toBe(1_000);
    expect(limiter.reserve([CHANNEL], 500)).toBe(1_000);
    clock.skip(1_000);
    expect(limiter.reserve([CHANNEL], 500)).toBe(0);
  });

  it("admits messages up to the in-flight limit and one more when one ends", () => {
    const limiter = createRateLimiter(new ManualClock());
    const workspace = [CHANNEL, { ...TOKEN, maxInFlight: 2 }];
    const [first] = [limiter.enter(workspace), limiter.enter(workspace)];
    expect(limiter.enter(workspace)).toBeNull();
    expect(limiter.enter([CHANNEL, { ...TOKEN, key: "another", maxInFlight: 2 }])).not.toBeNull();
    first?.();
    expect(limiter.enter(workspace)).not.toBeNull();
    expect(limiter.enter(workspace)).toBeNull();
  });

  it("blocks slots that were already taken when the platform asks for it", () => {
    const clock = new ManualClock();
    const limiter = createRateLimiter(clock);
    limiter.reserve([TOKEN], ANY_WAIT);
    limiter.block("token", 5_000);
    clock.skip(100);

    expect(limiter.blockedFor([TOKEN, CHANNEL])).toBe(4_900);
    expect(limiter.reserve([TOKEN], ANY_WAIT)).toBe(4_900);
    expect(limiter.blockedFor([CHANNEL])).toBe(0);
    clock.skip(4_900);
    expect(limiter.blockedFor([TOKEN])).toBe(0);
  });

  it.each([-HOUR_MS, HOUR_MS])("keeps its slots and blocks when the system clock is set by %i ms", (ms) => {
    const clock = new ManualClock();
    const limiter = createRateLimiter(clock);
    limiter.reserve([CHANNEL], ANY_WAIT);
    limiter.block("token", 5_000);
    clock.jump(ms);

    expect(limiter.reserve([CHANNEL], ANY_WAIT)).toBe(1_000);
    expect(limiter.blockedFor([TOKEN])).toBe(5_000);
  });

  it("never admits more in any period than the limit allows", () => {
    assert(
      property(array(integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 120 }), (gaps) => {
        const clock = new ManualClock();
        const limiter = createRateLimiter(clock);
        const sentAt = gaps.map((gap) => {
          clock.skip(gap);
          return clock.now() + limiter.reserve([TOKEN], ANY_WAIT);
        });
        for (const [index, start] of sentAt.entries()) {
          const within = sentAt.slice(index).filter((at) => at - start < 1_000).length;
          expect(within).toBeLessThanOrEqual(TOKEN.burst + 1_000 / TOKEN.everyMs);
        }
      }),
    );
  });

  it("acquires slots in call order, with the credit of an idle period", async () => {
    const clock = new ManualClock("1970-01-01T00:00:00Z");
    const limiter = createRateLimiter(clock);
    const limits = [{ key: "token", everyMs: 20, burst: 4 }];
    const acquiredAt: number[] = [];
    const acquire = (): void => void limiter.acquire(limits).then(() => acquiredAt.push(clock.now()));
    for (let index = 0; index < 3; index += 1) acquire();
    await clock.advance(0);
    await clock.advance(1_000);
    for (let index = 0; index < 6; index += 1) acquire();
    await clock.advance(0);
    await clock.advance(1_000);

    expect(acquiredAt).toEqual([0, 20, 40, 1_000, 1_000, 1_000, 1_000, 1_020, 1_040]);
  });
});

describe("sliding window", () => {
  it("refuses a request that would exceed the limit within any window, across the edge of a minute", () => {
    const clock = new ManualClock();
    const window = createSlidingWindow(clock, { max: 2, windowMs: MINUTE_MS });
    expect(window.take("a")).toBe(0);
    clock.skip(59_000);
    expect(window.take("a")).toBe(0);
    expect(window.take("a")).toBe(1_000);
    clock.skip(1_000);
    expect(window.take("a")).toBe(0);
    expect(window.take("a")).toBe(59_000);
  });

  it("counts each key separately", () => {
    const window = createSlidingWindow(new ManualClock(), { max: 1, windowMs: MINUTE_MS });
    expect([window.take("a"), window.take("b"), window.take("a")]).toEqual([0, 0, MINUTE_MS]);
  });

  it("allows a request after the wait it returned", () => {
    const clock = new ManualClock();
    const window = createSlidingWindow(clock, { max: 1, windowMs: MINUTE_MS });
    window.take("a");
    clock.skip(12_345);
    expect(window.take("a")).toBe(47_655);
    clock.skip(47_655);
    expect(window.take("a")).toBe(0);
  });

  it.each([-HOUR_MS, HOUR_MS])("keeps its limit when the system clock is set by %i ms", (ms) => {
    const clock = new ManualClock();
    const window = createSlidingWindow(clock, { max: 1, windowMs: MINUTE_MS });
    window.take("a");
    clock.jump(ms);
    expect(window.take("a")).toBe(MINUTE_MS);
    clock.skip(MINUTE_MS);
    expect(window.take("a")).toBe(0);
  });

  it("never allows more than the limit within a window, and never refuses below it", () => {
    assert(
      property(array(integer({ min: 0, max: 30_000 }), { maxLength: 80 }), (pauses) => {
        const clock = new ManualClock();
        const window = createSlidingWindow(clock, { max: 3, windowMs: MINUTE_MS });
        const allowed: number[] = [];
        for (const pause of pauses) {
          clock.skip(pause);
          const within = allowed.filter((time) => clock.now() - time < MINUTE_MS).length;
          expect(window.take("a") === 0).toBe(within < 3);
          if (within < 3) allowed.push(clock.now());
        }
      }),
    );
  });
});
