import type { RawBuilder } from "kysely";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
} from "../../domain/alert/destination.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { Posting } from "../../ports/state-records.ts";
import type { Postings } from "../../ports/store.ts";
import { ChangeReports } from "../change-reports.ts";
import { type Database, isOneOf, json } from "../database.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import { startsWith } from "./key-ranges.ts";

export class SqlPostings implements Postings {
  readonly #database: Database;
  readonly #reports: ChangeReports;

  constructor(database: Database, notifications: Notifications) {
    this.#database = database;
    this.#reports = new ChangeReports(notifications, "postings");
  }

  async post(draft: Omit<Posting, "number">): Promise<Posting> {
    const { messageId } = draft;
    const key = destinationKey(draft.to);
    const stored = await this.#database.transaction(async (transaction) => {
      const { last } = await transaction
        .selectFrom("posting_number")
        .select("last")
        .forUpdate()
        .executeTakeFirstOrThrow();
      const existing = await findPosting(transaction, messageId);
      if (existing !== null) return existing;
      const posting: Posting = { ...draft, number: last + 1 };
      await transaction.insertInto("postings").values(rowOfPosting(posting)).execute();
      await transaction.updateTable("posting_number").set({ last: posting.number }).execute();
      await this.#reports.send(transaction, key);
      return posting;
    });
    this.#reports.notify(destinationKey(stored.to));
    return stored;
  }

  find(messageId: string): Promise<Posting | null> {
    return findPosting(this.#database.db, messageId);
  }

  async list(request: { to: readonly Destination[]; after: number; limit: number }): Promise<readonly Posting[]> {
    const rows = await this.#database.db
      .selectFrom("postings")
      .select("value")
      .where(isOneOf("destination", request.to.map(destinationKey)))
      .where("number", ">", request.after)
      .orderBy("number", "desc")
      .limit(request.limit)
      .execute();
    return rows.map(({ value }) => value).toReversed();
  }

  async count(messageIdPrefix: string, since: Instant): Promise<number> {
    const row = await this.#database.db
      .selectFrom("postings")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("at", ">=", since)
      .where(startsWith("message_id", messageIdPrefix))
      .executeTakeFirstOrThrow();
    return row.count;
  }

  onPosted(listener: (to: Destination | null) => void): () => void {
    return this.#reports.listen((key) => listener(key === null ? null : parseDestinationKey(key as DestinationKey)));
  }
}

type PostingRow = Omit<Schema["postings"], "value"> & { readonly value: RawBuilder<Posting> };

export function rowOfPosting(posting: Posting): PostingRow {
  const { number, messageId, to, at, sharedBy } = posting;
  return {
    number,
    message_id: messageId,
    destination: destinationKey(to),
    at,
    shared_by: sharedBy ? destinationKey(sharedBy) : null,
    value: json(posting),
  };
}

async function findPosting(db: Database["db"], messageId: string): Promise<Posting | null> {
  const row = await db.selectFrom("postings").select("value").where("message_id", "=", messageId).executeTakeFirst();
  return row?.value ?? null;
}
