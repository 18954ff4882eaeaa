import { sql, type Transaction } from "kysely";
import { Notifications, type Topic } from "../../notifications.ts";
import type { Schema } from "../../schema.ts";

/** Channel of all notifications. */
export const CHANNEL = "splitwatch";

/** Notifications of the database, which also reach the process that sends them. */
export class DatabaseNotifications extends Notifications {
  override async send(transaction: Transaction<Schema>, topic: Topic, key = ""): Promise<void> {
    await sql`select pg_notify(${CHANNEL}, ${`${topic} ${key}`})`.execute(transaction);
  }

  /** Handles a notification of the database. */
  receive(payload: string): void {
    const end = payload.indexOf(" ");
    this.notify(payload.slice(0, end), payload.slice(end + 1));
  }

  /** Handles a gap in which notifications may have been missed. */
  resume(): void {
    this.notifyAll();
  }
}
