import { DAY_MS, type Instant } from "../domain/time/day.ts";
import { cutText } from "../lib/external-text.ts";
import { capitalize, formatAge, formatCount, formatTime, type TimeContext } from "./format.ts";
import { type Card, card, type Row, type Tone } from "./message.ts";

/** Health of one live source, such as a wire. */
export interface SourceHealth {
  /** Display name. */
  readonly label: string;
  readonly verdict: "waiting" | "up" | "degraded" | "down";
  readonly condition: "waiting" | "ok" | "stale" | "refusing" | "unreachable" | "unreadable";
  /** Start of the condition. */
  readonly since: Instant;
  /** Why the source or part of it can't be read; null if it can be read completely. */
  readonly problem: string | null;
  /** `3 of 14 documents could not be read`; null if the last documents could be read. */
  readonly unreadDocuments: string | null;
  readonly lastOkAt: Instant | null;
  readonly lastNewAt: Instant | null;
  readonly lastGapAt: Instant | null;
  /** Number of gaps since startup: successive reads without a common item, between which items may have been missed. */
  readonly gaps: number;
  /** Remarks that are no problems. */
  readonly notes?: readonly string[];
}

/** `partial`: a part of the source can't be read. `gap`: items may have been missed in the last day. */
type SourceStateName = SourceHealth["condition"] | "down" | "partial" | "gap";

const STATE_WORDS: Readonly<Record<SourceStateName, string>> = {
  waiting: "not read yet",
  ok: "OK",
  down: "down",
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
  down: "bad",
  partial: "warning",
  gap: "warning",
  stale: "warning",
  refusing: "warning",
  unreachable: "warning",
  unreadable: "warning",
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

/** Sentence for answers about splits while their sources can't be read. */
export function sourceProblemLine(problem: string): string {
  return `Splits can't be read now, so answers may be incomplete and alerts late: ${cutText(problem, 300)}.`;
}

/** All sources with their states; empty if none is known. */
export function sourcesCards(sources: readonly SourceHealth[], context: TimeContext): readonly Card[] {
  if (sources.length === 0) return [];
  const readable = sources.filter(({ verdict }) => verdict !== "waiting" && verdict !== "down").length;
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
  const details = [
    problemText(source, context) ?? capitalize(word),
    newItemText(source, context),
    ...(source.notes ?? []),
  ];
  const badges = tone === "good" || tone === "plain" ? {} : { badges: [word.toUpperCase()] };
  return { title: name, detail: details.filter((text) => text !== null).join(" · "), ...badges };
}

function stateOf({ verdict, condition, lastGapAt }: SourceHealth, now: Instant): SourceStateName {
  if (verdict === "down") return "down";
  if (condition !== "ok") return condition;
  if (verdict === "degraded") return "partial";
  return isRecent(lastGapAt, now) ? "gap" : "ok";
}

/** True if the gap is recent enough to be shown. */
function isRecent(gapAt: Instant | null, now: Instant): boolean {
  return gapAt !== null && now - gapAt <= DAY_MS;
}

const MAX_PROBLEM_LENGTH = 200;

function problemText(source: SourceHealth, context: TimeContext): string | null {
  const { lastGapAt } = source;
  const state = stateOf(source, context.now);
  switch (state) {
    case "waiting":
    case "ok":
      return null;
    case "partial":
      return [
        `A part can't be read: ${reasonOf(source)}`,
        ...(isRecent(lastGapAt, context.now) ? [gapText(source, context)] : []),
      ].join("; ");
    case "gap":
      return gapText(source, context);
    case "stale":
      return staleText(source, context);
    case "down":
    case "refusing":
    case "unreachable":
    case "unreadable":
      return failureText(source, context);
  }
}

function failureText(source: SourceHealth, context: TimeContext): string {
  const since = formatTime(source.since, context.timezone);
  const reason = reasonOf(source) ?? "no reason given";
  return `${FAILURE_TEXTS[source.condition] ?? "Down"} since ${since}: ${reason}; ${lastReadText(source, context)}`;
}

const FAILURE_TEXTS: Readonly<Partial<Record<SourceHealth["condition"], string>>> = {
  refusing: "Requests refused",
  unreachable: "Unreachable",
  unreadable: "Unreadable answer",
};

/** Why the source or a part of it can't be read; null if all of it can be read. */
function reasonOf({ problem, unreadDocuments }: SourceHealth): string | null {
  const parts = [unreadDocuments, problem].filter((part) => part !== null);
  return parts.length === 0 ? null : cutText(parts.join(": "), MAX_PROBLEM_LENGTH);
}

function staleText(source: SourceHealth, { timezone }: TimeContext): string {
  const { lastNewAt, since } = source;
  const reason = reasonOf(source);
  if (reason !== null) return `Nothing new: ${reason}`;
  return `Nothing new since ${formatTime(lastNewAt ?? since, timezone)}, although it can be read`;
}

function lastReadText({ lastOkAt }: SourceHealth, { timezone }: TimeContext): string {
  return lastOkAt === null ? "not read since startup" : `last read ${formatTime(lastOkAt, timezone)}`;
}

function gapText({ gaps, lastGapAt, since }: SourceHealth, { timezone }: TimeContext): string {
  const last = formatTime(lastGapAt ?? since, timezone);
  return `${formatCount(gaps, "gap")} since startup, the last ${last}: items may be missing`;
}

function newItemText({ lastNewAt, lastOkAt, condition }: SourceHealth, { now }: TimeContext): string | null {
  if (condition === "waiting" || condition === "stale") return null;
  if (lastNewAt === null && lastOkAt === null) return null;
  return lastNewAt === null ? "no new item since startup" : `last new item ${formatAge(now - lastNewAt)}`;
}
