import { array, assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { RateLimit } from "../ports/chat-platform.ts";
import { createLimiter } from "./rate-limiter.ts";

const TOKEN: RateLimit = { key: "token", everyMs: 20, burst: 5 };
const CHANNEL: RateLimit = { key: "channel-1", everyMs: 1_000, burst: 1 };
const PATIENT = Number.POSITIVE_INFINITY;

describe("a limiter", () => {
  it("starts without credit, and gives it back to who was quiet", () => {
    const limiter = createLimiter();
    const first = [1, 2, 3].map(() => limiter.reserve([TOKEN], 0, PATIENT));
    const later = [1, 2, 3, 4, 5, 6].map(() => limiter.reserve([TOKEN], 10_000, PATIENT));

    expect(first).toEqual([0, 20, 40]);
    expect(later).toEqual([0, 0, 0, 0, 0, 20]);
  });

  it("waits for the strictest of the limits, and lets other keys go on", () => {
    const limiter = createLimiter();
    limiter.reserve([TOKEN, CHANNEL], 0, PATIENT);

    expect(limiter.reserve([TOKEN, CHANNEL], 0, PATIENT)).toBe(1_000);
    expect(limiter.reserve([{ ...CHANNEL, key: "channel-2" }], 0, PATIENT)).toBe(0);
  });

  it("takes no slot that is further off than the asker's patience", () => {
    const limiter = createLimiter();
    limiter.reserve([CHANNEL], 0, PATIENT);

    expect(limiter.reserve([CHANNEL], 0, 500)).toBe(1_000);
    expect(limiter.reserve([CHANNEL], 0, 500)).toBe(1_000);
    expect(limiter.reserve([CHANNEL], 1_000, 500)).toBe(0);
  });

  it("lets as many be on their way as may be, and others when one of them is answered", () => {
    const limiter = createLimiter();
    const workspace = [CHANNEL, { ...TOKEN, inFlight: 2 }];
    const [first] = [limiter.enter(workspace), limiter.enter(workspace)];
    expect(limiter.enter(workspace)).toBeNull();
    expect(limiter.enter([CHANNEL, { ...TOKEN, key: "another", inFlight: 2 }])).not.toBeNull();
    first?.();
    expect(limiter.enter(workspace)).not.toBeNull();
    expect(limiter.enter(workspace)).toBeNull();
  });

  it("holds back what has its slot already when the platform says so", () => {
    const limiter = createLimiter();
    limiter.reserve([TOKEN], 0, PATIENT);
    limiter.block("token", 5_000);

    expect(limiter.blockedFor([TOKEN, CHANNEL], 100)).toBe(4_900);
    expect(limiter.reserve([TOKEN], 100, PATIENT)).toBe(4_900);
    expect(limiter.blockedFor([CHANNEL], 100)).toBe(0);
    expect(limiter.blockedFor([TOKEN], 5_000)).toBe(0);
  });

  it("never lets more through in any stretch of time than the limit says", () => {
    assert(
      property(array(integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 120 }), (gaps) => {
        const limiter = createLimiter();
        let now = 0;
        const sentAt = gaps.map((gap) => {
          now += gap;
          return now + limiter.reserve([TOKEN], now, PATIENT);
        });
        for (const [index, start] of sentAt.entries()) {
          const within = sentAt.slice(index).filter((at) => at - start < 1_000).length;
          expect(within).toBeLessThanOrEqual(TOKEN.burst + 1_000 / TOKEN.everyMs);
        }
      }),
    );
  });
});
