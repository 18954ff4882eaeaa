import type { Destination } from "../domain/alert/destination.ts";
import { exchangeName } from "../domain/split/exchange.ts";
import { oldPerNew } from "../domain/split/ratio.ts";
import { ratioLabel, type Split } from "../domain/split/split.ts";
import { noteLines } from "../messages/answers/status-answer.ts";
import { formatDistance, treatmentText } from "../messages/format.ts";
import type { CurrentSplit, DeliveryProblem, Overview, SourceState } from "../messages/overview.ts";
import { sourceLine } from "../messages/source-text.ts";
import { byExDate, evidenceWarnings, lateListingWarnings, recordWarnings } from "../messages/split-text.ts";
import type { OutboxSummary, PollReport } from "../ports/store.ts";
import { type CommandContext, forAnyReader } from "./context.ts";
import { type CurrentData, evidenceOf, readCurrentData, sampleBadges } from "./current-data.ts";
import { countHeld } from "./destination-state.ts";

export async function readOverview(context: CommandContext): Promise<Overview> {
  const { store, source, version } = context;
  const [data, polls, outbox, held] = await Promise.all([
    readCurrentData(forAnyReader(context)),
    store.polls.read(),
    store.outbox.summary(),
    countHeld(context),
  ]);
  return {
    version,
    source: { name: source.name, sample: source.sample, note: noteOf(source), ...freshnessOf(polls.splits, context) },
    splits: currentSplits(data, context),
    deliveries: { waiting: outbox.waiting - held, held, problems: problemsOf(outbox) },
    sources: (source.live?.health() ?? []).map((health) => sourceLine(health, data.at)),
  };
}

function noteOf(source: CommandContext["source"]): string | null {
  const lines = noteLines(source.notes());
  return lines.length === 0 ? null : lines.join(" ");
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

function currentSplits(data: CurrentData, context: CommandContext): readonly CurrentSplit[] {
  return [...data.snapshot.splits.values()]
    .filter((split) => split.status !== "closed")
    .toSorted((a, b) => byExDate(a.record, b.record))
    .map((split) => currentSplit(split, data, context));
}

function currentSplit(split: Split, data: CurrentData, context: CommandContext): CurrentSplit {
  const { record } = split;
  const { at } = data;
  const evidence = evidenceOf(data, split);
  return {
    ticker: record.ticker,
    company: record.company,
    exchange: exchangeName(record.exchange),
    ratio: ratioLabel(record),
    oldPerNew: record.ratio === null ? null : oldPerNew(record.ratio),
    exDate: record.exDate,
    daysLeft: record.exDate <= at.today ? "in effect" : formatDistance(record.exchange, at.today, record.exDate),
    badges: [...sampleBadges(context), ...(split.status === "missing" ? ["MISSING"] : [])],
    warnings: [...recordWarnings(record), ...lateListingWarnings(split), ...evidenceWarnings(record, evidence)],
    fraction: evidence.fraction === null ? null : treatmentText(evidence.fraction.treatment),
  };
}

function problemsOf({ failed, paused, delayed }: OutboxSummary): readonly DeliveryProblem[] {
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

/** Persons are not named. */
function destinationName({ kind, platform, id }: Destination): string {
  return kind === "channel" ? `#${id} on ${platform}` : `a direct message on ${platform}`;
}
