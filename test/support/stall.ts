/**
 * Longest time in milliseconds for which the event loop was blocked until `work` ended. Each turn counts as the smaller of its CPU
 * time and its wall-clock time, so that other processes don't count.
 */
export async function measureStallMs(work: () => unknown): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  let cpu = process.cpuUsage();
  let at = performance.now();

  function endTurn(): void {
    const { user, system } = process.cpuUsage(cpu);
    const now = performance.now();
    longestMs = Math.max(longestMs, Math.min((user + system) / 1_000, now - at));
    cpu = process.cpuUsage();
    at = now;
    if (!isDone) setImmediate(endTurn);
  }

  setImmediate(endTurn);
  try {
    await work();
  } finally {
    isDone = true;
    endTurn();
  }
  return longestMs;
}
