import type { RowKey } from "../../domain/split/split.ts";
import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { compareText } from "../../lib/collections.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ArticleRow, ArticlesAnswer, SplitRow } from "../schema.ts";
import type { ArticleSearch } from "./routes.ts";

/** What the data service serves now. */
export interface Catalog {
  /** False until its source has filled it for the first time. */
  readonly ready: boolean;
  /** By ex date, then ticker. A split leaves the list some days after its ex date. */
  splits(): readonly SplitRow[];
  /** Newest first, then by URL. */
  articles(): readonly ArticleRow[];
  /** Calls `listener` whenever the source has news or wants to be read again. The answer stops that. */
  onChange(listener: () => void): () => void;
}

/** Rows in the form that the service answers with: see `rows.ts`. */
export interface CatalogContent {
  readonly splits: readonly SplitRow[];
  readonly articles: readonly ArticleRow[];
}

/** A catalog as its source sees it. */
export interface WritableCatalog extends Catalog {
  /** Replaces all that was there, and tells the listeners. */
  replace(content: CatalogContent): void;
}

/** Where a catalog's content comes from. */
export interface CatalogSource {
  /** Names the source and its content's origin: a reader's snapshot belongs to one. */
  readonly id: string;
  /** Everything in it is invented. */
  readonly sample: boolean;
  /** What is wrong with the data now, for people; empty when nothing is. */
  problems(): readonly string[];
  /** Why it cannot be read as it is now, so that its last good content is served; null when it can. */
  readError(): string | null;
  /** The rows that came to be known late, and are no news. */
  backfilledRows(): ReadonlySet<RowKey>;
  stop(): Promise<void>;
}

/** `keepAfterExDate`: days that a split stays listed after its ex date, by the market's calendar. */
export function createCatalog({ clock, keepAfterExDate }: { clock: Clock; keepAfterExDate: number }): WritableCatalog {
  const listeners = new Set<() => void>();
  let content: CatalogContent | undefined;

  return {
    get ready() {
      return content !== undefined;
    },
    splits() {
      const oldest = addDays(dayInZone(clock.now(), MARKET_ZONE), -keepAfterExDate);
      return content?.splits.filter((split) => split.ex_date >= oldest) ?? [];
    },
    articles: () => content?.articles ?? [],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replace({ splits, articles }) {
      content = { splits: splits.toSorted(bySplit), articles: articles.toSorted(byArticle) };
      for (const listener of listeners) listener();
    },
  };
}

/** Serves nothing, and is ready at once: for a service that has no source of splits where the sample must not be shown. */
export function startEmptySource(catalog: WritableCatalog): CatalogSource {
  catalog.replace({ splits: [], articles: [] });
  return {
    id: "empty",
    sample: false,
    problems: () => [],
    readError: () => null,
    backfilledRows: () => new Set(),
    stop: () => Promise.resolve(),
  };
}

/** Exchange and ratio come last only so that two rows of one ticker keep their order. */
function bySplit(a: SplitRow, b: SplitRow): number {
  return (
    compareText(a.ex_date, b.ex_date) ||
    compareText(a.ticker, b.ticker) ||
    compareText(a.exchange, b.exchange) ||
    compareText(a.ratio, b.ratio)
  );
}

function byArticle(a: ArticleRow, b: ArticleRow): number {
  return compareText(b.date_published, a.date_published) || compareText(a.url, b.url);
}

/** Splits of the named exchanges, ignoring case; all splits without a list. */
export function findByExchange(splits: readonly SplitRow[], exchanges: readonly string[] | undefined): SplitRow[] {
  const wanted = exchanges && new Set(exchanges.map((exchange) => exchange.toUpperCase()));
  return splits.filter((split) => !wanted || wanted.has(split.exchange));
}

export function findByTicker(splits: readonly SplitRow[], ticker: string): SplitRow[] {
  const wanted = ticker.toUpperCase();
  return splits.filter((split) => split.ticker === wanted);
}

/** One page of matching articles, in the order of `articles`; empty beyond the last page. */
export function findArticles(articles: readonly ArticleRow[], search: ArticleSearch): ArticlesAnswer {
  const { from, to, page, size } = search;
  const sources = search.sources && new Set(search.sources.map((source) => source.toLowerCase()));
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
