import { addDays, DAY_MS, dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { instantAt } from "../domain/time/wall-clock.ts";
import { type CheckResult, fail, pass, warn } from "../lib/check-result.ts";
import type { Log } from "../ports/log.ts";
import type { DocumentsStatus, SourceCondition, SourceStatus, SourceVerdict } from "../ports/source-status.ts";
import { isNewsDay } from "./publishing-hours.ts";
import type { FetchError, FetchFailure } from "./web/fetch-error.ts";

/** Status with the source's name for user-facing texts. */
export interface LabeledStatus extends SourceStatus {
  /** Name, such as `PR Newswire`. */
  readonly label: string;
  /** True if the source only confirms or completes what others state about splits. */
  readonly confirmsOnly: boolean;
}

/** Result of reading a source once. */
export interface SourcePollResult {
  /** All items of the source, including items that are not about splits. */
  readonly items: readonly unknown[];
  /** One error for each part, such as a feed or a page, that can't be read. */
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
  /** Whether a list, such as the feed, could be read. Default: whether there are items, or no failures but of empty lists. */
  readonly isListRead?: boolean;
  /** Documents, such as pages, that were requested in this read. Default: none. */
  readonly documents?: DocumentCounts;
  /** Remarks that are no problems, such as which of two addresses is read. Default: none. */
  readonly notes?: readonly string[];
}

export interface DocumentCounts {
  readonly read: number;
  /** Documents that were answered and refused by the reader, or that could not be requested. */
  readonly unreadable: number;
  /** Number of the unreadable documents that an earlier read could not read either: they may not be available yet. */
  readonly repeated?: number;
  /** True if the list contains a summary of each document, which is used instead, as the feeds of the wires do. */
  readonly areSummarized?: boolean;
}

/** The counts with another document. `isRepeated`: an earlier read could not read it either. */
export function withDocument(
  counts: DocumentCounts,
  { isRead, isRepeated }: { readonly isRead: boolean; readonly isRepeated: boolean },
): DocumentCounts {
  if (isRead) return { ...counts, read: counts.read + 1 };
  const repeated = (counts.repeated ?? 0) + Number(isRepeated);
  return { ...counts, unreadable: counts.unreadable + 1, repeated };
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
    verdict: "waiting",
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
    documents: { recent: [], lastReadAt: null, failed: 0, failedReads: 0 },
    unreadDocuments: null,
    failedLists: 0,
    notes: [],
  };
}

/** Time on trading days without a new item after which a source that publishes daily is stale. */
const MAX_QUIET_MS = DAY_MS;

/**
 * Status after a read. A source is down if two lists in a row can't be read, or the first one; or if none of the documents of
 * two reads in a row can be read, or three documents in a row.
 * @param isDaily Whether the source publishes every trading day.
 */
export function nextStatus(
  previous: SourceStatus,
  result: SourcePollResult,
  now: Instant,
  isDaily = false,
): SourceStatus {
  const { items, failures, unresolved = [], newItemCount = 0, gaps = 0, requests = previous.requests } = result;
  const lastNewAt = newestTime(previous, result, now);
  const problem = problemOf([...new Set([...failures, ...unresolved])]);
  const failedLists = isListRead(result) ? 0 : previous.failedLists + 1;
  const documents = nextDocuments(previous.documents, result.documents, now);
  const unreadDocuments = unreadShare(previous, result, documents);
  const isFailed = failedLists > 0 || areUnreadable(documents);
  const isStale = isDaily && isQuiet(lastNewAt, now);
  const condition = conditionAfter(previous, result, { isFailed, isStale });
  return {
    name: previous.name,
    verdict: verdictOf({ lastOkAt: previous.lastOkAt, problem, failedLists, documents, unreadDocuments }),
    condition,
    since: condition === previous.condition ? previous.since : now,
    problem,
    lastReadAt: now,
    lastOkAt: isFailed ? previous.lastOkAt : now,
    lastNewAt,
    lastGapAt: gaps > 0 ? now : previous.lastGapAt,
    itemCount: items.length,
    newItemCount: previous.newItemCount + newItemCount,
    gaps: previous.gaps + gaps,
    requests,
    faults: countFaults(previous.faults, failures),
    documents,
    unreadDocuments,
    failedLists,
    notes: notesOf(result),
  };
}

function notesOf({ notes = [] }: SourcePollResult): readonly string[] {
  return notes;
}

function problemOf([first, ...otherErrors]: readonly FetchError[]): string | null {
  if (first === undefined) return null;
  return otherErrors.length === 0 ? first.message : `${first.message}; and ${otherErrors.length} more`;
}

function isListRead({ items, failures, isListRead: isRead }: SourcePollResult): boolean {
  return isRead ?? (items.length > 0 || failures.every(({ failure }) => failure === "empty"));
}

/** `isFailed`: a list or the documents can't be read. */
function conditionAfter(
  { condition: previous }: SourceStatus,
  { items, failures, unresolved = [] }: SourcePollResult,
  { isFailed, isStale }: { readonly isFailed: boolean; readonly isStale: boolean },
): SourceCondition {
  const isEmpty = items.length === 0 && failures.some(({ failure }) => failure === "empty");
  if (!isFailed) return isStale || isEmpty ? "stale" : "ok";
  const [error] = [...failures, ...unresolved];
  if (error !== undefined) return CONDITIONS[error.failure];
  return FAILED.has(previous) ? previous : "unreadable";
}

const FAILED: ReadonlySet<SourceCondition> = new Set(["refusing", "unreachable", "unreadable"]);

const MAX_FAILED_LISTS = 2;
const MAX_FAILED_DOCUMENTS = 3;
const MAX_FAILED_READS = 2;
/** Number of documents of which the unreadable share is shown. */
const MAX_RECENT_DOCUMENTS = 20;

function nextDocuments(
  previous: DocumentsStatus,
  { read, unreadable, repeated = 0, areSummarized = false }: DocumentCounts = { read: 0, unreadable: 0 },
  now: Instant,
): DocumentsStatus {
  if (read + unreadable === 0) return previous;
  const recent = [
    ...previous.recent,
    ...Array.from({ length: unreadable - repeated }, () => false),
    ...Array.from({ length: read }, () => true),
  ].slice(-MAX_RECENT_DOCUMENTS);
  if (read > 0) return { recent, lastReadAt: now, failed: 0, failedReads: 0 };
  const { lastReadAt } = previous;
  // A new page may not be available for hours. It doesn't count again while other pages can be read.
  const areOthersRead = lastReadAt !== null && now - lastReadAt < DAY_MS;
  const counted = areSummarized ? 0 : unreadable - (areOthersRead ? repeated : 0);
  return {
    recent,
    lastReadAt,
    failed: previous.failed + counted,
    failedReads: previous.failedReads + Math.sign(counted),
  };
}

/** A read without documents leaves the share of the last documents unchanged. */
function unreadShare(
  { unreadDocuments }: SourceStatus,
  { documents: { read, unreadable, areSummarized = false } = { read: 0, unreadable: 0 } }: SourcePollResult,
  { recent }: DocumentsStatus,
): string | null {
  if (read + unreadable === 0) return unreadDocuments;
  if (unreadable === 0) return null;
  const unread = recent.filter((isRead) => !isRead).length;
  // Documents that could not be read before don't count again.
  if (unread === 0) return null;
  const share = (one: string): string => `${unread} of ${recent.length} ${recent.length === 1 ? one : `${one}s`}`;
  if (!areSummarized) return `${share("document")} could not be read`;
  const percent = Math.round((100 * unread) / recent.length);
  return `${share("page")} refused or unreadable (${percent}%); the feed's summaries are used instead`;
}

function verdictOf({
  lastOkAt,
  problem,
  failedLists,
  documents,
  unreadDocuments,
}: Pick<SourceStatus, "lastOkAt" | "problem" | "failedLists" | "documents" | "unreadDocuments">): SourceVerdict {
  const isListDown = failedLists >= (lastOkAt === null ? 1 : MAX_FAILED_LISTS);
  if (isListDown || areUnreadable(documents)) return "down";
  return failedLists > 0 || problem !== null || unreadDocuments !== null ? "degraded" : "up";
}

function areUnreadable({ failed, failedReads }: DocumentsStatus): boolean {
  return failed >= MAX_FAILED_DOCUMENTS || failedReads >= MAX_FAILED_READS;
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

/** Why the source or a part of it can't be read; null if all of it can be read. */
function reasonOf({ problem, unreadDocuments, failedLists }: SourceStatus): string | null {
  const parts = [failedLists > 0 ? null : unreadDocuments, problem].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(": ");
}

/** Period for which a gap is reported. */
const GAP_REPORT_PERIOD_MS = DAY_MS;

/**
 * Describes a source's problem; null if it has none.
 * @param label Name of the source in user-facing texts.
 */
export function describeProblem(status: SourceStatus, now: Instant, label: string = status.name): string | null {
  const { condition, verdict, since, lastOkAt, lastNewAt } = status;
  const reason = reasonOf(status);
  if (condition === "waiting") return null;
  if (condition === "ok") {
    const gap = describeGap(status, now);
    const partial = reason === null ? null : `${DESCRIPTIONS.ok} (${reason})`;
    const parts = [partial, gap].filter((part) => part !== null);
    return parts.length === 0 ? null : `${label}: ${parts.join("; ")}`;
  }
  if (condition === "stale") {
    const quiet = `since ${formatTime(lastNewAt ?? since)}, although it can be read`;
    return `${label}: ${DESCRIPTIONS.stale} ${reason === null ? quiet : `(${reason})`}`;
  }
  const lastRead = lastOkAt === null ? "not read since startup" : `last read at ${formatTime(lastOkAt)}`;
  const down = verdict === "down" ? "down, " : "";
  return `${label}: ${down}${DESCRIPTIONS[condition]} since ${formatTime(since)} (${reason}); ${lastRead}`;
}

function describeGap({ gaps, lastGapAt }: SourceStatus, now: Instant): string | null {
  if (lastGapAt === null || now - lastGapAt > GAP_REPORT_PERIOD_MS) return null;
  return `${gaps} ${gaps === 1 ? "gap" : "gaps"} since startup, the last at ${formatTime(lastGapAt)}: items may be missing`;
}

/** Describes a source's condition immediately after a read. */
export function describeCondition(status: SourceStatus): string {
  const { condition, itemCount, lastNewAt } = status;
  const reason = reasonOf(status);
  if (condition === "ok") {
    const partial = reason === null ? "" : `; ${DESCRIPTIONS.ok} (${reason})`;
    return `OK, ${itemCount} ${itemCount === 1 ? "item" : "items"}${partial}`;
  }
  if (condition === "stale" && reason === null) return `${DESCRIPTIONS.stale} since ${formatTime(lastNewAt ?? 0)}`;
  return `${DESCRIPTIONS[condition]}${reason === null ? "" : ` (${reason})`}`;
}

/** Result of a check that read the source once. */
export function checkResultOf(status: SourceStatus, text: string): CheckResult {
  const { name, verdict, condition } = status;
  const source = { name, isRead: verdict !== "down", isUnreachable: condition === "unreachable" };
  if (verdict === "down") return { ...fail(text), source };
  return { ...(condition === "ok" ? pass(text) : warn(text)), source };
}

export function isUnreachable({ failure }: FetchError): boolean {
  return CONDITIONS[failure] === "unreachable";
}

/** Describes the failure of a part of a source: `requests refused (www.example.com answered 403)`. */
export function describeFailure({ failure, message }: FetchError): string {
  return `${DESCRIPTIONS[CONDITIONS[failure]]} (${message})`;
}

/** Logs new gaps and condition changes. Failures before the first successful read have the level debug: see `logUnreached`. */
export function logStatus(previous: SourceStatus, status: SourceStatus, log: Log): void {
  const { name: source, condition, verdict, itemCount: items, gaps, lastNewAt, since } = status;
  if (gaps > previous.gaps) log.warn("source gap", { source, gaps });
  if (isSameProblem(previous, status)) return;
  const problem = reasonOf(status);
  if (problem === null && condition === "stale")
    log.warn("source has nothing new", { source, since: formatTime(lastNewAt ?? since) });
  else if (problem === null) log.info("source read", { source, items });
  else {
    const event = verdict === "down" ? "source down" : "source read failed";
    log[isUnreached(status) ? "debug" : "warn"](event, { source, condition, problem });
  }
}

function isSameProblem(a: SourceStatus, b: SourceStatus): boolean {
  return a.condition === b.condition && a.verdict === b.verdict && a.problem === b.problem;
}

function isUnreached({ lastOkAt, failedLists }: SourceStatus): boolean {
  return lastOkAt === null && failedLists > 0;
}

/** Logs the sources that can't be read. Called once, after the first reads. */
export function logUnreached(statuses: readonly SourceStatus[], log: Log): void {
  const unreached = statuses.filter(({ lastOkAt }) => lastOkAt === null);
  const [first] = unreached;
  if (first === undefined) return;
  if (unreached.length < statuses.length) log.warn("sources not reachable", { sources: unreached.map(namedReason) });
  else log.warn("no source reachable", { sources: statuses.length, problem: namedReason(first) });
}

function namedReason(status: SourceStatus): string {
  return `${status.name}: ${reasonOf(status) ?? "no answer yet"}`;
}

/** `2026-03-02 14:00 UTC` */
export function formatTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
