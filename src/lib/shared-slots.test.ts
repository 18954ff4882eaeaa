import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";
import type { RateSlots } from "../ports/rate-slots.ts";
import { createRateSlots, createRequestWindow, type RequestWindow } from "./rate-limiter.ts";
import { createSharedSlots } from "./shared-slots.ts";

const WINDOW = { max: 47, windowMs: 1_005 };
const LIMIT: RateLimit = { key: "requests", everyMs: WINDOW.windowMs / WINDOW.max, burst: 1, isShared: true };

/** A store that all processes use, which answers after a while and counts the turns in which it is asked. */
function slowStore(clock: ManualClock, answerMs: number): RateSlots & { readonly statements: () => number } {
  const slots = createRateSlots(clock);
  let statements = 0;
  let isCounted = false;
  return {
    ...slots,
    areShared: true,
    statements: () => statements,
    async reserve(limits, maxWaitMs) {
      if (!isCounted) statements += 1;
      isCounted = true;
      queueMicrotask(() => {
        isCounted = false;
      });
      const askedAt = clock.monotonic();
      const { waitMs, isTaken } = await slots.reserve(limits, maxWaitMs);
      await clock.sleep(answerMs);
      return { waitMs: waitMs - (clock.monotonic() - askedAt), isTaken };
    },
  };
}

function processes(count: number, clock: ManualClock, store: RateSlots): readonly RequestWindow[] {
  const parts = { clock, signal: new AbortController().signal };
  return Array.from({ length: count }, () =>
    createRequestWindow(WINDOW, { ...parts, shared: createSharedSlots(store, LIMIT, parts) }),
  );
}

describe("requests of several processes", () => {
  it("together stay within the limit in any second, and use it", async () => {
    const clock = new ManualClock();
    const store = slowStore(clock, 3);
    const sentAt: number[] = [];
    const windows = processes(3, clock, store);
    const done = Promise.all(
      windows.flatMap((window, index) =>
        Array.from({ length: 100 * (index + 1) }, () =>
          window.run(async () => {
            sentAt.push(clock.monotonic());
            await clock.sleep(80);
          }),
        ),
      ),
    );
    for (let ms = 0; ms < 15_000; ms += 1) await clock.advance(1);
    await done;

    expect(mostWithin(sentAt, 1_000)).toBeLessThanOrEqual(48);
    const [first = 0, last = 0] = [sentAt[0], sentAt.at(-1)];
    expect(last - first).toBeLessThan(600 * LIMIT.everyMs * 1.02);
    expect(store.statements() / ((last - first) / 1_000)).toBeLessThan(20);
  });

  it("continue with a store that answers slowly", async () => {
    const clock = new ManualClock();
    const windows = processes(1, clock, slowStore(clock, 120));
    const sentAt: number[] = [];
    const done = Promise.all(windows.map((window) => window.run(async () => void sentAt.push(clock.monotonic()))));
    for (let ms = 0; ms < 2_000; ms += 5) await clock.advance(5);
    await done;
    expect(sentAt).toHaveLength(1);
  });

  it("replace a slot that was missed", async () => {
    const clock = new ManualClock();
    const store = createRateSlots(clock);
    const parts = { clock, signal: new AbortController().signal };
    const slots = createSharedSlots({ ...store, areShared: true }, LIMIT, parts);
    await slots.take(5);
    clock.skip(300);
    // Of another process.
    expect((await store.reserve([LIMIT], Number.POSITIVE_INFINITY)).waitMs).toBe(0);
    const start = clock.monotonic();
    let takenAt = 0;
    const take = async (): Promise<void> => {
      await slots.take(1);
      takenAt = clock.monotonic() - start;
    };
    const taken = take();
    await clock.advance(0);
    await clock.advance(2 * LIMIT.everyMs);
    await taken;
    expect(takenAt).toBeCloseTo(LIMIT.everyMs, 6);
  });

  it("wait for a short block of another process", async () => {
    const clock = new ManualClock();
    const store = { ...createRateSlots(clock), areShared: true };
    const [first, second] = processes(2, clock, store);
    await first?.block(5_000);
    let sentAt = 0;
    const start = clock.monotonic();
    const done = second?.run(async () => {
      sentAt = clock.monotonic() - start;
    });
    for (let ms = 0; ms < 6_000; ms += 10) await clock.advance(10);
    await done;
    expect(sentAt).toBe(5_000);
  });

  it("are refused during a long block of another process", async () => {
    const clock = new ManualClock();
    const store = { ...createRateSlots(clock), areShared: true };
    const [first, second] = processes(2, clock, store);
    await first?.block(MINUTE_MS);
    await expect(second?.run(async () => "sent")).rejects.toMatchObject({ remainingMs: MINUTE_MS });
    clock.skip(MINUTE_MS);
    expect(await second?.run(async () => "sent")).toBe("sent");
  });

  it("are not sent if the store fails, and are sent when it works again", async () => {
    const clock = new ManualClock();
    const store = createRateSlots(clock);
    let isDown = true;
    const reserve: RateSlots["reserve"] = (limits, maxWaitMs) =>
      isDown ? Promise.reject(new Error("no connection")) : store.reserve(limits, maxWaitMs);
    const [window] = processes(1, clock, { ...store, areShared: true, reserve });
    let sent = 0;
    const countSent = async (): Promise<void> => {
      sent += 1;
    };
    await expect(window?.run(countSent)).rejects.toThrow("no connection");
    isDown = false;
    await window?.run(countSent);
    expect(sent).toBe(1);
  });
});

function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(0, ...sorted.map((start) => sorted.filter((at) => at >= start && at < start + windowMs).length));
}
