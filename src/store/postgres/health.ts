import { systemClock } from "../../lib/clock.ts";
import type { MonotonicTime } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { StoreError } from "../../ports/store.ts";

/** Whether the database can be used, derived from the outcomes of its operations. */
export class DatabaseHealth {
  readonly #log: Log;
  #reason: string | null = null;
  #failingSince: MonotonicTime | null = null;
  #onlyWritesFail = false;
  /** Called when the database becomes unavailable. */
  onFailure: () => void = () => undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Why the database can't be used; null if it can. */
  get reason(): string | null {
    return this.#reason;
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
      this.onFailure();
    }
    return error;
  }

  succeed(isWrite: boolean): void {
    if (this.#failingSince === null || (this.#onlyWritesFail && !isWrite)) return;
    this.#log.info("database available", { afterMs: systemClock.monotonic() - this.#failingSince });
    this.#reason = null;
    this.#failingSince = null;
  }
}
