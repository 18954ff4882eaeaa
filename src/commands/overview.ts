import type { Destination } from "../domain/alert/destination.ts";
import type { Snapshot } from "../domain/diff/snapshot.ts";
import { exchangeName, US_MARKET } from "../domain/split/exchange.ts";
import { oldPerNew } from "../domain/split/ratio.ts";
import { ratioLabel, type Split, shownSymbol } from "../domain/split/split.ts";
import { addDays, type Day, weekdayOf } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import { memoize } from "../lib/collections.ts";
import { noteLines } from "../messages/answers/status-answer.ts";
import { formatDistance, platformName } from "../messages/format.ts";
import type { CurrentSplit, DeliveryProblemSummary, Overview, SourceState } from "../messages/overview.ts";
import { sourceLine } from "../messages/source-text.ts";
import {
  byExDate,
  evidenceWarnings,
  lateListingWarnings,
  recordWarnings,
  withdrawalKind,
} from "../messages/split-text.ts";
import type { OutboxSummary, PollReport } from "../ports/store.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { evidenceOf, readCurrentData } from "./current-data.ts";
import { countHeld } from "./destination-state.ts";

/** Contents of the panel beside a conversation at the destination. Rejects with a StoreError. */
export async function readOverview(destination: Destination, context: CommandContext): Promise<Overview> {
  const { store, source, version } = context;
  const [data, polls, outbox, rules] = await Promise.all([
    readCurrentData(forAnyReader(context)),
    store.polls.read(),
    store.outbox.summary(),
    store.rules.at(destination),
  ]);
  const { today } = data.time;
  const held = await countHeld(outbox, context);
  return {
    version,
    source: { name: source.name, sample: source.sample, note: noteOf(source), ...freshnessOf(polls.splits, context) },
    isSubscribed: rules.length > 0,
    today,
    closedDays: closedDaysFrom(today),
    splits: currentSplits(data.snapshot, today, source.sample),
    deliveries: { waiting: outbox.waiting - held, held, problems: problemsOf(outbox) },
    sources: (source.live?.statuses() ?? []).map((health) => sourceLine(health, data.time)),
  };
}

/** Returns the first note and the number of further notes: short, because the page always shows this text at the top. */
function noteOf(source: CommandContext["source"]): string | null {
  const lines = noteLines(source.notes(), 1);
  return lines.length === 0 ? null : lines.join("\n");
}

function freshnessOf(
  report: PollReport | null,
  context: CommandContext,
): Pick<SourceState, "state" | "readAt" | "problem"> {
  const sourceProblem = context.source.problem();
  if (report === null)
    return { state: sourceProblem === null ? "starting" : "failed", readAt: null, problem: sourceProblem };
  const readAt = report.lastCompleteAt;
  const problem = report.outcome === "complete" ? sourceProblem : report.detail;
  if (report.outcome === "failed" || sourceProblem !== null) return { state: "failed", readAt, problem };
  const stale = report.outcome === "suspicious" || context.isStale("splits", readAt);
  return { state: stale ? "stale" : "fresh", readAt, problem };
}

/** Days shown ahead of today. */
const DAYS_AHEAD = 14;

/** Weekdays of the coming days on which the US exchanges are closed. */
const closedDaysFrom = (today: Day): readonly Day[] =>
  Array.from({ length: DAYS_AHEAD }, (_, index) => addDays(today, index)).filter(
    (day) => ![0, 6].includes(weekdayOf(day)) && tradingDayKind(US_MARKET, day) === "closed",
  );

const currentSplits = memoize((snapshot: Snapshot, today: Day, sample: boolean): readonly CurrentSplit[] =>
  [...snapshot.splits.values()]
    .filter((split) => split.status !== "closed")
    .toSorted((a, b) => byExDate(a.record, b.record))
    .map((split) => currentSplit(split, snapshot, { today, sample })),
);

function currentSplit(
  split: Split,
  snapshot: Snapshot,
  { today, sample }: { readonly today: Day; readonly sample: boolean },
): CurrentSplit {
  const { record } = split;
  const evidence = evidenceOf({ snapshot }, split);
  const withdrawal = withdrawalKind(split);
  return {
    ticker: shownSymbol(record),
    company: record.company,
    exchange: exchangeName(record.exchange),
    ratio: ratioLabel(record),
    oldPerNew: record.ratio === null ? null : oldPerNew(record.ratio),
    exDate: record.exDate,
    effectiveText: record.exDate <= today ? "in effect" : formatDistance(record.exchange, today, record.exDate),
    badges: [
      ...(sample ? ["SAMPLE"] : []),
      ...(split.status === "missing" ? ["MISSING"] : []),
      ...(withdrawal === null ? [] : [withdrawal.toUpperCase()]),
    ],
    warnings: [...recordWarnings(record), ...lateListingWarnings(split), ...evidenceWarnings(record, evidence)],
    treatment: evidence.fraction?.treatment ?? null,
  };
}

function problemsOf({ failed, paused, delayed }: OutboxSummary): readonly DeliveryProblemSummary[] {
  return [
    ...failed.map(({ to, reason, at, deliveries }) => {
      return { state: "failed" as const, where: destinationName(to), reason, at, count: deliveries };
    }),
    ...paused.map(({ to, reason, at, waiting }) => {
      return { state: "paused" as const, where: destinationName(to), reason, at, count: waiting };
    }),
    ...delayed.map(({ to, problem, notBefore }) => {
      return { state: "delayed" as const, where: destinationName(to), reason: problem, at: notBefore, count: 1 };
    }),
  ];
}

/** Omits the names of people. */
function destinationName({ kind, platform, id }: Destination): string {
  return kind === "channel" ? `#${id} on ${platformName(platform)}` : `a direct message on ${platformName(platform)}`;
}
