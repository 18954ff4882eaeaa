import type { EventId } from "../../../domain/alert/event.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { TimeSlice } from "../../../lib/slices.ts";
import type { Table } from "../rows/table.ts";
import type { Tables } from "../rows/tables.ts";
import type { Transaction } from "../rows/transaction.ts";

/**
 * Removes messages and postings before `before`, older events that no other delivery or message needs, and imports that expired
 * before it.
 */
export async function pruneTables(
  transaction: Transaction,
  slice: TimeSlice,
  { tables, before }: { readonly tables: Tables; readonly before: Instant },
): Promise<void> {
  const { events, messages, deliveries, postings, imports } = tables;
  const referenced = new Set<EventId>();
  const each = async <V>(table: Table<V>, isOld: (row: V) => boolean): Promise<void> => {
    for (const [key, row] of transaction.rows(table)) {
      await slice.next();
      if (isOld(row)) transaction.remove(table, key);
    }
  };
  await each(messages, ({ at, deliveries: settled }) => {
    if (at >= before) for (const { eventId } of settled) referenced.add(eventId);
    return at < before;
  });
  await each(deliveries, ({ eventId }) => {
    referenced.add(eventId);
    return false;
  });
  await each(events, ({ id, at }) => at < before && !referenced.has(id));
  await each(postings, ({ at }) => at < before);
  await each(imports, ({ until }) => until <= before);
}
