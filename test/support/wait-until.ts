import { setTimeout as pause } from "node:timers/promises";

/** Polls a condition until it is true; fails after `timeoutMs` of real time. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}, after ${timeoutMs} ms`);
    await pause(10);
  }
}
