import type { Article } from "../../domain/article/article.ts";
import { type Day, MINUTE_MS } from "../../domain/time/day.ts";
import type { MonotonicTime } from "../../ports/clock.ts";
import { type ArticlePages, type ListedRows, type SearchOptions, SourceError } from "../../ports/split-source.ts";
import { MAX_PAGE_SIZE } from "../schema.ts";
import type { ArticlePage } from "./records.ts";

/** `refused`: the service answered this page number with a 4xx status, as some services do beyond the last page. */
export type PageAnswer =
  | { readonly kind: "page"; readonly page: ArticlePage; readonly bytes: number }
  | { readonly kind: "refused"; readonly error: SourceError };

export interface PagedSearch extends SearchOptions {
  /** Requests one page. Rejects on any failure other than a refusal. */
  readonly readPage: (number: number) => Promise<PageAnswer>;
  /** Oldest day of publication; older articles are dropped, even if the service returns them. */
  readonly from: Day;
  readonly limits: SearchLimits;
  readonly now: MonotonicTime;
}

/** Limits of one search, which reads all pages in one or more passes. A search that exceeds one of them is incomplete. */
export interface SearchLimits {
  /** Maximum number of pages in one pass. */
  readonly maxPages: number;
  /** Maximum number of rows in all passes. */
  readonly maxRows: number;
  /** Maximum total size of the pages in all passes. */
  readonly maxBytes: number;
  /** Maximum total size of the pages with new rows, because their articles stay in memory. */
  readonly maxNewBytes: number;
}

/**
 * For comparison: 8,000 articles of 8 kB in 30 days fill 200 pages of 65 MB in total, so two passes read 16,000 rows and 130 MB.
 * The first search covers 45 days.
 */
export const DEFAULT_SEARCH_LIMITS: SearchLimits = {
  maxPages: 500,
  maxRows: 100_000,
  maxBytes: 512 * 1024 * 1024,
  maxNewBytes: 192 * 1024 * 1024,
};

/** Maximum number of passes through pages that keep changing. */
const MAX_PASSES = 4;

/** Interval at which all pages are read, to find corrections of older articles, which change neither order nor number of rows. */
const FULL_READ_INTERVAL_MS = 15 * MINUTE_MS;

/**
 * Reads pages until all rows that are new since the saved search are found. Without a saved search, or if rows were removed,
 * reads all pages until two consecutive passes return the same rows: if an article is removed between two requests of a pass,
 * later articles move up, and the pass misses the first article of the next page.
 */
export async function readArticlePages(search: PagedSearch): Promise<ArticlePages> {
  const { saved = null, from, now } = search;
  const accumulator = createAccumulator(search);
  const listed = saved?.listed?.from === from ? saved.listed : null;
  const isKnown = listed?.isCounted === true && now - listed.readAt < FULL_READ_INTERVAL_MS;
  const pass = await readPass(search, accumulator, isKnown ? listed.keys : null);
  if (pass.end === "known" && saved && listed) {
    return addToSaved(saved, { ...listed, keys: pass.keys }, accumulator, pass);
  }
  return readUntilSettled(search, accumulator, { pass, agrees: listed !== null && isSame(pass.keys, listed.keys) });
}

/** Reads all pages once. Changes between two requests may hide rows. */
export async function readPagesOnce(search: PagedSearch): Promise<Pick<ArticlePages, "articles" | "urls">> {
  const accumulator = createAccumulator(search);
  const { keys } = await readPass(search, accumulator, null);
  return { articles: [...accumulator.articles.values()], urls: new Set(keys) };
}

/** Reads further passes until two consecutive passes return the same rows. `agrees`: the rows equal those of the pass before. */
async function readUntilSettled(
  search: PagedSearch,
  accumulator: Accumulator,
  first: { readonly pass: Pass; readonly agrees: boolean },
): Promise<ArticlePages> {
  let { pass, agrees } = first;
  for (let passes = 1; ; passes++) {
    const settled = isSinglePage(pass) || agrees;
    if (settled || passes === MAX_PASSES || pass.end === "limit") {
      return toArticlePages(search, accumulator, pass, settled && !isTruncated(pass));
    }
    const next = await readPass(search, accumulator, null);
    agrees = isSame(next.keys, pass.keys);
    pass = next;
  }
}

function isSame(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length === others.length && keys.every((key, index) => key === others[index]);
}

/** Articles of all passes of a search. */
interface Accumulator {
  readonly articles: ReadonlyMap<string, Article>;
  readonly add: (page: ArticlePage, bytes: number) => void;
  /** Returns a description of the exceeded limit; null if no limit is exceeded. */
  readonly excess: (pagesOfPass: number) => string | null;
}

function createAccumulator({ from, limits, onPage }: PagedSearch): Accumulator {
  const articles = new Map<string, Article>();
  const keys = new Set<string>();
  const total = { rows: 0, bytes: 0, newBytes: 0 };

  function add(page: ArticlePage, bytes: number): void {
    total.rows += page.keys.length;
    total.bytes += bytes;
    if (page.keys.some((key) => !keys.has(key))) total.newBytes += bytes;
    for (const key of page.keys) keys.add(key);
    for (const article of page.articles) {
      if (article.published >= from) articles.set(article.url, article);
      else articles.delete(article.url);
    }
    onPage?.(page.articles.filter(({ published }) => published >= from));
  }

  function excess(pagesOfPass: number): string | null {
    if (total.rows > limits.maxRows) return `${total.rows} rows, expected at most ${limits.maxRows}`;
    if (total.bytes > limits.maxBytes) return `${total.bytes} bytes, expected at most ${limits.maxBytes}`;
    if (total.newBytes > limits.maxNewBytes) {
      return `${total.newBytes} bytes of different pages, expected at most ${limits.maxNewBytes}`;
    }
    return pagesOfPass >= limits.maxPages ? `${pagesOfPass} pages without an end, expected fewer` : null;
  }

  return { articles, add, excess };
}

/** A page without its articles, which are stored once for all passes. */
interface PassPage extends Omit<ArticlePage, "articles"> {
  readonly days: readonly Day[];
}

/** One pass through the pages. */
interface Pass {
  readonly pages: readonly PassPage[];
  /** Keys of the distinct rows in order. If `end` is `known`, they include the known rows of the pages that were not read. */
  readonly keys: readonly string[];
  /** Number of rows, except on pages that only repeat rows of earlier pages. */
  readonly rows: number;
  /** Reason why the pass ended. `known`: only known rows follow. `limit`: more pages may exist. */
  readonly end: "empty" | "refused" | "repeating" | "older" | "known" | "limit";
  /** Description of the exceeded limit; null unless `end` is `limit`. */
  readonly excess: string | null;
}

/**
 * Reads pages until a page is empty, is refused, repeats earlier rows or contains only articles older than requested. Ignores
 * the number of pages that the service states. The first page may have number 0 or 1. Given the known rows, it also ends when
 * only known rows can follow.
 */
async function readPass(
  { readPage, from }: PagedSearch,
  accumulator: Accumulator,
  known: readonly string[] | null,
): Promise<Pass> {
  const builder = createPassBuilder(from, known);
  for (let number = 0; ; number++) {
    const answer = await readPage(number);
    if (answer.kind === "page") accumulator.add(answer.page, answer.bytes);
    const end = builder.add(number, answer);
    if (end !== null) return builder.finish(end, null);
    const excess = accumulator.excess(number + 1);
    if (excess !== null) return builder.finish("limit", excess);
  }
}

interface PassBuilder {
  /** Adds a page. Returns the reason why it is the last page, or null to continue. */
  readonly add: (number: number, answer: PageAnswer) => Pass["end"] | null;
  readonly finish: (end: Pass["end"], excess: string | null) => Pass;
}

function createPassBuilder(from: Day, known: readonly string[] | null): PassBuilder {
  const pages: PassPage[] = [];
  const seen = new Set<string>();
  let refusal: SourceError | null = null;
  let rows = 0;
  let pagesWithoutNewRows = 0;
  const withKnown = createCompletion(known ?? []);

  function addRefusal(number: number, error: SourceError): Pass["end"] | null {
    // Pages 0 and 1 are both refused, so the numbering isn't the reason.
    if (number === 1 && refusal) throw refusal;
    refusal = error;
    return number === 0 ? null : "refused";
  }

  function addPage({ articles, ...page }: ArticlePage): Pass["end"] | null {
    pages.push({ ...page, days: articles.map(({ published }) => published) });
    const newKeys = page.keys.filter((key) => !seen.has(key));
    for (const key of newKeys) seen.add(key);
    if (newKeys.length > 0) rows += page.keys.length;
    pagesWithoutNewRows = newKeys.length > 0 ? 0 : pagesWithoutNewRows + 1;
    // One page without new rows isn't the end: a service that counts from 1 may answer pages 0 and 1 alike, and new articles
    // may have moved a whole page of read articles to the next page.
    if (pagesWithoutNewRows > 1) return "repeating";
    return isBeforeRange(from, pages) ? "older" : null;
  }

  /** True if the rows read and the known rows after them are as many as the stated total: all unread rows are known. */
  function isRestKnown({ total }: ArticlePage): boolean {
    if (known === null || total === null) return false;
    const isRead = seen.size > 0 || known.length === 0;
    return isRead && total === withKnown(seen)?.length;
  }

  return {
    add: (number, answer) => {
      if (answer.kind === "refused") return addRefusal(number, answer.error);
      if (number > 0 && answer.page.keys.length === 0) return "empty";
      return addPage(answer.page) ?? (isRestKnown(answer.page) ? "known" : null);
    },
    finish: (end, excess) => {
      const keys = (end === "known" ? withKnown(seen) : null) ?? [...seen];
      return { pages, keys, rows, end, excess };
    },
  };
}

/**
 * Returns a function that appends the known rows that are still unread to the rows that were read. The function returns null if
 * the known rows among the rows read aren't the first known rows in order, because rows were removed or moved.
 */
function createCompletion(known: readonly string[]): (read: ReadonlySet<string>) => readonly string[] | null {
  const isKnown = new Set(known);
  return (read) => {
    const found = [...read].filter((key) => isKnown.has(key));
    const isInOrder = found.every((key, index) => key === known[index]);
    return isInOrder ? [...read, ...known.slice(found.length)] : null;
  };
}

/** Minimum number of articles, newest first, that proves a descending order. */
const MIN_ORDERED_ARTICLES = 10;

/** True if the pages are sorted newest first and the last page is entirely older than `from`. */
function isBeforeRange(from: Day, pages: readonly PassPage[]): boolean {
  const newest = pages.at(-1)?.days[0];
  if (newest === undefined || newest >= from) return false;
  const days = pages.flatMap((page) => page.days);
  const isDescending = days.every((day, index) => index === 0 || day <= (days[index - 1] ?? day));
  return isDescending && days.length >= MIN_ORDERED_ARTICLES && days[0] !== days.at(-1);
}

/** True if one page contained all rows, according to its size and to the total that the service states. */
function isSinglePage({ pages, rows, end }: Pass): boolean {
  const nonEmptyPages = pages.filter((page) => page.keys.length > 0);
  const total = (nonEmptyPages[0] ?? pages[0])?.total ?? 0;
  return end === "empty" && nonEmptyPages.length <= 1 && rows < MAX_PAGE_SIZE && rows === total;
}

/** True if the service has more articles than it returned. An empty page proves the end; a refused page doesn't. */
function isTruncated({ pages, rows, end }: Pass): boolean {
  if (end === "limit") return true;
  return (end === "refused" || end === "repeating") && (pages.at(-1)?.total ?? 0) > rows;
}

function toArticlePages(
  { from, now }: PagedSearch,
  { articles }: Accumulator,
  last: Pass,
  complete: boolean,
): ArticlePages {
  const quarantined = last.pages.flatMap((page) => page.quarantined);
  const found = { articles: [...articles.values()], urls: new Set(articles.keys()), quarantined, complete };
  if (last.excess !== null) {
    return { ...found, excess: new SourceError("bad-answer", `GET /v1/articles: got ${last.excess}`) };
  }
  if (!complete) return found;
  const { keys } = last;
  const nonEmptyPages = last.pages.filter((page) => page.keys.length > 0);
  const isCounted = (nonEmptyPages[0] ? nonEmptyPages : last.pages).every(({ total }) => total === keys.length);
  return { ...found, listed: { from, keys, isCounted, readAt: now } };
}

/** Combines the result of the saved search with the pages read now. */
function addToSaved(saved: ArticlePages, listed: ListedRows, { articles }: Accumulator, { pages }: Pass): ArticlePages {
  const quarantined = [...pages.flatMap((page) => page.quarantined), ...saved.quarantined];
  return {
    articles: [...articles.values()],
    urls: new Set([...saved.urls, ...articles.keys()]),
    quarantined: [...new Map(quarantined.map((record) => [record.reason, record])).values()],
    complete: true,
    listed,
  };
}
