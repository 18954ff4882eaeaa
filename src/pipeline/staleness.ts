import { type DataState, nextStaleAlert, type Staleness } from "../domain/alert/stale.ts";
import { headerOf, headerPatch } from "../domain/diff/snapshot.ts";
import type { Instant } from "../domain/time/day.ts";
import type { Mutex } from "../lib/mutex.ts";
import type { Clock } from "../ports/clock.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import { type CommitParts, commitChanges } from "./commit.ts";
import type { IsStale } from "./readiness.ts";

export interface StaleParts extends CommitParts {
  readonly clock: Clock;
  readonly exclusive: Mutex;
  readonly isStale: IsStale;
  readonly source: { readonly sample: boolean };
  /** Why the source's own data cannot be read, though it answers; null when it can. */
  sourceProblem(): string | null;
}

/** Tells whoever asked for it when the data has grown old, and when it is fresh again. */
export interface StalenessMonitor {
  /** A poll has ended, with so many events. Never rejects. */
  polled(events: number): Promise<void>;
  /** Never rejects: what cannot be written now is due again at the next look. */
  look(): Promise<void>;
}

const RESOURCES: readonly Resource[] = ["splits", "articles"];

export function createStalenessMonitor(parts: StaleParts): StalenessMonitor {
  const { store, clock, log, exclusive: inTurn, source } = parts;
  const startedAt = clock.now();
  let unreadableSince: Instant | null = null;
  let eventCount = 0;

  async function tell(): Promise<void> {
    const problem = parts.sourceProblem();
    unreadableSince = problem === null ? null : (unreadableSince ?? clock.now());
    const now = await stateOf(parts, { startedAt, unreadableSince, problem });
    const snapshot = await store.snapshot.read();
    const told = nextStaleAlert(snapshot.stale, now, { at: clock.now(), sample: source.sample, eventCount });
    if (told === null) return;
    const patch = headerPatch({ ...headerOf(snapshot), stale: told.state });
    await commitChanges(parts, { patch, events: [told.event] });
    eventCount = 0;
  }

  async function look(): Promise<void> {
    await inTurn(tell).catch((error: unknown) => log.error("staleness check failed", { error }));
  }

  return {
    look,
    polled(events) {
      eventCount += events;
      return look();
    },
  };
}

interface Known {
  readonly startedAt: Instant;
  readonly unreadableSince: Instant | null;
  readonly problem: string | null;
}

async function stateOf({ store, isStale }: StaleParts, known: Known): Promise<DataState> {
  const polls = await store.polls.read();
  const states = [
    ...RESOURCES.map((resource) => stateOfPolls(polls[resource], known, isStale)),
    stateOfSource(known, isStale),
  ];
  const stale = states.filter((state): state is Staleness => state.kind === "stale");
  const [worst] = stale.toSorted((a, b) => a.since - b.since);
  return worst ?? { kind: states.every(({ kind }) => kind === "fresh") ? "fresh" : "unsure" };
}

/** After a sleep of the machine all is old: only what was tried since, and in vain, is stale. */
function stateOfPolls(report: PollReport | null, { startedAt }: Known, isStale: IsStale): DataState {
  if (report === null) return { kind: "unsure" };
  const { resource, outcome, detail } = report;
  if (outcome === "complete") return { kind: "fresh" };
  const since = report.lastCompleteAt ?? startedAt;
  if (isStale(resource, since)) return { kind: "stale", since, problem: `${resource}: ${detail}` };
  // An incomplete reading of articles is good as far as it goes, and goes on at the next poll.
  return { kind: outcome === "incomplete" ? "fresh" : "unsure" };
}

function stateOfSource({ unreadableSince, problem }: Known, isStale: IsStale): DataState {
  if (unreadableSince === null || problem === null) return { kind: "fresh" };
  const isLong = isStale("splits", unreadableSince);
  return isLong ? { kind: "stale", since: unreadableSince, problem } : { kind: "unsure" };
}
