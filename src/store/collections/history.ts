import { type Kysely, sql } from "kysely";
import {
  DELIVERY_ID_SEPARATOR,
  type DeliveryId,
  deliveryId,
  type MessageRef,
  type SentMessage,
} from "../../domain/alert/delivery.ts";
import { type Destination, destinationKey, parseDestinationKey } from "../../domain/alert/destination.ts";
import type { Event, EventId } from "../../domain/alert/event.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { storedSpellings, type Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { groupBy } from "../../lib/collections.ts";
import { type History, type HistoryEntry, PAGE_SIZE } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { startsWith } from "./key-ranges.ts";
import { deliveryOf, outcomeOf, readInOrder, readOutcomes } from "./outbox.ts";

/** Above it, a message is a list of alerts, of which only those that are asked for are read. */
const MAX_READ_PER_MESSAGE = 100;

/** Settled and waiting deliveries by split and ticker. */
export class SqlHistory implements History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async firstMessage(destination: Destination, splitId: SplitId): Promise<MessageRef | null> {
    const idEnd = `${DELIVERY_ID_SEPARATOR}${destinationKey(destination)}`;
    const message = await this.#database.db
      .selectFrom("events as e")
      .innerJoin("deliveries as d", (join) => join.on("d.id", "=", sql<DeliveryId>`e.id || ${idEnd}`))
      .innerJoin("messages as m", "m.message_id", "d.message_id")
      .select("m.result")
      .where("e.split_id", "=", splitId)
      .where("m.has_failed", "=", false)
      .orderBy("m.number")
      .limit(1)
      .executeTakeFirst();
    return message?.result.kind === "sent" ? message.result.ref : null;
  }

  async messagesWith(destination: Destination, ids: readonly DeliveryId[]): Promise<readonly SentMessage[]> {
    if (ids.length === 0) return [];
    const { db } = this.#database;
    const ofDeliveries = await sentMessages(db, destination)
      .where("message_id", "in", db.selectFrom("deliveries").select("message_id").where("id", "in", ids))
      .execute();
    if (ofDeliveries.length === 0) return [];
    // A delivery that joined an earlier message has a row with the id of that message on the platform.
    const refIds = ofDeliveries.flatMap(({ result }) => (result.kind === "sent" ? [result.ref.id] : []));
    const rows = await sentMessages(db, destination)
      .where(sql<string>`result -> 'ref' ->> 'id'`, "in", refIds)
      .orderBy("number")
      .execute();
    const messages: SentMessage[] = [];
    for (const group of groupBy(rows, ({ result }) => (result.kind === "sent" ? result.ref.id : "")).values()) {
      const [first] = group;
      if (first?.result.kind !== "sent") continue;
      const all = group.flatMap(({ deliveries }) => deliveries);
      const shown = all.length <= MAX_READ_PER_MESSAGE ? all : all.filter((id) => ids.includes(id));
      const deliveries = (await readInOrder(db, shown)).map(({ event, ...row }) => ({
        delivery: deliveryOf(row),
        event,
      }));
      const { message_id: messageId, at } = first;
      messages.push({ messageId, ref: first.result.ref, at, size: all.length, deliveries });
    }
    return messages;
  }

  async forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]> {
    const { db } = this.#database;
    const rows = await db
      .selectFrom("events")
      .select("value")
      .where(
        "id",
        "in",
        db.selectFrom("event_tickers").select("event_id").where("ticker", "in", storedSpellings(ticker)),
      )
      .orderBy("at", "desc")
      .orderBy("number", "desc")
      .execute();
    const keys = destinations.map(destinationKey);
    const ids = rows.map(({ value }) => keys.map((key) => deliveryId(value.id, key)));
    const found = new Map(
      (await readOutcomes(db, ids.flat())).map((row) => [
        row.id,
        { delivery: deliveryOf(row), outcome: outcomeOf(row) },
      ]),
    );
    return rows.map(({ value }, index) => ({
      event: value,
      deliveries: (ids[index] ?? []).flatMap((id) => found.get(id) ?? []),
    }));
  }

  async forSplit(splitId: SplitId): Promise<readonly Event[]> {
    const rows = await this.#database.db
      .selectFrom("events")
      .select("value")
      .where("split_id", "=", splitId)
      .orderBy("at")
      .orderBy("number")
      .execute();
    return rows.map(({ value }) => value);
  }

  async recipients(eventId: EventId): Promise<readonly Destination[]> {
    const rows = await this.#database.db
      .selectFrom("deliveries")
      .innerJoin("messages", "messages.message_id", "deliveries.message_id")
      .select("deliveries.queue_key")
      .where(startsWith("deliveries.id", `${eventId}${DELIVERY_ID_SEPARATOR}`))
      .where("messages.has_failed", "=", false)
      .limit(PAGE_SIZE)
      .execute();
    return rows.map(({ queue_key }) => parseDestinationKey(queue_key));
  }

  async since(since: Instant, limit: number): Promise<readonly Event[]> {
    const rows = await this.#database.db
      .selectFrom("events")
      .select("value")
      .where("at", ">=", since)
      .orderBy("at", "desc")
      .orderBy("number", "desc")
      .limit(limit)
      .execute();
    return rows.map(({ value }) => value);
  }
}

function sentMessages(db: Kysely<Schema>, destination: Destination) {
  return db
    .selectFrom("messages")
    .select(["message_id", "at", "deliveries", "result"])
    .where("queue_key", "=", destinationKey(destination))
    .where("has_failed", "=", false);
}
