import { setTimeout as pause } from "node:timers/promises";

/** Looks again and again until it is so; fails after a while, in real milliseconds. */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it never came to be that ${what}, within ${withinMs} ms`);
    await pause(5);
  }
}
