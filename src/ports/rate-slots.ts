import type { RateLimit } from "./chat-platform.ts";

/**
 * Slots of the platforms' rate limits, so that no request exceeds a limit. A new key may not burst until it has been idle for a
 * while, so a restart causes no burst.
 */
export interface RateSlots {
  /** True if other processes take slots too. */
  readonly areShared: boolean;
  /**
   * Takes the next slot that is free under all `limits`. If the wait exceeds `maxWaitMs`, takes it only if a shared limit causes
   * the wait: with any other cause, other destinations could use the shared slots in the meantime.
   */
  reserve(limits: readonly RateLimit[], maxWaitMs: number): Promise<Reservation>;
  /** Blocks a key for `ms` milliseconds, as a platform's 429 requires. Callers check `blockedFor` before they use a slot. */
  block(key: string, ms: number): Promise<void>;
  /** Milliseconds until none of `limits` is blocked; 0 if none is blocked now. */
  blockedFor(limits: readonly RateLimit[]): Promise<number>;
}

export interface Reservation {
  /** Milliseconds until the slot; negative if it was missed before the store answered. */
  readonly waitMs: number;
  /** False if the slot was not taken, because the wait is caused by a block or by a limit of the destination alone. */
  readonly isTaken: boolean;
}
