import type { Destination, Person } from "../domain/alert/destination.ts";
import type { Snapshot } from "../domain/diff/snapshot.ts";
import type { DestinationSettings, SettingName } from "../domain/settings/destination-settings.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { type Exchange, exchangeName, KNOWN_EXCHANGES, US_MARKET } from "../domain/split/exchange.ts";
import { oldPerNew } from "../domain/split/ratio.ts";
import { ratioLabel, type Split } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, type Day, weekdayOf } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import { memoize } from "../lib/collections.ts";
import { nextEventLoopTurn } from "../lib/slices.ts";
import { internalErrorCard } from "../messages/answers/problem-answer.ts";
import { noSuchRuleCard } from "../messages/answers/rules-answer.ts";
import { settingsCard } from "../messages/answers/settings-answer.ts";
import { noteLines, statusCard } from "../messages/answers/status-answer.ts";
import { calendarRow } from "../messages/calendar/calendar-answer.ts";
import { dryRunLine } from "../messages/dry-run-text.ts";
import { formatDistance, platformName } from "../messages/format.ts";
import type { Card, Fact, Row } from "../messages/message.ts";
import type { CommandProblem } from "../messages/option-text.ts";
import type { CurrentSplit, DeliveryProblemSummary, Overview, SourceState } from "../messages/overview.ts";
import type { ReleaseView } from "../messages/release-view.ts";
import { isMutedAt, settingFacts } from "../messages/setting-text.ts";
import { sourceLine } from "../messages/source-text.ts";
import {
  byExDate,
  evidenceWarnings,
  lateListingWarnings,
  recordWarnings,
  withdrawalKind,
} from "../messages/split-text.ts";
import type { SplitView } from "../messages/split-view.ts";
import type { OutboxSummary, PollReport } from "../ports/store.ts";
import { PUBLIC_CALENDAR_PATH, upcomingEntries } from "./calendar-feed.ts";
import { type Call, type CommandInput, deniedCard } from "./command.ts";
import { type AnswerContext, type CommandContext, forAnyReader } from "./context.ts";
import { type CurrentData, evidenceOf, exchangesIn, readCurrentData, tickerRow } from "./current-data.ts";
import { countHeld, readersTimezone } from "./destination-state.ts";
import { dryRunOf } from "./dry-run.ts";
import { ALL_COMMANDS } from "./index.ts";
import { createOperatorView, type OperatorView } from "./operator-view.ts";
import { readReleaseView } from "./release-view.ts";
import { findProblems } from "./run-command.ts";
import { readSettingsView } from "./settings.ts";
import { readSplitView } from "./split-view.ts";
import { readStatus } from "./status.ts";

/** Reads the contents of forms, home pages and side panels. Changes that people make there run as commands. */
export interface Screens {
  /** Returns the problems that would prevent the command from running, without running it. Rejects with a StoreError. */
  problems(input: CommandInput): Promise<readonly CommandProblem[]>;
  /** Contents of the form for a rule; for a new rule if `number` is null. Never rejects. */
  ruleForm(number: number | null, call: Call): Promise<RuleForm>;
  /** Contents of the person's home page. Rejects with a StoreError. */
  home(call: Call): Promise<Home>;
  readonly operator: OperatorView;
  /** Contents of the panel beside a conversation at the destination. Rejects with a StoreError. */
  overview(destination: Destination): Promise<Overview>;
  /** Everything known about the splits of a ticker, for this person. Rejects with a StoreError. */
  splitView(ticker: Ticker, person: Person): Promise<SplitView>;
  /** A press release with its text; null if no release has this address. Rejects with a StoreError. */
  releaseView(url: string): Promise<ReleaseView | null>;
}

/** Initial contents of a rule's form. */
export type RuleForm =
  | {
      readonly kind: "form";
      /** Null for a new rule. */
      readonly rule: Rule | null;
      /** Offered exchanges: the rule's exchanges, the known exchanges, and the exchanges of listed splits. */
      readonly exchanges: readonly Exchange[];
      /** What the rule would have sent; null for a new rule. */
      readonly dryRun: string | null;
    }
  | { readonly kind: "refused"; readonly card: Card };

export function createScreens(context: CommandContext): Screens {
  return {
    problems: (input) => findProblems(input, { commands: ALL_COMMANDS, context: forAnyReader(context) }),
    ruleForm: (number, call) => readRuleForm(number, call, context),
    home: (call) => nextEventLoopTurn().then(() => readHome(call, context)),
    operator: createOperatorView(context),
    overview: (destination) => nextEventLoopTurn().then(() => readOverview(destination, context)),
    splitView: (ticker, person) => nextEventLoopTurn().then(() => readSplitView(ticker, person, forAnyReader(context))),
    releaseView: (url) => nextEventLoopTurn().then(() => readReleaseView(url, context)),
  };
}

async function readRuleForm(number: number | null, call: Call, context: CommandContext): Promise<RuleForm> {
  try {
    const denied = await deniedCard("subscribe", call);
    if (denied !== null) return { kind: "refused", card: denied };
    const rules = await context.store.rules.at(call.destination);
    const rule = rules.find((candidate) => candidate.number === number) ?? null;
    if (number !== null && rule === null) return { kind: "refused", card: noSuchRuleCard([number], rules) };
    const answerContext = { ...context, readersTimezone: await readersTimezone(call, context) };
    return {
      kind: "form",
      rule,
      exchanges: await exchangesFor(rule, answerContext),
      dryRun: rule && dryRunLine(await dryRunOf(rule, answerContext), answerContext.readersTimezone),
    };
  } catch (error) {
    context.log.error("rule form failed", { platform: call.person.platform, error });
    return { kind: "refused", card: internalErrorCard() };
  }
}

async function exchangesFor(rule: Rule | null, context: AnswerContext): Promise<readonly Exchange[]> {
  const listedExchanges = exchangesIn(await readCurrentData(context));
  return [...new Set([...(rule?.exchanges ?? []), ...KNOWN_EXCHANGES, ...listedExchanges])];
}

/** Contents of a person's home page, worded like the answers of the matching commands. */
export interface Home {
  /** Answer of `status`. */
  readonly status: Pick<Card, "tone" | "title" | "lines">;
  /** True for sample data. Platforms that never show sample data hide the splits. */
  readonly sample: boolean;
  /** First rows of `watchlist`. */
  readonly watchlist: { readonly total: number; readonly rows: readonly TickerRow[] };
  /** First rows of `calendar`; null if no list has been read yet. */
  readonly upcoming: { readonly total: number; readonly rows: readonly UpcomingRow[] } | null;
  /** Answer of `settings`, and its values. */
  readonly settings: {
    readonly summary: string;
    readonly zone: string;
    readonly values: DestinationSettings;
    readonly facts: Readonly<Record<SettingName, Fact>>;
    readonly isMuted: boolean;
  };
  readonly rules: readonly Rule[];
  /** Reason why deliveries to the person are paused; null if they aren't. */
  readonly pauseReason: string | null;
  /** Address of the public calendar; null if there is none. */
  readonly calendar: string | null;
}

export type TickerRow = Row & { readonly ticker: Ticker };

type UpcomingRow = TickerRow & { readonly isWatched: boolean };

/** Maximum number of rows; the commands show further rows. */
const MAX_TICKERS = 15;
const MAX_UPCOMING = 8;

/** `call` must come from a direct message. */
async function readHome(call: Call, commandContext: CommandContext): Promise<Home> {
  const context = { ...commandContext, readersTimezone: await readersTimezone(call, commandContext) };
  const { store, source, publicUrl } = context;
  const data = await readCurrentData(context);
  const [report, tickers, view, rules, pause] = await Promise.all([
    readStatus(data, call, context),
    store.watchlists.of(call.person),
    readSettingsView(call.person, context),
    store.rules.at(call.person),
    store.outbox.pauseOf(call.person),
  ]);
  const { tone, title, lines } = statusCard(report, data.time);
  const settings = settingsCard(view);
  return {
    status: { tone, title, lines },
    sample: source.sample,
    watchlist: {
      total: tickers.length,
      rows: tickers.slice(0, MAX_TICKERS).map((ticker) => tickerRow(data, ticker)),
    },
    upcoming: data.snapshot.splitsKnown ? upcomingRows(data, tickers) : null,
    settings: {
      facts: settingFacts(view),
      summary: settings.lines[0] ?? "",
      zone: view.zone,
      values: view.settings,
      isMuted: isMutedAt(view.settings.mutedUntil, view.now),
    },
    rules,
    pauseReason: pause?.reason ?? null,
    calendar: publicUrl === null ? null : `${publicUrl}${PUBLIC_CALENDAR_PATH}`,
  };
}

function upcomingRows(data: CurrentData, watchedTickers: readonly Ticker[]): NonNullable<Home["upcoming"]> {
  const entries = upcomingEntries(data);
  const rows = entries.slice(0, MAX_UPCOMING).map((entry) => {
    const { ticker } = entry.record;
    return { ...calendarRow(entry, data.time), ticker, isWatched: watchedTickers.includes(ticker) };
  });
  return { total: entries.length, rows };
}

async function readOverview(destination: Destination, context: CommandContext): Promise<Overview> {
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
    sources: (source.live?.health() ?? []).map((health) => sourceLine(health, data.time)),
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
    ticker: record.ticker,
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
