import type { Instant } from "../domain/time/day.ts";
import { formatTime } from "./source-status.ts";

/** What the last read, or a check, of a source of splits showed. */
export interface SourceOutcome {
  readonly label: string;
  readonly isRead: boolean;
  /** True if its host gives no answer. */
  readonly isUnreachable: boolean;
  readonly problem?: string | null;
}

/** `0 of 9 split sources can be read`, with the likely cause. */
export function noSourceText(outcomes: readonly SourceOutcome[], usesProxy: boolean): string {
  const count = `0 of ${outcomes.length} split ${outcomes.length === 1 ? "source" : "sources"} can be read`;
  if (outcomes.every(({ isUnreachable }) => isUnreachable))
    return `${count}; no route, DNS or proxy? HTTPS_PROXY is ${usesProxy ? "set" : "not set"}`;
  const answered = outcomes.find(({ isUnreachable, problem }) => !isUnreachable && (problem ?? null) !== null);
  return answered === undefined ? count : `${count}; ${answered.label}: ${answered.problem}`;
}

/** `; last read at 2026-03-02 14:00 UTC` */
export function lastReadText(readAt: Instant | null): string {
  return readAt === null ? "; none was read yet" : `; last read at ${formatTime(readAt)}`;
}
