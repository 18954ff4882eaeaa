import type { Article } from "../../domain/article/article.ts";
import type { Day } from "../../domain/time/day.ts";
import type { ArticlePages, SourceError } from "../../ports/split-source.ts";
import { MAX_PAGE_SIZE } from "../schema.ts";
import type { ArticlePage } from "./records.ts";

/** `refused`: the service answers this page number with a 4xx, as some do past the last page. */
export type PageAnswer =
  | { readonly kind: "page"; readonly page: ArticlePage }
  | { readonly kind: "refused"; readonly error: SourceError };

export interface PagedSearch {
  /** Asks for one page; every other failure is thrown. */
  readonly readPage: (number: number) => Promise<PageAnswer>;
  /** Articles published earlier are left out, whatever the service shows. */
  readonly from: Day;
  /** Of one time through. */
  readonly maxPages: number;
}

/** How often the pages are read through while they keep shifting. */
const MAX_PASSES = 4;

/**
 * Reads the pages until two times through have shown the same. One alone proves nothing: an article that goes away while we
 * read pulls the next ones up, and the first of the next page slips past. If, however, all that was seen is still there
 * afterwards, nothing slipped past.
 */
export async function readArticlePages(reading: PagedSearch): Promise<ArticlePages> {
  const found = new Map<string, Article>();
  let pass = await readPass(reading);
  let agrees = false;
  for (let passes = 1; ; passes++) {
    for (const article of pass.pages.flatMap((page) => page.articles)) found.set(article.url, article);
    const settled = isSure(pass) || agrees;
    if (settled || passes === MAX_PASSES || pass.end === "limit") {
      return result(found, pass, reading.from, settled && !isCutOff(pass));
    }
    const next = await readPass(reading);
    agrees = next.shown === pass.shown;
    pass = next;
  }
}

/** The pages from the first to the end, once. */
interface Pass {
  readonly pages: readonly ArticlePage[];
  /** All row keys in their order: the same text means the same pages. */
  readonly shown: string;
  /** How many rows there were on the pages that brought anything new. */
  readonly rows: number;
  /** `limit`: there may be more. */
  readonly end: "empty" | "refused" | "repeating" | "older" | "limit";
}

/**
 * What a service says of the number of its pages is not relied on: the pages end where one comes empty, where one is refused,
 * where they repeat themselves, or where they have become older than asked for. The first page may be number 0 or 1.
 */
async function readPass({ readPage, from, maxPages }: PagedSearch): Promise<Pass> {
  const trail = createTrail(from);
  for (let number = 0; number < maxPages; number++) {
    const end = trail.add(number, await readPage(number));
    if (end !== null) return trail.ended(end);
  }
  return trail.ended("limit");
}

interface Trail {
  /** The reason why this was the last page, or null when the next is to be asked for. */
  readonly add: (number: number, answer: PageAnswer) => Pass["end"] | null;
  readonly ended: (end: Pass["end"]) => Pass;
}

/** The pages of one pass so far. */
function createTrail(from: Day): Trail {
  const pages: ArticlePage[] = [];
  const seen = new Set<string>();
  let refusal: SourceError | null = null;
  let rows = 0;
  let barren = 0;

  function refused(number: number, error: SourceError): Pass["end"] | null {
    // Refused as number 0 and as number 1, it is not the numbering that the service minds.
    if (number === 1 && refusal) throw refusal;
    refusal = error;
    return number === 0 ? null : "refused";
  }

  function addPage(page: ArticlePage): Pass["end"] | null {
    pages.push(page);
    const fresh = page.keys.filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    if (fresh.length > 0) rows += page.keys.length;
    barren = fresh.length > 0 ? 0 : barren + 1;
    // One page that brings nothing new may be the first one again, counted from 1, or have shifted by a whole page.
    if (barren > 1) return "repeating";
    return isPast(from, pages) ? "older" : null;
  }

  return {
    add: (number, answer) => {
      if (answer.kind === "refused") return refused(number, answer.error);
      return number > 0 && answer.page.keys.length === 0 ? "empty" : addPage(answer.page);
    },
    ended: (end) => ({ pages, shown: JSON.stringify(pages.map((page) => page.keys)), rows, end }),
  };
}

/** How many articles in a row, newest first, are taken for an order. */
const ORDER_SHOWN = 10;

/** True when the pages were seen to run from new to old and the last one lies wholly before `from`. */
function isPast(from: Day, pages: readonly ArticlePage[]): boolean {
  const newest = pages.at(-1)?.articles[0];
  if (!newest || newest.published >= from) return false;
  const days = pages.flatMap((page) => page.articles.map((article) => article.published));
  const falling = days.every((day, index) => index === 0 || day <= (days[index - 1] ?? day));
  return falling && days.length >= ORDER_SHOWN && days[0] !== days.at(-1);
}

/** True when one page, read in one moment, held everything, by the number of its rows and by the service's own word. */
function isSure({ pages, rows, end }: Pass): boolean {
  const filled = pages.filter((page) => page.keys.length > 0);
  const total = (filled[0] ?? pages[0])?.total ?? 0;
  return end === "empty" && filled.length <= 1 && rows < MAX_PAGE_SIZE && rows === total;
}

/** True when there is more to come than was shown. An empty page says that there is not; a refusal says nothing. */
function isCutOff({ pages, rows, end }: Pass): boolean {
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
