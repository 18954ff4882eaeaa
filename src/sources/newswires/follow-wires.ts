import { buildCatalog } from "../../catalog/catalog.ts";
import type { CatalogSplit } from "../../catalog/catalog-split.ts";
import type { Release } from "../../catalog/release.ts";
import { DAY_MS, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type FollowedWire, followWire } from "./follow-wire.ts";
import type { FeedItem, Newswire } from "./newswire.ts";
import type { Shelf } from "./release-cache.ts";
import { isOnSplit } from "./rows.ts";
import { concernsSplitToCome, mayTellOfSplit } from "./split-keywords.ts";
import type { WireState } from "./wire-state.ts";

/**
 * Releases on splits are an archive that people search, and what tells a second split from the first: issuers come back
 * within a year or two. The others are kept only so that they are not read twice while a feed still shows them.
 */
const KEPT_MS = 731 * DAY_MS;
const OTHERS_KEPT_MS = 30 * DAY_MS;

export interface FollowParts {
  readonly wires: readonly Newswire[];
  readonly shelf: Shelf;
  readonly clock: Clock;
  readonly log: Log;
}

/** Follows all wires, each for itself. */
export interface Follower {
  states(): readonly WireState[];
  /** What the releases tell, as they stand now. */
  splits(): readonly CatalogSplit[];
  /** A release was found whose page was not asked for yet. */
  hasUntried(): boolean;
  /** Calls `listener` whenever a wire or a release is another. The answer stops that. */
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}

export function startFollowing({ wires, shelf, clock, log }: FollowParts): Follower {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const splits = foldWhenChanged(shelf);
  const isWanted = (item: FeedItem): boolean =>
    mayTellOfSplit(item) || concernsSplitToCome(item, splits(), dayInZone(clock.now(), MARKET_ZONE));
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const followed: readonly FollowedWire[] = wires.map((wire) =>
    followWire({ wire, shelf, clock, log, signal: stopping.signal, isWanted, changed }),
  );
  const pruning = keepPruning({ shelf, clock, log }, stopping.signal);

  return {
    states: () => followed.map((wire) => wire.state()),
    splits,
    hasUntried: () => followed.some((wire) => wire.hasUntried()),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...followed.map(({ ended }) => ended), pruning]);
    },
  };
}

/** Folding takes some milliseconds, and is asked for with every look. */
function foldWhenChanged(shelf: Shelf): () => readonly CatalogSplit[] {
  let folded: { readonly revision: number; readonly splits: readonly CatalogSplit[] } | null = null;
  return () => {
    if (folded?.revision !== shelf.revision) folded = { revision: shelf.revision, splits: buildCatalog(shelf.all()) };
    return folded.splits;
  };
}

async function keepPruning({ shelf, clock, log }: Omit<FollowParts, "wires">, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = clock.now();
    const old = [...shelf.all()].filter((release) => isOld(release, now)).map(({ url }) => url);
    // What cannot be written now is as old tomorrow.
    if (old.length > 0) await shelf.drop(old).catch((error: unknown) => log.error("release purge failed", { error }));
    await clock.sleep(DAY_MS, signal);
  }
}

function isOld(release: Release, now: Instant): boolean {
  return now - release.foundAt > (isOnSplit(release) ? KEPT_MS : OTHERS_KEPT_MS);
}
