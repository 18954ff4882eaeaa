import type { Day } from "./day.ts";
import type { Reading } from "./reading.ts";
import type { Doubt, Snapshot } from "./snapshot.ts";
import { lastShown, type Split } from "./split.ts";

/** A list that is suddenly empty, or lost too large a share of the splits that should still be there. */
export function doubtOf(before: Snapshot, gone: readonly Split[], reading: Reading, shrinkGuard: number): Doubt | null {
  // What left after its ex date left as all do, and what was missed before was believed before.
  const expected = [...before.splits.values()].filter((split) => shouldBeListed(split, reading.today));
  const lost = gone.filter((split) => shouldBeListed(split, reading.today));
  if (lost.length === 0) return null;
  const empty = reading.records.length === 0 && reading.unreadable.size === 0;
  const shrunk = lost.length > 1 && lost.length > expected.length * shrinkGuard;
  if (!empty && !shrunk) return null;
  const reason = empty
    ? `the list is empty, ${expected.length} splits were expected`
    : `the list lacks ${lost.length} of the ${expected.length} splits that were expected`;
  return { seen: (before.doubt?.seen ?? 0) + 1, reason };
}

function shouldBeListed(split: Split, today: Day): boolean {
  return split.status === "listed" && split.pollsMissed === 0 && lastShown(split).exDate > today;
}
