import type { Day } from "../../domain/time/day.ts";
import type { ArticleRow, ArticlesAnswer, SplitRow } from "../schema.ts";

/** The splits of these exchanges, whatever their case; of all where no list is given. */
export function filterByExchange(
  exchanges: readonly string[] | undefined,
  splits: readonly SplitRow[],
): readonly SplitRow[] {
  if (!exchanges) return splits;
  const wanted = new Set(exchanges.map((exchange) => exchange.toUpperCase()));
  return splits.filter((split) => wanted.has(split.exchange));
}

export function filterByTicker(ticker: string, splits: readonly SplitRow[]): readonly SplitRow[] {
  const wanted = ticker.toUpperCase();
  return splits.filter((split) => split.ticker === wanted);
}

/** What a search asks for; both days are included. */
export interface ArticleSearch {
  readonly sources: ReadonlySet<string> | undefined;
  readonly from: Day | undefined;
  readonly to: Day | undefined;
  /** Counted from 0. */
  readonly page: number;
  readonly size: number;
}

/** One page of what the search finds, in the order of `articles`; empty beyond the last page. */
export function searchArticles(search: ArticleSearch, articles: readonly ArticleRow[]): ArticlesAnswer {
  const { sources, from, to, page, size } = search;
  const found = articles.filter(
    ({ source, date_published: day }) =>
      (!sources || sources.has(source)) && (!from || day >= from) && (!to || day <= to),
  );
  return {
    articles: found.slice(page * size, (page + 1) * size),
    total_results: found.length,
    total_pages: Math.ceil(found.length / size),
    page_number: page,
    page_size: size,
  };
}
