import type { Instant } from "../../domain/time/day.ts";
import { lastReadText, noSourceText } from "../no-source.ts";
import type { LabeledStatus } from "../source-status.ts";
import { type LiveState, statusesOf } from "./live-state.ts";

/** Time within which the first polls of all sources end. They start together, and pause between their requests. */
export const FIRST_POLLS_WITHIN_MS = 30_000;

/** Statuses of the sources that state splits. */
export function splitStatusesOf(state: Pick<LiveState, "sources">): readonly LabeledStatus[] {
  return statusesOf(state).filter(({ confirmsOnly }) => !confirmsOnly);
}

/** Why no source of splits can be read, with the likely cause; null while one can be read, or all are read for the first time. */
export function noSourceProblem(state: LiveState): string | null {
  const { sources, clock, openedAt, usesProxy } = state;
  const statuses = splitStatusesOf(state);
  // Another process, or this one in a moment, reads the sources.
  if (statuses.length === 0) return sources.opened === null ? null : "every source of splits is off in the settings";
  if (statuses.some(isReadable)) return null;
  const isStarting = clock.monotonic() - openedAt < FIRST_POLLS_WITHIN_MS;
  if (isStarting && statuses.some(({ verdict }) => verdict === "waiting")) return null;
  const outcomes = statuses.map(({ label, verdict, condition, problem, unreadDocuments }) => ({
    label,
    isRead: false,
    isUnreachable: verdict === "waiting" || condition === "unreachable",
    problem: problem ?? unreadDocuments,
  }));
  return noSourceText(outcomes, usesProxy) + lastReadText(lastReadAt(state));
}

/** Time at which a source of splits was last read, in this run or an earlier one; null: never. */
export function lastReadAt(state: Pick<LiveState, "sources" | "sourceReads">): Instant | null {
  const times = splitStatusesOf(state).flatMap(({ name, lastOkAt }) => [
    lastOkAt,
    state.sourceReads.get(name)?.lastReadAt ?? null,
  ]);
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function isReadable({ verdict, lastOkAt }: LabeledStatus): boolean {
  return verdict !== "down" && lastOkAt !== null;
}
