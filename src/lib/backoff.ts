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
