import type { Article, KnownArticle } from "../core/article.ts";
import { diffArticles } from "../core/article-diff.ts";
import { addDays, dayInZone, type Instant } from "../core/day.ts";
import { diffSplits, suspects } from "../core/diff.ts";
import { lossOf } from "../core/doubt.ts";
import { groupBy } from "../core/group-by.ts";
import type { DiffSettings, Reading } from "../core/reading.ts";
import { readRelease, versionOf } from "../core/release.ts";
import type { Snapshot } from "../core/snapshot.ts";
import type { SplitRecord } from "../core/split.ts";
import type { Ticker } from "../core/ticker.ts";
import { MARKET_ZONE } from "../core/trading-day.ts";
import type { Clock } from "../ports/clock.ts";
import { type SetAside, SourceError, type SplitList, type SplitSource } from "../ports/split-source.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import { type CommitParts, commitNews } from "./commit.ts";
import type { InTurn } from "./turns.ts";

/** How far back the first run reads: the releases on splits that are still to come. */
const ARTICLE_BACKFILL_DAYS = 45;

/** Articles are dated by the day and may come late: this many days are read again each time. */
const ARTICLE_OVERLAP_DAYS = 3;

/** How many splits are asked for one by one before they count as missing; the others wait for the next poll. */
const MAX_LOOK_UPS = 25;

/** Reading many texts is done in slices, so that commands are answered in between. */
const ARTICLES_PER_SLICE = 20;

export interface PollParts extends CommitParts {
  readonly source: SplitSource;
  readonly clock: Clock;
  readonly inTurn: InTurn;
  readonly settings: DiffSettings;
  /** The keys of the rows that the source knows to be no news. */
  oldNews(): ReadonlySet<string>;
  /** A poll has ended, with so many events. */
  ended(events: number): Promise<void>;
  /** Aborts when we stop. */
  readonly signal: AbortSignal;
}

/** `in-time`: not before the time that the source asked for. `at-once`: it has said since that it has news. */
type When = "in-time" | "at-once";

/** Its polls never reject: what went wrong is in the report, and the next poll tries again. */
export interface Poller {
  /** Joins a poll that reads it already. */
  poll(resource: Resource): Promise<void>;
  /**
   * Both in one look: the list of splits is read first and taken in last, so that whatever split it shows is announced with
   * the releases that were out by then. What it reads is no older than the call, unless it joins another look of this kind.
   */
  pollBoth(when?: When): Promise<void>;
  /** Resolves when no poll runs. */
  idle(): Promise<void>;
}

interface Outcome extends Omit<PollReport, "resource" | "at" | "lastCompleteAt"> {
  /** The source's word. */
  readonly retryAfterMs?: number;
  readonly events: number;
}

export function createPoller(parts: PollParts): Poller {
  const read = createReadings(parts);
  const running = new Map<Resource, Promise<void>>();
  let both: Promise<void> | null = null;

  return {
    poll(resource) {
      if (both !== null) return both;
      // A poll that still runs is joined, not doubled.
      const mine = running.get(resource) ?? read([resource], "in-time").finally(() => running.delete(resource));
      running.set(resource, mine);
      return mine;
    },
    pollBoth(when = "in-time") {
      both ??= Promise.all(running.values())
        .then(() => read(["splits", "articles"], when))
        .finally(() => {
          both = null;
        });
      return both;
    },
    async idle() {
      await Promise.all([both, ...running.values()]);
    },
  };
}

/** Reads those of the resources that the source lets us ask for by now. */
type Read = (resources: readonly Resource[], when: When) => Promise<void>;

function createReadings(parts: PollParts): Read {
  const { clock, source, signal } = parts;
  const notBefore = new Map<Resource, Instant>();
  const listOf = (): Promise<SplitList> => source.listSplits(signal);

  /** Gives the number of its events. */
  async function readOne(resource: Resource, work: () => Promise<Outcome>, at = clock.now()): Promise<number> {
    const outcome = await work().catch(failureOf);
    if (outcome.retryAfterMs !== undefined) notBefore.set(resource, at + outcome.retryAfterMs);
    try {
      if (!signal.aborted) await report(parts, resource, at, outcome);
    } catch (error) {
      parts.log.error("poll-not-reported", { resource, error });
    }
    return outcome.events;
  }

  async function readBoth(): Promise<number> {
    const at = clock.now();
    const list = listOf();
    // Whatever is wrong with the list, the articles are read, and then the poll of splits tells it.
    await list.catch(() => undefined);
    const articles = await readOne("articles", () => pollArticles(parts, () => list));
    // The next start reads the releases first, and then tells what they go with.
    if (signal.aborted) return articles;
    return articles + (await readOne("splits", async () => takeSplits(parts, await list), at));
  }

  function readAlone(resource: Resource): Promise<number> {
    if (resource === "articles") return readOne(resource, () => pollArticles(parts, listOf));
    return readOne(resource, async () => takeSplits(parts, await listOf()));
  }

  return async (resources, when) => {
    const [first, ...others] = resources.filter(
      (resource) => when === "at-once" || clock.now() >= (notBefore.get(resource) ?? 0),
    );
    if (first === undefined) return;
    const events = await (others.length > 0 ? readBoth() : readAlone(first));
    if (!signal.aborted) await parts.ended(events);
  };
}

async function takeSplits(parts: PollParts, list: SplitList): Promise<Outcome> {
  const read = readingOf(parts, list);
  // Asking may take long, so it does not hold up the turn; what it is about changes with these polls alone.
  const suspected = suspects(await parts.store.snapshot.read(), read, parts.settings);
  const reading = await askForSuspects(parts, read, suspected);
  return parts.inTurn(async () => {
    const before = await parts.store.snapshot.read();
    const diff = diffSplits(before, reading, parts.settings);
    await commitNews(parts, diff);
    const setAside = list.setAside.map(({ reason }) => reason);
    const counts = { records: list.records.length, events: diff.events.length };
    const after = await parts.store.snapshot.read();
    const reason = diff.outcome === "doubted" ? diff.reason : lossOf(after, read, parts.settings.shrinkGuard);
    return reason === null
      ? { outcome: "complete", detail: `${counts.records} splits`, ...counts, setAside }
      : { outcome: "doubted", detail: `${counts.records} splits: ${reason}`, ...counts, setAside };
  });
}

function readingOf(parts: PollParts, list: SplitList): Reading {
  const { source, clock } = parts;
  const at = clock.now();
  return {
    source: source.id,
    sample: source.sample,
    records: list.records,
    unreadable: tickersOf(list.setAside),
    oldNews: parts.oldNews(),
    at,
    today: dayInZone(at, MARKET_ZONE),
  };
}

function tickersOf(setAside: readonly SetAside[]): Set<Ticker> {
  return new Set(setAside.map(({ ticker }) => ticker).filter((ticker) => ticker !== null));
}

/** A split that the look-up still shows is listed; one that the look-up cannot answer for is neither listed nor gone. */
async function askForSuspects(
  { source, signal, log }: PollParts,
  reading: Reading,
  suspected: readonly SplitRecord[],
): Promise<Reading> {
  const unanswered = new Set(suspected.map(({ ticker }) => ticker));
  const shown: SplitRecord[] = [];
  for (const ticker of [...unanswered].slice(0, MAX_LOOK_UPS)) {
    try {
      const answer = await source.lookUp(ticker, signal);
      shown.push(...answer.records);
      if (answer.setAside.length === 0) unanswered.delete(ticker);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      log.warn("look-up-failed", { ticker, problem: error.message });
      // The others would fail as slowly.
      if (error.failure === "timeout" || error.failure === "unreachable") break;
    }
  }
  const unreadable = new Set([...reading.unreadable, ...unanswered]);
  return { ...reading, records: [...reading.records, ...shown], unreadable };
}

async function pollArticles(parts: PollParts, listOf: () => Promise<SplitList>): Promise<Outcome> {
  const { source, store, clock, signal } = parts;
  const today = dayInZone(clock.now(), MARKET_ZONE);
  const earlier = await store.snapshot.read();
  const through = earlier.source === source.id ? earlier.articlesThrough : null;
  const from = through === null ? addDays(today, -ARTICLE_BACKFILL_DAYS) : addDays(through, -ARTICLE_OVERLAP_DAYS);
  const pages = await source.searchArticles(from, signal);
  const hasNew = pages.articles.some(({ url }) => through === null || !earlier.articles.has(url));
  // What is listed now, for releases that are new: they may be out before the next poll of splits has seen theirs.
  const listed = hasNew ? await recordsOf(listOf) : [];
  return parts.inTurn(async () => {
    const before = await store.snapshot.read();
    const at = clock.now();
    const known = before.source === source.id ? before.articles : new Map<string, KnownArticle>();
    const unread = pages.articles.filter((article) => known.get(article.url)?.version !== versionOf(article));
    const fresh = await readReleases(unread, listedByTicker(before, listed), at);
    const reading = { source: source.id, sample: source.sample, fresh, complete: pages.complete, listed, at, today };
    const diff = diffArticles(before, reading);
    const moved = diff.patch.header.articlesThrough !== before.articlesThrough || diff.patch.removedArticles.length > 0;
    await commitNews(parts, { ...diff, patch: fresh.length > 0 || moved ? diff.patch : null });
    return {
      outcome: pages.complete ? "complete" : "incomplete",
      detail: `${pages.articles.length} articles since ${from}, ${fresh.length} new or corrected`,
      records: pages.articles.length,
      events: diff.events.length,
      setAside: pages.setAside.map(({ reason }) => reason),
    };
  });
}

async function readReleases(
  articles: readonly Article[],
  listed: ReadonlyMap<Ticker, readonly SplitRecord[]>,
  at: Instant,
): Promise<ReturnType<typeof readRelease>[]> {
  const read: ReturnType<typeof readRelease>[] = [];
  for (const [index, article] of articles.entries()) {
    if (index > 0 && index % ARTICLES_PER_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    read.push(readRelease(article, listed, at));
  }
  return read;
}

/** Whatever is wrong with the list, the poll of splits tells it. */
function recordsOf(listOf: () => Promise<SplitList>): Promise<readonly SplitRecord[]> {
  return listOf().then(
    ({ records }) => records,
    () => [],
  );
}

function listedByTicker(
  snapshot: Snapshot,
  shown: readonly SplitRecord[],
): ReadonlyMap<Ticker, readonly SplitRecord[]> {
  const known = [...snapshot.splits.values()].filter(({ status }) => status !== "closed").map(({ record }) => record);
  return groupBy([...known, ...shown], (record) => record.ticker);
}

function failureOf(error: unknown): Outcome {
  const detail = error instanceof Error ? error.message : String(error);
  const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
  return {
    outcome: "failed",
    detail,
    records: 0,
    events: 0,
    setAside: [],
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}

async function report(parts: PollParts, resource: Resource, at: Instant, outcome: Outcome): Promise<void> {
  const { store, log, metrics } = parts;
  const { retryAfterMs: _, events: __, ...told } = outcome;
  const previous = (await store.polls.read())[resource];
  const lastCompleteAt = outcome.outcome === "complete" ? at : (previous?.lastCompleteAt ?? null);
  await store.polls.write({ ...told, resource, at, lastCompleteAt });
  metrics.polled(resource, outcome.outcome);
  const fields = { resource, outcome: outcome.outcome, detail: outcome.detail, setAside: outcome.setAside.length };
  if (outcome.outcome === "complete") log.info("polled", fields);
  else log.warn("polled", fields);
}
