import type { Clock } from "../ports/clock.ts";
import { type BackoffOptions, backoffMs } from "./backoff.ts";

export interface Repetition {
  readonly clock: Clock;
  /** Ends the repetition. */
  readonly signal: AbortSignal;
  readonly backoff: BackoffOptions;
  /** False if repeating can't help. */
  readonly isTemporary: (error: unknown) => boolean;
  /** Called before each wait. */
  readonly onFailure: (error: unknown, failures: number) => void;
}

/** Repeats work while it fails temporarily. Rejects with its error if that isn't temporary, or if the repetition is ended. */
export async function repeatUntilDone<T>(
  work: () => Promise<T>,
  { clock, signal, backoff, isTemporary, onFailure }: Repetition,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      onFailure(error, failures);
    }
    await clock.sleep(backoffMs(failures, backoff), signal);
  }
}
