import type { RateLimit } from "../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import type { RateSlots } from "../ports/rate-slots.ts";
import { LimitBlockedError, MAX_BLOCK_WAIT_MS } from "./limit-blocked.ts";

/** Slots that are reserved together while requests wait, so that the store gets about ten statements a second. */
const BATCH = 5;

/** A slot that is missed by more than this is void: its request would arrive together with those of later slots. */
const MAX_DELAY_MS = 50;

/** Further slots that are reserved after missed ones, for a store that answers slowly. */
const MAX_EXTRA_SLOTS = 40;

/** Slots of a limit that all processes share. */
export interface SharedSlots {
  /**
   * Resolves at the time of a slot, or when the signal aborts. Rejects with a LimitBlockedError during a long block. `waiting`: number
   * of requests that wait, including this one.
   */
  take(waiting: number): Promise<void>;
  /** Blocks the slots of all processes, as a platform's 429 requires. */
  block(ms: number): Promise<void>;
}

/** `limit`: without a burst. */
export function createSharedSlots(
  slots: RateSlots,
  limit: RateLimit,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): SharedSlots {
  const reserved: MonotonicTime[] = [];
  let reserving: Promise<void> | null = null;

  async function reserve(count: number): Promise<void> {
    const requests = Array.from({ length: count }, () => [limit]);
    const batch = await Promise.all(requests.map((limits) => slots.reserve(limits, MAX_BLOCK_WAIT_MS)));
    const now = clock.monotonic();
    const taken = batch.filter(({ isTaken }) => isTaken);
    reserved.push(...taken.map(({ waitMs }) => now + waitMs));
    const [first] = batch;
    if (first !== undefined && taken.length === 0) throw new LimitBlockedError(first.waitMs);
  }

  function reserveOnce(count: number): Promise<void> {
    reserving ??= reserve(count).finally(() => {
      reserving = null;
    });
    return reserving;
  }

  function isVoid(slotAt: MonotonicTime): boolean {
    return clock.monotonic() - slotAt > MAX_DELAY_MS;
  }

  /** Returns the next slot that isn't void. */
  async function nextSlot(waiting: number): Promise<MonotonicTime> {
    for (let missed = 0; ; ) {
      const slotAt = reserved.shift();
      if (slotAt === undefined) await reserveOnce(Math.min(waiting, BATCH) + Math.min(missed, MAX_EXTRA_SLOTS));
      else if (isVoid(slotAt)) missed += 1;
      else return slotAt;
    }
  }

  return {
    async take(waiting) {
      while (!signal.aborted) {
        const slotAt = await nextSlot(waiting);
        // The next slots are reserved during the wait for this one. A failure shows when they are needed.
        if (reserved.length === 0 && waiting > 1) reserveOnce(Math.min(waiting - 1, BATCH)).catch(() => undefined);
        await clock.sleep(slotAt - clock.monotonic(), signal);
        if (!isVoid(slotAt)) return;
      }
    },
    block: (ms) => slots.block(limit.key, ms),
  };
}
