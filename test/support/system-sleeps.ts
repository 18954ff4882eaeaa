import { once } from "node:events";
import { onTestFinished, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";

/**
 * Until the end of the test, the time of the system clock consists of the sleeps that elapse, so that a busy machine does not
 * lengthen it. A sleep with a signal is a timeout; with `timeouts: "never"` it lasts until its event. Returns the time so far.
 */
export function countSystemSleeps({ timeouts }: { readonly timeouts: "real" | "never" }): () => number {
  let elapsedMs = 0;
  const sleep = systemClock.sleep.bind(systemClock);
  const clock = vi.spyOn(systemClock, "monotonic").mockImplementation(() => elapsedMs);
  const sleeps = vi.spyOn(systemClock, "sleep").mockImplementation(async (ms, signal) => {
    const endsAt = elapsedMs + ms;
    if (signal && timeouts === "never") await (signal.aborted || once(signal, "abort"));
    else await sleep(ms, signal);
    if (!signal?.aborted) elapsedMs = Math.max(elapsedMs, endsAt);
  });
  onTestFinished(() => {
    clock.mockRestore();
    sleeps.mockRestore();
  });
  return () => elapsedMs;
}
