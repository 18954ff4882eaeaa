import { compareText } from "../../lib/compare-text.ts";
import type { SplitEvidence } from "../alert/event.ts";
import { type ArticleIndex, articlesOn, evidenceOn } from "../article/evidence.ts";
import { addDays, type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import type { Split, SplitId, SplitRecord } from "./split.ts";

/**
 * Whether its day can be relied on. `moved`: a release puts the split off to another day, which the list does not show yet.
 * `called-off`: to no day that is known. `left`: it went from the list before its ex date, and nothing says why.
 */
export type EntryState =
  | { readonly kind: "listed" }
  | { readonly kind: "removed" }
  | { readonly kind: "moved" | "withdrawn"; readonly by: "postponed" | "cancelled" };

/** A split in a calendar. */
export interface CalendarEntry {
  readonly splitId: SplitId;
  readonly record: SplitRecord;
  /** Where it stands: the ex date, as far as anybody knows. */
  readonly day: Day;
  readonly state: EntryState;
  readonly evidence: SplitEvidence;
  /** Grows with what happens to the split. */
  readonly revision: number;
  /** When anything of this was last learnt. */
  readonly changedAt: Instant;
}

/** How long an ex date that has passed stays in a calendar. */
const DAYS_KEPT = 30;

/** The splits whose day is to come, or has passed not long ago, by day and ticker. */
export function calendarEntries(splits: Iterable<Split>, articles: ArticleIndex, today: Day): readonly CalendarEntry[] {
  const first = addDays(today, -DAYS_KEPT);
  return [...splits]
    .map((split) => entryOf(split, articles))
    .filter(({ day }) => day >= first)
    .toSorted(
      (a, b) =>
        compareText(a.day, b.day) || compareText(a.record.ticker, b.record.ticker) || compareText(a.splitId, b.splitId),
    );
}

const LISTED = { kind: "listed" } as const;
const LEFT = { kind: "removed" } as const;

function entryOf(split: Split, articles: ArticleIndex): CalendarEntry {
  const { id, record, revision } = split;
  const evidence = evidenceOn(record, articles);
  const base = { splitId: id, record, evidence, revision, changedAt: lastLearnt(split, articles) };
  const by = split.withdrawal?.exDate === record.exDate ? split.withdrawal.kind : null;
  if (by === null) return { ...base, day: record.exDate, state: leftEarly(split) ? LEFT : LISTED };
  const newDay = by === "postponed" ? statedDay(evidence) : null;
  const day = newDay ?? record.exDate;
  return { ...base, day, state: { kind: newDay === null ? "withdrawn" : "moved", by } };
}

/** The ex date that the releases give where the list gives another one. */
function statedDay({ disagreements }: SplitEvidence): Day | null {
  return disagreements.find((one) => one.term === "exDate")?.stated ?? null;
}

function leftEarly({ removedAt, record }: Split): boolean {
  return removedAt !== null && dayInZone(removedAt, MARKET_ZONE) < record.exDate;
}

function lastLearnt({ firstSeenAt, removedAt, transitionTimes, record }: Split, articles: ArticleIndex): Instant {
  return Math.max(
    firstSeenAt,
    removedAt ?? 0,
    ...transitionTimes,
    ...articlesOn(record, articles).map(({ seenAt }) => seenAt),
  );
}
