import { isPending, isUntried, type Release } from "../../catalog/release.ts";
import { isWire } from "../../domain/article/wire.ts";
import { DAY_MS, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { onAbort } from "../../lib/abort.ts";
import { DueTimes } from "../../lib/clock.ts";
import { createListeners } from "../../lib/listeners.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import { StoreError } from "../../ports/store.ts";
import { type FactsParts, readFacts } from "../reading/read-facts.ts";
import type { OpenSource, SourceParts } from "../source-definition.ts";
import {
  countFaults,
  type DocumentCounts,
  initialStatus,
  logStatus,
  nextStatus,
  withDocument,
} from "../source-status.ts";
import { concernsPendingSplit, mayConcernSplit } from "../split-keywords.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import type { FeedPollResult, Newswire } from "./newswire.ts";
import {
  identitiesOf,
  identityOf,
  isPageExpected,
  newRelease,
  updatedRelease,
  usesFeedItem,
  withFailedRead,
  withText,
} from "./release-state.ts";

/** Pause after a failed write to the store or an unexpected error. */
const RETRY_DELAY_MS = 30_000;
/** Maximum delay of a page after a restart. If the system clock was set back, the stored `notBefore` may be in the far future. */
const MAX_DELAY_AFTER_RESTART_MS = 15 * MINUTE_MS;
/** Minimum pause between two polls of a wire. */
const MIN_PAUSE_MS = 5_000;
/** Limit per wire and day. All wires together publish about 3,000 releases a day, of which about 30 concern splits. */
const MAX_NEW_RELEASES_PER_DAY = 500;

export interface FollowParts
  extends Pick<SourceParts, "releases" | "sourceReads" | "splits" | "directory" | "reader" | "clock" | "log"> {
  readonly wires: readonly Newswire[];
}

/** Polls all wires, each independently of the others. */
export function followWires({ wires, splits, ...shared }: FollowParts): OpenSource {
  const stopping = new AbortController();
  const listeners = createListeners();
  const isRelevant = (item: FeedItem): boolean =>
    mayConcernSplit(item) || concernsPendingSplit(item, splits(), dayInZone(shared.clock.now(), MARKET_ZONE));
  const dueTimes = new DueTimes(shared.clock);
  // Converts the stored times to monotonic time now, because only delays from before the restart are limited.
  for (const { url, notBefore } of shared.releases.all()) dueTimes.add(url, notBefore, MAX_DELAY_AFTER_RESTART_MS);
  const following = { ...shared, signal: stopping.signal, isRelevant, onStatusChange: listeners.notify, dueTimes };
  const followedWires = wires.map((wire) => followWire({ ...following, wire }));

  return {
    statuses: () => followedWires.map((wire) => wire.status()),
    hasUntriedPages: () => followedWires.some((wire) => wire.hasUntriedPages()),
    onChange: listeners.add,
    async stop() {
      stopping.abort();
      await Promise.all(followedWires.map(({ ended }) => ended));
    },
  };
}

interface FollowWireParts extends Omit<FollowParts, "wires" | "splits"> {
  readonly wire: Newswire;
  readonly signal: AbortSignal;
  /** Whether the item may be about a reverse split; other items are neither stored nor read. */
  isRelevant(item: FeedItem): boolean;
  /** Called after a change of the wire's status. */
  onStatusChange(): void;
  /** Due times of the pages to read, by address. */
  readonly dueTimes: DueTimes;
}

interface FollowedWire {
  status(): SourceStatus;
  hasUntriedPages(): boolean;
  /** Resolves when all work has ended after an abort. */
  readonly ended: Promise<unknown>;
}

/** Polls the feeds of a wire, and independently reads the pages of its releases. */
function followWire(parts: FollowWireParts): FollowedWire {
  const { wire, clock, log, signal } = parts;
  const sleeper = createSleeper(clock, signal);
  const { lastReadAt = null } = parts.sourceReads.get(wire.name) ?? {};
  let status = initialStatus(wire.name, clock.now());
  /** Pages that were requested since the last poll. */
  let pages: DocumentCounts = NO_DOCUMENTS;

  /** Unexpected errors are logged; the wire's other releases are still processed. */
  const logUnexpected = (error: unknown): void => log.error("source follow failed", { source: wire.name, error });

  async function pollOnce(): Promise<void> {
    const polled = await readFeeds(parts, lastReadAt);
    if (signal.aborted) return;
    const { changeCount, failures } = await saveChanges(parts, polled);
    const previous = status;
    const result = {
      ...polled,
      failures: [...polled.failures, ...failures],
      documents: { ...pages, areSummarized: true },
    };
    pages = NO_DOCUMENTS;
    status = nextStatus(previous, result, clock.now(), isWire(wire.name));
    logStatus(previous, status, log);
    parts.onStatusChange();
    if (changeCount > 0) sleeper.wake();
  }

  async function pollFeeds(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = clock.monotonic();
      await pollOnce().catch(logUnexpected);
      const elapsedMs = clock.monotonic() - startedAt;
      await clock.sleep(Math.max(MIN_PAUSE_MS, wire.intervalMs(clock.now()) - elapsedMs), signal);
    }
  }

  /** Reads the next page that is due, or waits for it. */
  async function readNext(): Promise<void> {
    const next = nextToRead(parts);
    const waitMs = next === null ? MAX_SLEEP_MS : dueAt(next, parts) - clock.monotonic();
    if (next === null || waitMs > 0) await sleeper.sleep(waitMs);
    else if (!(await readRelease({ ...parts, onPage: (error) => countPage(next, error) }, next)))
      await sleeper.sleep(RETRY_DELAY_MS);
  }

  function countPage({ tries }: Release, error: FetchError | null): void {
    if (error !== null) status = { ...status, faults: countFaults(status.faults, [error]) };
    pages = withDocument(pages, { isRead: error === null, isRepeated: tries > 0 });
  }

  async function readPages(): Promise<void> {
    while (!signal.aborted) {
      await readNext().catch((error: unknown) => {
        logUnexpected(error);
        return sleeper.sleep(RETRY_DELAY_MS);
      });
    }
  }

  return {
    status: () => status,
    hasUntriedPages: () => releasesToRead(parts).some(isUntried),
    ended: Promise.all([pollFeeds(), readPages()]),
  };
}

async function readFeeds({ wire, signal }: FollowWireParts, lastReadAt: Instant | null): Promise<FeedPollResult> {
  try {
    return await wire.readFeeds(signal, lastReadAt);
  } catch (error) {
    return { items: [], failures: [toFetchError(error)] };
  }
}

/** Result of saving the releases of one poll of the feeds. */
interface SavedChanges {
  /** Number of new and corrected releases. */
  readonly changeCount: number;
  /** Errors for releases that were not saved. */
  readonly failures: readonly FetchError[];
}

/** Saves new and corrected releases. The next poll finds unsaved releases again. */
async function saveChanges(parts: FollowWireParts, polled: FeedPollResult): Promise<SavedChanges> {
  const { wire, releases, log } = parts;
  const failures: FetchError[] = [];
  try {
    const changes = await releases.update(() => {
      const changed = changesIn(parts, polled);
      const newReleases = changed.filter(({ url }) => releases.get(url) === undefined);
      const excess = new Set(newReleases.slice(remainingNewReleases(parts)));
      if (excess.size > 0) failures.push(tooManyNewReleases());
      return changed.filter((release) => !excess.has(release));
    });
    for (const { url, readVersion } of changes)
      log.info(readVersion === null ? "release found" : "release corrected", { wire: wire.name, url });
    return { changeCount: changes.length, failures };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.error("release not saved", { wire: wire.name, error });
    return { changeCount: 0, failures };
  }
}

/** Number of new releases that the wire's daily limit still permits. */
function remainingNewReleases({ wire, releases, clock }: FollowWireParts): number {
  const now = clock.now();
  const isOfLastDay = ({ foundAt }: Release): boolean => foundAt > now - DAY_MS && foundAt <= now;
  const ofLastDay = [...releases.all()].filter((release) => release.source === wire.name && isOfLastDay(release));
  return Math.max(0, MAX_NEW_RELEASES_PER_DAY - ofLastDay.length);
}

function tooManyNewReleases(): FetchError {
  const problem = `got more than ${MAX_NEW_RELEASES_PER_DAY} new releases about splits in a day: the others were not read`;
  return new FetchError("too-large", problem);
}

/** New and changed releases, the oldest first. */
function changesIn(parts: FollowWireParts, { items }: FeedPollResult): readonly Release[] {
  const { wire, releases, clock } = parts;
  const changes = new Map<string, Release>();
  const identities = createIdentities(parts);
  for (const item of items.toReversed()) {
    const releaseAtUrl = changes.get(item.url) ?? releases.get(item.url);
    if (releaseAtUrl === undefined && !parts.isRelevant(item)) continue;
    // The same release may be stored with another host or query in its address.
    const previous = releaseAtUrl ?? identities.find(item);
    const release = previous
      ? updatedRelease(previous, item, wire.name, clock.now())
      : newRelease(item, wire.name, clock.now());
    if (release === null) continue;
    changes.set(release.url, release);
    identities.add(release);
  }
  return [...changes.values()];
}

/** Index of a wire's releases by `identityOf`, for releases with several addresses. */
interface Identities {
  find(item: FeedItem): Release | undefined;
  add(release: Release): void;
}

/** Creates an index that is filled at the first lookup. Most polls contain no new address and need no lookup. */
function createIdentities({ wire, releases }: FollowWireParts): Identities {
  let byIdentity: Map<string, Release> | null = null;
  const add = (release: Release): void => {
    for (const identity of identitiesOf(release)) byIdentity?.set(identity, release);
  };
  return {
    find(item) {
      if (byIdentity === null) {
        byIdentity = new Map();
        for (const release of releases.all()) if (release.source === wire.name) add(release);
      }
      const identity = identityOf(item);
      return identity === null ? undefined : byIdentity.get(identity);
    },
    add,
  };
}

/** The feeds of a wire contain a summary of each release. */
const NO_DOCUMENTS: DocumentCounts = { read: 0, unreadable: 0, areSummarized: true };

interface ReadReleaseParts extends FollowWireParts {
  /** Called when a page was requested. `error` is null if it could be read. */
  onPage(error: FetchError | null): void;
}

/** Reads the page of a release. Returns false if the result can't be saved. */
async function readRelease(parts: ReadReleaseParts, { url, version, ...release }: Release): Promise<boolean> {
  const { wire, releases, log, signal } = parts;
  const page = await wire.readPage({ ...release, url, version }, signal).catch(toFetchError);
  if (signal.aborted) return true;
  parts.onPage(page instanceof FetchError ? page : null);
  try {
    const changed = await releases.update(async () => {
      const stored = releases.get(url);
      if (stored === undefined) return [];
      const read = await withPage(parts, { stored, page, version });
      // Before the record is saved: the system clock may be set meanwhile.
      parts.dueTimes.of(url, read.notBefore);
      return [read];
    });
    for (const read of changed) logRead(parts, read);
    if (!changed.some(isPending)) parts.dueTimes.delete(url);
    return true;
  } catch (error) {
    log.error("release not saved", { wire: wire.name, url, error });
    return false;
  }
}

interface ReadPage {
  readonly stored: Release;
  readonly page: string | FetchError;
  readonly version: string;
}

/** Returns the release with the result of the read. A text that can't be extracted counts as a failed read, so that it is reported. */
async function withPage(parts: FollowWireParts, { stored, page, version }: ReadPage): Promise<Release> {
  const readAt = parts.clock.now();
  try {
    if (page instanceof FetchError) throw page;
    const facts = await readFacts({ ...stored, text: page }, parts);
    return withText(stored, { text: page, version, readAt, ...facts });
  } catch (error) {
    return withFeedItem(stored, toFetchError(error), { ...parts, readAt });
  }
}

/** Returns the release after a failed read, if necessary with the facts of its feed item. */
async function withFeedItem(
  stored: Release,
  error: FetchError,
  { readAt, ...parts }: FactsParts & { readonly readAt: Instant },
): Promise<Release> {
  const failed = withFailedRead(stored, error, readAt);
  if (!usesFeedItem(failed, error)) return failed;
  // Without facts if the feed item is quarantined.
  const facts = await readFacts({ ...failed, text: null }, parts).catch(() => null);
  return { ...failed, ...facts };
}

/** The due release with the fewest failures, then the newest; if none is due, the release that is due first. */
function nextToRead(parts: FollowWireParts): Release | null {
  const now = parts.clock.monotonic();
  const waiting = releasesToRead(parts);
  const due = waiting.filter((release) => dueAt(release, parts) <= now);
  const byDueTime = (a: Release, b: Release): number => dueAt(a, parts) - dueAt(b, parts);
  const [first] = due.length > 0 ? due.toSorted(byTriesThenNewest) : waiting.toSorted(byDueTime);
  return first ?? null;
}

function dueAt({ url, notBefore }: Release, { dueTimes }: FollowWireParts): MonotonicTime {
  return dueTimes.of(url, notBefore);
}

function releasesToRead({ wire, releases, clock }: FollowWireParts): readonly Release[] {
  const now = clock.now();
  return [...releases.all()].filter((release) => release.source === wire.name && isPageExpected(release, now));
}

function byTriesThenNewest(a: Release, b: Release): number {
  return a.tries - b.tries || (b.publishedAt ?? b.foundAt) - (a.publishedAt ?? a.foundAt);
}

function logRead({ log }: FollowWireParts, { url, source, facts, tries, problem }: Release): void {
  if (problem === null)
    log.info("release read", { wire: source, url, kind: facts?.kind, splits: facts?.splits.length });
  else log.warn("release read failed", { wire: source, url, tries, problem });
}

/** Sleeps that can be ended early. */
interface Sleeper {
  /** Sleeps for `ms`, but at most for MAX_SLEEP_MS, or until the next `wake`. */
  sleep(ms: number): Promise<void>;
  wake(): void;
}

/** Node.js timers of more than 24 days fire immediately. */
const MAX_SLEEP_MS = DAY_MS;

function createSleeper(clock: Clock, signal: AbortSignal): Sleeper {
  let current = new AbortController();
  const wake = (): void => current.abort();
  onAbort(signal, wake);
  return {
    async sleep(ms) {
      current = new AbortController();
      if (signal.aborted) return;
      await clock.sleep(Math.min(MAX_SLEEP_MS, ms), current.signal);
    },
    wake,
  };
}
