import { type ArticleIndex, indexArticles } from "../article/evidence.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotPatch } from "../diff/snapshot.ts";
import { evidenceWithOtherRows, listedRecords } from "../split/quality.ts";
import { latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE, tradingDayBefore, tradingDaysUntil } from "../time/trading-day.ts";
import { type Effective, eventIds, type Reminder } from "./event.ts";

export interface RemindMoment {
  readonly at: Instant;
  /** The day in New York. */
  readonly today: Day;
  readonly sample: boolean;
  /** The market day of the last reminders for these destinations. */
  readonly since: Day;
}

export interface DueReminders {
  readonly patch: SnapshotPatch | null;
  readonly events: readonly (Effective | Reminder)[];
  /** Made at an earlier tick and still valid, for rules and watchlists that were added since. */
  readonly stillValid: readonly (Effective | Reminder)[];
}

/** The reminders due today, once per split and ex date; from the ex date on, `effective` events. */
export function dueReminders(snapshot: Snapshot, before: readonly number[], moment: RemindMoment): DueReminders {
  const all = [...snapshot.splits.values()];
  const known = { articles: indexArticles(snapshot.articles.values()), listed: listedRecords(all) };
  const due = all.flatMap((split) => {
    const days = daysDue(split, before, moment.today);
    return days.length === 0 ? [] : [{ split, days }];
  });
  const dueNow = new Set(due.map(({ split }) => split));
  const stillValid = all
    .filter((split) => !dueNow.has(split))
    .flatMap((split) => {
      const days = daysStillValid(split, before, moment);
      return days.length === 0 ? [] : [remind(split, Math.min(...days), moment, known)];
    });
  if (due.length === 0) return { patch: null, events: [], stillValid };
  const splits = due.map(({ split, days }) => ({
    ...split,
    reminded: { ...split.reminded, ...Object.fromEntries(days.map((day) => [day, split.record.exDate])) },
  }));
  return {
    patch: { ...headerPatch(headerOf(snapshot)), splits },
    // After downtime several may be due together: only the latest is sent.
    events: due.map(({ split, days }) => remind(split, Math.min(...days), moment, known)),
    stillValid,
  };
}

/** The due reminders, by trading days before the ex date, that were not made for this ex date yet. */
function daysDue(split: Split, before: readonly number[], today: Day): readonly number[] {
  const { exDate, exchange } = split.record;
  if (isUncertain(split)) return [];
  const open = before.filter((days) => split.reminded[days] !== exDate);
  if (today >= exDate) return open.includes(0) && hasTakenEffect(split) ? open : [];
  return open.filter((days) => days > 0 && tradingDayBefore(exchange, exDate, days) <= today);
}

/**
 * The reminders made for this ex date that are still valid: before the ex date all of them, then `effective` on the ex date
 * and, if no reminders were sent since, after it.
 */
function daysStillValid(split: Split, before: readonly number[], { today, since }: RemindMoment): readonly number[] {
  const { exDate } = split.record;
  const isOver = exDate < today && (exDate < since || isSeenAfter(split, exDate));
  if (isUncertain(split) || isOver) return [];
  return before.filter((days) => split.reminded[days] === exDate && (days === 0) === today >= exDate);
}

/** Whether the split took effect before splitwatch saw it. */
function isSeenAfter({ firstSeenAt }: Split, day: Day): boolean {
  return dayInZone(firstSeenAt, MARKET_ZONE) > day;
}

/** Whether the last alerted ex date may no longer be valid. */
function isUncertain(split: Split): boolean {
  const { exDate } = split.record;
  return split.status === "missing" || split.withdrawal?.exDate === exDate || latestRecord(split).exDate !== exDate;
}

/** False if the split left the list before its ex date, or if `effective` was sent for a later date that was then corrected. */
function hasTakenEffect({ record: { exDate }, removedAt, reminded }: Split): boolean {
  const effectiveSentFor = reminded[0];
  if (effectiveSentFor !== undefined && effectiveSentFor > exDate) return false;
  return removedAt === null || dayInZone(removedAt, MARKET_ZONE) >= exDate;
}

interface Known {
  readonly articles: ArticleIndex;
  readonly listed: readonly SplitRecord[];
}

function remind(split: Split, days: number, moment: RemindMoment, known: Known): Effective | Reminder {
  const { record, id } = split;
  const base = {
    id: eventIds.reminder(id, days, record.exDate),
    at: moment.at,
    sample: moment.sample,
    splitId: id,
    record,
    ...evidenceWithOtherRows(record, known.listed, known.articles),
  };
  if (days === 0) return { kind: "effective", ...base };
  // Before an ex date on a holiday, no trading day may be left.
  const daysLeft = Math.max(1, tradingDaysUntil(record.exchange, moment.today, record.exDate));
  return { kind: "reminder", ...base, daysLeft };
}
