import { setImmediate as yieldToEventLoop } from "node:timers/promises";

export { yieldToEventLoop };

/** Number of rows between two yields to the event loop; parsing them takes 1 to 2 ms. */
const ROWS_PER_SLICE = 500;

/** Calls `callback` for each row, and yields to the event loop after each slice. */
export async function forEachInSlices<T>(rows: readonly T[], callback: (row: T) => void): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_SLICE) {
    for (const row of rows.slice(from, from + ROWS_PER_SLICE)) callback(row);
    await yieldToEventLoop();
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves for one caller per turn of the event loop, so that simultaneous requests don't add up to one long stall. */
export function nextEventLoopTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => yieldToEventLoop());
  return lastTurn;
}

/** Time after which a loop yields, in milliseconds, including the time that other promises take meanwhile. */
const MAX_SLICE_MS = 4;

/** Divides a loop whose steps differ in cost into slices of limited time. The loop awaits `next` at each step. */
export class TimeSlice {
  #startedAt = performance.now();

  /** Yields to the event loop if the slice has lasted 4 ms, and starts another one. */
  async next(): Promise<void> {
    if (performance.now() - this.#startedAt < MAX_SLICE_MS) return;
    await yieldToEventLoop();
    this.#startedAt = performance.now();
  }
}
