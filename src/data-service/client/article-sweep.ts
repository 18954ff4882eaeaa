import type { Article } from "../../domain/article/article.ts";
import { addDays, DAY_MS, type Day, daysBetween, makeDay } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ChangedArticles, DayRange } from "../../ports/split-source.ts";
import { type PageAnswer, readPagesOnce, type SearchLimits } from "./article-pages.ts";
import type { ArticlePage } from "./records.ts";

/** Days whose articles are read together. Their pages stay the same while other days receive articles. */
const WINDOW_DAYS = 5;

/** Time in which all days are read; less than a day, because polls may be late. */
const SWEEP_MS = 0.8 * DAY_MS;

const MAX_WINDOW_PAGES = 50;

/** After this number of pages, further windows wait for the next call. */
const MAX_PAGES = 20;

/** A page whose articles are dropped once they are saved. */
export interface SweptPage extends Omit<ArticlePage, "articles"> {
  articles: ArticlePage["articles"];
}

export type SweptAnswer =
  | { readonly kind: "page"; readonly page: SweptPage; readonly bytes: number }
  | Extract<PageAnswer, { kind: "refused" }>;

/** Days in order, both inclusive. */
export interface Window {
  readonly from: Day;
  readonly to: Day;
}

interface SweepParts {
  readonly clock: Pick<Clock, "monotonic">;
  readonly limits: SearchLimits;
  /** Requests a page of the articles of these days. A page that hasn't changed since it was saved has no articles. */
  readonly readPage: (window: Window, page: number, signal: AbortSignal) => Promise<SweptAnswer>;
}

/** Returns the articles on the days that it reads in this call. */
export type ArticleSweep = (range: DayRange, signal: AbortSignal) => Promise<ChangedArticles>;

/**
 * Finds late and corrected articles of a service that can't be asked for changes: reads all days again, a few at each call, so that
 * each is read once a day. After a start, each call reads the days of one window, newest first, until all were read.
 */
export function createArticleSweep({ clock, limits, readPage }: SweepParts): ArticleSweep {
  /** Numbers of the windows that were read and saved, in this order. */
  const swept = new Set<number>();
  /** When the next window is due once all were read. */
  let nextAt = clock.monotonic();

  /** The windows that are due, in the order in which they are read. */
  function dueWindows(windows: readonly number[]): readonly number[] {
    for (const number of swept) if (!windows.includes(number)) swept.delete(number);
    const unread = windows.filter((number) => !swept.has(number));
    if (unread.length > 0) return unread.slice(0, 1);
    const overdueMs = clock.monotonic() - nextAt;
    return [...swept].slice(0, overdueMs < 0 ? 0 : 1 + Math.floor((overdueMs * windows.length) / SWEEP_MS));
  }

  function markSwept(numbers: readonly number[], intervalMs: number): void {
    const now = clock.monotonic();
    for (const number of numbers) {
      nextAt = (swept.delete(number) ? Math.max(nextAt, now - SWEEP_MS) : now) + intervalMs;
      swept.add(number);
    }
  }

  return async ({ from, today }, signal) => {
    const windows = windowsIn(from, today);
    const read: number[] = [];
    const pages: SweptPage[] = [];
    const articles: Article[] = [];
    const urls = new Set<string>();
    for (const number of dueWindows(windows)) {
      if (pages.length >= MAX_PAGES) break;
      const window = daysOf(number);
      const found = await readPagesOnce({
        from: window.from > from ? window.from : from,
        now: clock.monotonic(),
        limits: { ...limits, maxPages: Math.min(limits.maxPages, MAX_WINDOW_PAGES) },
        readPage: (page) => keepPage(pages, readPage(window, page, signal)),
      });
      articles.push(...found.articles.filter(({ url }) => !urls.has(url)));
      for (const url of found.urls) urls.add(url);
      read.push(number);
    }
    return {
      articles,
      urls,
      backfilled: new Set(),
      saved() {
        for (const page of pages) page.articles = [];
        markSwept(read, SWEEP_MS / windows.length);
      },
    };
  };
}

async function keepPage(pages: SweptPage[], answering: Promise<SweptAnswer>): Promise<SweptAnswer> {
  const answer = await answering;
  if (answer.kind === "page") pages.push(answer.page);
  return answer;
}

const EPOCH = makeDay(1970, 1, 1);

/** Numbers of the windows with days of the range, newest first. */
function windowsIn(from: Day, today: Day): readonly number[] {
  const last = windowOf(today);
  return Array.from({ length: last - windowOf(from) + 1 }, (_, index) => last - index);
}

function windowOf(day: Day): number {
  return Math.floor(daysBetween(EPOCH, day) / WINDOW_DAYS);
}

function daysOf(window: number): Window {
  const from = addDays(EPOCH, window * WINDOW_DAYS);
  return { from, to: addDays(from, WINDOW_DAYS - 1) };
}
