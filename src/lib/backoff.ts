import type { Clock } from "../ports/clock.ts";

export interface BackoffOptions {
  /** Delay before the first retry, in milliseconds. */
  readonly firstMs: number;
  /** Maximum delay, in milliseconds. */
  readonly maxMs: number;
  /** Largest share of the delay that is randomly subtracted, 0 to 1 (default 0): spreads the retries of simultaneous failures. */
  readonly jitter?: number;
  readonly random?: () => number;
}

/** Delay in milliseconds after `failures` consecutive failures: doubles each time, from `firstMs` to `maxMs`. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs, jitter = 0, random = Math.random }: BackoffOptions,
): number {
  if (failures <= 0) return 0;
  const fullMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs);
  return fullMs * (1 - jitter * random());
}

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
