import { setTimeout as pause } from "node:timers/promises";

/** Looks again and again until it is so. */
export async function comesTrue(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`within ${withinMs} ms it did not come true that ${what}`);
    await pause(10);
  }
}
