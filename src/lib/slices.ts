import { setImmediate as yieldToEventLoop } from "node:timers/promises";

export { yieldToEventLoop };

/** Rows that are parsed between two yields to the event loop, which takes a millisecond or two. */
const ROWS_PER_SLICE = 500;

/** Calls `use` for each row. */
export async function inSlices<T>(rows: readonly T[], use: (row: T) => void): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_SLICE) {
    for (const row of rows.slice(from, from + ROWS_PER_SLICE)) use(row);
    await yieldToEventLoop();
  }
}
