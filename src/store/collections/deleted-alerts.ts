import type { Transaction } from "kysely";
import type { DeliveryId } from "../../domain/alert/delivery.ts";
import type { EventId } from "../../domain/alert/event.ts";
import { inPages } from "../../lib/collections.ts";
import type { Schema } from "../schema.ts";

/** Ids that one statement deletes. */
const PAGE = 1_000;

/** Deletes the deliveries. Returns the ids of their events, some of them several times. */
export async function deleteDeliveries(
  transaction: Transaction<Schema>,
  ids: readonly DeliveryId[],
): Promise<readonly EventId[]> {
  const events: EventId[] = [];
  for (const page of inPages(ids, PAGE)) {
    await transaction.deleteFrom("delivery_mentions").where("delivery_id", "in", page).execute();
    const rows = await transaction.deleteFrom("deliveries").where("id", "in", page).returning("event_id").execute();
    for (const { event_id } of rows) events.push(event_id);
  }
  return events;
}

export async function deleteEvents(transaction: Transaction<Schema>, ids: readonly EventId[]): Promise<void> {
  for (const page of inPages(ids, PAGE)) {
    await transaction.deleteFrom("event_tickers").where("event_id", "in", page).execute();
    await transaction.deleteFrom("events").where("id", "in", page).execute();
  }
}
