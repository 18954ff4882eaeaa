import type { Article } from "../../domain/article/article.ts";
import type { Day } from "../../domain/time/day.ts";
import type { ArticlePages, SourceError } from "../../ports/split-source.ts";
import { MAX_PAGE_SIZE } from "../schema.ts";
import type { ArticlePage } from "./records.ts";

/** `refused`: the service answered this page number with a 4xx, as some do beyond the last page. */
export type PageAnswer =
  | { readonly kind: "page"; readonly page: ArticlePage }
  | { readonly kind: "refused"; readonly error: SourceError };

export interface PagedSearch {
  /** Requests one page; other failures are thrown. */
  readonly readPage: (number: number) => Promise<PageAnswer>;
  /** Articles published earlier are dropped, even if the service returns them. */
  readonly from: Day;
  /** Maximum number of pages in one pass. */
  readonly maxPages: number;
}

/** Maximum number of passes through pages that keep changing. */
const MAX_PASSES = 4;

/**
 * Reads all pages until two passes in a row return the same rows. One pass is not proof: when an article is removed between
 * two requests, later ones move up and the first of the next page is missed.
 */
export async function readArticlePages(search: PagedSearch): Promise<ArticlePages> {
  const found = new Map<string, Article>();
  let pass = await readPass(search);
  let agrees = false;
  for (let passes = 1; ; passes++) {
    for (const article of pass.pages.flatMap((page) => page.articles)) found.set(article.url, article);
    const settled = isSinglePage(pass) || agrees;
    if (settled || passes === MAX_PASSES || pass.end === "limit") {
      return result(found, pass, search.from, settled && !isTruncated(pass));
    }
    const next = await readPass(search);
    agrees = next.fingerprint === pass.fingerprint;
    pass = next;
  }
}

/** One pass through the pages. */
interface Pass {
  readonly pages: readonly ArticlePage[];
  /** Keys of all rows in their order; equal for equal pages. */
  readonly fingerprint: string;
  /** Number of rows on pages that contained a new row. */
  readonly rows: number;
  /** Why the pass ended. `limit`: there may be more pages. */
  readonly end: "empty" | "refused" | "repeating" | "older" | "limit";
}

/**
 * Reads pages until one is empty, refused, repeats earlier rows or is older than requested. The number of pages that a service
 * states is not relied on. The first page may have number 0 or 1.
 */
async function readPass({ readPage, from, maxPages }: PagedSearch): Promise<Pass> {
  const builder = createPassBuilder(from);
  for (let number = 0; number < maxPages; number++) {
    const end = builder.add(number, await readPage(number));
    if (end !== null) return builder.finish(end);
  }
  return builder.finish("limit");
}

interface PassBuilder {
  /** Adds a page. Returns the reason why it is the last one, or null to continue. */
  readonly add: (number: number, answer: PageAnswer) => Pass["end"] | null;
  readonly finish: (end: Pass["end"]) => Pass;
}

function createPassBuilder(from: Day): PassBuilder {
  const pages: ArticlePage[] = [];
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

  function addPage(page: ArticlePage): Pass["end"] | null {
    pages.push(page);
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
    finish: (end) => ({ pages, fingerprint: JSON.stringify(pages.map((page) => page.keys)), rows, end }),
  };
}

/** Consecutive articles, newest first, from which the order is inferred. */
const MIN_ORDERED_ARTICLES = 10;

/** True if the pages are ordered newest first and the last one lies entirely before `from`. */
function isBeforeRange(from: Day, pages: readonly ArticlePage[]): boolean {
  const newest = pages.at(-1)?.articles[0];
  if (!newest || newest.published >= from) return false;
  const days = pages.flatMap((page) => page.articles.map((article) => article.published));
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

function result(found: ReadonlyMap<string, Article>, last: Pass, from: Day, complete: boolean): ArticlePages {
  const articles = [...found.values()].filter((article) => article.published >= from);
  const quarantined = last.pages.flatMap((page, index) =>
    page.quarantined.map((row) => ({ ...row, reason: `page ${index}, ${row.reason}` })),
  );
  return { articles, quarantined, complete };
}
