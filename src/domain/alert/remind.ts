import { type ArticleIndex, indexArticles } from "../article/evidence.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotPatch } from "../diff/snapshot.ts";
import { evidenceWithOtherRows, listedRecords } from "../split/quality.ts";
import { latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE, tradingDayBefore, tradingDaysUntil } from "../time/trading-day.ts";
import { type Effective, type Reminder, reminderEventId } from "./event.ts";

export interface RemindMoment {
  readonly at: Instant;
  /** New York's day. */
  readonly today: Day;
  readonly sample: boolean;
  /** The day at the exchanges when the places in question were reminded last. */
  readonly since: Day;
}

export interface DueReminders {
  readonly patch: SnapshotPatch | null;
  readonly events: readonly (Effective | Reminder)[];
  /** Made at an earlier tick, and still good for whoever has asked since. */
  readonly stillValid: readonly (Effective | Reminder)[];
}

/** What is due today, once per split and ex date: reminders before it, `effective` from it on. */
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
      const days = daysStanding(split, before, moment);
      return days.length === 0 ? [] : [remind(split, Math.min(...days), moment, known)];
    });
  if (due.length === 0) return { patch: null, events: [], stillValid };
  const splits = due.map(({ split, days }) => ({
    ...split,
    reminded: { ...split.reminded, ...Object.fromEntries(days.map((day) => [day, split.record.exDate])) },
  }));
  return {
    patch: { ...headerPatch(headerOf(snapshot)), splits },
    // After a pause several may be due at once: the latest says it all.
    events: due.map(({ split, days }) => remind(split, Math.min(...days), moment, known)),
    stillValid: stillValid,
  };
}

/** The reminders, by trading days before the ex date, that are due and were not made yet for this ex date. */
function daysDue(split: Split, before: readonly number[], today: Day): readonly number[] {
  const { exDate, exchange } = split.record;
  if (isInDoubt(split)) return [];
  const open = before.filter((days) => split.reminded[days] !== exDate);
  if (today >= exDate) return open.includes(0) && tookEffect(split) ? open : [];
  return open.filter((days) => days > 0 && tradingDayBefore(exchange, exDate, days) <= today);
}

/**
 * The reminders that were made for this ex date and are still true: those before it until it comes, `effective` on its day
 * and, where nobody was reminded since, after it.
 */
function daysStanding(split: Split, before: readonly number[], { today, since }: RemindMoment): readonly number[] {
  const { exDate } = split.record;
  const isOver = exDate < today && (exDate < since || isSeenAfter(split, exDate));
  if (isInDoubt(split) || isOver) return [];
  return before.filter((days) => split.reminded[days] === exDate && (days === 0) === today >= exDate);
}

/** What was in effect before we knew of it is no news to anybody. */
function isSeenAfter({ firstSeenAt }: Split, day: Day): boolean {
  return dayInZone(firstSeenAt, MARKET_ZONE) > day;
}

/** Whether the ex date that was told last still holds is not known. */
function isInDoubt(split: Split): boolean {
  const { exDate } = split.record;
  return split.status === "missing" || split.withdrawal?.exDate === exDate || latestRecord(split).exDate !== exDate;
}

/** A split that left the list before its ex date may never have come to pass; a date corrected to an earlier day is no second one. */
function tookEffect({ record: { exDate }, removedAt, reminded }: Split): boolean {
  const toldFor = reminded[0];
  if (toldFor !== undefined && toldFor > exDate) return false;
  return removedAt === null || dayInZone(removedAt, MARKET_ZONE) >= exDate;
}

interface Known {
  readonly articles: ArticleIndex;
  readonly listed: readonly SplitRecord[];
}

function remind(split: Split, days: number, moment: RemindMoment, known: Known): Effective | Reminder {
  const { record, id } = split;
  const base = {
    id: reminderEventId(id, days, record.exDate),
    at: moment.at,
    sample: moment.sample,
    splitId: id,
    record,
    ...evidenceWithOtherRows(record, known.listed, known.articles),
  };
  if (days === 0) return { kind: "effective", ...base };
  // An ex date on a holiday may follow without a trading day in between: it is still to come.
  const daysLeft = Math.max(1, tradingDaysUntil(record.exchange, moment.today, record.exDate));
  return { kind: "reminder", ...base, daysLeft };
}
