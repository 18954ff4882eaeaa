import { sql } from "kysely";
import { type DeliveryId, deliveryId, type MessageRef } from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { SplitId } from "../../../domain/split/split.ts";
import { storedSpellings, type Ticker } from "../../../domain/split/ticker.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { History, HistoryEntry } from "../../../ports/store.ts";
import type { Database } from "../database.ts";
import { type DeliveryRow, deliveryOf, type OutcomeRow, outcomeOf } from "./outbox.ts";

/** Settled and waiting deliveries by split and ticker. */
export class PostgresHistory implements History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async firstMessage(destination: Destination, splitId: SplitId): Promise<MessageRef | null> {
    // The ids of deliveries as `deliveryId` makes them.
    const { rows } = await sql<{ readonly ref: MessageRef }>`
      select m.result -> 'ref' as ref
      from events e
      join deliveries d on d.id = e.id || ${`>${destinationKey(destination)}`}
      join messages m on m.message_id = d.message_id
      where e.split_id = ${splitId} and not m.has_failed
      order by m.number limit 1
    `.execute(this.#database.db);
    return rows[0]?.ref ?? null;
  }

  async forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]> {
    const { rows } = await sql<{ readonly value: Event }>`
      select value from events where tickers && ${storedSpellings(ticker)}::text[] order by at desc, number desc
    `.execute(this.#database.db);
    const events = rows.map(({ value }) => value);
    const keys = destinations.map(destinationKey);
    const ids = events.map((event) => keys.map((key) => deliveryId(event.id, key)));
    const found = await this.#deliveries(ids.flat());
    return events.map((event, index) => ({
      event,
      deliveries: (ids[index] ?? []).flatMap((id) => found.get(id) ?? []),
    }));
  }

  async forSplit(splitId: SplitId): Promise<readonly Event[]> {
    const { rows } = await sql<{ readonly value: Event }>`
      select value from events where split_id = ${splitId} order by at, number
    `.execute(this.#database.db);
    return rows.map(({ value }) => value);
  }

  async since(since: Instant, limit: number): Promise<readonly Event[]> {
    const { rows } = await sql<{ readonly value: Event }>`
      select value from events where at >= ${since} order by at desc, number desc limit ${limit}
    `.execute(this.#database.db);
    return rows.map(({ value }) => value);
  }

  async #deliveries(ids: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, HistoryEntry["deliveries"][number]>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<DeliveryRow & OutcomeRow>`
      select d.*, m.at, m.result, q.pause, a.problem
      from deliveries d
      left join messages m on m.message_id = d.message_id
      left join queues q on q.key = d.queue_key and d.message_id is null
      left join attempts a on a.queue_key = d.queue_key and d.message_id is null
      where d.id = any(${ids})
    `.execute(this.#database.db);
    return new Map(rows.map((row) => [row.id, { delivery: deliveryOf(row), outcome: outcomeOf(row) }]));
  }
}
