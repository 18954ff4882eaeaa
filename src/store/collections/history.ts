import { sql } from "kysely";
import { DELIVERY_ID_SEPARATOR, type DeliveryId, deliveryId, type MessageRef } from "../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../domain/alert/destination.ts";
import type { Event } from "../../domain/alert/event.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { storedSpellings, type Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { History, HistoryEntry } from "../../ports/store.ts";
import type { Database } from "../database.ts";
import { deliveryOf, outcomeOf, readOutcomes } from "./outbox.ts";

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
