import type { Article, KnownArticle } from "../domain/article/article.ts";
import { diffArticles } from "../domain/diff/article-diff.ts";
import { diffSplits, missingCandidates } from "../domain/diff/diff.ts";
import { remainingLoss } from "../domain/diff/shrink-guard.ts";
import type { DiffSettings, PolledList, Snapshot } from "../domain/diff/snapshot.ts";
import type { RowKey, SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { articleVersion, readArticle } from "../extraction/read-article.ts";
import { settleWithin } from "../lib/clock.ts";
import { groupBy } from "../lib/collections.ts";
import { errorMessage } from "../lib/error-text.ts";
import type { Mutex } from "../lib/mutex.ts";
import { yieldToEventLoop } from "../lib/slices.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import { SourceError, type SplitList, type SplitSource } from "../ports/split-source.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import { type CommitParts, commitChanges } from "./commit.ts";
import { Lookups } from "./lookups.ts";

/** Maximum time that splits and articles that are polled together wait for each other. */
const MAX_WAIT_MS = 10_000;

export interface PollParts extends CommitParts {
  readonly source: SplitSource;
  readonly clock: Clock;
  /** Serializes work that reads the snapshot and commits a change to it. */
  readonly exclusive: Mutex;
  readonly settings: DiffSettings;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
  /** Called after each poll with the number of its events. */
  readonly onPollEnd: (events: number) => Promise<void>;
  /** Aborts when the application stops. */
  readonly signal: AbortSignal;
}

interface PollOutcome extends Omit<PollReport, "resource" | "at" | "lastCompleteAt"> {
  /** Delay that the source requested. */
  readonly retryAfterMs?: number;
  readonly events: number;
}

/** `scheduled` respects the delay that the source requested; `immediate` ignores it, because the source announced new data. */
type Timing = "scheduled" | "immediate";

interface PollStart {
  readonly at: Instant;
  readonly since: MonotonicTime;
}

interface RunOptions {
  /** Start of the poll; default: now. */
  readonly start?: PollStart;
  readonly onEnd: (events: number) => Promise<void>;
}

/** Polls splits and articles. Polls never reject: failures are reported, and the next poll tries again. */
export class Poller {
  readonly #parts: PollParts;
  /** Ends of the delays that the source requested, which begin at the start of the refused poll. */
  readonly #waits = new Map<Resource, MonotonicTime>();
  readonly #running = new Map<Resource, Promise<number>>();
  readonly #lookups = new Lookups();
  #both: Promise<void> | null = null;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  /** Polls one resource, or waits for its running poll. */
  async poll(resource: Resource): Promise<void> {
    await (this.#running.get(resource) ?? this.#both ?? this.#pollDue([resource], "scheduled"));
  }

  /**
   * Polls both. The list is read first and applied last, so that a split is announced with the releases published by then.
   * Resolves when the splits are applied; slower articles continue in the background. Concurrent calls share one run.
   */
  pollBoth(timing: Timing = "scheduled"): Promise<void> {
    this.#both ??= this.#startBoth(timing).finally(() => {
      this.#both = null;
    });
    return this.#both;
  }

  /** Resolves when no poll is running. */
  async idle(): Promise<void> {
    await this.#both;
    await Promise.all(this.#running.values());
  }

  async #startBoth(timing: Timing): Promise<void> {
    // Two lists that are read at the same time could be applied in the wrong order.
    await this.#running.get("splits");
    const articles = this.#running.get("articles");
    if (articles) await settleWithin(articles, MAX_WAIT_MS, this.#parts.clock);
    await this.#pollDue(this.#running.has("articles") ? ["splits"] : ["splits", "articles"], timing);
  }

  async #pollDue(resources: readonly Resource[], timing: Timing): Promise<void> {
    const [first, ...otherDue] = resources.filter((resource) => timing === "immediate" || this.#isDue(resource));
    if (first !== undefined) await (otherDue.length > 0 ? this.#runBoth() : this.#runOne(first));
  }

  #isDue(resource: Resource): boolean {
    return this.#parts.clock.monotonic() >= (this.#waits.get(resource) ?? Number.NEGATIVE_INFINITY);
  }

  #startNow(): PollStart {
    const { clock } = this.#parts;
    return { at: clock.now(), since: clock.monotonic() };
  }

  #runOne(resource: Resource): Promise<number> {
    const { source, signal } = this.#parts;
    const list = (): Promise<SplitList> => source.listSplits(signal);
    const options = { onEnd: (events: number) => this.#parts.onPollEnd(events) };
    if (resource === "articles") return this.#run(resource, () => pollArticles(this.#parts, list), options);
    return this.#run(resource, async () => applySplitList(this.#parts, await list(), this.#lookups), options);
  }

  async #runBoth(): Promise<void> {
    const { clock, source, signal, onPollEnd } = this.#parts;
    const start = this.#startNow();
    const list = source.listSplits(signal);
    // The poll of splits reports a failed list; the articles are polled in any case.
    await settleWithin(
      list.catch(() => undefined),
      MAX_WAIT_MS,
      clock,
    );
    let areArticlesLate = false;
    const articles = this.#run("articles", () => pollArticles(this.#parts, () => list), {
      onEnd: async (events) => (areArticlesLate ? onPollEnd(events) : undefined),
    });
    const articleEvents = await settleWithin(articles, MAX_WAIT_MS, clock);
    areArticlesLate = articleEvents === null;
    // On a stop, splits are not applied without their releases: the next start polls both.
    if (signal.aborted) return;
    const onEnd = (events: number): Promise<void> => onPollEnd(events + (articleEvents ?? 0));
    await this.#run("splits", async () => applySplitList(this.#parts, await list, this.#lookups), { start, onEnd });
  }

  #isStopping(): boolean {
    return this.#parts.signal.aborted;
  }

  /** Runs one poll and reports it. Resolves with the number of its events. */
  #run(resource: Resource, work: () => Promise<PollOutcome>, options: RunOptions): Promise<number> {
    const { log } = this.#parts;
    const run = async (): Promise<number> => {
      const { start = this.#startNow(), onEnd } = options;
      const outcome = await work().catch(failedOutcome);
      if (outcome.retryAfterMs !== undefined) this.#waits.set(resource, start.since + outcome.retryAfterMs);
      if (this.#isStopping()) return outcome.events;
      await report(this.#parts, resource, start.at, outcome).catch((error: unknown) => {
        log.error("poll report failed", { resource, error });
      });
      if (!this.#isStopping()) await onEnd(outcome.events);
      return outcome.events;
    };
    const running = run().finally(() => this.#running.delete(resource));
    this.#running.set(resource, running);
    return running;
  }
}

function failedOutcome(error: unknown): PollOutcome {
  const detail = errorMessage(error);
  const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  return { outcome: "failed", detail, records: 0, events: 0, quarantined: [], ...wait };
}

/** Saves the outcome for `/splits status`, logs it and counts it. */
async function report(parts: CommitParts, resource: Resource, at: Instant, outcome: PollOutcome): Promise<void> {
  const { store, log, metrics } = parts;
  const { retryAfterMs: _, events: __, ...saved } = outcome;
  const previous = (await store.polls.read())[resource];
  const lastCompleteAt = outcome.outcome === "complete" ? at : (previous?.lastCompleteAt ?? null);
  await store.polls.write({ ...saved, resource, at, lastCompleteAt });
  metrics.countPoll(resource, outcome.outcome);
  const fields = {
    resource,
    outcome: outcome.outcome,
    detail: outcome.detail,
    quarantined: outcome.quarantined.length,
    ...(outcome.quarantined.length > 0 ? { firstQuarantined: outcome.quarantined[0] } : {}),
  };
  if (outcome.outcome === "complete") log.info("poll completed", fields);
  else log.warn(outcome.outcome === "failed" ? "poll failed" : "poll completed", fields);
}

/** Diffs a complete list against the snapshot and commits the result. Splits that are not in the list are looked up first. */
async function applySplitList(parts: PollParts, list: SplitList, lookups: Lookups): Promise<PollOutcome> {
  const polled = polledList(parts, list);
  // Lookups can be slow, so they run outside the exclusive section: only polls of splits change the candidates.
  const candidates = missingCandidates(await parts.store.snapshot.read(), polled, parts.settings);
  const lookedUp = await lookups.completeList(parts, polled, candidates);
  return parts.exclusive(async () => {
    const diff = diffSplits(await parts.store.snapshot.read(), lookedUp, parts.settings);
    await commitChanges(parts, { patch: diff.patch, events: diff.events });
    const after = await parts.store.snapshot.read();
    const reason =
      diff.outcome === "suspicious" ? diff.reason : remainingLoss(after, polled, parts.settings.shrinkGuard);
    const records = list.records.length;
    return {
      outcome: reason === null ? "complete" : "suspicious",
      detail: reason === null ? `${records} splits` : `${records} splits: ${reason}`,
      records,
      events: diff.events.length,
      quarantined: list.quarantined.map((record) => record.reason),
    };
  });
}

function polledList(parts: PollParts, list: SplitList): PolledList {
  const { source, clock } = parts;
  const at = clock.now();
  return {
    source: source.id,
    sample: source.sample,
    records: list.records,
    unreadableTickers: new Set(list.quarantined.flatMap(({ ticker }) => ticker ?? [])),
    backfilledRows: parts.backfilledRows(),
    at,
    today: dayInZone(at, MARKET_ZONE),
  };
}

/** Days before today that the first run reads, to include the releases about upcoming splits. */
const BACKFILL_DAYS = 45;

/** Articles are dated by day and can appear late, so each poll rereads this many days. */
const OVERLAP_DAYS = 3;

/** Articles are compared and extracted in slices of this many characters, so that commands are answered in between. */
const CHARACTERS_PER_SLICE = 200_000;

/** Reads the articles since the last complete poll and commits the changes. `readList` returns the current list of splits. */
async function pollArticles(parts: PollParts, readList: () => Promise<SplitList>): Promise<PollOutcome> {
  const { source, store, clock, signal } = parts;
  const today = dayInZone(clock.now(), MARKET_ZONE);
  const snapshot = await store.snapshot.read();
  const through = snapshot.source === source.id ? snapshot.articlesThrough : null;
  const from = through === null ? addDays(today, -BACKFILL_DAYS) : addDays(through, -OVERLAP_DAYS);
  const pages = await source.searchArticles(from, signal);
  const hasNewArticles = pages.articles.some(({ url }) => through === null || !snapshot.articles.has(url));
  // A release can be published before its split is polled, so new releases are linked with the current list.
  const listed = hasNewArticles ? await listedRecords(readList, clock) : [];
  return parts.exclusive(async () => {
    const before = await store.snapshot.read();
    const at = clock.now();
    const byTicker = recordsByTicker(before, listed);
    const knownArticles = before.source === source.id ? before.articles : new Map<string, KnownArticle>();
    const read = (article: Article) => readArticle(article, byTicker, at);
    const newArticles = await readChanged(pages.articles, knownArticles, read);
    const polled = {
      source: source.id,
      sample: source.sample,
      newArticles,
      receivedUrls: new Set(pages.articles.map(({ url }) => url)),
      complete: pages.complete,
      listed,
      at,
      today,
    };
    const { patch, events, treatmentAnnouncements } = diffArticles(before, polled);
    const isHeaderChanged = patch.header.articlesThrough !== before.articlesThrough || patch.removedArticles.length > 0;
    await commitChanges(parts, {
      patch: newArticles.length > 0 || isHeaderChanged ? patch : null,
      events,
      treatmentAnnouncements,
    });
    const countText = `${pages.articles.length} ${pages.articles.length === 1 ? "article" : "articles"} since ${from}, ${newArticles.length} new or corrected`;
    return {
      outcome: pages.complete ? "complete" : "incomplete",
      detail: [countText, pages.excess?.message].filter((text) => text !== undefined).join("; "),
      records: pages.articles.length,
      events: events.length,
      quarantined: pages.quarantined.map(({ reason }) => reason),
    };
  });
}

/** Reads the articles that are new or whose text changed. */
async function readChanged(
  articles: readonly Article[],
  known: ReadonlyMap<string, KnownArticle>,
  read: (article: Article) => KnownArticle,
): Promise<KnownArticle[]> {
  const changed: KnownArticle[] = [];
  let characters = 0;
  for (const article of articles) {
    characters += article.content.length;
    if (characters > CHARACTERS_PER_SLICE) {
      characters = article.content.length;
      await yieldToEventLoop();
    }
    if (known.get(article.url)?.version !== articleVersion(article)) changed.push(read(article));
  }
  return changed;
}

/** Records of the current list; empty if the list fails or is slow, which the poll of splits reports. */
async function listedRecords(readList: () => Promise<SplitList>, clock: Clock): Promise<readonly SplitRecord[]> {
  const list = await settleWithin(
    readList().catch(() => null),
    MAX_WAIT_MS,
    clock,
  );
  return list?.records ?? [];
}

function recordsByTicker(
  snapshot: Snapshot,
  listed: readonly SplitRecord[],
): ReadonlyMap<Ticker, readonly SplitRecord[]> {
  const knownRecords = [...snapshot.splits.values()]
    .filter(({ status }) => status !== "closed")
    .map(({ record }) => record);
  return groupBy([...knownRecords, ...listed], (record) => record.ticker);
}
