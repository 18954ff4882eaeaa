import type { ChatPlatform, PlatformHealth } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { PollReport, Store } from "../ports/store.ts";
import type { PollTiming } from "./staleness.ts";

export interface Check {
  readonly ok: boolean;
  /** Short description; the reason if the check fails. */
  readonly detail: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, Check>>;
}

export interface ReadinessParts {
  readonly store: Pick<Store, "health" | "polls">;
  readonly platforms: readonly Pick<ChatPlatform, "name" | "health">[];
  /** Problems with parts of the source's data, and the reason if it cannot be read at all. */
  readonly source: { notes(): readonly string[]; problem(): string | null };
  /** Null if the process doesn't depend on polls, because it only reads or serves the sources. */
  readonly timing: PollTiming | null;
  readonly clock: Pick<Clock, "now">;
}

/** Checks whether changes can be detected and delivered now: store, source, polls and platforms. */
export async function readReadiness(parts: ReadinessParts): Promise<Readiness> {
  const { store, platforms, timing, clock } = parts;
  const problem = store.health();
  const polls = await store.polls.read();
  const checks: Record<string, Check> = {
    store: problem === null ? { ok: true, detail: "usable" } : { ok: false, detail: problem },
    source: checkSource(parts.source),
  };
  if (timing !== null) {
    checks.splits = checkPoll(polls.splits, timing, clock);
    checks.articles = checkPoll(polls.articles, timing, clock);
  }
  for (const platform of platforms) {
    checks[platform.name] = checkPlatform(platform.health());
  }
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

function checkPlatform(health: PlatformHealth): Check {
  if (health.ok) return { ok: true, detail: "connected" };
  if (health.rejected === undefined) return { ok: false, detail: health.reason };
  const { since, retryAt } = health.rejected;
  const next = retryAt === null ? "no further try until a restart" : `next try ${new Date(retryAt).toISOString()}`;
  return { ok: false, detail: `${health.reason}; rejected since ${new Date(since).toISOString()}, ${next}` };
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
