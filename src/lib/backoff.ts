export interface BackoffOptions {
  /** Delay before the first retry, in milliseconds. */
  readonly firstMs: number;
  /** Longest delay, in milliseconds. */
  readonly maxMs: number;
  /** Share of the delay that is random, from 0 to 1: it spreads clients that failed at the same moment. Default 0. */
  readonly jitter?: number;
  readonly random?: () => number;
}

/** Delay in milliseconds before the next try after `failures` failures in a row: doubles each time, from `firstMs` to `maxMs`. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs, jitter = 0, random = Math.random }: BackoffOptions,
): number {
  if (failures <= 0) return 0;
  const fullMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs);
  return fullMs * (1 - jitter * random());
}
