import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { backoffMs } from "../lib/backoff.ts";
import type { PlatformHealth } from "../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";

/** Delays between two tries of a rejected token. Ten minutes are far below the platforms' limits for rejected requests. */
const REJECTED_RETRY = { firstMs: 30_000, maxMs: 10 * MINUTE_MS } as const;

/** A token that the platform rejects. */
export interface Rejection {
  readonly reason: string;
  readonly since: Instant;
  /** Time of the next try; null: never. */
  readonly retryAt: Instant | null;
}

/** Health while a token is rejected. `blocksSending`: whether messages need this token. */
export function rejectedHealth({ reason, since, retryAt }: Rejection, blocksSending: boolean): PlatformHealth {
  return { ok: false, reason, rejected: { since, retryAt, blocksSending } };
}

export interface TokenStateParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a rejected token is accepted: starts the waiting deliveries. */
  readonly wake?: () => void;
}

/** Whether the platform accepts a token. A rejected token is tried again with backoff, so that no restart is needed. */
export class TokenState {
  readonly #platform: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #wake: () => void;
  #rejected: { readonly reason: string; readonly since: Instant } | null = null;
  #retryAt: MonotonicTime = 0;
  #failures = 0;
  #rejections = 0;
  /** True from the beginning of a try until its result. */
  #isTrying = false;

  constructor(platform: string, { clock, log, wake = () => undefined }: TokenStateParts) {
    this.#platform = platform;
    this.#clock = clock;
    this.#log = log;
    this.#wake = wake;
  }

  /** Null while the token is accepted, or not tested yet. */
  get rejection(): Rejection | null {
    const { retryMs } = this;
    const retryAt = Number.isFinite(retryMs) ? this.#clock.now() + retryMs : null;
    return this.#rejected && { ...this.#rejected, retryAt };
  }

  /** Milliseconds until the next try of a rejected token; 0 if it may be used now, infinite if it is never tried. */
  get retryMs(): number {
    return this.#rejected === null ? 0 : Math.max(0, this.#retryAt - this.#clock.monotonic());
  }

  /** Changes when an accepted token is rejected. A request keeps it from its beginning until it reports to `accept`. */
  get rejections(): number {
    return this.#rejections;
  }

  /** True if the token is never tried. */
  get isDisabled(): boolean {
    return this.retryMs === Number.POSITIVE_INFINITY;
  }

  /** Begins a try. Returns 0 if the token may be used now, else the milliseconds until the next try. */
  beginTry(): number {
    const { retryMs } = this;
    if (retryMs > 0 || this.#rejected === null) return retryMs;
    this.#isTrying = true;
    // Other calls don't use the token until this try has a result.
    this.#retryAt = this.#clock.monotonic() + REJECTED_RETRY.firstMs;
    return 0;
  }

  /** Logs the first rejection since the token was accepted. */
  reject(reason: string): void {
    const isFirst = this.#rejected === null;
    if (isFirst) {
      this.#rejections += 1;
      this.#log.error(`${this.#platform} credentials rejected`, { reason });
    }
    // Calls that were in progress at the first rejection are rejected too; their rejections don't prolong the delay.
    if (isFirst || this.#isTrying) {
      this.#failures += 1;
      this.#retryAt = this.#clock.monotonic() + backoffMs(this.#failures, REJECTED_RETRY);
    }
    this.#isTrying = false;
    this.#rejected = { reason, since: this.#rejected?.since ?? this.#clock.now() };
  }

  /** Rejects a token that can't be valid. It is never tried again. */
  disable(reason: string): void {
    this.reject(reason);
    this.#retryAt = Number.POSITIVE_INFINITY;
  }

  /** Ends the rejection. Ignores a request that began before it: the platform may have checked the token before, too. */
  accept(rejectionsAtStart: number): void {
    if (rejectionsAtStart !== this.#rejections) return;
    const wasRejected = this.#rejected !== null;
    this.#rejected = null;
    this.#isTrying = false;
    this.#failures = 0;
    if (!wasRejected) return;
    this.#log.info(`${this.#platform} credentials accepted`);
    this.#wake();
  }
}
