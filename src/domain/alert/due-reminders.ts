import { type ArticleIndex, indexArticles } from "../article/evidence.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotPatch } from "../diff/snapshot.ts";
import { evidenceWithOtherRows, listedRecords } from "../split/quality.ts";
import { latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE, tradingDayBefore, tradingDaysUntil } from "../time/trading-day.ts";
import { type Effective, eventIds, type Reminder } from "./event.ts";

export interface RemindMoment {
  readonly at: Instant;
  /** Current day in New York. */
  readonly today: Day;
  readonly sample: boolean;
  /** Day in New York on which reminders were last created for these destinations. */
  readonly lastRemindedOn: Day;
}

export interface DueReminders {
  readonly patch: SnapshotPatch | null;
  readonly events: readonly (Effective | Reminder)[];
  /** Earlier reminders that are still valid, for rules and watchlists that were added after their creation. */
  readonly stillValid: readonly (Effective | Reminder)[];
}

/**
 * Returns the due events, each once per split and ex date: `reminder` before the ex date, `effective` from then on. `daysBefore`:
 * the configured numbers of trading days before the ex date; 0 is `effective`.
 */
export function dueReminders(snapshot: Snapshot, daysBefore: readonly number[], moment: RemindMoment): DueReminders {
  const followed = [...snapshot.splits.values()];
  const evidenceContext: EvidenceContext = {
    articles: indexArticles(snapshot.articles.values()),
    listed: listedRecords(followed),
  };
  const dueEntries = followed.flatMap((split) => {
    const days = daysDue(split, daysBefore, moment.today);
    return days.length === 0 ? [] : [{ split, days }];
  });
  const dueSplits = new Set(dueEntries.map(({ split }) => split));
  const stillValid = followed
    .filter((split) => !dueSplits.has(split))
    .flatMap((split) => {
      const days = daysStillValid(split, daysBefore, moment);
      return days.length === 0 ? [] : [createReminder(split, Math.min(...days), moment, evidenceContext)];
    });
  if (dueEntries.length === 0) return { patch: null, events: [], stillValid };
  const splits = dueEntries.map(({ split, days }) => ({
    ...split,
    reminded: { ...split.reminded, ...Object.fromEntries(days.map((day) => [day, split.record.exDate])) },
  }));
  return {
    patch: { ...headerPatch(headerOf(snapshot)), splits },
    // After downtime, several reminders of a split may be due; only the latest is sent.
    events: dueEntries.map(({ split, days }) => createReminder(split, Math.min(...days), moment, evidenceContext)),
    stillValid,
  };
}

/** The due events that were not created for this ex date yet, each as its number of trading days before the ex date. */
function daysDue(split: Split, daysBefore: readonly number[], today: Day): readonly number[] {
  const { exDate, exchange } = split.record;
  if (isUncertain(split)) return [];
  const unsent = daysBefore.filter((days) => split.reminded[days] !== exDate);
  if (today >= exDate) return unsent.includes(0) && hasTakenEffect(split) ? unsent : [];
  return unsent.filter((days) => days > 0 && tradingDayBefore(exchange, exDate, days) <= today);
}

/**
 * The created events for this ex date that are still valid, each as its number of trading days before the ex date. Before the
 * ex date: all reminders. From the ex date on: `effective`, until the destination's next reminder time after that day.
 */
function daysStillValid(
  split: Split,
  daysBefore: readonly number[],
  { today, lastRemindedOn: since }: RemindMoment,
): readonly number[] {
  const { exDate } = split.record;
  const isOver = exDate < today && (exDate < since || isFirstSeenAfter(split, exDate));
  if (isUncertain(split) || isOver) return [];
  return daysBefore.filter((days) => split.reminded[days] === exDate && (days === 0) === today >= exDate);
}

/** True if the split was first seen after the day. */
function isFirstSeenAfter({ firstSeenAt }: Split, day: Day): boolean {
  return dayInZone(firstSeenAt, MARKET_ZONE) > day;
}

/** True if the last alerted ex date may be outdated. */
function isUncertain(split: Split): boolean {
  const { exDate } = split.record;
  return split.status === "missing" || split.withdrawal?.exDate === exDate || latestRecord(split).exDate !== exDate;
}

/** False if the split left the list before its ex date, or if `effective` was sent for a later ex date that was then corrected. */
function hasTakenEffect({ record: { exDate }, removedAt, reminded }: Split): boolean {
  const effectiveSentFor = reminded[0];
  if (effectiveSentFor !== undefined && effectiveSentFor > exDate) return false;
  return removedAt === null || dayInZone(removedAt, MARKET_ZONE) >= exDate;
}

interface EvidenceContext {
  readonly articles: ArticleIndex;
  readonly listed: readonly SplitRecord[];
}

function createReminder(
  split: Split,
  days: number,
  moment: RemindMoment,
  evidenceContext: EvidenceContext,
): Effective | Reminder {
  const { record, id } = split;
  const base = {
    id: eventIds.reminder(id, days, record.exDate),
    at: moment.at,
    sample: moment.sample,
    splitId: id,
    record,
    ...evidenceWithOtherRows(record, evidenceContext.listed, evidenceContext.articles),
  };
  if (days === 0) return { kind: "effective", ...base };
  // If the ex date is a holiday, there may be no trading day left before it.
  const daysLeft = Math.max(1, tradingDaysUntil(record.exchange, moment.today, record.exDate));
  return { kind: "reminder", ...base, daysLeft };
}
