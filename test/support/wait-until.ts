import { setTimeout as pause } from "node:timers/promises";

/** Polls a condition until it is true; fails after `withinMs` of real time. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}, after ${withinMs} ms`);
    await pause(5);
  }
}
