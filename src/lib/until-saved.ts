import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { StoreError } from "../ports/store.ts";
import { repeatUntilDone } from "./until-done.ts";

const STORE_RETRY = { firstMs: 500, maxMs: 10_000, jitter: 0.5 } as const;

export interface Saving {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the repetition. */
  readonly signal: AbortSignal;
  /** Message of the log before each wait. */
  readonly delayed: string;
}

/** Repeats idempotent work, whose cause is reported once, while the store fails. Rejects with the StoreError if `signal` ends it. */
export function untilSaved(work: () => Promise<void>, { clock, log, signal, delayed }: Saving): Promise<void> {
  return repeatUntilDone(work, {
    clock,
    signal,
    backoff: STORE_RETRY,
    isTemporary: (error) => error instanceof StoreError,
    onFailure: (error) => log.warn(delayed, { error }),
  });
}
