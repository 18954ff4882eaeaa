import { existsSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** CPU time, time waiting for a CPU, and number of turns, in nanoseconds. */
const THREAD_TIMES = `/proc/self/task/${process.pid}/schedstat`;
const HAS_THREAD_TIMES = isMainThread && existsSync(THREAD_TIMES);

/** CPU time of the main thread in milliseconds; of the whole process if the system states none. */
function threadCpuMs(): number {
  if (HAS_THREAD_TIMES) return Number(readFileSync(THREAD_TIMES, "latin1").split(" ")[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Ticks instead of every turn, because measuring each keeps a CPU busy while the work waits. */
const TICK_MS = 1;

/**
 * Longest time in milliseconds for which the event loop was blocked until `work` ended. Each turn counts as the smaller of its CPU
 * time and its wall-clock time, so that other processes don't count. Short turns within `TICK_MS` count as one.
 */
export async function measureStallMs(work: () => unknown): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  let cpuMs = threadCpuMs();
  let at = performance.now();

  function endTurn(): void {
    const nowCpuMs = threadCpuMs();
    const now = performance.now();
    longestMs = Math.max(longestMs, Math.min(nowCpuMs - cpuMs, now - at));
    cpuMs = nowCpuMs;
    at = now;
    if (!isDone) setTimeout(endTurn, TICK_MS);
  }

  setTimeout(endTurn, TICK_MS);
  try {
    await work();
  } finally {
    isDone = true;
    endTurn();
  }
  return longestMs;
}

/** Maximum time in milliseconds for which a single request may block the event loop. */
const MAX_STALL_MS = 100;
const MAX_RUNS = 3;
const PRINTED_ROWS = 40;

interface Row {
  readonly attack: string;
  readonly size: number;
  readonly ms: number;
}

/** Measured stalls of large and hostile inputs. The best of three runs counts, because other processes can delay any of them. */
export class StallTable {
  readonly #rows: Row[] = [];
  #long: string[] = [];

  async measure(attack: string, size: number, work: () => unknown): Promise<void> {
    let ms = Number.POSITIVE_INFINITY;
    for (let run = 0; run < MAX_RUNS && ms > MAX_STALL_MS / 2; run += 1) ms = Math.min(ms, await measureStallMs(work));
    this.#rows.push({ attack, size, ms });
    if (ms > MAX_STALL_MS) this.#long.push(`${attack} (${size}): ${Math.round(ms)} ms`);
  }

  /** Returns the stalls above the limit since the last call. */
  takeLong(): readonly string[] {
    const long = this.#long;
    this.#long = [];
    return long;
  }

  /** Prints the longest stalls. */
  print(): void {
    const longest = this.#rows.toSorted((a, b) => b.ms - a.ms).slice(0, PRINTED_ROWS);
    const lines = longest.map(({ attack, size, ms }) => `${ms.toFixed(1).padStart(7)} ms  ${attack} (size ${size})\n`);
    process.stdout.write(`longest stalls of ${this.#rows.length} attacks:\n${lines.join("")}`);
  }
}
