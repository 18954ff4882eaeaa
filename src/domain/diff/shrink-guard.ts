import { permanentSymbol } from "../split/interim-symbol.ts";
import { latestRecord, type Split } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import type { Day } from "../time/day.ts";
import type { PolledList, Snapshot, Suspicion } from "./snapshot.ts";

/** Returns a suspicion if the list is empty or lacks too many expected splits; null otherwise. */
export function suspicionOf(
  before: Snapshot,
  absent: readonly Split[],
  list: PolledList,
  shrinkGuard: number,
): Suspicion | null {
  const expected = [...before.splits.values()].filter((split) => shouldBeListed(split, list.today));
  const lost = absent.filter((split) => shouldBeListed(split, list.today));
  const isEmpty = list.records.length === 0 && list.unreadableTickers.size === 0;
  const reason = describeLoss({ lost: lost.length, expected: expected.length, isEmpty }, shrinkGuard);
  return reason === null ? null : { seen: (before.suspicion?.seen ?? 0) + 1, reason };
}

/**
 * Returns the reason why an accepted list is still incomplete; null if it is complete. A suspicious list is accepted when it
 * repeats, but its absent splits don't count as missing yet. `list` must not contain lookups of single tickers.
 */
export function remainingLoss(after: Snapshot, list: PolledList, shrinkGuard: number): string | null {
  const listedTickers = new Set<Ticker>([
    ...list.records.flatMap((record) => [record.ticker, permanentSymbol(record) ?? record.ticker]),
    ...list.unreadableTickers,
  ]);
  const expected = [...after.splits.values()].filter(
    (split) => split.status === "listed" && latestRecord(split).exDate > list.today,
  );
  const lost = expected.filter((split) => !listedTickers.has(latestRecord(split).ticker));
  return describeLoss({ lost: lost.length, expected: expected.length, isEmpty: listedTickers.size === 0 }, shrinkGuard);
}

/** Returns null if the loss is within the limit. */
function describeLoss(
  { lost, expected, isEmpty }: { readonly lost: number; readonly expected: number; readonly isEmpty: boolean },
  shrinkGuard: number,
): string | null {
  if (lost === 0) return null;
  if (isEmpty) return `the list is empty, ${expected} splits were expected`;
  const isTooLarge = lost > 1 && lost > expected * shrinkGuard;
  return isTooLarge ? `the list lacks ${lost} of the ${expected} splits that were expected` : null;
}

/** False from the ex date on, because splits then leave the list, and for splits that were already absent. */
function shouldBeListed(split: Split, today: Day): boolean {
  return split.status === "listed" && split.pollsMissed === 0 && latestRecord(split).exDate > today;
}
