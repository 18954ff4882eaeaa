import { createHash } from "node:crypto";
import type { Article } from "../../domain/article/article.ts";
import type { Day } from "../../domain/time/day.ts";
import { type ArticlePages, SourceError } from "../../ports/split-source.ts";
import { MAX_PAGE_SIZE } from "../schema.ts";
import type { ArticlePage } from "./records.ts";

/** `refused`: the service answered this page number with a 4xx, as some do beyond the last page. */
export type PageAnswer =
  | { readonly kind: "page"; readonly page: ArticlePage; readonly bytes: number }
  | { readonly kind: "refused"; readonly error: SourceError };

export interface PagedSearch {
  /** Requests one page; other failures are thrown. */
  readonly readPage: (number: number) => Promise<PageAnswer>;
  /** Articles published earlier are dropped, even if the service returns them. */
  readonly from: Day;
  readonly limits: SearchLimits;
}

/** Limits of one search. Beyond one of them the search is incomplete. */
export interface SearchLimits {
  /** Pages of one pass. */
  readonly maxPages: number;
  /** Rows of all passes. */
  readonly maxRows: number;
  /** Size of all pages of all passes. */
  readonly maxBytes: number;
  /** Size of the pages with a row that no earlier page had: their articles are in memory until they are read. */
  readonly maxNewBytes: number;
}

/**
 * 8,000 articles of 8 kB in 30 days are 200 pages, 65 MB with new rows, and 16,000 rows and 130 MB in two passes. The first
 * search covers 45 days.
 */
export const DEFAULT_SEARCH_LIMITS: SearchLimits = {
  maxPages: 500,
  maxRows: 100_000,
  maxBytes: 512 * 1024 * 1024,
  maxNewBytes: 192 * 1024 * 1024,
};

/** Maximum number of passes through pages that keep changing. */
const MAX_PASSES = 4;

/**
 * Reads all pages until two passes in a row return the same rows. One pass is not proof: when an article is removed between
 * two requests, later ones move up and the first of the next page is missed.
 */
export async function readArticlePages(search: PagedSearch): Promise<ArticlePages> {
  const received = createReceived(search);
  let pass = await readPass(search, received);
  let agrees = false;
  for (let passes = 1; ; passes++) {
    const settled = isSinglePage(pass) || agrees;
    if (settled || passes === MAX_PASSES || pass.end === "limit") {
      return result(received, pass, settled && !isTruncated(pass));
    }
    const next = await readPass(search, received);
    agrees = next.fingerprint === pass.fingerprint;
    pass = next;
  }
}

/** What a search has received in all passes. */
interface Received {
  readonly articles: ReadonlyMap<string, Article>;
  readonly add: (page: ArticlePage, bytes: number) => void;
  /** Describes the limit that is exceeded; null if none is. */
  readonly excess: (pagesOfPass: number) => string | null;
}

function createReceived({ from, limits }: PagedSearch): Received {
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

/** A page without its articles, which are kept once for all passes. */
interface PassPage extends Omit<ArticlePage, "articles"> {
  readonly days: readonly Day[];
}

/** One pass through the pages. */
interface Pass {
  readonly pages: readonly PassPage[];
  /** Keys of all rows in their order; equal for equal pages. */
  readonly fingerprint: string;
  /** Number of rows on pages that contained a new row. */
  readonly rows: number;
  /** Why the pass ended. `limit`: there may be more pages. */
  readonly end: "empty" | "refused" | "repeating" | "older" | "limit";
  /** The exceeded limit, if that is the end. */
  readonly excess: string | null;
}

/**
 * Reads pages until one is empty, refused, repeats earlier rows or is older than requested. The number of pages that a service
 * states is not relied on. The first page may have number 0 or 1.
 */
async function readPass({ readPage, from }: PagedSearch, received: Received): Promise<Pass> {
  const builder = createPassBuilder(from);
  for (let number = 0; ; number++) {
    const answer = await readPage(number);
    if (answer.kind === "page") received.add(answer.page, answer.bytes);
    const end = builder.add(number, answer);
    if (end !== null) return builder.finish(end, null);
    const excess = received.excess(number + 1);
    if (excess !== null) return builder.finish("limit", excess);
  }
}

interface PassBuilder {
  /** Adds a page. Returns the reason why it is the last one, or null to continue. */
  readonly add: (number: number, answer: PageAnswer) => Pass["end"] | null;
  readonly finish: (end: Pass["end"], excess: string | null) => Pass;
}

function createPassBuilder(from: Day): PassBuilder {
  const pages: PassPage[] = [];
  const seen = new Set<string>();
  let refusal: SourceError | null = null;
  let rows = 0;
  let pagesWithoutNewRows = 0;

  function refused(number: number, error: SourceError): Pass["end"] | null {
    // Both 0 and 1 are refused, so the numbering is not the reason.
    if (number === 1 && refusal) throw refusal;
    refusal = error;
    return number === 0 ? null : "refused";
  }

  function addPage({ articles, ...page }: ArticlePage): Pass["end"] | null {
    pages.push({ ...page, days: articles.map(({ published }) => published) });
    const fresh = page.keys.filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    if (fresh.length > 0) rows += page.keys.length;
    pagesWithoutNewRows = fresh.length > 0 ? 0 : pagesWithoutNewRows + 1;
    // One page without new rows may be the first one again (numbered from 1), or shifted by a whole page.
    if (pagesWithoutNewRows > 1) return "repeating";
    return isBeforeRange(from, pages) ? "older" : null;
  }

  return {
    add: (number, answer) => {
      if (answer.kind === "refused") return refused(number, answer.error);
      return number > 0 && answer.page.keys.length === 0 ? "empty" : addPage(answer.page);
    },
    finish: (end, excess) => ({ pages, fingerprint: fingerprintOf(pages), rows, end, excess }),
  };
}

function fingerprintOf(pages: readonly PassPage[]): string {
  const hash = createHash("sha256");
  for (const { keys } of pages) hash.update(JSON.stringify(keys));
  return hash.digest("hex");
}

/** Consecutive articles, newest first, from which the order is inferred. */
const MIN_ORDERED_ARTICLES = 10;

/** True if the pages are ordered newest first and the last one lies entirely before `from`. */
function isBeforeRange(from: Day, pages: readonly PassPage[]): boolean {
  const newest = pages.at(-1)?.days[0];
  if (newest === undefined || newest >= from) return false;
  const days = pages.flatMap((page) => page.days);
  const falling = days.every((day, index) => index === 0 || day <= (days[index - 1] ?? day));
  return falling && days.length >= MIN_ORDERED_ARTICLES && days[0] !== days.at(-1);
}

/** True if a single page contained everything, by its number of rows and by the total that the service states. */
function isSinglePage({ pages, rows, end }: Pass): boolean {
  const filled = pages.filter((page) => page.keys.length > 0);
  const total = (filled[0] ?? pages[0])?.total ?? 0;
  return end === "empty" && filled.length <= 1 && rows < MAX_PAGE_SIZE && rows === total;
}

/** True if more articles exist than were returned. An empty page proves the end; a refused one does not. */
function isTruncated({ pages, rows, end }: Pass): boolean {
  if (end === "limit") return true;
  return (end === "refused" || end === "repeating") && (pages.at(-1)?.total ?? 0) > rows;
}

function result({ articles }: Received, last: Pass, complete: boolean): ArticlePages {
  const quarantined = last.pages.flatMap((page, index) =>
    page.quarantined.map((row) => ({ ...row, reason: `page ${index}, ${row.reason}` })),
  );
  const found = { articles: [...articles.values()], quarantined, complete };
  if (last.excess === null) return found;
  return { ...found, excess: new SourceError("bad-answer", `GET /v1/articles: got ${last.excess}`) };
}
