import type { EventId } from "../../../domain/alert/event.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { inPages } from "../../../lib/collections.ts";
import { forEachInSlices, type TimeSlice } from "../../../lib/slices.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";
import type { Tables } from "../rows/tables.ts";
import type { Transaction } from "../rows/transaction.ts";

/** Rows that one transaction removes. Other changes are written between the batches. */
const BATCH_SIZE = 1_000;

/**
 * Removes messages and postings before `before`, imports that expired before it, and then older events that no other delivery or
 * message needs.
 */
export async function pruneTables(changes: ChangeLog, before: Instant): Promise<void> {
  const { messages, postings, imports } = changes.tables;
  await removeOld(changes, messages, ({ at }) => at < before);
  await removeOld(changes, postings, ({ at }) => at < before);
  await removeOld(changes, imports, ({ until }) => until <= before);
  await changes.change((transaction, slice) => pruneEvents(transaction, slice, { tables: changes.tables, before }));
}

async function removeOld<V>(changes: ChangeLog, table: Table<V>, isOld: (row: V) => boolean): Promise<void> {
  const keys: string[] = [];
  await forEachInSlices(table.rows(), ({ key, value }) => isOld(value) && keys.push(key));
  for (const batch of inPages(keys, BATCH_SIZE)) {
    await changes.change((transaction) => {
      for (const key of batch) {
        // It may have been replaced since.
        const row = transaction.get(table, key);
        if (row !== undefined && isOld(row)) transaction.remove(table, key);
      }
    });
  }
}

/** One transaction: a delivery that is committed meanwhile may need the event again. */
async function pruneEvents(
  transaction: Transaction,
  slice: TimeSlice,
  { tables, before }: { readonly tables: Tables; readonly before: Instant },
): Promise<void> {
  const { events, messages, deliveries } = tables;
  const unused = new Set<EventId>();
  const each = <V>(table: Table<V>, visit: (row: V) => void): Promise<void> =>
    forEachInSlices(transaction.rows(table), ([, row]) => visit(row), slice);
  await each(events, ({ id, at }) => at < before && unused.add(id));
  if (unused.size === 0) return;
  await each(messages, ({ deliveries: settled }) => {
    for (const { eventId } of settled) unused.delete(eventId);
  });
  await each(deliveries, ({ eventId }) => unused.delete(eventId));
  for (const id of unused) transaction.remove(events, id);
}
