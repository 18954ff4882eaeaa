import { compareText } from "../../lib/collections.ts";
import type { SplitEvidence } from "../alert/event.ts";
import { type ArticleIndex, articlesOn, evidenceOn } from "../article/evidence.ts";
import { addDays, type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import type { Split, SplitId, SplitRecord } from "./split.ts";

/**
 * Whether the day is reliable. `moved`: a release postpones the split to a day that the list does not show yet. `withdrawn`:
 * cancelled, or postponed without a new day. `removed`: it disappeared from the list before its ex date, unexplained.
 */
export type EntryState =
  | { readonly kind: "listed" }
  | { readonly kind: "removed" }
  | { readonly kind: "moved" | "withdrawn"; readonly by: "postponed" | "cancelled" };

/** A calendar entry for one split. */
export interface CalendarEntry {
  readonly splitId: SplitId;
  readonly record: SplitRecord;
  /** The ex date, as far as known. */
  readonly day: Day;
  readonly state: EntryState;
  readonly evidence: SplitEvidence;
  /** Increases with every event of the split. */
  readonly revision: number;
  /** When any of these fields last changed. */
  readonly changedAt: Instant;
}

/** How long past ex dates stay in a calendar. */
const RETENTION_DAYS = 30;

/** Upcoming and recent splits, by day and ticker. */
export function calendarEntries(splits: Iterable<Split>, articles: ArticleIndex, today: Day): readonly CalendarEntry[] {
  const first = addDays(today, -RETENTION_DAYS);
  return [...splits]
    .map((split) => entryOf(split, articles))
    .filter(({ day }) => day >= first)
    .toSorted(
      (a, b) =>
        compareText(a.day, b.day) || compareText(a.record.ticker, b.record.ticker) || compareText(a.splitId, b.splitId),
    );
}

const LISTED = { kind: "listed" } as const;
const REMOVED = { kind: "removed" } as const;

function entryOf(split: Split, articles: ArticleIndex): CalendarEntry {
  const { id, record, revision } = split;
  const evidence = evidenceOn(record, articles);
  const base = { splitId: id, record, evidence, revision, changedAt: lastChange(split, articles) };
  const by = split.withdrawal?.exDate === record.exDate ? split.withdrawal.kind : null;
  if (by === null) return { ...base, day: record.exDate, state: isRemovedEarly(split) ? REMOVED : LISTED };
  const newDay = by === "postponed" ? statedDay(evidence) : null;
  const day = newDay ?? record.exDate;
  return { ...base, day, state: { kind: newDay === null ? "withdrawn" : "moved", by } };
}

/** The ex date in the releases if it differs from the list. */
function statedDay({ disagreements }: SplitEvidence): Day | null {
  return disagreements.find((one) => one.term === "exDate")?.stated ?? null;
}

function isRemovedEarly({ removedAt, record }: Split): boolean {
  return removedAt !== null && dayInZone(removedAt, MARKET_ZONE) < record.exDate;
}

function lastChange({ firstSeenAt, removedAt, transitionTimes, record }: Split, articles: ArticleIndex): Instant {
  return Math.max(
    firstSeenAt,
    removedAt ?? 0,
    ...transitionTimes,
    ...articlesOn(record, articles).map(({ seenAt }) => seenAt),
  );
}
