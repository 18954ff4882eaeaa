import { setTimeout as pause } from "node:timers/promises";

/** Bounds of the time between two checks. A wait checks ever less often, because most checks send requests. */
const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 100;

/** Polls a condition until it is true; fails after `timeoutMs` of real time. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  let pauseMs = MIN_PAUSE_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}, after ${timeoutMs} ms`);
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS);
  }
}
