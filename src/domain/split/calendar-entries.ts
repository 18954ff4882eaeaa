import { compareText } from "../../lib/collections.ts";
import type { SplitEvidence } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { type ArticleIndex, articlesOn, evidenceIn } from "../article/evidence.ts";
import { addDays, type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import type { Split, SplitId, SplitRecord } from "./split.ts";

/**
 * State of a calendar entry. `moved`: a release postpones the split to another day than the list shows. `withdrawn`: cancelled,
 * or postponed without a new day. `removed`: left the list before the ex date, and no release withdraws it.
 */
export type EntryState =
  | { readonly kind: "listed" }
  | { readonly kind: "removed" }
  | { readonly kind: "moved" | "withdrawn"; readonly withdrawal: "postponed" | "cancelled" };

/** A calendar entry for one split. */
export interface CalendarEntry {
  readonly splitId: SplitId;
  readonly record: SplitRecord;
  /** The ex date, or the new ex date that a release states. */
  readonly day: Day;
  readonly state: EntryState;
  readonly evidence: SplitEvidence;
  /** Increases with every event of the split. */
  readonly revision: number;
  /** Time of the last change of these fields. */
  readonly changedAt: Instant;
}

/** Number of days that past ex dates stay in a calendar. */
const RETENTION_DAYS = 30;

/** Returns upcoming and recent splits, sorted by day and ticker. */
export function calendarEntries(splits: Iterable<Split>, articles: ArticleIndex, today: Day): readonly CalendarEntry[] {
  const oldest = addDays(today, -RETENTION_DAYS);
  return [...splits]
    .map((split) => entryOf(split, articles))
    .filter(({ day }) => day >= oldest)
    .toSorted(
      (a, b) =>
        compareText(a.day, b.day) || compareText(a.record.ticker, b.record.ticker) || compareText(a.splitId, b.splitId),
    );
}

const LISTED = { kind: "listed" } as const;
const REMOVED = { kind: "removed" } as const;

function entryOf(split: Split, articles: ArticleIndex): CalendarEntry {
  const { id, record, revision } = split;
  const releases = articlesOn(record, articles);
  const evidence = evidenceIn(releases, record);
  const base = { splitId: id, record, evidence, revision, changedAt: lastChangeTime(split, releases) };
  const withdrawal = split.withdrawal?.exDate === record.exDate ? split.withdrawal.kind : null;
  if (withdrawal === null) return { ...base, day: record.exDate, state: isRemovedEarly(split) ? REMOVED : LISTED };
  const newDay = withdrawal === "postponed" ? statedDay(evidence) : null;
  const day = newDay ?? record.exDate;
  return { ...base, day, state: { kind: newDay === null ? "withdrawn" : "moved", withdrawal } };
}

/** The ex date that the releases state if it differs from the listed ex date; null otherwise. */
function statedDay({ disagreements }: SplitEvidence): Day | null {
  return disagreements.find((disagreement) => disagreement.term === "exDate")?.stated ?? null;
}

function isRemovedEarly({ removedAt, record }: Split): boolean {
  return removedAt !== null && dayInZone(removedAt, MARKET_ZONE) < record.exDate;
}

function lastChangeTime(
  { firstSeenAt, removedAt, transitionTimes }: Split,
  releases: readonly KnownArticle[],
): Instant {
  return Math.max(firstSeenAt, removedAt ?? 0, ...transitionTimes, ...releases.map(({ seenAt }) => seenAt));
}
