import { type Event, isSplitEvent, type MatchableEvent } from "../domain/alert/event.ts";
import { tickersOf } from "../domain/alert/match.ts";
import type { RuleFilter } from "../domain/settings/rule.ts";
import { shownSymbol } from "../domain/split/split.ts";
import { dayInZone } from "../domain/time/day.ts";
import { eventSummary } from "./event-text.ts";
import { formatCount, formatDay, joinList } from "./format.ts";
import { type Card, card, type Row } from "./message.ts";
import { describeRule } from "./rule-text.ts";

/** Days for which a dry-run compares a rule with past events. */
export const DRY_RUN_DAYS = 30;

/** What a rule would have sent in the last `DRY_RUN_DAYS` days. */
export interface DryRun {
  readonly count: number;
  /** False if there are more events than a rule is compared with. */
  readonly isComplete: boolean;
  /** The first alerts, newest first. */
  readonly examples: readonly MatchableEvent[];
  /** False if no event is known that the rule could be compared with. */
  readonly hasEvents: boolean;
}

const PERIOD = `in the last ${DRY_RUN_DAYS} days`;

const MAX_NAMED = 3;

/** `12 alerts in the last 30 days`, for a list of rules. */
export function dryRunCount(run: DryRun): string {
  return `${countText(run)} ${PERIOD}`;
}

/** `In the last 30 days it would have sent 12 alerts, such as ZRVNK announced on Mon 2 Mar 2026.` */
export function dryRunLine(run: DryRun, timezone: string): string {
  const start = `In the last ${DRY_RUN_DAYS} days it would have sent ${countText(run)}`;
  if (!run.hasEvents) return `${start}: no event of that time is known yet.`;
  if (run.examples.length === 0) return `${start}.`;
  const named = run.examples.slice(0, MAX_NAMED).map((event) => {
    return `${subjectOf(event)} ${event.kind} on ${formatDay(dayInZone(event.at, timezone))}`;
  });
  return `${start}${named.length < run.count ? ", such as " : ": "}${joinList(named)}.`;
}

/** Answer to a preview. `save`: the command that saves the rule. */
export function rulePreviewCard(
  rule: RuleFilter,
  run: DryRun,
  { timezone, save }: { readonly timezone: string; readonly save: Card["buttons"] },
): Card {
  const hiddenCount = run.count - run.examples.length;
  return card({
    title: `This rule would have sent ${dryRunCount(run)}`,
    lines: [
      describeRule(rule),
      "Nothing was changed.",
      ...(run.hasEvents ? [] : ["No event of that time is known yet."]),
      ...(hiddenCount > 0 ? [`The newest ${run.examples.length} are shown.`] : []),
    ],
    rows: run.examples.map((event) => exampleRow(event, timezone)),
    buttons: save,
  });
}

function countText({ count, isComplete }: DryRun): string {
  if (count === 0) return "no alerts";
  return `${isComplete ? "" : "at least "}${formatCount(count, "alert")}`;
}

function exampleRow(event: MatchableEvent, timezone: string): Row {
  return { title: `${formatDay(dayInZone(event.at, timezone))}, ${subjectOf(event)}`, detail: eventSummary(event) };
}

function subjectOf(event: Event): string {
  if (isSplitEvent(event)) return shownSymbol(event.record);
  return tickersOf(event)[0] ?? (event.kind === "stale" ? "data" : "release");
}
