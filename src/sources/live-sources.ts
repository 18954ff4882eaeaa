import type { CatalogSplit, Conflict } from "../catalog/catalog-split.ts";
import { isPending, type Release } from "../catalog/release.ts";
import type { ArticleRow } from "../data-service/schema.ts";
import type { CatalogContent, CatalogSource, WritableCatalog } from "../data-service/server/catalog.ts";
import { addDays, dayInZone, type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Releases } from "../ports/store.ts";
import type { OpenSource, SourceParts } from "./source-definition.ts";
import { type Follower, followWires } from "./newswires/follow-wires.ts";
import { type Newswire, SOURCE_ID } from "./newswires/newswire.ts";
import { isUntried, openReleaseCache, type ReleaseCache } from "./newswires/release-state.ts";
import { articleRowOf, backfilledRows, concernsReverseSplit, splitRowsOf } from "./rows.ts";
import type { NewswireSettings } from "./newswires/settings.ts";
import { describeProblem } from "./source-status.ts";
import { connectNewswires } from "./newswires/wires.ts";

/** Longest wait of a start for the first wire that can be read. */
const REACH_TIMEOUT_MS = 5_000;
/** Longest wait of the fill for the slowest wire, if an earlier run completed its first fill. */
const FILL_TIMEOUT_MS = 5_000;
/**
 * Longest wait of the first fill for the wires and for the pages of their releases, which are old news and must not cause
 * alerts. A feed about splits shows some 25 releases, whose pages take about two seconds each.
 */
const FIRST_FILL_TIMEOUT_MS = MINUTE_MS;
/** The first polls of all wires start together and end within this time, because some hosts require pauses. */
const FIRST_POLLS_WITHIN_MS = 15_000;
/** Problems of older releases are not reported. */
const PROBLEM_MAX_AGE_DAYS = 10;

/** Connects to the wires and follows them. */
export async function openNewswires(settings: NewswireSettings, parts: SourceParts): Promise<OpenSource> {
  const connected = connectNewswires(settings, parts);
  try {
    const source = await openSource({ ...parts, wires: connected.wires });
    const stop = async (): Promise<void> => {
      await source.stop();
      await connected.close();
    };
    return { ...source, stop };
  } catch (error) {
    await connected.close();
    throw error;
  }
}

export interface WireSourceParts {
  readonly wires: readonly Newswire[];
  readonly releases: Releases;
  readonly clock: Clock;
  readonly log: Log;
}

/** Follows the wires. */
export async function openSource(parts: WireSourceParts): Promise<OpenSource> {
  const { clock, wires, log } = parts;
  const cache = await openReleaseCache(parts.releases);
  const stored = storedState(cache);
  const follower = followWires({ wires, log, clock, cache });
  const stopping = new AbortController();
  const startup: Startup = { ...stored, follower, clock, openedAt: clock.now(), signal: stopping.signal };
  const fill = { done: false };
  const filled = (async () => {
    await waitForFill(startup);
    fill.done = true;
  })();
  const problems = (): readonly string[] => problemsOf(follower, cache, clock.now());

  return {
    reached: waitForReach(startup),
    filled,
    problems,
    serve: (catalog) => serve({ catalog, follower, cache, fill, filled, problems }),
    async stop() {
      await follower.stop();
      stopping.abort();
    },
  };
}

/** State of an earlier run. */
interface StoredState {
  /** Whether it completed its first fill. */
  readonly wasFilled: boolean;
  /** Whether its releases can be served before a wire has been read. */
  readonly isUsable: boolean;
}

function storedState(cache: ReleaseCache): StoredState {
  const releases = [...cache.all()];
  const wasFilled = readingPeriodMs(releases) > FIRST_FILL_TIMEOUT_MS;
  // A run that was stopped before it had tried all pages left an incomplete list.
  const isComplete = wasFilled || !releases.some(isUntried);
  return { wasFilled, isUsable: isComplete && releases.some(({ facts }) => facts !== null) };
}

/** Time between the first and the last release, found or read; short if the run ended before its first fill. */
function readingPeriodMs(releases: readonly Release[]): number {
  const times = releases.flatMap(({ foundAt, readAt }) => [foundAt, readAt ?? foundAt]).toSorted((a, b) => a - b);
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}

interface Startup extends StoredState {
  readonly follower: Follower;
  readonly clock: Clock;
  readonly openedAt: Instant;
  /** Aborts when the source is stopped. */
  readonly signal: AbortSignal;
}

async function waitForReach(startup: Startup): Promise<boolean> {
  const { follower, clock, signal } = startup;
  const isKnown = (): boolean => isReached(startup) || arePolled(follower, 0);
  await Promise.race([waitUntil(follower, isKnown), clock.sleep(REACH_TIMEOUT_MS, signal)]);
  return isReached(startup);
}

/** Resolves when there is data to serve, as complete as it gets within the time limit. */
async function waitForFill(startup: Startup): Promise<void> {
  const { follower, clock, openedAt, signal, isUsable, wasFilled } = startup;
  await waitUntil(follower, () => isReached(startup));
  const reachedAt = clock.now();
  // After an outage, the other wires are polled again first: their news is as old as that of the one that was reached.
  const since = isUsable || reachedAt - openedAt <= FIRST_POLLS_WITHIN_MS ? 0 : reachedAt;
  const isComplete = (): boolean => arePolled(follower, since) && (wasFilled || !follower.hasUntriedPages());
  const timeoutMs = wasFilled ? FILL_TIMEOUT_MS : FIRST_FILL_TIMEOUT_MS;
  await Promise.race([waitUntil(follower, isComplete), clock.sleep(timeoutMs, signal)]);
}

function isReached({ isUsable, follower }: Startup): boolean {
  return isUsable || follower.states().some(({ lastOkAt }) => lastOkAt !== null);
}

function arePolled(follower: Follower, since: Instant): boolean {
  return follower.states().every(({ lastReadAt }) => lastReadAt !== null && lastReadAt >= since);
}

/** Resolves when the condition is true; it is checked after every change. */
function waitUntil(follower: Follower, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!condition()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = follower.onChange(check);
    check();
  });
}

interface Serving {
  readonly catalog: WritableCatalog;
  readonly follower: Follower;
  readonly cache: ReleaseCache;
  readonly fill: { readonly done: boolean };
  readonly filled: Promise<void>;
  readonly problems: () => readonly string[];
}

function serve(serving: Serving): CatalogSource {
  const { catalog, follower, cache, fill, filled, problems } = serving;
  const publish = createPublisher(serving);
  let isServing = true;
  const publishIfFilled = (): void => {
    if (isServing && fill.done) publish();
  };
  follower.onChange(publishIfFilled);
  void filled.then(publishIfFilled);
  // Synchronously, so that rows of a replaced source are never served under this source's id.
  publishIfFilled();
  return {
    id: SOURCE_ID,
    sample: false,
    problems,
    readError: () => readErrorOf(follower, catalog),
    backfilledRows: () => backfilledRows(follower.splits(), cache),
    stop: () => {
      isServing = false;
      return Promise.resolve();
    },
  };
}

/** Replaces the catalog's content if it changed: each replacement makes readers poll. */
function createPublisher({ catalog, follower, cache }: Serving): () => void {
  const rows = new WeakMap<Release, { readonly row: ArticleRow | null }>();
  let published: CatalogContent | null = null;
  const rowOf = (release: Release): ArticleRow | null => {
    const { row } = rows.get(release) ?? { row: articleRowOf(release) };
    rows.set(release, { row });
    return row;
  };
  return () => {
    const content = {
      splits: follower.splits().flatMap(splitRowsOf),
      articles: [...cache.all()].map(rowOf).filter((row) => row !== null),
    };
    if (published !== null && isSame(content, published)) return;
    published = content;
    catalog.replace(content);
  };
}

function isSame(a: CatalogContent, b: CatalogContent): boolean {
  const sameArticles = a.articles.length === b.articles.length && a.articles.every((row, n) => row === b.articles[n]);
  return sameArticles && JSON.stringify(a.splits) === JSON.stringify(b.splits);
}

/** Null while at least one wire can be read or is still being read for the first time. */
function readErrorOf(follower: Follower, { ready }: WritableCatalog): string | null {
  const states = follower.states();
  const [first] = states;
  if (!first) return "No feed of a news wire is configured: see newswires in the settings.";
  if (states.some(({ condition }) => condition === "ok" || condition === "waiting")) return null;
  const served = ready ? ": the last known data is served" : "";
  return `None of the news wires can be read${served}. ${first.name}: ${first.problem}`;
}

/** Problems of the wires, then those of single releases, as sentences. */
function problemsOf(follower: Follower, cache: ReleaseCache, now: Instant): readonly string[] {
  const since = addDays(dayInZone(now, MARKET_ZONE), -PROBLEM_MAX_AGE_DAYS);
  const recent = [...cache.all()].filter((release) => release.published >= since);
  return [
    ...follower.states().flatMap((state) => describeProblem(state) ?? []),
    ...recent.flatMap((release) => unreadPage(release) ?? []),
    ...recent.flatMap((release) => contradiction(release) ?? []),
    ...follower
      .splits()
      .flatMap((split) =>
        split.conflicts.filter(({ day }) => day >= since).map((conflict) => disagreement(split, conflict)),
      ),
  ];
}

function unreadPage(release: Release): string | null {
  const { url, problem, facts } = release;
  if (problem === null || !isPending(release) || !concernsReverseSplit(release)) return null;
  const consequence = facts === null ? "it will be retried" : "the text of its feed is used instead";
  return `The page of a release could not be read: ${url} (${problem}); ${consequence}`;
}

function contradiction({ url, facts }: Release): string | null {
  if (facts === null || facts.contradictions.length === 0) return null;
  return `A release contradicts itself on ${facts.contradictions.join(" and ")}, so that is not stated: ${url}`;
}

function disagreement({ listings, company }: CatalogSplit, { kind, url, against }: Conflict): string {
  const name = listings[0]?.ticker ?? company ?? "A split";
  if (kind === "same-day")
    return `${name}: two releases of the same day state different terms; ${url} is used, ${against} is not`;
  return `${name}: ${url} repeats terms that ${against} had replaced; it is ignored`;
}
