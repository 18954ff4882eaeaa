import { tickersOf } from "../domain/alert/match.ts";
import { diffSplits, missingCandidates } from "../domain/diff/diff.ts";
import { remainingLoss } from "../domain/diff/shrink-guard.ts";
import type { DiffSettings, PolledList } from "../domain/diff/snapshot.ts";
import type { RowKey } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import type { Mutex } from "../lib/mutex.ts";
import { formatCount } from "../messages/format.ts";
import type { Clock } from "../ports/clock.ts";
import type { SplitList, SplitSource } from "../ports/split-source.ts";
import { type CommitParts, commitChanges } from "./commit.ts";
import type { Lookups } from "./lookups.ts";
import type { PollOutcome } from "./poll-report.ts";

export interface SplitPollParts extends CommitParts {
  readonly source: SplitSource;
  readonly clock: Clock;
  /** Serializes work that reads the snapshot and commits a change to it. */
  readonly exclusive: Mutex;
  readonly settings: DiffSettings;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
  /** Aborts when the application stops. */
  readonly signal: AbortSignal;
}

export interface SplitPollSteps {
  readonly lookups: Lookups;
  /** Saves the releases about the splits with these tickers. Returns the number of events. */
  readonly saveReleasesOn: (tickers: readonly Ticker[]) => Promise<number>;
}

/** Diffs a complete list against the snapshot and commits the result. Splits that are not in the list are looked up first. */
export async function applySplitList(
  parts: SplitPollParts,
  list: SplitList,
  { lookups, saveReleasesOn }: SplitPollSteps,
): Promise<PollOutcome> {
  const { store, settings } = parts;
  const polled = polledList(parts, list);
  const expected = diffSplits(await store.snapshot.read(), polled, settings);
  const earlierEvents = expected.events.length > 0 ? await saveReleasesOn(expected.events.flatMap(tickersOf)) : 0;
  // On a stop, splits are not applied without their releases: the next start polls both.
  parts.signal.throwIfAborted();
  // Lookups can be slow, so they run outside the exclusive section: only polls of splits change the candidates.
  const lookedUp = await lookups.completeList(parts, polled, missingCandidates(expected));
  return parts.exclusive(async () => {
    const diff = diffSplits(await store.snapshot.read(), lookedUp, settings);
    await commitChanges(parts, { patch: diff.patch, events: diff.events });
    const after = await store.snapshot.read();
    const reason = diff.outcome === "suspicious" ? diff.reason : remainingLoss(after, polled, settings.shrinkGuard);
    const records = list.records.length;
    const countText = formatCount(records, "split");
    return {
      outcome: reason === null ? "complete" : "suspicious",
      detail: reason === null ? countText : `${countText}: ${reason}`,
      records,
      events: earlierEvents + diff.events.length,
      quarantined: list.quarantined.map((record) => record.reason),
    };
  });
}

function polledList(parts: SplitPollParts, list: SplitList): PolledList {
  const { source, clock } = parts;
  const at = clock.now();
  return {
    source: source.id,
    sample: source.sample,
    records: list.records,
    unreadableTickers: new Set(list.quarantined.flatMap(({ ticker }) => ticker ?? [])),
    backfilledRows: parts.backfilledRows(),
    at,
    today: dayInZone(at, MARKET_ZONE),
  };
}
