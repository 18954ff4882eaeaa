import type { Article, KnownArticle } from "../domain/article/article.ts";
import { ARTICLE_RETENTION_DAYS, diffArticles } from "../domain/diff/article-diff.ts";
import type { Snapshot } from "../domain/diff/snapshot.ts";
import type { ListedSplits, SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { articleVersion } from "../extraction/read-article.ts";
import { unlessAborted } from "../lib/abort.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import type { Mutex } from "../lib/mutex.ts";
import { forEachInSlices, TimeSlice } from "../lib/slices.ts";
import { formatCount } from "../messages/format.ts";
import type { ArticleReader } from "../ports/article-reader.ts";
import type { Clock } from "../ports/clock.ts";
import { type ArticlePages, SourceError, type SplitSource } from "../ports/split-source.ts";
import { type CommitParts, commitChanges } from "./commit.ts";
import type { PollOutcome } from "./poll-report.ts";

/** Days before today that the first run reads, to include the releases about upcoming splits. */
const BACKFILL_DAYS = 45;

/** Articles are dated by day and appear during it, or a few days later, so each poll rereads this many days. */
const OVERLAP_DAYS = 3;

/** Maximum length of the articles that are extracted before a list of splits is applied. */
const MAX_CHARACTERS_BEFORE_LIST = 100_000;

export interface ArticlePollParts extends CommitParts {
  readonly source: SplitSource;
  readonly articleReader: ArticleReader;
  readonly clock: Clock;
  /** Serializes work that reads the snapshot and commits a change to it. */
  readonly exclusive: Mutex;
  /** Aborts when the application stops. */
  readonly signal: AbortSignal;
}

/** Articles that a search of the source has found. */
export interface FoundArticles {
  readonly pages: ArticlePages;
  /** Oldest searched day. */
  readonly from: Day;
  /** Day of the search. */
  readonly today: Day;
  /** Day of the last complete search; null if there was none. */
  readonly through: Day | null;
}

/**
 * Searches the articles since the last complete search. `saved`: the last pages of which all articles were saved. Calls `onPage`
 * with all articles found so far, after each page.
 */
export async function searchArticles(
  { source, store, clock, signal }: ArticlePollParts,
  saved: ArticlePages | null,
  onPage: (found: FoundArticles) => void,
): Promise<FoundArticles> {
  const today = dayInZone(clock.now(), MARKET_ZONE);
  const through = articlesThrough(await store.snapshot.read(), source);
  const from = through === null ? addDays(today, -BACKFILL_DAYS) : addDays(through, -OVERLAP_DAYS);
  const articles: Article[] = [];
  const urls = new Set<string>();
  const found = { pages: { articles, urls, quarantined: [], complete: false }, from, today, through };
  const addPage = (page: readonly Article[]): void => {
    const newArticles = page.filter(({ url }) => !urls.has(url));
    articles.push(...newArticles);
    for (const { url } of newArticles) urls.add(url);
    onPage(found);
  };
  return { pages: await source.searchArticles(from, signal, { saved, onPage: addPage }), from, today, through };
}

function articlesThrough(snapshot: Snapshot, source: SplitSource): Day | null {
  return snapshot.source === source.id ? snapshot.articlesThrough : null;
}

/** Articles that were saved, and their events. */
interface SavedArticles {
  /** Number of new and corrected articles. */
  readonly count: number;
  readonly events: number;
}

const NOTHING_SAVED: SavedArticles = { count: 0, events: 0 };

/** What a poll of articles shares with the poll of splits that runs at the same time. */
export interface PollOfSplits {
  /** Returns the rows of the current list, after they were applied. Called if there are new articles. */
  readonly listed: () => Promise<readonly SplitRecord[]>;
  /** Number of articles that it has saved. */
  readonly savedArticles: () => number;
}

/** Articles of the changes that a source reports, and the error if it failed. */
interface SavedChanges extends SavedArticles {
  readonly problem: string | null;
}

/**
 * Saves articles that appeared or were corrected after their days were searched. `found`: the complete search of the same poll, whose
 * articles are saved. Nothing is read in a first search. A failure is returned: the articles of the search are valid.
 */
export async function saveChangedArticles(
  parts: ArticlePollParts,
  { pages, today, through }: FoundArticles,
  { listed }: Pick<PollOfSplits, "listed">,
): Promise<SavedChanges> {
  const { source, store, signal } = parts;
  if (source.changedArticles === undefined || through === null) return { ...NOTHING_SAVED, problem: null };
  try {
    const range = { from: addDays(today, -ARTICLE_RETENTION_DAYS), today };
    const { articles, urls, backfilled, saved } = await source.changedArticles(range, signal);
    const { articles: known } = await store.snapshot.read();
    const hasNewArticles = articles.some(({ url }) => !known.has(url));
    const count = await save(
      parts,
      { pages: { urls: new Set([...pages.urls, ...urls]) }, today, through: today },
      { articles, listed: hasNewArticles ? await listed() : [], complete: true, backfilled },
    );
    saved();
    return { ...count, problem: null };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ...NOTHING_SAVED, problem: error.message };
  }
}

/** Saves all found articles. */
export async function saveArticles(
  parts: ArticlePollParts,
  found: FoundArticles,
  splits: PollOfSplits,
): Promise<PollOutcome> {
  const { pages, from, through } = found;
  const { articles } = await parts.store.snapshot.read();
  const hasNewArticles = pages.articles.some(({ url }) => through === null || !articles.has(url));
  // A release can be published before its split is polled, so new releases are linked with the current list.
  const listed = hasNewArticles ? await splits.listed() : [];
  const { count, events } = await save(parts, found, { ...pages, listed });
  const total = pages.urls.size;
  const newTotal = count + splits.savedArticles();
  const countText = `${formatCount(total, "article")} since ${from}, ${newTotal} new or corrected`;
  return {
    outcome: pages.complete ? "complete" : "incomplete",
    detail: [countText, pages.excess?.message].filter((text) => text !== undefined).join("; "),
    records: total,
    events,
    quarantined: pages.quarantined.map(({ reason }) => reason),
  };
}

/**
 * Saves the new articles that name one of the tickers, newest first, up to a limit of characters. Saves nothing in a first
 * search, whose articles trigger no alerts.
 */
export async function saveArticlesNaming(
  tickers: readonly Ticker[],
  parts: ArticlePollParts,
  found: FoundArticles,
  listed: readonly SplitRecord[],
): Promise<SavedArticles> {
  if (found.through === null) return NOTHING_SAVED;
  const { articles: known } = await parts.store.snapshot.read();
  const articles = await newArticlesNaming(tickers, found.pages.articles, known);
  if (articles.length === 0) return NOTHING_SAVED;
  return save(parts, found, { articles, listed, complete: false, beforeList: true });
}

async function newArticlesNaming(
  tickers: readonly Ticker[],
  articles: readonly Article[],
  known: ReadonlyMap<string, KnownArticle>,
): Promise<readonly Article[]> {
  if (tickers.length === 0) return [];
  // A class may be written in several ways (`BRK.B`, `BRK-B`), and `ACMED` is ACME for some weeks after a split.
  const roots = tickers.map((ticker) => ticker.replace(/[^A-Z0-9].*/s, "").replace(/(?<=^.{4})D$/, ""));
  const namesOne = (text: string): boolean => [...new Set(roots)].some((root) => containsSymbol(text, root));
  const naming: Article[] = [];
  let characters = 0;
  const slice = new TimeSlice();
  for (const article of articles.toSorted((a, b) => compareText(b.published, a.published))) {
    await slice.next();
    if (!(namesOne(article.heading) || namesOne(article.content)) || isKnown(article, known)) continue;
    characters += article.content.length;
    if (characters > MAX_CHARACTERS_BEFORE_LIST) break;
    naming.push(article);
  }
  return naming;
}

/** Whether the text contains `ACME` or `ACMED` as a word. A pattern over a whole article could take long. */
function containsSymbol(text: string, root: string): boolean {
  for (let at = text.indexOf(root); at >= 0; at = text.indexOf(root, at + 1)) {
    const end = at + root.length;
    const isEnd = !isWordCharacter(text[end]) || (text[end] === "D" && !isWordCharacter(text[end + 1]));
    if (isEnd && !isWordCharacter(text[at - 1])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

interface ArticlesToSave {
  readonly articles: readonly Article[];
  readonly listed: readonly SplitRecord[];
  readonly complete: boolean;
  readonly beforeList?: boolean;
  readonly backfilled?: ReadonlySet<string>;
}

/** The search in which articles were found. */
interface FoundIn extends Pick<FoundArticles, "today" | "through"> {
  readonly pages: Pick<ArticlePages, "urls">;
}

/** Extracts the new articles, compares them with the snapshot, and commits the changes. */
async function save(
  { source, store, articleReader, clock, exclusive, signal, ...parts }: ArticlePollParts,
  { pages, today, through }: FoundIn,
  { articles, listed, complete, beforeList = false, backfilled = new Set() }: ArticlesToSave,
): Promise<SavedArticles> {
  const snapshot = await store.snapshot.read();
  const known = snapshot.source === source.id ? snapshot.articles : new Map<string, KnownArticle>();
  const byTicker = recordsByTicker(snapshot, listed);
  // Extraction can take seconds, so it runs outside the exclusive section: a list of splits doesn't wait for it.
  const read = (article: Article): Promise<KnownArticle | null> => articleReader.read(article, byTicker, clock.now());
  const newArticles = await readChanged(articles, known, { read, signal });
  const isNewDay = complete && through !== today;
  if (newArticles.length === 0 && !isNewDay) return NOTHING_SAVED;
  return exclusive(async () => {
    const before = await store.snapshot.read();
    const moment = { at: clock.now(), today, receivedUrls: pages.urls };
    const received = { ...moment, newArticles, complete, listed, beforeList, backfilled };
    const diff = diffArticles(before, { source: source.id, sample: source.sample, ...received });
    const { patch, events, treatmentAnnouncements } = diff;
    const isHeaderChanged = patch.header.articlesThrough !== before.articlesThrough || patch.removedArticles.length > 0;
    const isChanged = newArticles.length > 0 || isHeaderChanged;
    await commitChanges({ store, ...parts }, { patch: isChanged ? patch : null, events, treatmentAnnouncements });
    return { count: newArticles.length, events: events.length };
  });
}

/** Versions of articles on unchanged pages, which are the same objects in each poll. */
const versions = new WeakMap<Article, string>();

function versionOf(article: Article): string {
  const version = versions.get(article) ?? articleVersion(article);
  versions.set(article, version);
  return version;
}

/** True if the article is in the snapshot with the same text. */
function isKnown(article: Article, known: ReadonlyMap<string, KnownArticle>): boolean {
  return known.get(article.url)?.version === versionOf(article);
}

/** Articles that are read together: others, such as a notice of an exchange, don't wait long for the reader. */
const ARTICLES_PER_READ = 16;

interface ReadParts {
  readonly read: (article: Article) => Promise<KnownArticle | null>;
  readonly signal: AbortSignal;
}

/** Reads the articles that are new or whose text changed. Rejects when the signal aborts. */
async function readChanged(
  articles: readonly Article[],
  known: ReadonlyMap<string, KnownArticle>,
  { read, signal }: ReadParts,
): Promise<readonly KnownArticle[]> {
  const changed: Article[] = [];
  await forEachInSlices(articles, (article) => {
    if (!isKnown(article, known)) changed.push(article);
  });
  const results: KnownArticle[] = [];
  for (let at = 0; at < changed.length; at += ARTICLES_PER_READ) {
    const readings = await unlessAborted(Promise.all(changed.slice(at, at + ARTICLES_PER_READ).map(read)), signal);
    results.push(...readings.filter((reading) => reading !== null));
  }
  return results;
}

function recordsByTicker(snapshot: Snapshot, listed: readonly SplitRecord[]): ListedSplits {
  const knownRecords = [...snapshot.splits.values()]
    .filter(({ status }) => status !== "closed")
    .map(({ record }) => record);
  const records = [...knownRecords, ...listed].map(({ ticker, exchange, company }) => ({ ticker, exchange, company }));
  return groupBy(records, ({ ticker }) => ticker);
}
