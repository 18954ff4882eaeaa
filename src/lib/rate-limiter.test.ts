import { array, assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import type { RateLimit } from "../ports/chat-platform.ts";
import { createRateLimiter, createSlidingWindow } from "./rate-limiter.ts";

const TOKEN: RateLimit = { key: "token", everyMs: 20, burst: 5 };
const CHANNEL: RateLimit = { key: "channel-1", everyMs: 1_000, burst: 1 };
const ANY_WAIT = Number.POSITIVE_INFINITY;

describe("rate limiter", () => {
  it("starts without credit and restores it after an idle period", () => {
    const limiter = createRateLimiter();
    const first = [1, 2, 3].map(() => limiter.reserve([TOKEN], 0, ANY_WAIT));
    const later = [1, 2, 3, 4, 5, 6].map(() => limiter.reserve([TOKEN], 10_000, ANY_WAIT));

    expect(first).toEqual([0, 20, 40]);
    expect(later).toEqual([0, 0, 0, 0, 0, 20]);
  });

  it("waits for the strictest limit without delaying other keys", () => {
    const limiter = createRateLimiter();
    limiter.reserve([TOKEN, CHANNEL], 0, ANY_WAIT);

    expect(limiter.reserve([TOKEN, CHANNEL], 0, ANY_WAIT)).toBe(1_000);
    expect(limiter.reserve([{ ...CHANNEL, key: "channel-2" }], 0, ANY_WAIT)).toBe(0);
  });

  it("takes no slot later than the maximum wait", () => {
    const limiter = createRateLimiter();
    limiter.reserve([CHANNEL], 0, ANY_WAIT);

    expect(limiter.reserve([CHANNEL], 0, 500)).toBe(1_000);
    expect(limiter.reserve([CHANNEL], 0, 500)).toBe(1_000);
    expect(limiter.reserve([CHANNEL], 1_000, 500)).toBe(0);
  });

  it("admits messages up to the in-flight limit and one more when one ends", () => {
    const limiter = createRateLimiter();
    const workspace = [CHANNEL, { ...TOKEN, maxInFlight: 2 }];
    const [first] = [limiter.enter(workspace), limiter.enter(workspace)];
    expect(limiter.enter(workspace)).toBeNull();
    expect(limiter.enter([CHANNEL, { ...TOKEN, key: "another", maxInFlight: 2 }])).not.toBeNull();
    first?.();
    expect(limiter.enter(workspace)).not.toBeNull();
    expect(limiter.enter(workspace)).toBeNull();
  });

  it("blocks slots that were already taken when the platform asks for it", () => {
    const limiter = createRateLimiter();
    limiter.reserve([TOKEN], 0, ANY_WAIT);
    limiter.block("token", 5_000);

    expect(limiter.blockedFor([TOKEN, CHANNEL], 100)).toBe(4_900);
    expect(limiter.reserve([TOKEN], 100, ANY_WAIT)).toBe(4_900);
    expect(limiter.blockedFor([CHANNEL], 100)).toBe(0);
    expect(limiter.blockedFor([TOKEN], 5_000)).toBe(0);
  });

  it("never admits more in any period than the limit allows", () => {
    assert(
      property(array(integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 120 }), (gaps) => {
        const limiter = createRateLimiter();
        let now = 0;
        const sentAt = gaps.map((gap) => {
          now += gap;
          return now + limiter.reserve([TOKEN], now, ANY_WAIT);
        });
        for (const [index, start] of sentAt.entries()) {
          const within = sentAt.slice(index).filter((at) => at - start < 1_000).length;
          expect(within).toBeLessThanOrEqual(TOKEN.burst + 1_000 / TOKEN.everyMs);
        }
      }),
    );
  });

  it("acquires slots in call order, with the credit of an idle period", async () => {
    const limiter = createRateLimiter();
    const clock = new ManualClock("1970-01-01T00:00:00Z");
    const limits = [{ key: "token", everyMs: 20, burst: 4 }];
    const acquiredAt: number[] = [];
    const acquire = (): void => void limiter.acquire(limits, clock).then(() => acquiredAt.push(clock.now()));
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
    const window = createSlidingWindow({ max: 2, windowMs: 60_000 });
    expect(window.take("a", 0)).toBe(0);
    expect(window.take("a", 59_000)).toBe(0);
    expect(window.take("a", 59_000)).toBe(1_000);
    expect(window.take("a", 60_000)).toBe(0);
    expect(window.take("a", 60_000)).toBe(59_000);
  });

  it("counts each key separately", () => {
    const window = createSlidingWindow({ max: 1, windowMs: 60_000 });
    expect([window.take("a", 0), window.take("b", 0), window.take("a", 0)]).toEqual([0, 0, 60_000]);
  });

  it("allows a request after the wait it returned", () => {
    const window = createSlidingWindow({ max: 1, windowMs: 60_000 });
    window.take("a", 0);
    expect(window.take("a", 12_345)).toBe(47_655);
    expect(window.take("a", 12_345 + 47_655)).toBe(0);
  });

  it("still allows requests after the system clock is set back", () => {
    const window = createSlidingWindow({ max: 1, windowMs: 60_000 });
    window.take("a", 7_200_000);
    expect(window.take("a", 3_600_000)).toBe(0);
  });

  it("never allows more than the limit within a window, and never refuses below it", () => {
    assert(
      property(array(integer({ min: 0, max: 30_000 }), { maxLength: 80 }), (pauses) => {
        const window = createSlidingWindow({ max: 3, windowMs: 60_000 });
        let now = 0;
        const allowed: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const within = allowed.filter((time) => now - time < 60_000).length;
          expect(window.take("a", now) === 0).toBe(within < 3);
          if (within < 3) allowed.push(now);
        }
      }),
    );
  });
});
