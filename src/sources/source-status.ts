import { addDays, DAY_MS, dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { instantAt } from "../domain/time/wall-clock.ts";
import type { Log } from "../ports/log.ts";
import type { SourceCondition, SourceStatus } from "../ports/source-status.ts";
import { isNewsDay } from "./publishing-hours.ts";
import type { FetchError, FetchFailure } from "./web/fetch-error.ts";

/** Status with the source's name for user-facing texts. */
export interface LabeledStatus extends SourceStatus {
  /** Name, such as `PR Newswire`. */
  readonly label: string;
}

/** Result of reading a source once. */
export interface SourcePollResult {
  /** All items of the source, including items that are not about splits. */
  readonly items: readonly unknown[];
  /** One error for each part, such as a feed, that can't be read. */
  readonly failures: readonly FetchError[];
  /** Errors of earlier reads that have not been resolved; may include those in `failures`. */
  readonly unresolved?: readonly FetchError[];
  /** Number of items that no earlier read contained. */
  readonly newItemCount?: number;
  /** Publication time of the newest item; null: unknown. */
  readonly newestAt?: Instant | null;
  /** Number of parts, such as feeds, whose items are all new: items that were published before them may have been missed. */
  readonly gaps?: number;
  /** Number of requests since startup. */
  readonly requests?: number;
  /** Number of notices whose pages have not been requested yet. */
  readonly untriedPages?: number;
  /** Documents, such as pages, that were requested in this read. Default: none. */
  readonly documents?: DocumentCounts;
}

export interface DocumentCounts {
  readonly read: number;
  /** Documents that were answered and refused by the reader, or that could not be requested. */
  readonly unreadable: number;
}

const CONDITIONS: Readonly<Record<FetchFailure, SourceCondition>> = {
  refused: "refusing",
  "rate-limited": "refusing",
  unreachable: "unreachable",
  timeout: "unreachable",
  "server-error": "unreachable",
  gone: "unreadable",
  unreadable: "unreadable",
  empty: "stale",
  "too-large": "unreadable",
};

export function initialStatus(name: string, now: Instant): SourceStatus {
  return {
    name,
    condition: "waiting",
    since: now,
    problem: null,
    lastReadAt: null,
    lastOkAt: null,
    lastNewAt: null,
    lastGapAt: null,
    itemCount: 0,
    newItemCount: 0,
    gaps: 0,
    requests: 0,
    faults: {},
  };
}

/** Time on trading days without a new item after which a source that publishes daily is stale. */
const MAX_QUIET_MS = DAY_MS;

/**
 * Status after a read. A source is OK if at least one of its parts can be read.
 * @param isDaily Whether the source publishes every trading day.
 */
export function nextStatus(
  previous: SourceStatus,
  result: SourcePollResult,
  now: Instant,
  isDaily = false,
): SourceStatus {
  const { items, failures, newItemCount = 0, gaps = 0, requests = previous.requests } = result;
  const lastNewAt = newestTime(previous, result, now);
  const condition = conditionAfter(result, isDaily && isQuiet(lastNewAt, now));
  const isRead = condition === "ok" || condition === "stale";
  return {
    name: previous.name,
    condition,
    since: condition === previous.condition ? previous.since : now,
    problem: problemOf([...new Set([...failures, ...(result.unresolved ?? [])])]),
    lastReadAt: now,
    lastOkAt: isRead ? now : previous.lastOkAt,
    lastNewAt,
    lastGapAt: gaps > 0 ? now : previous.lastGapAt,
    itemCount: items.length,
    newItemCount: previous.newItemCount + newItemCount,
    gaps: previous.gaps + gaps,
    requests,
    faults: countFaults(previous.faults, failures),
  };
}

function problemOf([first, ...otherErrors]: readonly FetchError[]): string | null {
  if (first === undefined) return null;
  return otherErrors.length === 0 ? first.message : `${first.message}; and ${otherErrors.length} more`;
}

function conditionAfter({ items, failures }: SourcePollResult, isStale: boolean): SourceCondition {
  const [failure] = failures;
  if (failure !== undefined && items.length === 0) return CONDITIONS[failure.failure];
  return isStale ? "stale" : "ok";
}

function isQuiet(lastNewAt: Instant | null, now: Instant): boolean {
  return lastNewAt !== null && tradingTimeMs(lastNewAt, now) > MAX_QUIET_MS;
}

/**
 * Time at which the newest item was found. The first read instead uses the publication time, because the source may have
 * stopped publishing long ago.
 */
function newestTime(
  previous: SourceStatus,
  { newItemCount = 0, newestAt = null }: SourcePollResult,
  now: Instant,
): Instant | null {
  if (newItemCount === 0) return previous.lastNewAt;
  return previous.lastNewAt === null && newestAt !== null ? Math.min(newestAt, now) : now;
}

export function countFaults(faults: SourceStatus["faults"], errors: readonly FetchError[]): SourceStatus["faults"] {
  const counts: Partial<Record<FetchFailure, number>> = { ...faults };
  for (const { failure } of errors) counts[failure] = (counts[failure] ?? 0) + 1;
  return counts;
}

const MAX_DAYS = 30;

/** Milliseconds of trading days from one instant to another, within the last MAX_DAYS days. */
function tradingTimeMs(from: Instant, to: Instant): number {
  let total = 0;
  let day = dayInZone(to, MARKET_ZONE);
  for (let days = 0; days < MAX_DAYS; days += 1) {
    const start = instantAt(day, 0, MARKET_ZONE);
    const end = instantAt(addDays(day, 1), 0, MARKET_ZONE);
    if (isNewsDay(day)) total += Math.max(0, Math.min(to, end) - Math.max(from, start));
    if (start <= from) break;
    day = addDays(day, -1);
  }
  return total;
}

/** Descriptions of problems. `ok` is used only for a source that can be read in part. */
const DESCRIPTIONS: Readonly<Record<SourceCondition, string>> = {
  waiting: "not read yet",
  ok: "a part can't be read",
  stale: "nothing new",
  refusing: "requests refused",
  unreachable: "unreachable",
  unreadable: "unreadable answer",
};

/** Period for which a gap is reported. */
const GAP_REPORT_PERIOD_MS = DAY_MS;

/**
 * Describes a source's problem; null if it has none.
 * @param label Name of the source in user-facing texts.
 */
export function describeProblem(status: SourceStatus, now: Instant, label: string = status.name): string | null {
  const { condition, problem, since, lastOkAt, lastNewAt } = status;
  if (condition === "waiting") return null;
  if (condition === "ok") {
    const gap = describeGap(status, now);
    const partial = problem === null ? null : `${DESCRIPTIONS.ok} (${problem})`;
    const parts = [partial, gap].filter((part) => part !== null);
    return parts.length === 0 ? null : `${label}: ${parts.join("; ")}`;
  }
  if (condition === "stale") {
    const quiet = `since ${formatTime(lastNewAt ?? since)}, although it can be read`;
    return `${label}: ${DESCRIPTIONS.stale} ${problem === null ? quiet : `(${problem})`}`;
  }
  const lastRead = lastOkAt === null ? "not read since startup" : `last read at ${formatTime(lastOkAt)}`;
  return `${label}: ${DESCRIPTIONS[condition]} since ${formatTime(since)} (${problem}); ${lastRead}`;
}

function describeGap({ gaps, lastGapAt }: SourceStatus, now: Instant): string | null {
  if (lastGapAt === null || now - lastGapAt > GAP_REPORT_PERIOD_MS) return null;
  return `${gaps} ${gaps === 1 ? "gap" : "gaps"} since startup, the last at ${formatTime(lastGapAt)}: items may be missing`;
}

/** Describes a source's condition immediately after a read. */
export function describeCondition({ condition, problem, itemCount, lastNewAt }: SourceStatus): string {
  if (condition === "ok") {
    const partial = problem === null ? "" : `; ${DESCRIPTIONS.ok} (${problem})`;
    return `OK, ${itemCount} ${itemCount === 1 ? "item" : "items"}${partial}`;
  }
  if (condition === "stale" && problem === null) return `${DESCRIPTIONS.stale} since ${formatTime(lastNewAt ?? 0)}`;
  return `${DESCRIPTIONS[condition]}${problem === null ? "" : ` (${problem})`}`;
}

/** Describes the failure of a part of a source: `requests refused (www.example.com answered 403)`. */
export function describeFailure({ failure, message }: FetchError): string {
  return `${DESCRIPTIONS[CONDITIONS[failure]]} (${message})`;
}

/** Logs new gaps and condition changes. Failures before the first successful read have the level debug: see `logUnreached`. */
export function logStatus(previous: SourceStatus, status: SourceStatus, log: Log): void {
  const { name: source, condition, problem, itemCount: items, gaps, lastOkAt, lastNewAt, since } = status;
  if (gaps > previous.gaps) log.warn("source gap", { source, gaps });
  if (condition === previous.condition && problem === previous.problem) return;
  if (problem === null && condition === "stale")
    log.warn("source has nothing new", { source, since: formatTime(lastNewAt ?? since) });
  else if (problem === null) log.info("source read", { source, items });
  else log[lastOkAt === null ? "debug" : "warn"]("source read failed", { source, condition, problem });
}

/** Logs the sources that can't be read. Called once, after the first reads. */
export function logUnreached(statuses: readonly SourceStatus[], log: Log): void {
  const unreached = statuses.filter(({ lastOkAt }) => lastOkAt === null);
  const [first] = unreached;
  if (first === undefined) return;
  if (unreached.length < statuses.length) log.warn("sources not reachable", { sources: unreached.map(reasonOf) });
  else log.warn("no source reachable", { sources: statuses.length, problem: reasonOf(first) });
}

function reasonOf({ name, problem }: SourceStatus): string {
  return `${name}: ${problem ?? "no answer yet"}`;
}

/** `2026-03-02 14:00 UTC` */
function formatTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
