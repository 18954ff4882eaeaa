import type { Instant } from "../domain/time/day.ts";
import type { FetchError, FetchFailure } from "./web/fetch-error.ts";

/** Condition of a wire after its last poll. `waiting`: not polled yet. */
type SourceCondition = "waiting" | "ok" | "refusing" | "unreachable" | "unreadable";

export interface SourceStatus {
  readonly name: string;
  readonly condition: SourceCondition;
  /** Start of the current condition. */
  readonly since: Instant;
  /** Message of the first failed feed, even if others can be read; null if none failed. */
  readonly problem: string | null;
  readonly lastReadAt: Instant | null;
  readonly lastOkAt: Instant | null;
  /** Items in the feeds at the last poll. */
  readonly itemCount: number;
}

const CONDITIONS: Readonly<Record<FetchFailure, SourceCondition>> = {
  refused: "refusing",
  "rate-limited": "refusing",
  unreachable: "unreachable",
  timeout: "unreachable",
  "server-error": "unreachable",
  gone: "unreadable",
  unreadable: "unreadable",
  "too-large": "unreadable",
};

export function initialStatus(name: string, now: Instant): SourceStatus {
  return { name, condition: "waiting", since: now, problem: null, lastReadAt: null, lastOkAt: null, itemCount: 0 };
}

/** Result of reading a source once. */
export interface SourceReading {
  /** All items that the source shows, whether or not they are about splits. */
  readonly items: readonly unknown[];
  /** One error for each part, such as a feed, that can't be read. */
  readonly failures: readonly FetchError[];
}

/** Status after a reading. A source is OK if at least one of its parts can be read. */
export function nextStatus(before: SourceStatus, { items, failures }: SourceReading, now: Instant): SourceStatus {
  const [failure] = failures;
  const isOk = failure === undefined || items.length > 0;
  const condition = isOk ? "ok" : CONDITIONS[failure.failure];
  return {
    name: before.name,
    condition,
    since: condition === before.condition ? before.since : now,
    problem: failure?.message ?? null,
    lastReadAt: now,
    lastOkAt: isOk ? now : before.lastOkAt,
    itemCount: items.length,
  };
}

const DESCRIPTIONS: Readonly<Record<SourceCondition, string>> = {
  waiting: "is being read",
  ok: "is read, except for one feed",
  refusing: "refuses to be read",
  unreachable: "cannot be reached",
  unreadable: "sends nothing that can be read",
};

/** Describes a wire's problem in a sentence; null if it has none. */
export function describeProblem({ name, condition, problem, since, lastOkAt }: SourceStatus): string | null {
  if (problem === null) return null;
  if (condition === "ok") return `${name} ${DESCRIPTIONS.ok}: ${problem}`;
  const last = lastOkAt === null ? "not read since the start" : `last read at ${formatTime(lastOkAt)}`;
  return `${name} ${DESCRIPTIONS[condition]} since ${formatTime(since)} (${problem}); ${last}`;
}

/** Describes a wire's condition without times, for a poll that has just ended. */
export function describeCondition({ condition, problem, itemCount }: SourceStatus): string {
  if (condition === "ok")
    return `is read (${itemCount} releases shown)${problem === null ? "" : `, except for one feed: ${problem}`}`;
  return `${DESCRIPTIONS[condition]}${problem === null ? "" : ` (${problem})`}`;
}

/** `2026-03-02 14:00 UTC` */
function formatTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
