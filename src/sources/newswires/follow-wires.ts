import { buildCatalog } from "../../catalog/catalog.ts";
import type { CatalogSplit } from "../../catalog/catalog-split.ts";
import type { Release } from "../../catalog/release.ts";
import { DAY_MS, dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import type { FeedsReading, Newswire } from "./newswire.ts";
import {
  isPageExpected,
  isSameRelease,
  isUntried,
  newRelease,
  type ReleaseCache,
  updatedRelease,
  withFailedRead,
  withText,
} from "./release-state.ts";
import { concernsReverseSplit } from "../rows.ts";
import { concernsPendingSplit, mayConcernSplit } from "../split-keywords.ts";
import { initialWireState, nextWireState, type WireState } from "../source-status.ts";

/** Retention of releases about splits: users search them, and they distinguish an issuer's second split from its first. */
const SPLIT_RELEASE_RETENTION_MS = 731 * DAY_MS;
/** Retention of other releases: as long as a feed may show them, so that their pages are read only once. */
const OTHER_RELEASE_RETENTION_MS = 30 * DAY_MS;
/** Pause after a failed write to the store or an unexpected error. */
const RETRY_DELAY_MS = 30_000;
/** Longer than any press release, in characters. */
const MAX_TEXT_LENGTH = 500_000;

export interface FollowParts {
  readonly wires: readonly Newswire[];
  readonly cache: ReleaseCache;
  readonly clock: Clock;
  readonly log: Log;
}

/** Polls all wires, each independently of the others. */
export interface Follower {
  states(): readonly WireState[];
  /** Splits derived from the stored releases. */
  splits(): readonly CatalogSplit[];
  /** Whether there is a release whose page was not tried yet. */
  hasUntriedPages(): boolean;
  /** Calls `listener` whenever the state of a wire or a release changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}

export function followWires({ wires, cache, clock, log }: FollowParts): Follower {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const splits = cachedCatalog(cache);
  const isWanted = (item: FeedItem): boolean =>
    mayConcernSplit(item) || concernsPendingSplit(item, splits(), dayInZone(clock.now(), MARKET_ZONE));
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const followed = wires.map((wire) =>
    followWire({ wire, cache, clock, log, signal: stopping.signal, isWanted, changed }),
  );
  const pruning = pruneDaily({ cache, clock, log }, stopping.signal);

  return {
    states: () => followed.map((wire) => wire.state()),
    splits,
    hasUntriedPages: () => followed.some((wire) => wire.hasUntriedPages()),
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

/** Catalog of the cached releases, rebuilt only after a change. */
function cachedCatalog(cache: ReleaseCache): () => readonly CatalogSplit[] {
  let built: { readonly revision: number; readonly splits: readonly CatalogSplit[] } | null = null;
  return () => {
    if (built?.revision !== cache.revision)
      built = { revision: cache.revision, splits: buildCatalog({ releases: cache.all(), observations: [] }) };
    return built.splits;
  };
}

async function pruneDaily({ cache, clock, log }: Omit<FollowParts, "wires">, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = clock.now();
    const expired = [...cache.all()].filter((release) => isExpired(release, now)).map(({ url }) => url);
    if (expired.length > 0) {
      await cache.remove(expired).catch((error: unknown) => log.error("release purge failed", { error }));
    }
    await clock.sleep(DAY_MS, signal);
  }
}

function isExpired(release: Release, now: Instant): boolean {
  const retentionMs = concernsReverseSplit(release) ? SPLIT_RELEASE_RETENTION_MS : OTHER_RELEASE_RETENTION_MS;
  return now - release.foundAt > retentionMs;
}

interface FollowWireParts extends Omit<FollowParts, "wires"> {
  readonly wire: Newswire;
  readonly signal: AbortSignal;
  /** Whether the item may be about a reverse split; others are neither stored nor read. */
  isWanted(item: FeedItem): boolean;
  /** Called when the wire's state or one of its releases changed. */
  changed(): void;
}

interface FollowedWire {
  state(): WireState;
  hasUntriedPages(): boolean;
  /** Resolves after an abort, when all work has ended. */
  readonly ended: Promise<unknown>;
}

/** Polls the feeds of a wire, and independently reads the pages of its releases. */
function followWire(parts: FollowWireParts): FollowedWire {
  const { wire, clock, log, signal } = parts;
  const sleep = createWakeableSleep(clock, signal);
  let state = initialWireState(wire.name, clock.now());

  /** Unexpected errors are logged; the wire's other releases are still processed. */
  const logUnexpected = (error: unknown): void => log.error("wire follow failed", { wire: wire.name, error });

  async function pollOnce(): Promise<void> {
    const reading = await readFeeds(parts);
    if (signal.aborted) return;
    const changes = await saveChanges(parts, reading);
    const before = state;
    state = nextWireState(before, reading, clock.now());
    logState(parts, before, state);
    parts.changed();
    if (changes > 0) sleep.wake();
  }

  async function pollFeeds(): Promise<void> {
    while (!signal.aborted) {
      await pollOnce().catch(logUnexpected);
      await clock.sleep(wire.everyMs, signal);
    }
  }

  /** Reads the next page that is due, or waits for it. */
  async function readNext(): Promise<void> {
    const next = nextToRead(parts);
    if (next === null || next.notBefore > clock.now()) await sleep.until(next?.notBefore ?? null);
    else if (!(await readRelease(parts, next))) await sleep.until(clock.now() + RETRY_DELAY_MS);
  }

  async function readPages(): Promise<void> {
    while (!signal.aborted) {
      await readNext().catch((error: unknown) => {
        logUnexpected(error);
        return sleep.until(clock.now() + RETRY_DELAY_MS);
      });
    }
  }

  return {
    state: () => state,
    hasUntriedPages: () => releasesToRead(parts).some(isUntried),
    ended: Promise.all([pollFeeds(), readPages()]),
  };
}

async function readFeeds({ wire, signal }: FollowWireParts): Promise<FeedsReading> {
  try {
    return await wire.readFeeds(signal);
  } catch (error) {
    return { items: [], failures: [toFetchError(error)] };
  }
}

/** Saves new and corrected releases and returns their number. Those that can't be saved are found again by the next poll. */
async function saveChanges(parts: FollowWireParts, reading: FeedsReading): Promise<number> {
  const { wire, cache, log } = parts;
  const changes = changesIn(parts, reading);
  const results = await Promise.allSettled(changes.map((release) => cache.put(release)));
  for (const [index, { url, readVersion }] of changes.entries()) {
    const result = results[index];
    if (result?.status === "rejected") log.error("release not saved", { wire: wire.name, url, error: result.reason });
    else log.info(readVersion === null ? "release found" : "release corrected", { wire: wire.name, url });
  }
  return changes.length;
}

function changesIn(parts: FollowWireParts, reading: FeedsReading): readonly Release[] {
  const { wire, cache } = parts;
  // Several feeds of a wire may show the same release.
  const items = [...new Map(reading.items.toReversed().map((item) => [item.url, item])).values()];
  const changes: Release[] = [];
  for (const item of items) {
    const known = cache.get(item.url);
    const release = known ? updatedRelease(known, item, wire.name) : wantedRelease(parts, item, changes);
    if (release) changes.push(release);
  }
  return changes.length > 0 ? changes : firstReadMarker(parts, items);
}

/**
 * One arbitrary release if none of the wire is stored yet. It records when the wire was first read: a split that appears later
 * is news, even if it is the wire's first one and was published while splitwatch was stopped.
 */
function firstReadMarker({ wire, cache, clock }: FollowWireParts, items: readonly FeedItem[]): readonly Release[] {
  if ([...cache.all()].some(({ source }) => source === wire.name)) return [];
  const unknown = items.filter(({ url }) => cache.get(url) === undefined).slice(0, 1);
  return unknown.map((item) => newRelease(item, wire.name, clock.now()));
}

/** Null if the item is not wanted, or is a known release under another address. */
function wantedRelease(parts: FollowWireParts, item: FeedItem, found: readonly Release[]): Release | null {
  if (!parts.isWanted(item)) return null;
  const { wire, cache, clock } = parts;
  const isKnown = [...cache.all(), ...found].some((known) => isSameRelease(known, item, wire.name));
  return isKnown ? null : newRelease(item, wire.name, clock.now());
}

/** Reads the page of a release. Returns false if the result can't be saved. */
async function readRelease(parts: FollowWireParts, { url, version, ...release }: Release): Promise<boolean> {
  const { wire, cache, clock, log, signal } = parts;
  const page = await wire.readPage({ ...release, url, version }, signal).catch(toFetchError);
  const known = cache.get(url);
  if (signal.aborted || !known) return true;
  const read = withPage(known, page, version, clock.now());
  try {
    await cache.put(read);
  } catch (error) {
    log.error("release not saved", { wire: wire.name, url, error });
    return false;
  }
  logRead(parts, read);
  parts.changed();
  return true;
}

/** An error of the extraction counts as a failed read, so that it is reported and the other releases are processed. */
function withPage(known: Release, page: string | FetchError, version: string, at: Instant): Release {
  if (page instanceof FetchError) return withFailedRead(known, page, at);
  try {
    return withText(known, page.slice(0, MAX_TEXT_LENGTH), version, at);
  } catch (error) {
    return withFailedRead(known, toFetchError(error), at);
  }
}

/** The release to read next: of those that are due, the one with the fewest failures, then the newest. */
function nextToRead(parts: FollowWireParts): Release | null {
  const now = parts.clock.now();
  const waiting = releasesToRead(parts);
  const due = waiting.filter(({ notBefore }) => notBefore <= now);
  const [first] = due.length > 0 ? due.toSorted(byUrgency) : waiting.toSorted((a, b) => a.notBefore - b.notBefore);
  return first ?? null;
}

function releasesToRead({ wire, cache, clock }: FollowWireParts): readonly Release[] {
  const now = clock.now();
  return [...cache.all()].filter((release) => release.source === wire.name && isPageExpected(release, now));
}

function byUrgency(a: Release, b: Release): number {
  return a.tries - b.tries || (b.publishedAt ?? b.foundAt) - (a.publishedAt ?? a.foundAt);
}

function logState(
  { log }: FollowWireParts,
  before: WireState,
  { name, condition, problem, itemCount }: WireState,
): void {
  if (condition === before.condition && problem === before.problem) return;
  if (problem !== null) log.warn("wire read failed", { wire: name, condition, problem });
  else log.info("wire read", { wire: name, items: itemCount });
}

function logRead({ log }: FollowWireParts, { url, source, facts, tries, problem }: Release): void {
  if (problem === null)
    log.info("release read", { wire: source, url, kind: facts?.kind, splits: facts?.splits.length });
  else log.warn("release read failed", { wire: source, url, tries, problem });
}

/** Sleep that `wake` ends early. */
interface WakeableSleep {
  /** Sleeps until the given time; null: until it is woken. */
  until(at: Instant | null): Promise<void>;
  wake(): void;
}

/** Timers of more than 24 days fire immediately, and waking up once a day does no harm. */
const MAX_SLEEP_MS = DAY_MS;

function createWakeableSleep(clock: Clock, signal: AbortSignal): WakeableSleep {
  let current = new AbortController();
  const wake = (): void => current.abort();
  signal.addEventListener("abort", wake);
  return {
    async until(at) {
      current = new AbortController();
      if (signal.aborted) return;
      await clock.sleep(Math.min(MAX_SLEEP_MS, at === null ? MAX_SLEEP_MS : at - clock.now()), current.signal);
    },
    wake,
  };
}
