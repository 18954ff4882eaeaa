import { destinationKey } from "../../src/domain/alert/destination.ts";
import type { Instant } from "../../src/domain/time/day.ts";
import { collect, groupBy } from "../../src/lib/collections.ts";
import type { StateKind, StateRecord, StateValues } from "../../src/ports/state-records.ts";
import type { LogLine } from "../support/process.ts";

const MAX_LINES_PER_DESTINATION = 12;

export interface LateRun {
  /** State of the process, which may still run. */
  readonly state: AsyncIterable<StateRecord>;
  /** Log of the process. */
  readonly log: readonly LogLine[];
  /** Time of the schedule. */
  readonly now: Instant;
}

/**
 * What explains alerts that are late: for each destination with waiting alerts, its attempt and its pause in the state, and its
 * log lines since the oldest alert was due. Claims are not part of the state: an attempt that is due but has no log
 * lines is being sent, or its claim was not released.
 */
export async function describeLateAlerts({ state: records, log, now }: LateRun): Promise<readonly string[]> {
  const state = await collect(records);
  const dueAt = new Map(valuesOf(state, "event").map(({ id, at }) => [id, at]));
  const waiting = groupBy(valuesOf(state, "delivery"), ({ to }) => destinationKey(to));
  return [...waiting].flatMap(([key, deliveries]) => {
    const due = Math.min(...deliveries.map(({ eventId }) => dueAt.get(eventId) ?? now));
    const attempt = valuesOf(state, "attempt").find(({ to }) => destinationKey(to) === key);
    const pause = valuesOf(state, "pause").find(({ to }) => destinationKey(to) === key);
    return [
      `${key}: ${deliveries.length} waiting, the oldest due ${timeOf(due, now)}`,
      attempt === undefined ? "  no attempt" : `  attempt ${describeAttempt(attempt, now)}`,
      ...(pause === undefined
        ? []
        : [`  paused, retry ${timeOf(pause.retryAt, now)}${delayOf(pause)}: ${pause.reason}`]),
      ...linesOf(log, key, due).map((line) => `  ${JSON.stringify(line)}`),
    ];
  });
}

function describeAttempt(attempt: StateValues["attempt"], now: Instant): string {
  const { messageId, state, sends, notBefore, problem } = attempt;
  return `${messageId}: ${state}, sent ${sends} times, not before ${timeOf(notBefore, now)}${delayOf(attempt)}: ${problem}`;
}

/** `2026-03-03T14:10:05.000Z (in 3595 s)` */
function timeOf(at: Instant, now: Instant): string {
  const seconds = Math.round((at - now) / 1_000);
  return `${new Date(at).toISOString()} (${seconds < 0 ? `${-seconds} s ago` : `in ${seconds} s`})`;
}

function delayOf({ delayMs }: { readonly delayMs?: number | undefined }): string {
  return delayMs === undefined ? "" : `, delay ${delayMs} ms`;
}

/** The last lines since `from` about the destination, and the warnings about no destination, which may concern it. */
function linesOf(log: readonly LogLine[], key: string, from: Instant): readonly LogLine[] {
  const concerns = ({ to, level }: LogLine): boolean => (to === undefined ? level !== "info" : to === key);
  return log
    .filter((line) => concerns(line) && Date.parse(String(line.time)) >= from)
    .slice(-MAX_LINES_PER_DESTINATION);
}

function valuesOf<K extends StateKind>(state: readonly StateRecord[], kind: K): readonly StateValues[K][] {
  return state.flatMap((record) => (record.kind === kind ? [record.value as StateValues[K]] : []));
}
