import { yieldToEventLoop } from "../../../lib/slices.ts";
import { StoreError } from "../../../ports/store.ts";

interface Waiter<C> {
  readonly change: C;
  resolve(): void;
  reject(error: unknown): void;
}

/** Commands that continue after one write in the same turn of the event loop. */
const MAX_NOTIFIED_PER_TURN = 20;

/**
 * Serial queue of writes with group commit: changes submitted during a write share the next one, so a burst costs two
 * writes. Each caller waits for the write that includes its change.
 */
export class WriteQueue<C> {
  readonly #write: (changes: readonly C[]) => Promise<void>;
  #pending: Waiter<C>[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** `write` makes all changes durable, or throws and changes nothing. */
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

  /** Runs `work` between two writes. */
  runExclusive<R>(work: () => Promise<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreError("the store is closed"));
    return this.#next(work);
  }

  /** Rejects further changes; resolves when all submitted changes are written or have failed. */
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
      await notifyInTurns(waiters, (waiter) => waiter.reject(error));
      return;
    }
    await notifyInTurns(waiters, (waiter) => waiter.resolve());
  }
}

/** Notifies the waiters. What they do next doesn't add up to one long turn of the event loop. */
async function notifyInTurns<C>(waiters: readonly Waiter<C>[], notify: (waiter: Waiter<C>) => void): Promise<void> {
  for (const [index, waiter] of waiters.entries()) {
    if (index > 0 && index % MAX_NOTIFIED_PER_TURN === 0) await yieldToEventLoop();
    notify(waiter);
  }
}
