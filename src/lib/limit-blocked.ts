/** Requests wait for the end of a block that is at most this long. With longer waits, a stop would take too long. */
export const MAX_BLOCK_WAIT_MS = 5_000;

/** A platform's limit blocks all requests for a long time. Nothing was sent. */
export class LimitBlockedError extends Error {
  override readonly name = "LimitBlockedError";
  /** Milliseconds until the end of the block. */
  readonly remainingMs: number;

  constructor(remainingMs: number) {
    super("a rate limit blocks all requests");
    this.remainingMs = remainingMs;
  }
}

/** Throws a LimitBlockedError if the rest of a block is too long for a request to wait. */
export function assertShort(remainingMs: number): void {
  if (remainingMs > MAX_BLOCK_WAIT_MS) throw new LimitBlockedError(remainingMs);
}
