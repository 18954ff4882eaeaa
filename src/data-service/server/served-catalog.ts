import type { Article } from "../../domain/article/article.ts";
import type { RowKey } from "../../domain/split/split.ts";
import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { compareText } from "../../lib/collections.ts";
import { createListeners } from "../../lib/listeners.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ArticleRow, ArticlesAnswer, SplitRow } from "../schema.ts";
import type { ArticleSearch } from "./routes.ts";

/** The rows that the data service serves. */
export interface Catalog {
  /** False until the source has filled the catalog for the first time. */
  readonly ready: boolean;
  /** By ex date, then ticker. A split leaves the list some days after its ex date. */
  splits(): readonly SplitRow[];
  /** Newest first, then by URL. */
  articles(): readonly ArticleRow[];
  /** Early reports for the bot in this process; no interface serves them. */
  earlyReports(): readonly Article[];
  /** Calls `listener` after each update by the source. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

/** Rows in the wire format of `schema.ts`. */
export interface CatalogContent {
  readonly splits: readonly SplitRow[];
  readonly articles: readonly ArticleRow[];
  /** Approvals and ratio ranges from other sources than the wires; default: none. */
  readonly earlyReports?: readonly Article[];
}

/** Catalog as used by its source. */
export interface WritableCatalog extends Catalog {
  /** Replaces the content and notifies the listeners. */
  replace(content: CatalogContent): void;
}

/** Source of a catalog's content. */
export interface CatalogSource {
  /** Identifies the source; a snapshot belongs to one source. */
  readonly id: string;
  /** True for sample data. */
  readonly sample: boolean;
  /** Problems with the data, for people; empty if there are none. */
  problems(): readonly string[];
  /** Why the source cannot be read, so that its last valid content is served; null if it can. */
  readError(): string | null;
  /** Rows that were published long before the first read of their source; they cause no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
  stop(): Promise<void>;
}

/** `keepAfterExDate`: days that a split stays listed after its ex date, in New York's time zone. */
export function createCatalog({ clock, keepAfterExDate }: { clock: Clock; keepAfterExDate: number }): WritableCatalog {
  const listeners = createListeners();
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
    earlyReports: () => content?.earlyReports ?? [],
    onChange: listeners.add,
    replace({ splits, articles, earlyReports = [] }) {
      content = { splits: splits.toSorted(bySplit), articles: articles.toSorted(byArticle), earlyReports };
      listeners.notify();
    },
  };
}

/** Source without rows, ready immediately: used where no live source is reachable and the sample must not be served. */
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

/** Exchange and ratio make the order of two rows of one ticker stable. */
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
