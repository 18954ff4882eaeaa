import type { Clock } from "../ports/clock.ts";

/** Resolves with the result of `work`, or with null if it takes longer than `timeoutMs`; `work` is not stopped. */
export async function settleWithin<T>(work: Promise<T>, timeoutMs: number, clock: Clock): Promise<T | null> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(timeoutMs, settled.signal).then(() => null)]);
  } finally {
    settled.abort();
  }
}
