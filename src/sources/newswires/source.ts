import type { Release } from "../../catalog/release.ts";
import type { ArticleRow } from "../../data-service/schema.ts";
import type { CatalogContent, CatalogSource, WritableCatalog } from "../../data-service/server/catalog.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Releases } from "../../ports/store.ts";
import { oldNewsAmong } from "./first-read.ts";
import { type Follower, startFollowing } from "./follow-wires.ts";
import type { Newswire } from "./newswire.ts";
import { problemsOf } from "./problems.ts";
import { openShelf, type Shelf } from "./release-cache.ts";
import { articleRowOf, splitRowsOf } from "./rows.ts";

/** Names the source: a reader's snapshot belongs to it. */
export const WIRES_ID = "wires";

/** So long a start waits to see whether any wire can be reached. */
const REACHED_WITHIN_MS = 5_000;

/** So long the fill waits for the slowest wire where an earlier run has had its first fill. */
const FILLED_WITHIN_MS = 5_000;

/**
 * The first one waits longer, and for the pages as well: what the feeds show now is older than we are, and no news. A feed
 * on splits alone shows some twenty-five, each a page of some two seconds.
 */
const FIRST_FILLED_WITHIN_MS = MINUTE_MS;

/** The first looks begin together and end so far apart at most: some fail at once, others keep their pauses. */
const LOOKS_APART_MS = 15_000;

export interface WiresParts {
  readonly wires: readonly Newswire[];
  readonly releases: Releases;
  readonly clock: Clock;
  readonly log: Log;
}

/** The news wires, followed from the moment on which they were opened. */
export interface Wires {
  /** `reached`: a wire could be read, or releases from an earlier run are there. Resolves within seconds. */
  readonly opening: Promise<"reached" | "unreachable">;
  /** Resolves when there is something to serve: an empty beginning is none. */
  readonly filled: Promise<void>;
  /** What is wrong with them now, for people. */
  problems(): readonly string[];
  /** Fills the catalog, at once where there is something to serve, and keeps it up to date. */
  serve(catalog: WritableCatalog): CatalogSource;
  stop(): Promise<void>;
}

export async function openWires(parts: WiresParts): Promise<Wires> {
  const { clock } = parts;
  const shelf = await openShelf(parts.releases);
  const kept = keptOf(shelf);
  const follower = startFollowing({ ...parts, shelf });
  const enough = new AbortController();
  const beginning: Beginning = { ...kept, follower, clock, openedAt: clock.now(), signal: enough.signal };
  const fill = { done: false };
  const filled = (async () => {
    await firstFill(beginning);
    fill.done = true;
  })();
  const problems = (): readonly string[] =>
    problemsOf({ states: follower.states(), splits: follower.splits(), releases: shelf.all(), now: clock.now() });

  return {
    opening: reachedOrNot(beginning),
    filled,
    problems,
    serve: (catalog) => serve({ catalog, follower, shelf, fill, filled, problems }),
    async stop() {
      await follower.stop();
      enough.abort();
    },
  };
}

/** What an earlier run has left. */
interface Kept {
  /** It has had its first fill. */
  readonly wasFilled: boolean;
  /** It is enough to begin with. */
  readonly hasKept: boolean;
}

function keptOf(shelf: Shelf): Kept {
  const kept = [...shelf.all()];
  const wasFilled = spanMs(kept) > FIRST_FILLED_WITHIN_MS;
  // What a first run left before it had read the pages that it knew of is no list to begin with.
  return { wasFilled, hasKept: kept.some(({ facts }) => facts !== null) && (wasFilled || !kept.some(isUntried)) };
}

interface Beginning extends Kept {
  readonly follower: Follower;
  readonly clock: Clock;
  readonly openedAt: Instant;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

async function reachedOrNot(beginning: Beginning): Promise<"reached" | "unreachable"> {
  const { follower, clock, signal } = beginning;
  const isKnown = (): boolean => isReached(beginning) || areLookedAt(follower, 0);
  await Promise.race([comesTrue(follower, isKnown), clock.sleep(REACHED_WITHIN_MS, signal)]);
  return isReached(beginning) ? "reached" : "unreachable";
}

/** Resolves when there is something to serve, and it is as whole as it can be awaited. */
async function firstFill(beginning: Beginning): Promise<void> {
  const { follower, clock, openedAt, signal, hasKept, wasFilled } = beginning;
  await comesTrue(follower, () => isReached(beginning));
  const reachedAt = clock.now();
  // After an outage the others are looked at again first: what they show then is as old as what this one does.
  const since = hasKept || reachedAt - openedAt <= LOOKS_APART_MS ? 0 : reachedAt;
  const isWhole = (): boolean => areLookedAt(follower, since) && (wasFilled || !follower.hasUntried());
  const patienceMs = wasFilled ? FILLED_WITHIN_MS : FIRST_FILLED_WITHIN_MS;
  await Promise.race([comesTrue(follower, isWhole), clock.sleep(patienceMs, signal)]);
}

function isReached({ hasKept, follower }: Beginning): boolean {
  return hasKept || follower.states().some(({ lastGoodAt }) => lastGoodAt !== null);
}

function areLookedAt(follower: Follower, since: Instant): boolean {
  return follower.states().every(({ lookedAt }) => lookedAt !== null && lookedAt >= since);
}

function isUntried({ text, tries }: Release): boolean {
  return text === null && tries === 0;
}

/** How long they have been coming in. A run that ended before its first fill has left only a part of what was there. */
function spanMs(kept: readonly Release[]): number {
  const times = kept.flatMap(({ foundAt, readAt }) => [foundAt, readAt ?? foundAt]).toSorted((a, b) => a - b);
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}

/** Resolves as soon as it is so; looks whenever something has changed. */
function comesTrue(follower: Follower, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      unfollow();
      resolve();
    };
    const unfollow = follower.onChange(look);
    look();
  });
}

interface Serving {
  readonly catalog: WritableCatalog;
  readonly follower: Follower;
  readonly shelf: Shelf;
  readonly fill: { readonly done: boolean };
  readonly filled: Promise<void>;
  readonly problems: () => readonly string[];
}

function serve(serving: Serving): CatalogSource {
  const { catalog, follower, shelf, fill, filled, problems } = serving;
  const publish = createPublisher(serving);
  let isServing = true;
  const show = (): void => {
    if (isServing && fill.done) publish();
  };
  follower.onChange(show);
  void filled.then(show);
  // Who takes the place of another source must not leave that one's rows under its own name for a moment.
  show();
  return {
    id: WIRES_ID,
    sample: false,
    problems,
    readError: () => whyUnreadable(follower, catalog),
    backfilledRows: () => oldNewsAmong(follower.splits(), shelf),
    stop: () => {
      isServing = false;
      return Promise.resolve();
    },
  };
}

/** Replaces the content where it is another: readers come at once when it is told to have changed. */
function createPublisher({ catalog, follower, shelf }: Serving): () => void {
  const rows = new WeakMap<Release, { readonly row: ArticleRow | null }>();
  let shown: CatalogContent | null = null;
  const rowOf = (release: Release): ArticleRow | null => {
    const { row } = rows.get(release) ?? { row: articleRowOf(release) };
    rows.set(release, { row });
    return row;
  };
  return () => {
    const content = {
      splits: follower.splits().flatMap(splitRowsOf),
      articles: [...shelf.all()].map(rowOf).filter((row) => row !== null),
    };
    if (shown !== null && isSame(content, shown)) return;
    shown = content;
    catalog.replace(content);
  };
}

function isSame(a: CatalogContent, b: CatalogContent): boolean {
  const sameArticles = a.articles.length === b.articles.length && a.articles.every((row, n) => row === b.articles[n]);
  return sameArticles && JSON.stringify(a.splits) === JSON.stringify(b.splits);
}

function whyUnreadable(follower: Follower, { ready }: WritableCatalog): string | null {
  const states = follower.states();
  const [first] = states;
  if (!first) return "No feed of a news wire is configured: see newswires in the settings.";
  if (states.some(({ condition }) => condition === "ok" || condition === "waiting")) return null;
  return `None of the news wires can be read${ready ? ": what they last showed is served" : ""}. ${first.name}: ${first.problem}`;
}
