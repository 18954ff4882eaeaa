import { type Event, isSplitEvent } from "../domain/alert/event.ts";
import type { Split } from "../domain/split/split.ts";
import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE, tradingDayBefore, tradingDayKind } from "../domain/time/trading-day.ts";
import { compareText } from "../lib/collections.ts";
import { EVENT_KIND_TEXT } from "./event-text.ts";
import { capitalize, formatDay, formatDistance, type TimeContext } from "./format.ts";
import type { Card } from "./message.ts";
import { changesText, FROM_EFFECTIVE_DATE, withdrawalKind } from "./split-text.ts";

/** Everything known about the splits of one ticker. */
export interface SplitView {
  readonly ticker: string;
  /** Empty if it isn't stated. */
  readonly company: string;
  readonly isSample: boolean;
  /** One section for each split: upcoming splits by ex date, then past splits, the latest first. */
  readonly sections: readonly SplitSection[];
  /** Cards that aren't about one listed split: an announcement that isn't listed yet, and the releases. */
  readonly cards: readonly Card[];
}

export interface SplitSection {
  /** Oldest first. */
  readonly steps: readonly TimelineStep[];
  readonly cards: readonly Card[];
}

/** One step of a split. */
export interface TimelineStep {
  readonly label: string;
  readonly day: Day;
  /** `Tue 10 Mar 2026` */
  readonly dayText: string;
  readonly detail: string | null;
  /** Address of the press release; null: none. */
  readonly release: string | null;
  readonly time: "past" | "today" | "ahead";
  /** False if the split may not take effect: it is withdrawn or no longer listed. */
  readonly isCertain: boolean;
}

type Step = Pick<TimelineStep, "label" | "day" | "detail"> & { readonly release?: string };

/** Further changes are in the history of the split's card. */
const MAX_CHANGES = 6;

/** Steps of a split from its announcement to its ex date. `events`: oldest first. */
export function timelineSteps(
  split: Split,
  events: readonly Event[],
  context: TimeContext,
  { isFromEffectiveDate = false }: { readonly isFromEffectiveDate?: boolean } = {},
): readonly TimelineStep[] {
  const changes = events.flatMap(changeSteps).slice(-MAX_CHANGES);
  const steps = [startStep(split), ...changes, ...tradingSteps(split, context, isFromEffectiveDate)];
  return steps
    .toSorted((a, b) => compareText(a.day, b.day))
    .map(({ release = null, ...step }) => ({
      ...step,
      dayText: formatDay(step.day),
      release,
      time: timeOf(step.day, context.today),
      isCertain: isCertain(split) || step.day <= context.today,
    }));
}

function timeOf(day: Day, today: Day): TimelineStep["time"] {
  if (day === today) return "today";
  return day < today ? "past" : "ahead";
}

function isCertain(split: Split): boolean {
  return split.status !== "missing" && withdrawalKind(split) === null;
}

function startStep({ record, firstSeenAt }: Split): Step {
  const { dateAnnounced, exDate } = record;
  // An announcement after the ex date is a mistake of the source, which the card reports.
  if (dateAnnounced !== null && dateAnnounced <= exDate)
    return { label: "Announced", day: dateAnnounced, detail: null };
  return { label: "First seen", day: dayInZone(firstSeenAt, MARKET_ZONE), detail: null };
}

/** Event kinds that other steps show. */
const OTHER_STEPS: readonly Event["kind"][] = ["announced", "reminder", "effective"];

function changeSteps(event: Event): readonly Step[] {
  if (!isSplitEvent(event) || OTHER_STEPS.includes(event.kind)) return [];
  const step = { label: capitalize(EVENT_KIND_TEXT[event.kind].inRule), day: dayInZone(event.at, MARKET_ZONE) };
  if ("article" in event) return [{ ...step, detail: "According to a release", release: event.article.url }];
  if (event.kind !== "changed") return [{ ...step, detail: null }];
  return event.terms.length === 0 ? [] : [{ ...step, detail: capitalize(changesText(event.terms, event)) }];
}

function tradingSteps(split: Split, { today }: TimeContext, isFromEffectiveDate: boolean): readonly Step[] {
  const { exchange, exDate } = split.record;
  const lastDay = tradingDayBefore(exchange, exDate, 1);
  const closesEarly = tradingDayKind(exchange, lastDay) === "half";
  const withdrawal = withdrawalKind(split);
  const mark = isFromEffectiveDate ? `, ${FROM_EFFECTIVE_DATE}` : "";
  return [
    { label: "Last trading day before", day: lastDay, detail: closesEarly ? "The exchange closes early" : null },
    {
      label: "Ex date",
      day: exDate,
      detail:
        withdrawal === null
          ? `${capitalize(formatDistance(exchange, today, exDate))}${mark}`
          : `Listed, but ${withdrawal}`,
    },
  ];
}
