import type { Instant } from "../../domain/time/day.ts";
import type { WireFailure, WireLook } from "./newswire.ts";

/** How a wire was when it was last looked at. `waiting`: not looked at yet. */
export type WireCondition = "waiting" | "ok" | "refusing" | "unreachable" | "unreadable";

export interface WireState {
  readonly name: string;
  readonly condition: WireCondition;
  /** Since when it is so. */
  readonly since: Instant;
  /** In its own words, also where only one of its feeds fails; null when none does. */
  readonly problem: string | null;
  readonly lookedAt: Instant | null;
  readonly lastGoodAt: Instant | null;
  /** Releases that its feeds showed in the last look. */
  readonly shown: number;
}

const CONDITIONS: Readonly<Record<WireFailure, WireCondition>> = {
  refused: "refusing",
  "rate-limited": "refusing",
  unreachable: "unreachable",
  timeout: "unreachable",
  "server-error": "unreachable",
  gone: "unreadable",
  unreadable: "unreadable",
  "too-large": "unreadable",
};

export function unseenWire(name: string, now: Instant): WireState {
  return {
    name,
    condition: "waiting",
    since: now,
    problem: null,
    lookedAt: null,
    lastGoodAt: null,
    shown: 0,
  };
}

/** The wire after a look. It is well as long as one of its feeds can be read. */
export function afterLook(before: WireState, look: WireLook, now: Instant): WireState {
  const [failure] = look.failures;
  const isWell = failure === undefined || look.shown.length > 0;
  const condition = isWell ? "ok" : CONDITIONS[failure.failure];
  return {
    name: before.name,
    condition,
    since: condition === before.condition ? before.since : now,
    problem: failure?.message ?? null,
    lookedAt: now,
    lastGoodAt: isWell ? now : before.lastGoodAt,
    shown: look.shown.length,
  };
}

const WORDS: Readonly<Record<WireCondition, string>> = {
  waiting: "is being looked at",
  ok: "is read, but for one feed",
  refusing: "refuses to be read",
  unreachable: "cannot be reached",
  unreadable: "sends nothing that can be read",
};

/** What is wrong with a wire, in a sentence; null when nothing is. */
export function wireProblem({ name, condition, problem, since, lastGoodAt }: WireState): string | null {
  if (problem === null) return null;
  if (condition === "ok") return `${name} ${WORDS.ok}: ${problem}`;
  const last = lastGoodAt === null ? "not read since the start" : `last read at ${timeOf(lastGoodAt)}`;
  return `${name} ${WORDS[condition]} since ${timeOf(since)} (${problem}); ${last}`;
}

/** Its condition in a word or two, for a look that was made just now. */
export function conditionWords({ condition, problem, shown }: WireState): string {
  if (condition === "ok")
    return `is read (${shown} releases shown)${problem === null ? "" : `, but for one feed: ${problem}`}`;
  return `${WORDS[condition]}${problem === null ? "" : ` (${problem})`}`;
}

/** `2026-03-02 14:00 UTC` */
function timeOf(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
