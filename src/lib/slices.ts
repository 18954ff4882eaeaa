import { setImmediate as yieldToEventLoop } from "node:timers/promises";

export { yieldToEventLoop };

/** Time after which a loop yields, in milliseconds, including the time that other promises take meanwhile. */
const MAX_SLICE_MS = 4;

/** Divides a long loop into slices of limited time, whatever its steps cost. The loop awaits `next` at each step. */
export class TimeSlice {
  #startedAt = performance.now();

  /** Starts another slice if this one has lasted 4 ms. */
  async next(): Promise<void> {
    if (performance.now() - this.#startedAt >= MAX_SLICE_MS) await this.end();
  }

  /** Yields to the event loop and starts another slice. */
  async end(): Promise<void> {
    await yieldToEventLoop();
    this.#startedAt = performance.now();
  }
}

const ROWS_PER_SLICE = 500;

/** Rows between two checks of the time, each of which costs as much as a small callback. */
const ROWS_PER_CHECK = 8;

/** Calls `callback` for each row, and yields to the event loop after a slice of 500 rows or 4 ms. */
export async function forEachInSlices<T>(
  rows: Iterable<T>,
  callback: (row: T) => void,
  slice = new TimeSlice(),
): Promise<void> {
  let count = 0;
  for (const row of rows) {
    callback(row);
    count += 1;
    if (count % ROWS_PER_SLICE === 0) await slice.end();
    else if (count % ROWS_PER_CHECK === 0) await slice.next();
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves for one caller per turn of the event loop, so that simultaneous requests don't add up to one long stall. */
export function nextEventLoopTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => yieldToEventLoop());
  return lastTurn;
}
