import { DAY_MS, type Instant } from "../domain/time/day.ts";
import { cutText } from "../lib/external-text.ts";
import { capitalize, formatAge, formatCount, formatTime, type TimeContext } from "./format.ts";
import { type Card, card, type Row, type Tone } from "./message.ts";

/** Health of one live source, such as a wire. */
export interface SourceHealth {
  /** Display name. */
  readonly label: string;
  readonly condition: "waiting" | "ok" | "stale" | "refusing" | "unreachable" | "unreadable";
  /** Start of the condition. */
  readonly since: Instant;
  /** Why the source or part of it can't be read; null if it can be read completely. */
  readonly problem: string | null;
  readonly lastOkAt: Instant | null;
  readonly lastNewAt: Instant | null;
  readonly lastGapAt: Instant | null;
  /** Number of gaps since startup: successive reads without a common item, between which items may have been missed. */
  readonly gaps: number;
}

/** `partial`: a part of the source can't be read. `gap`: items may have been missed in the last day. */
export type SourceStateName = SourceHealth["condition"] | "partial" | "gap";

const STATE_WORDS: Readonly<Record<SourceStateName, string>> = {
  waiting: "not read yet",
  ok: "OK",
  partial: "partly read",
  gap: "gap",
  stale: "nothing new",
  refusing: "refusing",
  unreachable: "unreachable",
  unreadable: "unreadable",
};

const STATE_TONES: Readonly<Record<SourceStateName, Extract<Tone, "good" | "warning" | "bad" | "plain">>> = {
  waiting: "plain",
  ok: "good",
  partial: "warning",
  gap: "warning",
  stale: "warning",
  refusing: "bad",
  unreachable: "bad",
  unreadable: "bad",
};

/** Line of a source in a list of sources. */
export interface SourceLine {
  readonly name: string;
  /** State in words: `refusing` */
  readonly word: string;
  readonly tone: "good" | "warning" | "bad" | "plain";
  /** Time at which the newest item was found; null if none was found since startup. */
  readonly lastNewAt: Instant | null;
  /** Problem of the source; null if there is none. */
  readonly problem: string | null;
}

export function sourceLine(source: SourceHealth, context: TimeContext): SourceLine {
  const state = stateOf(source, context.now);
  const { label: name, lastNewAt } = source;
  return { name, word: STATE_WORDS[state], tone: STATE_TONES[state], lastNewAt, problem: problemText(source, context) };
}

/** All sources with their states; empty if none is known. */
export function sourcesCards(sources: readonly SourceHealth[], context: TimeContext): readonly Card[] {
  if (sources.length === 0) return [];
  const readable = sources.filter((source) => source.condition === "ok" || source.condition === "stale").length;
  const isComplete = sources.every((source) => stateOf(source, context.now) === "ok");
  const partlyTone = readable === 0 ? "bad" : "warning";
  return [
    card({
      tone: isComplete ? "good" : partlyTone,
      title: `${readable} of ${formatCount(sources.length, "source")} can be read`,
      rows: sources.map((source) => sourceRow(source, context)),
    }),
  ];
}

function sourceRow(source: SourceHealth, context: TimeContext): Row {
  const { word, tone, name } = sourceLine(source, context);
  const details = [problemText(source, context) ?? capitalize(word), newItemText(source, context)];
  const badges = tone === "good" || tone === "plain" ? {} : { badges: [word.toUpperCase()] };
  return { title: name, detail: details.filter((text) => text !== null).join(" · "), ...badges };
}

function stateOf({ condition, problem, lastGapAt }: SourceHealth, now: Instant): SourceStateName {
  if (condition !== "ok") return condition;
  if (problem !== null) return "partial";
  return isRecent(lastGapAt, now) ? "gap" : "ok";
}

/** True if the gap is recent enough to be shown. */
function isRecent(gapAt: Instant | null, now: Instant): boolean {
  return gapAt !== null && now - gapAt <= DAY_MS;
}

const MAX_PROBLEM_LENGTH = 200;

function problemText(source: SourceHealth, context: TimeContext): string | null {
  const { since, lastGapAt } = source;
  const reason = cutText(source.problem ?? "no reason given", MAX_PROBLEM_LENGTH);
  const state = stateOf(source, context.now);
  switch (state) {
    case "waiting":
    case "ok":
      return null;
    case "partial":
      return [
        `A part can't be read: ${reason}`,
        ...(isRecent(lastGapAt, context.now) ? [gapText(source, context)] : []),
      ].join("; ");
    case "gap":
      return gapText(source, context);
    case "stale":
      return staleText(source, context);
    case "refusing":
    case "unreachable":
    case "unreadable":
      return `${FAILURE_TEXTS[state]} since ${formatTime(since, context.timezone)}: ${reason}; ${lastReadText(source, context)}`;
  }
}

const FAILURE_TEXTS = {
  refusing: "Requests refused",
  unreachable: "Unreachable",
  unreadable: "Unreadable answer",
} as const;

function staleText({ problem, lastNewAt, since }: SourceHealth, { timezone }: TimeContext): string {
  if (problem !== null) return `Nothing new: ${cutText(problem, MAX_PROBLEM_LENGTH)}`;
  return `Nothing new since ${formatTime(lastNewAt ?? since, timezone)}, although it can be read`;
}

function lastReadText({ lastOkAt }: SourceHealth, { timezone }: TimeContext): string {
  return lastOkAt === null ? "not read since startup" : `last read ${formatTime(lastOkAt, timezone)}`;
}

function gapText({ gaps, lastGapAt, since }: SourceHealth, { timezone }: TimeContext): string {
  const last = formatTime(lastGapAt ?? since, timezone);
  return `${formatCount(gaps, "gap")} since startup, the last ${last}: items may be missing`;
}

function newItemText({ lastNewAt, condition }: SourceHealth, { now }: TimeContext): string | null {
  if (condition === "waiting" || condition === "stale") return null;
  return lastNewAt === null ? "no new item since startup" : `last new item ${formatAge(now - lastNewAt)}`;
}
