import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { createListeners } from "../lib/listeners.ts";
import type { Notifications, Topic } from "./notifications.ts";
import type { Schema } from "./schema.ts";

/** Reports of changed keys: immediately to the listeners of this process, and once to those of other processes. */
export class ChangeReports {
  readonly #notifications: Notifications;
  readonly #topic: Topic;
  readonly #sender = randomUUID();
  readonly #listeners = createListeners<[key: string | null]>();
  /** Adds a listener, which gets null if any key may have changed. */
  readonly listen = this.#listeners.add;

  constructor(notifications: Notifications, topic: Topic) {
    this.#notifications = notifications;
    this.#topic = topic;
    notifications.listen(topic, (payload) => {
      const [sender, ...key] = payload?.split(" ") ?? [];
      if (payload === null) this.#listeners.notify(null);
      else if (sender !== this.#sender) this.#listeners.notify(key.join(" "));
    });
  }

  /** Reports the change to other processes when the transaction is committed. */
  send(transaction: Transaction<Schema>, key: string): Promise<void> {
    return this.#notifications.send(transaction, this.#topic, `${this.#sender} ${key}`);
  }

  /** Reports the change to this process, after it was committed. */
  notify(key: string): void {
    this.#listeners.notify(key);
  }
}
