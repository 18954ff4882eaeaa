import type { DeliveryProblem } from "../../domain/alert/delivery.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import { cutText } from "../../lib/external-text.ts";
import {
  capitalize,
  formatAge,
  formatCount,
  formatTime,
  joinList,
  joinShortList,
  platformName,
  type TimeContext,
} from "../format.ts";
import { button, type Card, card, type Fact, type Row, type Tone } from "../message.ts";
import { sourceProblemLine } from "../source-text.ts";

/** Outcome of the last poll of a resource; null before the first poll since startup. */
export type LastPoll = {
  readonly at: Instant;
  readonly outcome: "complete" | "suspicious" | "incomplete" | "failed";
  readonly detail: string;
  readonly quarantined: readonly string[];
  readonly lastCompleteAt: Instant | null;
} | null;

/** A delivery problem. Only the operator sees the names of the destinations of others. */
export interface DeliveryIssue {
  readonly kind: "paused" | "failed" | "delayed";
  readonly recipient: "requester" | "here" | "others";
  readonly platform: string;
  /** Text that names the destination of others; null for the requester's own and for everyone but the operator. */
  readonly name: string | null;
  readonly reason: string;
  /** When it is tried again; null if unknown. */
  readonly retry: DeliveryProblem["retry"] | null;
  /** Number of destinations; for `failed`, number of messages. */
  readonly count: number;
}

/** A platform that can't be used now, or of which a part doesn't work. */
export interface PlatformProblem {
  readonly name: string;
  readonly reason: string;
  /** Present if the platform rejects the credentials. */
  readonly rejected?: { readonly since: Instant; readonly retryAt: Instant | null };
  /** Present if the platform can be used. */
  readonly partial?: { readonly since: Instant; readonly retryAt: Instant };
}

export interface StatusReport {
  readonly version: string;
  readonly source: {
    readonly name: string;
    readonly sample: boolean;
    readonly notes: readonly string[];
    /** Why the source can't be read; null if it can. */
    readonly problem: string | null;
  };
  readonly splits: LastPoll;
  readonly articles: LastPoll;
  /** Resources whose last complete poll is older than the schedule of the polls explains. */
  readonly stale: readonly ("splits" | "articles")[];
  /** Documents that are not read again until they change, as sentences. */
  readonly quarantinedDocuments: readonly string[];
  /** Why the source's latest list is suspicious; null if it isn't. */
  readonly suspicionReason: string | null;
  /** One ticker per listed split with data warnings. */
  readonly inconsistentTickers: readonly Ticker[];
  readonly counts: {
    readonly splits: number;
    readonly missing: number;
    readonly articles: number;
    readonly rules: number;
    readonly people: number;
    readonly tickers: number;
  };
  /** Waiting deliveries, without held deliveries. */
  readonly waiting: number;
  /** Deliveries held by mutes, quiet hours and digests. */
  readonly held: number;
  /** Number of messages with an unknown outcome: they may have been posted. */
  readonly uncertain: number;
  /** Totals per kind, including issues that `issues` omits. */
  readonly totals: Readonly<Record<DeliveryIssue["kind"], number>>;
  readonly issues: readonly DeliveryIssue[];
  readonly platforms: readonly PlatformProblem[];
  /** Why the store can't write; null if it can. */
  readonly storeProblem: string | null;
}

const MAX_QUARANTINED_ROWS = 8;
const MAX_NOTES = 3;
const MAX_TICKERS_SHOWN = 5;

const ISSUE_KINDS = ["delayed", "paused", "failed"] as const;
const NOUNS = { delayed: "destination", paused: "destination", failed: "message" } as const;

export function statusCard(report: StatusReport, context: TimeContext): Card {
  const { counts, source } = report;
  const quarantined = [
    ...quarantinedRows(report.quarantinedDocuments.toReversed(), "document"),
    ...quarantinedRows(report.splits?.quarantined, "split record"),
    ...quarantinedRows(report.articles?.quarantined, "article record"),
  ];
  return card({
    tone: toneOf(report),
    title: titleOf(report, context),
    lines: statusLines(report, quarantined.length),
    facts: [
      { label: "Source", value: source.sample ? `${source.name} (sample data)` : source.name },
      pollFact("Splits", report.splits, context),
      pollFact("Articles", report.articles, context),
      { label: "Known data", value: knownDataText(counts) },
      { label: "Data quality", value: qualityText(report.inconsistentTickers) },
      {
        label: "Subscriptions",
        value: subscriptionsText(counts),
      },
      { label: "Deliveries", value: deliveriesText(report) },
      { label: "Store", value: report.storeProblem === null ? "OK" : `can't write: ${report.storeProblem}` },
      { label: "Version", value: report.version },
    ],
    rows: [
      ...report.platforms.map((platform) => platformRow(platform, context)),
      ...report.issues.map((issue) => issueRow(issue, context)),
      ...unlistedIssueRows(report),
      ...quarantined.slice(0, MAX_QUARANTINED_ROWS),
    ],
    buttons: [button("Refresh", "status")],
  });
}

/** The first notes about the source's data, and the number of omitted notes. */
export function noteLines(notes: readonly string[], maxNotes = MAX_NOTES): readonly string[] {
  const more = notes.length - maxNotes;
  return [
    ...notes.slice(0, maxNotes).map((note) => cutText(note, 300)),
    ...(more > 0 ? [`And ${formatCount(more, "more note")}.`] : []),
  ];
}

function titleOf(report: StatusReport, { now }: TimeContext): string {
  const { splits, articles, source, storeProblem, stale } = report;
  if (storeProblem !== null) return "splitwatch can't write to its store";
  if (source.problem !== null) return "Not up to date: splits can't be read";
  if (splits === null) return "The list of splits hasn't been read since startup";
  const { lastCompleteAt, outcome } = splits;
  const age = lastCompleteAt === null ? "never" : formatAge(now - lastCompleteAt);
  if (outcome === "complete" && stale.includes("splits"))
    return `Not up to date: the list of splits was last read ${age}`;
  if (arePollsMissing(report) && articles?.lastCompleteAt)
    return `Not up to date: press releases were last read ${formatAge(now - articles.lastCompleteAt)}`;
  if (outcome === "complete") return `${usabilityText(report)}the list of splits was read ${age}`;
  const problem =
    outcome === "suspicious"
      ? "The source's latest list is suspicious and isn't used yet"
      : "The last poll of splits failed";
  return `${problem}; last complete list: ${age}`;
}

/** Start of the title of up-to-date data. */
function usabilityText({ platforms }: StatusReport): string {
  const unusable = platforms.filter(({ partial }) => partial === undefined).map(({ name }) => platformName(name));
  return unusable.length === 0 ? "Up to date: " : `${capitalize(joinList(unusable))} can't be used; `;
}

/** Whether data is outdated although its last poll was complete: the polls themselves are missing. */
function arePollsMissing(report: StatusReport): boolean {
  return report.stale.some((resource) => report[resource]?.outcome === "complete");
}

function toneOf(report: StatusReport): Tone {
  const { splits, articles, source, storeProblem, issues, platforms } = report;
  if (storeProblem !== null || source.problem !== null || arePollsMissing(report)) return "bad";
  const areComplete = [splits, articles].every((poll) => poll !== null && poll.outcome === "complete");
  return areComplete && issues.length + platforms.length === 0 ? "good" : "warning";
}

function statusLines(
  { source, suspicionReason, quarantinedDocuments }: StatusReport,
  quarantined: number,
): readonly string[] {
  const more = quarantined - MAX_QUARANTINED_ROWS;
  return [
    ...(source.problem === null ? [] : [sourceProblemLine(source.problem)]),
    ...noteLines(source.notes.filter((note) => note !== source.problem)),
    ...(suspicionReason === null
      ? []
      : [
          `The source's latest list is suspicious and is used only if the next polls confirm it: it showed ${suspicionReason}.`,
        ]),
    ...quarantineLine(
      quarantinedDocuments.length,
      "document",
      ": reading takes too much time or memory until it changes",
    ),
    ...quarantineLine(quarantined - quarantinedDocuments.length, "unusable record"),
    ...(more > 0 ? [`The first ${MAX_QUARANTINED_ROWS} are shown.`] : []),
  ];
}

function quarantineLine(count: number, noun: string, reason = ""): readonly string[] {
  return count === 0 ? [] : [`${formatCount(count, `${noun} is`, `${noun}s are`)} quarantined${reason}.`];
}

function pollFact(label: string, poll: LastPoll, { now, timezone }: TimeContext): Fact {
  if (poll === null) return { label, value: "not read since startup" };
  const when = `${formatAge(now - poll.at)} (${formatTime(poll.at, timezone)})`;
  const lastComplete = poll.lastCompleteAt === null ? "never" : formatTime(poll.lastCompleteAt, timezone);
  const lastCompleteText = poll.outcome === "complete" ? "" : `; last complete: ${lastComplete}`;
  return { label, value: `${poll.outcome}, ${when}: ${cutText(poll.detail, 300)}${lastCompleteText}` };
}

function knownDataText({ splits, missing, articles }: StatusReport["counts"]): string {
  const missingText = missing === 0 ? "" : ` and ${missing} no longer listed`;
  return `${formatCount(splits, "listed split")}${missingText}, ${formatCount(articles, "press release")}`;
}

function subscriptionsText({ rules, people, tickers }: StatusReport["counts"]): string {
  const watchlists =
    people === 0 ? "no watchlists" : `${formatCount(people, "watchlist")} with ${formatCount(tickers, "ticker")}`;
  return `${formatCount(rules, "rule")}, ${watchlists}`;
}

function qualityText(tickers: readonly Ticker[]): string {
  if (tickers.length === 0) return "no issues found";
  return `${formatCount(tickers.length, "split")} with data warnings: ${joinShortList([...new Set(tickers)], MAX_TICKERS_SHOWN)}`;
}

function deliveriesText({ waiting, held, uncertain, totals }: StatusReport): string {
  const parts = [
    waiting === 0 ? "none waiting" : `${waiting.toLocaleString("en-US")} waiting`,
    ...(held > 0 ? [`${held.toLocaleString("en-US")} held (muted, quiet hours or digest)`] : []),
    ...(uncertain > 0 ? [`${uncertain} with unknown outcome, checked before anything is resent`] : []),
    ...ISSUE_KINDS.flatMap((kind) =>
      totals[kind] === 0 ? [] : [`${kind}: ${formatCount(totals[kind], NOUNS[kind])}`],
    ),
  ];
  return parts.join(", ");
}

/** One row per kind with the number of issues that have no row of their own. */
function unlistedIssueRows({ totals, issues }: StatusReport): readonly Row[] {
  return ISSUE_KINDS.flatMap((kind) => {
    const listed = sum(issues.filter((issue) => issue.kind === kind).map(({ count }) => count));
    const more = totals[kind] - listed;
    return more > 0 ? [{ title: `${capitalize(kind)}, not shown`, detail: formatCount(more, NOUNS[kind]) }] : [];
  });
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function platformRow({ name, reason, rejected, partial }: PlatformProblem, { timezone }: TimeContext): Row {
  const platform = capitalize(platformName(name));
  if (partial) {
    const detail = `${reason}; since ${formatTime(partial.since, timezone)}, ${nextTryText(partial.retryAt, timezone)}`;
    return { title: `${platform} works in part`, detail };
  }
  const title = `${platform} can't be used`;
  if (!rejected) return { title, detail: reason };
  const since = `rejected since ${formatTime(rejected.since, timezone)}`;
  return { title, detail: `${reason}; ${since}, ${nextTryText(rejected.retryAt ?? "restart", timezone)}` };
}

function issueRow(issue: DeliveryIssue, { timezone }: TimeContext): Row {
  const { kind, recipient, platform, name, reason, retry, count } = issue;
  const location = name ?? { requester: "for you", here: "here", others: `on ${platformName(platform)}` }[recipient];
  const isNamed = name !== null || recipient !== "others";
  const countText = isNamed && count === 1 ? "" : ` (${formatCount(count, NOUNS[kind])})`;
  return {
    title: `${capitalize(kind)} ${location}${countText}`,
    detail: retry === null ? reason : `${reason}; ${nextTryText(retry, timezone)}`,
  };
}

function nextTryText(retry: DeliveryProblem["retry"], timezone: string): string {
  switch (retry) {
    case "now":
      return "being sent again now";
    case "next alert":
      return "splitwatch tries again with the next alert";
    case "restart":
      return "no further try until a restart";
    default:
      return `next try: ${formatTime(retry, timezone)}`;
  }
}

function quarantinedRows(reasons: readonly string[] | undefined, noun: string): readonly Row[] {
  return (reasons ?? []).map((reason) => ({
    title: `Quarantined ${noun}`,
    detail: cutText(reason, 200),
  }));
}
