import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { settleWithin } from "../lib/clock.ts";
import { formatCount } from "../messages/format.ts";
import type { MonotonicTime } from "../ports/clock.ts";
import type { ArticlePages, SplitList } from "../ports/split-source.ts";
import type { Resource } from "../ports/store.ts";
import { Lookups } from "./lookups.ts";
import {
  type ArticlePollParts,
  type FoundArticles,
  saveArticles,
  saveArticlesNaming,
  saveChangedArticles,
  searchArticles,
} from "./poll-articles.ts";
import { failedOutcome, type PollOutcome, reportPoll } from "./poll-report.ts";
import { applySplitList, type SplitPollParts } from "./poll-splits.ts";

/** Maximum time that articles wait for a list that is read at the same time, and a start for its articles. */
const MAX_WAIT_FOR_LIST_MS = 10_000;

/** Maximum time that a list with changes waits for articles that are searched at the same time. */
const MAX_WAIT_FOR_ARTICLES_MS = 300;

/** Maximum time that it waits for further pages of articles, which may be many, after it has waited for the first. */
const MAX_WAIT_FOR_PAGES_MS = 10;

export interface PollParts extends ArticlePollParts, SplitPollParts {
  /** Called after each poll with the number of its events. */
  readonly onPollEnd: (events: number) => Promise<void>;
}

/** Maximum time that a list with changes waits for its articles to be read. */
const MAX_WAIT_FOR_READING_MS = 2_000;

/** A search of articles that the running poll of splits may wait for. */
interface RunningSearch {
  readonly startedAt: MonotonicTime;
  readonly result: Promise<FoundArticles>;
  /** Resolves after the first page, or when the search ends. */
  readonly hasPage: Promise<true>;
  /** Resolves when the search ends, also if it fails. */
  readonly hasEnded: Promise<true>;
  /** The articles found so far; null before the first page. */
  found: FoundArticles | null;
  /** Number of its articles that a poll of splits has saved. */
  savedArticles: number;
}

interface ListWithChanges {
  /** Tickers of the changed splits. */
  readonly tickers: readonly Ticker[];
  readonly listed: readonly SplitRecord[];
  readonly requestedAt: MonotonicTime;
}

/**
 * Polls splits and articles independently of each other. Polls that run at the same time share the request of the list. Polls
 * never reject: failures are reported, and the next poll tries again.
 */
export class Poller {
  readonly #parts: PollParts;
  readonly #lookups = new Lookups();
  readonly #polls: Readonly<Record<Resource, SinglePoll>>;
  /** Ends of the delays that the source requested, which begin at the start of the refused poll. */
  readonly #waits = new Map<Resource, MonotonicTime>();
  #list: Promise<SplitList> | null = null;
  #search: RunningSearch | null = null;
  /** Duration of the last request of the list. */
  #listMs = 0;
  /** True if the last search ended too late for a list that is requested at the same time. */
  #areArticlesLate = false;
  /** Result of the last search of which all articles were saved. */
  #savedPages: ArticlePages | null = null;

  constructor(parts: PollParts) {
    this.#parts = parts;
    this.#polls = {
      splits: new SinglePoll(() => this.#run("splits", () => this.#pollSplits())),
      articles: new SinglePoll(() => this.#run("articles", () => this.#pollArticles())),
    };
  }

  /** Polls one resource, or waits for its running poll. Does nothing during a delay that the source requested. */
  async poll(resource: Resource): Promise<void> {
    const { running } = this.#polls[resource];
    await (running ?? (this.#isDue(resource) ? this.#polls[resource].start() : undefined));
  }

  /** Polls both. Resolves when the splits are applied; articles that take too long continue in the background. */
  async pollBoth(): Promise<void> {
    const splits = this.poll("splits");
    await settleWithin(this.poll("articles"), MAX_WAIT_FOR_LIST_MS, this.#parts.clock);
    await splits;
  }

  /** Polls both because the source announced new data: after running polls, and in spite of a requested delay. */
  pollNow(): void {
    for (const poll of Object.values(this.#polls)) poll.startAgain();
  }

  /** Resolves when no poll is running. */
  async idle(): Promise<void> {
    await Promise.all(Object.values(this.#polls).map((poll) => poll.idle()));
  }

  #isDue(resource: Resource): boolean {
    return this.#parts.clock.monotonic() >= (this.#waits.get(resource) ?? Number.NEGATIVE_INFINITY);
  }

  /** Runs one poll and reports it. */
  async #run(resource: Resource, work: () => Promise<PollOutcome>): Promise<void> {
    const { clock, log, signal, onPollEnd } = this.#parts;
    if (signal.aborted) return;
    const start = { at: clock.now(), since: clock.monotonic() };
    const outcome = await work().catch(failedOutcome);
    if (outcome.retryAfterMs !== undefined) this.#waits.set(resource, start.since + outcome.retryAfterMs);
    if (this.#isStopping()) return;
    await reportPoll(this.#parts, { resource, at: start.at }, outcome).catch((error: unknown) => {
      log.error("poll report failed", { resource, error });
    });
    if (!this.#isStopping()) await onPollEnd(outcome.events);
  }

  #isStopping(): boolean {
    return this.#parts.signal.aborted;
  }

  async #pollSplits(): Promise<PollOutcome> {
    const { clock } = this.#parts;
    const requestedAt = clock.monotonic();
    const list = await this.#readList();
    this.#listMs = clock.monotonic() - requestedAt;
    const search = this.#search;
    const saveReleasesOn = (tickers: readonly Ticker[]): Promise<number> =>
      search ? this.#saveReleases(search, { tickers, listed: list.records, requestedAt }) : Promise.resolve(0);
    return applySplitList(this.#parts, list, { lookups: this.#lookups, saveReleasesOn });
  }

  /** Saves the releases about the tickers that arrive in time. Returns the number of events. */
  async #saveReleases(search: RunningSearch, { tickers, listed, requestedAt }: ListWithChanges): Promise<number> {
    const isLate = this.#areArticlesLate || requestedAt - search.startedAt >= MAX_WAIT_FOR_ARTICLES_MS;
    if (!isLate) await this.#waitForPages(search);
    if (search.found === null) return 0;
    const save = async (found: FoundArticles): Promise<number> => {
      const { count, events } = await saveArticlesNaming(tickers, this.#parts, found, listed);
      search.savedArticles += count;
      return events;
    };
    // The poll of articles reads the others again, and reports why they can't be read.
    const saving = save(search.found).catch(() => 0);
    return (await settleWithin(saving, MAX_WAIT_FOR_READING_MS, this.#parts.clock)) ?? 0;
  }

  async #waitForPages({ hasPage, hasEnded }: RunningSearch): Promise<void> {
    const { clock } = this.#parts;
    const isInTime = await settleWithin(hasPage, MAX_WAIT_FOR_ARTICLES_MS, clock);
    if (isInTime) await settleWithin(hasEnded, MAX_WAIT_FOR_PAGES_MS, clock);
    else this.#areArticlesLate = true;
  }

  async #pollArticles(): Promise<PollOutcome> {
    const list = this.#list;
    const search = this.#startSearch();
    this.#search = search;
    try {
      const found = await search.result;
      const listed = (): Promise<readonly SplitRecord[]> => this.#appliedRows(list);
      const outcome = await saveArticles(this.#parts, found, { listed, savedArticles: () => search.savedArticles });
      if (!found.pages.complete) return outcome;
      // The texts of the articles aren't needed again.
      this.#savedPages = { ...found.pages, articles: [] };
      this.#search = null;
      const changes = await saveChangedArticles(this.#parts, found, { listed });
      return { ...outcome, detail: outcome.detail + describeChanges(changes), events: outcome.events + changes.events };
    } finally {
      this.#search = null;
    }
  }

  #startSearch(): RunningSearch {
    const { clock } = this.#parts;
    const startedAt = clock.monotonic();
    const firstPage = new AbortController();
    const hasPage = new Promise<true>((resolve) => {
      firstPage.signal.addEventListener("abort", () => resolve(true));
    });
    const onPage = (found: FoundArticles): void => {
      search.found = found;
      firstPage.abort();
    };
    const result = searchArticles(this.#parts, this.#savedPages, onPage);
    const hasEnded = result
      .then(onPage, () => firstPage.abort())
      .then(() => {
        this.#areArticlesLate = clock.monotonic() - startedAt - this.#listMs >= MAX_WAIT_FOR_ARTICLES_MS;
        return true as const;
      });
    const search: RunningSearch = { startedAt, result, hasPage, hasEnded, found: null, savedArticles: 0 };
    return search;
  }

  /** Reads the list, or waits for the running request of it. */
  #readList(): Promise<SplitList> {
    const { source, signal } = this.#parts;
    this.#list ??= source.listSplits(signal).finally(() => {
      this.#list = null;
    });
    return this.#list;
  }

  /** Rows of the list, after a running poll of splits has applied them; none if the list fails or is slow. */
  async #appliedRows(shared: Promise<SplitList> | null): Promise<readonly SplitRecord[]> {
    const { clock } = this.#parts;
    const read = async (): Promise<readonly SplitRecord[]> => {
      await this.#polls.splits.running;
      return (await (shared ?? this.#readList())).records;
    };
    const records = await settleWithin(
      read().catch(() => null),
      MAX_WAIT_FOR_LIST_MS,
      clock,
    );
    return records ?? [];
  }
}

/** Text after the summary of a search; empty if there is nothing to add. */
function describeChanges({ count, problem }: Awaited<ReturnType<typeof saveChangedArticles>>): string {
  if (problem !== null) return `; earlier articles not checked: ${problem}`;
  return count === 0 ? "" : `; ${formatCount(count, "earlier article")} new or corrected`;
}

/** Runs polls of one resource, one at a time. */
class SinglePoll {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** The running poll; null if there is none. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Starts a poll. None may be running. */
  start(): Promise<void> {
    this.#running = this.#work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Starts a poll after the running one. A poll that is already waiting for that serves this call, too. */
  startAgain(): void {
    if (this.#running === null) void this.start();
    else this.#next ??= this.#startAfter(this.#running);
  }

  async idle(): Promise<void> {
    while (this.#running ?? this.#next) await (this.#running ?? this.#next);
  }

  async #startAfter(running: Promise<void>): Promise<void> {
    await running;
    this.#next = null;
    // Another caller may have started one meanwhile, which reads the source as it is now.
    await (this.#running ?? this.start());
  }
}
