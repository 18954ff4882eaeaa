import { backoffMs } from "../lib/backoff.ts";
import { systemClock } from "../lib/clock.ts";
import type { MonotonicTime } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { StoreError } from "../ports/store.ts";

/** Reason of failures after the store is closed. */
export const CLOSED = "the store is closed";

const PROBE_BACKOFF = { firstMs: 100, maxMs: 5_000, jitter: 0.5 };

/**
 * Whether the database can be used, derived from the outcomes of its operations. After a failure, `probe` is repeated until it succeeds,
 * so that the end of the failure needs no other work: a process that is not ready receives none.
 */
export class DatabaseHealth {
  readonly #log: Log;
  readonly #probe: () => Promise<void>;
  readonly #closed = new AbortController();
  #reason: string | null = null;
  #failingSince: MonotonicTime | null = null;
  #onlyWritesFail = false;
  #isProbing = false;

  /** `probe`: an empty write, whose outcome is reported here. */
  constructor(log: Log, probe: () => Promise<void>) {
    this.#log = log;
    this.#probe = probe;
  }

  /** Why the database can't be used; null if it can. */
  get reason(): string | null {
    return this.#closed.signal.aborted ? CLOSED : this.#reason;
  }

  get failingSince(): MonotonicTime | null {
    return this.#failingSince;
  }

  /** Returns the error. If only writes fail, successful reads don't end the failure. */
  fail(error: StoreError, onlyWritesFail = false): StoreError {
    this.#reason = error.message;
    this.#onlyWritesFail = onlyWritesFail;
    if (this.#failingSince === null) {
      this.#failingSince = systemClock.monotonic();
      this.#log.warn("database unavailable", { error });
      void this.#repeatProbe();
    }
    return error;
  }

  succeed(isWrite: boolean): void {
    if (this.#failingSince === null || (this.#onlyWritesFail && !isWrite)) return;
    this.#log.info("database available", { afterMs: systemClock.monotonic() - this.#failingSince });
    this.#reason = null;
    this.#failingSince = null;
  }

  /** Ends the probes. Returns false if they have ended already. */
  close(): boolean {
    if (this.#closed.signal.aborted) return false;
    this.#closed.abort();
    return true;
  }

  async #repeatProbe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    for (let failures = 1; ; failures += 1) {
      await systemClock.sleep(backoffMs(failures, PROBE_BACKOFF), this.#closed.signal);
      if (!this.#needsProbe()) break;
      await this.#probe().catch((error: unknown) => {
        // A StoreError is the reason already.
        if (!(error instanceof StoreError)) this.#log.error("database probe failed", { error });
      });
    }
    this.#isProbing = false;
  }

  /** False if other work has succeeded since the failure. */
  #needsProbe(): boolean {
    return this.#failingSince !== null && !this.#closed.signal.aborted;
  }
}
