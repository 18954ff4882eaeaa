import { sql, type Transaction } from "kysely";
import { type Deferral, type DeferralDelay, regrouped } from "../../domain/alert/deferral.ts";
import type { DeliveryId } from "../../domain/alert/delivery.ts";
import type { DestinationKey } from "../../domain/alert/destination.ts";
import { inPages } from "../../lib/collections.ts";
import { PAGE_SIZE } from "../../ports/store.ts";
import type { Schema } from "../schema.ts";

type Deferrals = ReadonlyMap<DeliveryId, Deferral>;

/**
 * The new deferrals of the deliveries that wait at a destination and were divided. One statement can't change them for both engines,
 * whose functions that change JSON differ.
 */
export async function regroupedDeferrals(
  transaction: Transaction<Schema>,
  key: DestinationKey,
  until: DeferralDelay,
): Promise<Deferrals> {
  const rows = await transaction
    .selectFrom("deliveries")
    .select(["id", "deferral"])
    .where("queue_key", "=", key)
    .where("message_id", "is", null)
    .where(sql`deferral ->> 'maxGroup'`, "is not", null)
    .execute();
  return new Map(rows.flatMap(({ id, deferral }) => (deferral === null ? [] : [[id, regrouped(deferral, until)]])));
}

/** Changes the deferrals of deliveries that wait at a destination. One statement writes a page, as one parameter. */
export async function writeDeferrals(
  transaction: Transaction<Schema>,
  key: DestinationKey,
  deferrals: Deferrals,
): Promise<void> {
  // With the column of the queue itself, SQLite would compare each delivery of the queue with the whole page.
  for (const page of inPages(deferrals, PAGE_SIZE))
    await sql`
      update deliveries set deferral = changed.value
      from json_each(${JSON.stringify(Object.fromEntries(page))}) as changed
      where deliveries.id = changed.key and deliveries.queue_key || '' = ${key} and deliveries.message_id is null
    `.execute(transaction);
}
