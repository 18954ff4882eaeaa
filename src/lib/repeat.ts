import type { Clock } from "../ports/clock.ts";

export interface RepeatOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  /** Called with the first of successive failures. */
  readonly onFailure: (error: unknown) => void;
}

/** Runs `work` at an interval, one run at a time. Returns a function that ends it and resolves when no run is in progress. */
export function repeat(work: () => Promise<void>, { everyMs, clock, onFailure }: RepeatOptions): () => Promise<void> {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let isFailing = false;
    for (;;) {
      await clock.sleep(everyMs, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await work();
        isFailing = false;
      } catch (error) {
        if (!isFailing) onFailure(error);
        isFailing = true;
      }
    }
  };
  const ended = run();
  return () => {
    stopping.abort();
    return ended;
  };
}
