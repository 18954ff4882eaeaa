import { StoreError } from "../../../ports/store.ts";

interface Waiter<C> {
  readonly change: C;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Lets one write run at a time. Changes that come while a write runs go into the next one together, and each caller waits for
 * the write that holds its change: nobody starves, and a burst costs two writes.
 */
export class WriteGate<C> {
  readonly #write: (changes: readonly C[]) => Promise<void>;
  #pending: Waiter<C>[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** `write` makes all changes durable, or throws and has made none. */
  constructor(write: (changes: readonly C[]) => Promise<void>) {
    this.#write = write;
  }

  submit(change: C): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreError("the store is closed"));
    return new Promise((resolve, reject) => {
      this.#pending.push({ change, resolve, reject });
      if (this.#pending.length === 1) void this.#next(() => this.#flush());
    });
  }

  /** Runs `work` when no write runs, and holds up further ones until it is done. */
  alone<R>(work: () => Promise<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreError("the store is closed"));
    return this.#next(work);
  }

  /** Takes nothing more; resolves when all that was taken is written or has failed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
  }

  #next<R>(work: () => Promise<R>): Promise<R> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #flush(): Promise<void> {
    const waiters = this.#pending;
    this.#pending = [];
    try {
      await this.#write(waiters.map((waiter) => waiter.change));
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
      return;
    }
    for (const waiter of waiters) waiter.resolve();
  }
}
