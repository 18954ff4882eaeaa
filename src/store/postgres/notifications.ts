import { type RawBuilder, sql } from "kysely";
import { createListeners, type Listeners } from "../../lib/listeners.ts";

/** Channel of all notifications. */
export const CHANNEL = "splitwatch";

/** What changed. `deliveries`: destinations may have become due. `jobs`: the job with the name, or any job, may be free. */
export type Topic = "deliveries" | "jobs" | "settings" | "postings" | "records" | "statuses" | "documents";

/** Statement that reports a change to all processes, this one included, when its transaction is committed. */
export function notification(topic: Topic, key = ""): RawBuilder<unknown> {
  return sql`select pg_notify(${CHANNEL}, ${`${topic} ${key}`})`;
}

/**
 * Reports of changes, from any process. They only save time: some may be missing while the connection is interrupted, so the tables
 * are the truth.
 */
export class Notifications {
  readonly #listeners = new Map<string, Listeners<[key: string | null]>>();

  /** Calls `listener` after a change, with its key; null: anything may have changed. Returns a function that removes it. */
  listen(topic: Topic, listener: (key: string | null) => void): () => void {
    const known = this.#listeners.get(topic) ?? createListeners<[key: string | null]>();
    this.#listeners.set(topic, known);
    return known.add(listener);
  }

  /** Handles a notification of the database. */
  receive(payload: string): void {
    const end = payload.indexOf(" ");
    this.#listeners.get(payload.slice(0, end))?.notify(payload.slice(end + 1));
  }

  /** Handles a gap in which notifications may have been missed. */
  resume(): void {
    for (const { notify } of this.#listeners.values()) notify(null);
  }
}
