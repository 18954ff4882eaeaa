import { array, assert, asyncProperty, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";
import type { Reservation } from "../ports/rate-slots.ts";
import { LimitBlockedError } from "./limit-blocked.ts";
import { createInFlightLimiter, createRateSlots, createRequestWindow, createSlidingWindow } from "./rate-limiter.ts";

const TOKEN: RateLimit = { key: "token", everyMs: 20, burst: 5, isShared: true };
const CHANNEL: RateLimit = { key: "channel-1", everyMs: 1_000, burst: 1, isShared: false };
const ANY_WAIT = Number.POSITIVE_INFINITY;

/** Waits of reservations that are made one after the other. */
async function waits(count: number, reserve: () => Promise<Reservation>): Promise<readonly number[]> {
  return (await Promise.all(Array.from({ length: count }, reserve))).map(({ waitMs }) => waitMs);
}

describe("rate slots", () => {
  it("starts without credit and restores it after an idle period", async () => {
    const clock = new ManualClock();
    const slots = createRateSlots(clock);
    const first = await waits(3, () => slots.reserve([TOKEN], ANY_WAIT));
    clock.skip(10_000);
    const later = await waits(6, () => slots.reserve([TOKEN], ANY_WAIT));

    expect(first).toEqual([0, 20, 40]);
    expect(later).toEqual([0, 0, 0, 0, 0, 20]);
  });

  it("waits for the strictest limit without delaying other keys", async () => {
    const slots = createRateSlots(new ManualClock());
    await slots.reserve([TOKEN, CHANNEL], ANY_WAIT);

    expect(await slots.reserve([TOKEN, CHANNEL], ANY_WAIT)).toMatchObject({ waitMs: 1_000 });
    expect(await slots.reserve([{ ...CHANNEL, key: "channel-2" }], ANY_WAIT)).toMatchObject({ waitMs: 0 });
  });

  it("takes no slot later than the maximum wait if it waits for a limit of the destination alone", async () => {
    const clock = new ManualClock();
    const slots = createRateSlots(clock);
    await slots.reserve([CHANNEL], ANY_WAIT);

    expect(await slots.reserve([CHANNEL], 500)).toMatchObject({ waitMs: 1_000 });
    expect(await slots.reserve([CHANNEL], 500)).toMatchObject({ waitMs: 1_000 });
    clock.skip(1_000);
    expect(await slots.reserve([CHANNEL], 500)).toMatchObject({ waitMs: 0 });
  });

  it("blocks slots that were already taken when the platform asks for it", async () => {
    const clock = new ManualClock();
    const slots = createRateSlots(clock);
    await slots.reserve([TOKEN], ANY_WAIT);
    await slots.block("token", 5_000);
    clock.skip(100);

    expect(await slots.blockedFor([TOKEN, CHANNEL])).toBe(4_900);
    expect(await slots.reserve([TOKEN], ANY_WAIT)).toMatchObject({ waitMs: 4_900 });
    expect(await slots.blockedFor([CHANNEL])).toBe(0);
    clock.skip(4_900);
    expect(await slots.blockedFor([TOKEN])).toBe(0);
  });

  it.each([-HOUR_MS, HOUR_MS])("keeps its slots and blocks when the system clock is set by %i ms", async (ms) => {
    const clock = new ManualClock();
    const slots = createRateSlots(clock);
    await slots.reserve([CHANNEL], ANY_WAIT);
    await slots.block("token", 5_000);
    clock.jump(ms);

    expect(await slots.reserve([CHANNEL], ANY_WAIT)).toMatchObject({ waitMs: 1_000 });
    expect(await slots.blockedFor([TOKEN])).toBe(5_000);
  });

  it("never admits more in any period than the limit allows", async () => {
    await assert(
      asyncProperty(array(integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 120 }), async (gaps) => {
        const clock = new ManualClock();
        const slots = createRateSlots(clock);
        const sentAt: number[] = [];
        for (const gap of gaps) {
          clock.skip(gap);
          sentAt.push(clock.now() + (await slots.reserve([TOKEN], ANY_WAIT)).waitMs);
        }
        for (const [index, start] of sentAt.entries()) {
          const within = sentAt.slice(index).filter((at) => at - start < 1_000).length;
          expect(within).toBeLessThanOrEqual(TOKEN.burst + 1_000 / TOKEN.everyMs);
        }
      }),
    );
  });

  it("takes a later slot of a shared limit, so that each destination waits for a different time", async () => {
    const slots = createRateSlots(new ManualClock());
    const slow: RateLimit = { ...TOKEN, everyMs: 400, burst: 1 };
    const taken = await Promise.all(
      [1, 2, 3, 4].map((id) => slots.reserve([{ ...CHANNEL, key: `c${id}` }, slow], 500)),
    );

    expect(taken.map(({ waitMs }) => waitMs)).toEqual([0, 400, 800, 1_200]);
    expect(taken.every(({ isTaken }) => isTaken)).toBe(true);
  });

  it("takes no later slot of a shared limit while a block lasts longer, so that others can use it", async () => {
    const slots = createRateSlots(new ManualClock());
    await slots.block(CHANNEL.key, 10_000);

    expect(await slots.reserve([CHANNEL, TOKEN], 500)).toEqual({ waitMs: 10_000, isTaken: false });
    expect(await slots.reserve([{ ...CHANNEL, key: "channel-2" }, TOKEN], 500)).toEqual({ waitMs: 0, isTaken: true });
  });
});

it("admits messages up to the in-flight limit and one more when one ends", () => {
  const limiter = createInFlightLimiter();
  const workspace = [CHANNEL, { ...TOKEN, maxInFlight: 2 }];
  const [first] = [limiter.enter(workspace), limiter.enter(workspace)];
  expect(limiter.enter(workspace)).toBeNull();
  expect(limiter.enter([CHANNEL, { ...TOKEN, key: "another", maxInFlight: 2 }])).not.toBeNull();
  first?.();
  expect(limiter.enter(workspace)).not.toBeNull();
  expect(limiter.enter(workspace)).toBeNull();
});

const WINDOW = { max: 5, windowMs: 1_000 };

/** A server to which requests take up to 300 ms, and back as long. `arrivals` are the times at which they arrived. */
function delayedServer(clock: ManualClock, delays: readonly number[]) {
  const arrivals: number[] = [];
  let sent = 0;
  return {
    arrivals,
    async send(): Promise<void> {
      const delayMs = delays[sent++ % delays.length] ?? 0;
      await clock.sleep(delayMs);
      arrivals.push(clock.monotonic());
      await clock.sleep(delayMs / 2);
    },
  };
}

function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(0, ...sorted.map((start) => sorted.filter((at) => at >= start && at < start + windowMs).length));
}

describe("request window", () => {
  it("starts with a steady pace, so that a restart causes no burst", async () => {
    const clock = new ManualClock();
    const start = clock.monotonic();
    const window = createRequestWindow(WINDOW, { clock, signal: new AbortController().signal });
    const sentAt: number[] = [];
    for (let sent = 0; sent < 5; sent++) void window.run(async () => void sentAt.push(clock.monotonic() - start));
    await clock.advance(0);
    await clock.advance(1_000);

    expect(sentAt).toEqual([0, 200, 400, 600, 800]);
  });

  it("lets no more requests arrive in any window than the limit, however long each is on its way", async () => {
    await assert(
      asyncProperty(array(integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 20 }), async (delays) => {
        const clock = new ManualClock();
        const window = createRequestWindow(WINDOW, { clock, signal: new AbortController().signal });
        const server = delayedServer(clock, delays);
        for (let sent = 0; sent < 30; sent++) void window.run(() => server.send());
        await clock.advance(0);
        await clock.advance(20_000);
        expect(server.arrivals).toHaveLength(30);
        expect(mostWithin(server.arrivals, WINDOW.windowMs)).toBeLessThanOrEqual(WINDOW.max);
      }),
      { numRuns: 30 },
    );
  });

  it("keeps the limit and the pace when the latency drops", async () => {
    const clock = new ManualClock();
    const window = createRequestWindow({ max: 50, windowMs: 1_000 }, { clock, signal: new AbortController().signal });
    const server = delayedServer(clock, [
      ...Array.from({ length: 1_000 }, () => 200),
      ...Array.from({ length: 1_000 }, () => 0),
    ]);
    for (let sent = 0; sent < 2_000; sent++) void window.run(() => server.send());
    await clock.advance(0);
    await clock.advance(90_000);

    expect(server.arrivals).toHaveLength(2_000);
    expect(mostWithin(server.arrivals, 1_000)).toBeLessThanOrEqual(50);
    // 1,000 requests with slots of 1.3 s, and 1,000 with slots of 1 s.
    expect((server.arrivals.at(-1) ?? 0) - (server.arrivals[0] ?? 0)).toBeLessThan(48_000);
  });

  it("spreads the requests after a pause instead of sending all of them together", async () => {
    const clock = new ManualClock();
    const window = createRequestWindow({ max: 50, windowMs: 1_000 }, { clock, signal: new AbortController().signal });
    clock.skip(60_000);
    const start = clock.monotonic();
    const sentAt: number[] = [];
    for (let sent = 0; sent < 50; sent++) void window.run(async () => void sentAt.push(clock.monotonic() - start));
    await clock.advance(0);
    await clock.advance(1_000);

    expect(sentAt).toHaveLength(50);
    expect(sentAt.filter((at) => at === 0)).toHaveLength(5);
    expect(mostWithin(sentAt, 100)).toBeLessThanOrEqual(11);
  });

  it("sends no more while the answers of all are missing, and in call order", async () => {
    const clock = new ManualClock();
    const window = createRequestWindow(WINDOW, { clock, signal: new AbortController().signal });
    const answer = Promise.withResolvers<void>();
    const sent: number[] = [];
    for (let number = 0; number < 7; number++) {
      void window.run(async () => {
        sent.push(number);
        if (number < 5) await answer.promise;
      });
    }
    await clock.advance(0);
    await clock.advance(60_000);
    expect(sent).toEqual([0, 1, 2, 3, 4]);
    answer.resolve();
    await clock.advance(0);
    await clock.advance(1_000);
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("sends nothing during a short block", async () => {
    const clock = new ManualClock();
    const window = createRequestWindow(WINDOW, { clock, signal: new AbortController().signal });
    await window.block(5_000);
    const sent = window.run(async () => clock.monotonic());
    const start = clock.monotonic();
    await clock.advance(0);
    await clock.advance(6_000);

    expect((await sent) - start).toBe(5_000);
  });

  it("refuses all requests during a long block, also those that wait for a slot", async () => {
    const clock = new ManualClock();
    const window = createRequestWindow(WINDOW, { clock, signal: new AbortController().signal });
    const outcomes = Promise.allSettled([1, 2, 3, 4].map(() => window.run(async () => "sent")));
    await clock.advance(200);
    await window.block(10 * MINUTE_MS);
    await clock.advance(1_000);
    expect(await outcomes).toEqual([
      { status: "fulfilled", value: "sent" },
      { status: "fulfilled", value: "sent" },
      { status: "rejected", reason: expect.any(LimitBlockedError) },
      { status: "rejected", reason: expect.any(LimitBlockedError) },
    ]);
    await clock.advance(9 * MINUTE_MS - 1_000);
    await expect(window.run(async () => "sent")).rejects.toMatchObject({ remainingMs: MINUTE_MS });
    await clock.advance(MINUTE_MS);
    expect(await window.run(async () => "sent")).toBe("sent");
  });

  it("counts the requests that have a slot", async () => {
    const clock = new ManualClock();
    const window = createRequestWindow(WINDOW, { clock, signal: new AbortController().signal });
    const answer = Promise.withResolvers<void>();
    const requests = [1, 2, 3, 4].map(() => window.run(() => answer.promise));
    await clock.advance(200);
    // Two are sent, the third waits for its time, and the fourth waits for the third.
    expect(window.slotsInUse).toBe(3);
    answer.resolve();
    await clock.advance(1_000);
    await Promise.all(requests);
    expect(window.slotsInUse).toBe(0);
  });

  it("ends all waits on a stop", async () => {
    const stopping = new AbortController();
    const window = createRequestWindow(
      { max: 1, windowMs: 1_000 },
      { clock: new ManualClock(), signal: stopping.signal },
    );
    const hanging = Promise.withResolvers<void>();
    void window.run(() => hanging.promise);
    const waiting = window.run(async () => "sent");
    stopping.abort();

    expect(await waiting).toBe("sent");
  });
});

describe("sliding window", () => {
  it("refuses a request that would exceed the limit within any window, across the edge of a minute", () => {
    const clock = new ManualClock();
    const window = createSlidingWindow(clock, { max: 2, windowMs: MINUTE_MS });
    expect(window.admit("a")).toBe(0);
    clock.skip(59_000);
    expect(window.admit("a")).toBe(0);
    expect(window.admit("a")).toBe(1_000);
    clock.skip(1_000);
    expect(window.admit("a")).toBe(0);
    expect(window.admit("a")).toBe(59_000);
  });

  it("counts each key separately", () => {
    const window = createSlidingWindow(new ManualClock(), { max: 1, windowMs: MINUTE_MS });
    expect([window.admit("a"), window.admit("b"), window.admit("a")]).toEqual([0, 0, MINUTE_MS]);
  });

  it("allows a request after the wait it returned", () => {
    const clock = new ManualClock();
    const window = createSlidingWindow(clock, { max: 1, windowMs: MINUTE_MS });
    window.admit("a");
    clock.skip(12_345);
    expect(window.admit("a")).toBe(47_655);
    clock.skip(47_655);
    expect(window.admit("a")).toBe(0);
  });

  it.each([-HOUR_MS, HOUR_MS])("keeps its limit when the system clock is set by %i ms", (ms) => {
    const clock = new ManualClock();
    const window = createSlidingWindow(clock, { max: 1, windowMs: MINUTE_MS });
    window.admit("a");
    clock.jump(ms);
    expect(window.admit("a")).toBe(MINUTE_MS);
    clock.skip(MINUTE_MS);
    expect(window.admit("a")).toBe(0);
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
          expect(window.admit("a") === 0).toBe(within < 3);
          if (within < 3) allowed.push(clock.now());
        }
      }),
    );
  });
});
