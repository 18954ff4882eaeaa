import { type DataState, nextStaleAlert, type Staleness } from "../domain/alert/stale.ts";
import { headerOf, headerPatch } from "../domain/diff/snapshot.ts";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import type { Mutex } from "../lib/mutex.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import { type PollReport, RESOURCES, type Resource } from "../ports/store.ts";
import { type CommitParts, commitChanges } from "./commit.ts";

/** Maximum time by which a poll may be late. It includes the duration of a slow poll. */
const MAX_POLL_DELAY_MS = 5 * MINUTE_MS;

/** Data is stale after this many missed polls in a row, and not before `MIN_STALE_MS`. */
const MISSED_POLLS = 3;
const MIN_STALE_MS = 30 * MINUTE_MS;

/** Returns true if data that was last read completely at `readAt` is older than the poll schedule explains. */
export type IsStale = (resource: Resource, readAt: Instant | null) => boolean;

/** Compares times of polls, as the store returns them, with their schedules. */
export interface PollTiming {
  readonly isStale: IsStale;
  /** Whether a poll is missing: the last one, of any outcome, began longer ago than the schedule explains. */
  isOverdue(resource: Resource, polledAt: Instant): boolean;
}

export function createPollTiming(parts: {
  readonly scheduler: Pick<Scheduler, "longestPause">;
  readonly clock: Pick<Clock, "now">;
  readonly timezone: string;
  /** Cron expression of the polls of each resource. */
  readonly crons: Readonly<Record<Resource, string>>;
}): PollTiming {
  const { scheduler, clock, timezone, crons } = parts;
  const longestPauses = new Map<Resource, number>();
  const pauseMs = (resource: Resource): number => {
    const cached = longestPauses.get(resource);
    if (cached !== undefined) return cached;
    const computed = scheduler.longestPause(crons[resource], timezone);
    longestPauses.set(resource, computed);
    return computed;
  };
  const ageMs = (at: Instant): number => clock.now() - at;
  return {
    isStale(resource, readAt) {
      if (readAt === null) return true;
      const age = ageMs(readAt);
      // The longest pause is computed only when needed: comparing hundreds of ticks would delay startup.
      return age > MIN_STALE_MS && age > MISSED_POLLS * pauseMs(resource);
    },
    isOverdue(resource, polledAt) {
      const age = ageMs(polledAt);
      return age > MAX_POLL_DELAY_MS && age > pauseMs(resource) + MAX_POLL_DELAY_MS;
    },
  };
}

export interface StalenessParts extends CommitParts {
  readonly clock: Clock;
  readonly exclusive: Mutex;
  readonly isStale: IsStale;
  readonly source: { readonly sample: boolean };
  /** Problem that leaves the reachable source without readable data; null if there is none. */
  sourceProblem(): string | null;
}

/** Creates a `stale` event when the data becomes outdated and when it is up to date again. Never rejects. */
export interface StalenessMonitor {
  /** Adds the number of a poll's events, and checks the data. Called after each poll. */
  recordPoll(events: number): Promise<void>;
  check(): Promise<void>;
}

export function createStalenessMonitor(parts: StalenessParts): StalenessMonitor {
  const { store, clock, log, exclusive, source } = parts;
  const startedAt = clock.monotonic();
  let unreadableSince: MonotonicTime | null = null;
  let eventCount = 0;

  /** The time by the system clock as it is now. */
  function toInstant(time: MonotonicTime): Instant {
    return clock.now() - (clock.monotonic() - time);
  }

  async function commitTransition(): Promise<void> {
    const problem = parts.sourceProblem();
    unreadableSince = problem === null ? null : (unreadableSince ?? clock.monotonic());
    const state = await dataState(parts, {
      startedAt: toInstant(startedAt),
      unreadableSince: unreadableSince === null ? null : toInstant(unreadableSince),
      problem,
    });
    const snapshot = await store.snapshot.read();
    const moment = { at: clock.now(), sample: source.sample, eventCount };
    const transition = nextStaleAlert(snapshot.stale, state, moment);
    if (transition === null) return;
    const patch = headerPatch({ ...headerOf(snapshot), stale: transition.state });
    await commitChanges(parts, { patch, events: [transition.event] });
    eventCount = 0;
  }

  async function check(): Promise<void> {
    await exclusive(commitTransition).catch((error: unknown) => log.error("staleness check failed", { error }));
  }

  return {
    check,
    recordPoll(events) {
      eventCount += events;
      return check();
    },
  };
}

interface StalenessContext {
  readonly startedAt: Instant;
  readonly unreadableSince: Instant | null;
  readonly problem: string | null;
}

async function dataState({ store, isStale }: StalenessParts, context: StalenessContext): Promise<DataState> {
  const polls = await store.polls.read();
  const states = [
    ...RESOURCES.map((resource) => pollState(polls[resource], context, isStale)),
    sourceState(context, isStale),
  ];
  const stale = states.filter((state): state is Staleness => state.kind === "stale");
  const [oldest] = stale.toSorted((a, b) => a.since - b.since);
  return oldest ?? { kind: states.every(({ kind }) => kind === "fresh") ? "fresh" : "unsure" };
}

/** Data counts as stale only if a poll failed: after the machine slept, all data is old until the next poll. */
function pollState(report: PollReport | null, { startedAt }: StalenessContext, isStale: IsStale): DataState {
  if (report === null) return { kind: "unsure" };
  const { resource, outcome, detail } = report;
  if (outcome === "complete") return { kind: "fresh" };
  const since = report.lastCompleteAt ?? startedAt;
  if (isStale(resource, since)) return { kind: "stale", since, problem: `${resource}: ${detail}` };
  // The articles of an incomplete poll are valid; the next poll continues it.
  return { kind: outcome === "incomplete" ? "fresh" : "unsure" };
}

function sourceState({ unreadableSince, problem }: StalenessContext, isStale: IsStale): DataState {
  if (unreadableSince === null || problem === null) return { kind: "fresh" };
  const isOverdue = isStale("splits", unreadableSince);
  return isOverdue ? { kind: "stale", since: unreadableSince, problem } : { kind: "unsure" };
}
