import { latestRecord, type Split } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import type { Day } from "../time/day.ts";
import type { PolledList, Snapshot, Suspicion } from "./snapshot.ts";

/** A list that is suddenly empty, or lost too large a share of the splits that should still be there. */
export function suspicionOf(
  before: Snapshot,
  gone: readonly Split[],
  reading: PolledList,
  shrinkGuard: number,
): Suspicion | null {
  // What left after its ex date left as all do, and what was missed before was believed before.
  const expected = [...before.splits.values()].filter((split) => shouldBeListed(split, reading.today));
  const lost = gone.filter((split) => shouldBeListed(split, reading.today));
  const empty = reading.records.length === 0 && reading.unreadableTickers.size === 0;
  const reason = describeLoss({ lost: lost.length, expected: expected.length, empty }, shrinkGuard);
  return reason === null ? null : { seen: (before.suspicion?.seen ?? 0) + 1, reason };
}

/**
 * What a list still lacks after it was taken in, where that is too much: it may have repeated often enough to be no longer
 * doubted, yet as long as what it lacks was not told as missing, nobody should take it for whole. `list` is the list alone,
 * without what the source shows when it is asked for one split.
 */
export function remainingLoss(after: Snapshot, list: PolledList, shrinkGuard: number): string | null {
  const shown = new Set<Ticker>([...list.records.map(({ ticker }) => ticker), ...list.unreadableTickers]);
  const expected = [...after.splits.values()].filter(
    (split) => split.status === "listed" && latestRecord(split).exDate > list.today,
  );
  const lost = expected.filter(({ record }) => !shown.has(record.ticker));
  return describeLoss({ lost: lost.length, expected: expected.length, empty: shown.size === 0 }, shrinkGuard);
}

/** Null where the loss is none, or no larger than it may be. */
function describeLoss(
  { lost, expected, empty }: { readonly lost: number; readonly expected: number; readonly empty: boolean },
  shrinkGuard: number,
): string | null {
  if (lost === 0) return null;
  if (empty) return `the list is empty, ${expected} splits were expected`;
  const shrunk = lost > 1 && lost > expected * shrinkGuard;
  return shrunk ? `the list lacks ${lost} of the ${expected} splits that were expected` : null;
}

function shouldBeListed(split: Split, today: Day): boolean {
  return split.status === "listed" && split.pollsMissed === 0 && latestRecord(split).exDate > today;
}
