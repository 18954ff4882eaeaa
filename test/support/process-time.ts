import { cpuTimeMs } from "./timing.ts";

const TICK_MS = 10;
/** A longer tick means that the process waited for a CPU, or worked, which its CPU time shows. */
const MAX_TICK_MS = 12;

let tickedMs = 0;
let lastTickAt = performance.now();

setInterval(() => {
  const now = performance.now();
  tickedMs += Math.min(now - lastTickAt, MAX_TICK_MS);
  lastTickAt = now;
}, TICK_MS).unref();

/**
 * Starts a stopwatch and returns the function that reads it, in milliseconds. It counts the time in which this process worked
 * or was idle, not the time in which other processes kept it from a CPU.
 */
export function startStopwatch(): () => number {
  const ticked = tickedMs;
  const cpu = cpuTimeMs();
  return () => Math.max(tickedMs - ticked, cpuTimeMs() - cpu);
}

/** Calls `onTimeout` after `timeoutMs` of the process's own time. Returns a function that cancels it. */
export function setProcessTimeout(onTimeout: () => void, timeoutMs: number): () => void {
  const elapsedMs = startStopwatch();
  const timer = setInterval(() => {
    if (elapsedMs() < timeoutMs) return;
    clearInterval(timer);
    onTimeout();
  }, TICK_MS);
  return () => clearInterval(timer);
}
