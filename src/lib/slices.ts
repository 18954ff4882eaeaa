import { setImmediate as yieldToEventLoop } from "node:timers/promises";

export { yieldToEventLoop };

/** Time after which a loop yields, in milliseconds, including the time that other promises take meanwhile. */
const MAX_SLICE_MS = 4;

/** Divides a long loop into slices of limited time, whatever its steps cost. The loop awaits `next` at each step. */
export class TimeSlice {
  #startedAt = performance.now();

  /** Yields to the event loop if the slice has lasted 4 ms, and starts another one. */
  async next(): Promise<void> {
    if (performance.now() - this.#startedAt < MAX_SLICE_MS) return;
    await yieldToEventLoop();
    this.#startedAt = performance.now();
  }
}

/** Rows between two checks of the time, each of which costs as much as a small callback. */
const ROWS_PER_CHECK = 8;

/** Calls `callback` for each row, and yields to the event loop after each slice. */
export async function forEachInSlices<T>(
  rows: Iterable<T>,
  callback: (row: T) => void,
  slice = new TimeSlice(),
): Promise<void> {
  let count = 0;
  for (const row of rows) {
    if (count % ROWS_PER_CHECK === 0) await slice.next();
    callback(row);
    count += 1;
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves for one caller per turn of the event loop, so that simultaneous requests don't add up to one long stall. */
export function nextEventLoopTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => yieldToEventLoop());
  return lastTurn;
}
