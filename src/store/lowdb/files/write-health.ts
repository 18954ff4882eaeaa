import type { WriteOutcomes } from "./disk.ts";

/** Whether writing works, as the last write showed. */
export class WriteHealth implements WriteOutcomes {
  #reason: string | null = null;
  #closed = false;
  #retrying = false;

  worked(): void {
    this.#reason = null;
  }

  failed(reason: string): void {
    this.#reason = reason;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * The reason why writing does not work, or null. While it does not, `retry` is started, so that a process that is sent no
   * work because it is not well finds out by itself that the disk has room again.
   */
  reason(retry: () => Promise<void>): string | null {
    if (this.#closed) return "the store is closed";
    if (this.#reason !== null && !this.#retrying) void this.#retry(retry);
    return this.#reason;
  }

  async #retry(retry: () => Promise<void>): Promise<void> {
    this.#retrying = true;
    // What came of it was told to `worked` or `failed`.
    await retry().catch(() => undefined);
    this.#retrying = false;
  }
}
