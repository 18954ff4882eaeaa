import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import { pauseToRetry } from "../../../domain/alert/pause.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { SettledMessage } from "../../../ports/state-records.ts";
import { settledDelivery } from "../indexes/archive.ts";
import type { Tables } from "../rows/tables.ts";
import type { Transaction } from "../rows/transaction.ts";

/** Moves the attempt and its deliveries to the history. */
export function settle(
  transaction: Transaction,
  tables: Tables,
  attempt: Attempt,
  outcome: Pick<SettledMessage, "at" | "end">,
): void {
  const { messageId, to } = attempt;
  const deliveries = attempt.deliveries.flatMap((id) => transaction.get(tables.deliveries, id) ?? []);
  for (const { id } of deliveries) transaction.remove(tables.deliveries, id);
  transaction.remove(tables.attempts, destinationKey(to));
  const settled = deliveries.map((delivery) => settledDelivery(delivery));
  transaction.put(tables.messages, messageId, { messageId, to, ...outcome, deliveries: settled });
}

/** Makes a paused destination due at `at`. Returns false if it isn't paused. */
export function retryPause(transaction: Transaction, tables: Tables, key: DestinationKey, at: Instant): boolean {
  const pause = transaction.get(tables.pauses, key);
  if (!pause) return false;
  transaction.put(tables.pauses, key, pauseToRetry(pause, at));
  // It may be outdated, and the next try replaces it.
  transaction.set(tables.attempts, key, { problem: null });
  return true;
}

/** Ends the pause of a destination, if there is one. */
export function endPause(transaction: Transaction, tables: Tables, key: DestinationKey): void {
  if (!transaction.get(tables.pauses, key)) return;
  transaction.remove(tables.pauses, key);
  // The problem is solved and must not be shown with the next delivery.
  transaction.set(tables.attempts, key, { problem: null });
}
