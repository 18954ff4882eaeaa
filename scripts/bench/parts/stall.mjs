/** Ticks instead of every turn, because measuring each keeps a CPU busy while the work waits. */
const TICK_MS = 1;

/**
 * Runs `work` and returns its CPU time and the longest time for which it blocked the event loop, in milliseconds. For `stallMs`, a turn of
 * the event loop counts as the smaller of its CPU time and its wall-clock time, so that other processes don't count; `turnMs` is the
 * wall-clock time of the longest turn, with synchronous writes to the disk.
 */
export async function measureWork(work) {
  const before = process.cpuUsage();
  let stallMs = 0;
  let turnMs = 0;
  let cpu = before;
  let at = performance.now();
  let isDone = false;
  const endTurn = () => {
    const now = performance.now();
    turnMs = Math.max(turnMs, now - at);
    stallMs = Math.max(stallMs, Math.min(cpuMs(cpu), now - at));
    cpu = process.cpuUsage();
    at = now;
    if (!isDone) setTimeout(endTurn, TICK_MS);
  };
  setTimeout(endTurn, TICK_MS);
  await work();
  isDone = true;
  endTurn();
  return { cpuMs: cpuMs(before), stallMs, turnMs };
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
