import type { Transaction } from "kysely";
import { createListeners, type Listeners } from "../lib/listeners.ts";
import type { Schema } from "./schema.ts";

/** What changed. `deliveries`: destinations may have become due. `jobs`: the job with the name, or any job, may be free. */
export type Topic = "deliveries" | "jobs" | "settings" | "postings" | "records" | "statuses" | "documents";

/**
 * Reports of changes to other processes. They only save time: some may be missing while the connection is interrupted, so the tables
 * are the truth.
 */
export class Notifications {
  readonly #listeners = new Map<string, Listeners<[key: string | null]>>();

  /** Reports a change to other processes when its transaction is committed. An engine for one process has nobody to report to. */
  send(_transaction: Transaction<Schema>, _topic: Topic, _key = ""): Promise<void> {
    return Promise.resolve();
  }

  /** Calls `listener` after a change, with its key; null: anything may have changed. Returns a function that removes it. */
  listen(topic: Topic, listener: (key: string | null) => void): () => void {
    const known = this.#listeners.get(topic) ?? createListeners<[key: string | null]>();
    this.#listeners.set(topic, known);
    return known.add(listener);
  }

  protected notify(topic: string, key: string): void {
    this.#listeners.get(topic)?.notify(key);
  }

  protected notifyAll(): void {
    for (const { notify } of this.#listeners.values()) notify(null);
  }
}
