import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { PollReport, Resource, Store } from "../ports/store.ts";

/** So many polls in a row must have been missed, and that for at least this long. */
const STALE_AFTER_PAUSES = 3;
const STALE_AFTER_MS = 30 * MINUTE_MS;

/** Whether what was last read completely at `readAt` is older than it should be. */
export type IsStale = (resource: Resource, readAt: Instant | null) => boolean;

export function createStaleness(parts: {
  readonly scheduler: Pick<Scheduler, "longestPause">;
  readonly clock: Pick<Clock, "now">;
  readonly timezone: string;
  /** When each resource is polled. */
  readonly crons: Readonly<Record<Resource, string>>;
}): IsStale {
  const { scheduler, clock, timezone, crons } = parts;
  const patienceWith = (cron: string): number =>
    Math.max(STALE_AFTER_MS, STALE_AFTER_PAUSES * scheduler.longestPause(cron, timezone));
  const patience: Readonly<Record<Resource, number>> = {
    splits: patienceWith(crons.splits),
    articles: patienceWith(crons.articles),
  };
  return (resource, readAt) => readAt === null || clock.now() - readAt > patience[resource];
}

export interface Check {
  readonly ok: boolean;
  /** In a few words; says why when it is not ok. */
  readonly detail: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, Check>>;
}

export interface ReadinessParts {
  readonly store: Pick<Store, "health" | "polls">;
  readonly platforms: readonly Pick<ChatPlatform, "name" | "health">[];
  /** What is wrong with the source's data now, and why it cannot be read at all. */
  readonly source: { notes(): readonly string[]; problem(): string | null };
  readonly isStale: IsStale;
  readonly clock: Pick<Clock, "now">;
}

/** Can we do our work now: is there data to compare, a store to write to, and a way to everybody? */
export async function readReadiness(parts: ReadinessParts): Promise<Readiness> {
  const { store, platforms } = parts;
  const problem = store.health();
  const polls = await store.polls.read();
  const checks: Record<string, Check> = {
    store: problem === null ? { ok: true, detail: "usable" } : { ok: false, detail: problem },
    source: checkSource(parts.source),
    splits: checkPoll(polls.splits, parts),
    articles: checkPoll(polls.articles, parts),
  };
  for (const platform of platforms) {
    const health = platform.health();
    checks[platform.name] = health.ok ? { ok: true, detail: "connected" } : { ok: false, detail: health.reason };
  }
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

/** A record that is set aside is no reason to send nobody anything: it is said, and the others are told of. */
function checkSource(source: ReadinessParts["source"]): Check {
  const problem = source.problem();
  if (problem !== null) return { ok: false, detail: problem };
  const [first, ...others] = source.notes();
  if (first === undefined) return { ok: true, detail: "usable" };
  return { ok: true, detail: others.length === 0 ? first : `${first} (and ${others.length} more)` };
}

function checkPoll(report: PollReport | null, { isStale, clock }: ReadinessParts): Check {
  if (report === null) return { ok: false, detail: "not read yet" };
  const { resource, lastCompleteAt } = report;
  const stale = isStale(resource, lastCompleteAt);
  const seen =
    lastCompleteAt === null
      ? "never read completely"
      : `last complete ${Math.floor((clock.now() - lastCompleteAt) / 1_000)} s ago`;
  const detail = `${report.outcome}: ${report.detail}; ${seen}`;
  // An incomplete reading of articles is good as far as it goes, and goes on at the next poll.
  const usable = report.outcome === "complete" || (report.outcome === "incomplete" && !stale);
  return { ok: usable && !stale, detail };
}
