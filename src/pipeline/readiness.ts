import { settleWithin } from "../lib/clock.ts";
import type { ChatPlatform, PartialProblem, PlatformHealth } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import { type PollReport, type Store, StoreError } from "../ports/store.ts";
import type { PollTiming } from "./staleness.ts";

export interface Check {
  readonly ok: boolean;
  /** Short description; the reason if the check fails. */
  readonly detail: string;
  /** Present if the check passes although a part doesn't work. */
  readonly problem?: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, Check>>;
}

export interface ReadinessParts {
  readonly store: Pick<Store, "health" | "polls">;
  readonly platforms: readonly Pick<ChatPlatform, "name" | "health">[];
  /** Problems with parts of the source's data, and the reason if it cannot be read at all. */
  readonly source: {
    notes(): readonly string[];
    problem(): string | null;
    /** Live sources; null if they are unknown. */
    readonly live: { statuses(): readonly { readonly label: string; readonly verdict: string }[] } | null;
  };
  /** Null if the process doesn't depend on polls, because it only reads or serves the sources. */
  readonly timing: PollTiming | null;
  readonly clock: Clock;
}

/** Maximum time for reading the last polls: a database that doesn't answer delays no answer about it. */
const READ_TIMEOUT_MS = 2_000;

/**
 * Checks whether changes can be detected and delivered now: store, source, polls and platforms. A store that can't be read is a
 * failed check, and the polls, which it contains, are not checked.
 */
export async function readReadiness(parts: ReadinessParts): Promise<Readiness> {
  const { platforms, timing, clock } = parts;
  const { problem, polls } = await readStore(parts);
  const checks: Record<string, Check> = {
    store: problem === null ? { ok: true, detail: "usable" } : { ok: false, detail: problem },
    source: checkSource(parts.source),
    ...checkLiveSources(parts.source),
  };
  if (timing !== null && polls !== null) {
    checks.splits = checkPoll(polls.splits, timing, clock);
    checks.articles = checkPoll(polls.articles, timing, clock);
  }
  for (const platform of platforms) {
    checks[platform.name] = checkPlatform(platform.health());
  }
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

interface StoreState {
  readonly problem: string | null;
  /** Null if they can't be read. */
  readonly polls: Awaited<ReturnType<Store["polls"]["read"]>> | null;
}

async function readStore({ store, clock }: ReadinessParts): Promise<StoreState> {
  const problem = store.health();
  if (problem !== null) return { problem, polls: null };
  try {
    const polls = await settleWithin(store.polls.read(), READ_TIMEOUT_MS, clock);
    const isLate = polls === null ? `no answer within ${READ_TIMEOUT_MS / 1_000} s` : null;
    return { problem: store.health() ?? isLate, polls };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { problem: error.message, polls: null };
  }
}

function describePartialProblem({ reason, since, retryAt }: PartialProblem): string {
  return `${reason}; since ${new Date(since).toISOString()}, next try ${new Date(retryAt).toISOString()}`;
}

function checkPlatform(health: PlatformHealth): Check {
  if (health.ok) {
    const { problem } = health;
    return { ok: true, detail: "connected", ...(problem && { problem: describePartialProblem(problem) }) };
  }
  if (health.rejected === undefined) return { ok: false, detail: health.reason };
  const { since, retryAt } = health.rejected;
  const next = retryAt === null ? "no further try until a restart" : `next try ${new Date(retryAt).toISOString()}`;
  return { ok: false, detail: `${health.reason}; rejected since ${new Date(since).toISOString()}, ${next}` };
}

/** Names the live sources that are down. Others may still state the same splits. */
function checkLiveSources(source: ReadinessParts["source"]): Readonly<Record<string, Check>> {
  const sources = source.live?.statuses() ?? [];
  if (sources.length === 0) return {};
  const down = sources.filter(({ verdict }) => verdict === "down").map(({ label }) => label);
  const readable = sources.filter(({ verdict }) => verdict === "up" || verdict === "degraded").length;
  const detail =
    down.length === 0
      ? `${readable} of ${sources.length} ${sources.length === 1 ? "source" : "sources"} can be read`
      : `${down.length} of ${sources.length} sources ${down.length === 1 ? "is" : "are"} down: ${down.join(", ")}`;
  return { sources: { ok: source.problem() === null, detail } };
}

/** Quarantined records are noted but do not make the source unusable: all other records are followed. */
function checkSource(source: ReadinessParts["source"]): Check {
  const problem = source.problem();
  if (problem !== null) return { ok: false, detail: problem };
  const [first, ...otherNotes] = source.notes();
  if (first === undefined) return { ok: true, detail: "usable" };
  return { ok: true, detail: otherNotes.length === 0 ? first : `${first} (and ${otherNotes.length} more)` };
}

function quarantineNote({ quarantined: [first, ...others] }: PollReport): string {
  return first === undefined ? "" : `; ${others.length + 1} quarantined (${first})`;
}

function checkPoll(report: PollReport | null, timing: PollTiming, clock: Pick<Clock, "now">): Check {
  if (report === null) return { ok: false, detail: "not polled yet" };
  const { resource, lastCompleteAt } = report;
  const isOutdated = timing.isStale(resource, lastCompleteAt);
  const isOverdue = timing.isOverdue(resource, report.at);
  const age =
    lastCompleteAt === null
      ? "never polled completely"
      : `last complete ${Math.max(0, Math.floor((clock.now() - lastCompleteAt) / 1_000))} s ago`;
  // The articles of an incomplete poll are valid; the next poll continues it.
  const isUsable = report.outcome === "complete" || (report.outcome === "incomplete" && !isOutdated);
  const detail = `${report.outcome}: ${report.detail}${quarantineNote(report)}; ${age}`;
  return {
    ok: isUsable && !isOutdated && !isOverdue,
    detail: isOverdue ? `${detail}; the next poll is overdue` : detail,
  };
}
