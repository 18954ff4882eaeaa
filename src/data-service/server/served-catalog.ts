import type { Article } from "../../domain/article/article.ts";
import type { Exchange } from "../../domain/split/exchange.ts";
import type { RowKey } from "../../domain/split/split.ts";
import { listingOf, parseTicker, selects } from "../../domain/split/ticker.ts";
import { addDays, type Day, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { compareText, memoize } from "../../lib/collections.ts";
import { createListeners } from "../../lib/listeners.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Polling, SampleStory } from "../../ports/data-source.ts";
import type { ArticleRow, ArticlesAnswer, SplitRow } from "../schema.ts";
import type { ArticleSearch } from "./routes.ts";

/** The rows that the data service serves. */
export interface Catalog {
  /** False until the source has filled the catalog for the first time. */
  readonly ready: boolean;
  /** Sorted by ex date, then ticker. Splits are removed some days after their ex date. The same array until the rows change. */
  splits(): readonly SplitRow[];
  /** Sorted newest first, then by URL. The same array until the rows change. */
  articles(): readonly ArticleRow[];
  /**
   * Articles about splits that are only approved or have only a ratio range. Used by the bot in this process; not served over
   * HTTP.
   */
  earlyReports(): readonly Article[];
  /**
   * Articles and early reports that were added or changed after a revision, in the order of their changes; 0 is before all
   * revisions. Used by the bot in this process.
   */
  changesSince(revision: number): CatalogChanges;
  /** Calls `listener` after each update by the source. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

export interface CatalogChanges {
  readonly articles: readonly ArticleRow[];
  readonly earlyReports: readonly Article[];
  /** The current revision. */
  readonly revision: number;
}

/** Rows in the wire format of `schema.ts`. */
export interface CatalogContent {
  readonly splits: readonly SplitRow[];
  readonly articles: readonly ArticleRow[];
  /** Articles, from sources other than the wires, about splits that are only approved or have only a ratio range; default: none. */
  readonly earlyReports?: readonly Article[];
}

/** Catalog with write access, for its source. */
export interface WritableCatalog extends Catalog {
  /** Replaces the content and notifies the listeners. */
  replace(content: CatalogContent): void;
}

/** Source of a catalog's content. */
export interface CatalogSource {
  /** Identifies the source; a snapshot belongs to one source. */
  readonly id: string;
  /** Name that users see. */
  readonly name: string;
  /** True for sample data. */
  readonly sample: boolean;
  /** Human-readable problems with the data; empty if there are none. */
  problems(): readonly string[];
  /** Reason why the source can't be read; its last valid content is then served. Null if it can be read. */
  readError(): string | null;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
  /** Addresses of articles that were published long before the first poll of their source; absent if there are none. */
  backfilledArticles?(): ReadonlySet<string>;
  /** Present for the built-in sample. */
  readonly story?: SampleStory;
  /** Lets the source pause the polling, if it changes its id. */
  start?(polling: Polling): void;
  stop(): Promise<void>;
}

/** Name of sources that have no other. */
export const EMBEDDED_NAME = "embedded data service";

const NO_CONTENT: CatalogContent = { splits: [], articles: [] };

/** `keepAfterExDate`: days that a split stays listed after its ex date, in New York's time zone. */
export function createServedCatalog({
  clock,
  keepAfterExDate,
}: {
  clock: Clock;
  keepAfterExDate: number;
}): WritableCatalog {
  const listeners = createListeners();
  let content: CatalogContent = NO_CONTENT;
  let revision = 0;
  const articleChanges = createChanges<ArticleRow>();
  const reportChanges = createChanges<Article>();
  let listed:
    | { readonly content: CatalogContent; readonly today: Day; readonly splits: readonly SplitRow[] }
    | undefined;

  return {
    get ready() {
      return content !== NO_CONTENT;
    },
    splits() {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      if (listed?.content !== content || listed.today !== today) {
        const oldest = addDays(today, -keepAfterExDate);
        listed = { content, today, splits: content.splits.filter((split) => split.ex_date >= oldest) };
      }
      return listed.splits;
    },
    articles: () => content.articles,
    earlyReports: () => content.earlyReports ?? [],
    changesSince: (since) => ({
      articles: articleChanges.since(since),
      earlyReports: reportChanges.since(since),
      revision,
    }),
    onChange: listeners.add,
    replace({ splits, articles, earlyReports = [] }) {
      content = { splits: splits.toSorted(bySplit), articles: articles.toSorted(byArticle), earlyReports };
      revision += 1;
      articleChanges.replace(content.articles, revision);
      reportChanges.replace(earlyReports, revision);
      listeners.notify();
    },
  };
}

/** Rows by address, each with the revision of its last change, in the order of these changes. */
function createChanges<T extends { readonly url: string }>() {
  let rows = new Map<string, { readonly row: T; readonly revision: number }>();
  return {
    replace(current: readonly T[], revision: number): void {
      const changed = new Map(current.map((row) => [row.url, { row, revision }]));
      const unchanged: typeof rows = new Map();
      for (const [url, known] of rows) {
        const now = changed.get(url);
        if (now === undefined || !isSame(now.row, known.row)) continue;
        unchanged.set(url, known);
        changed.delete(url);
      }
      rows = new Map([...unchanged, ...changed]);
    },
    since: (revision: number): readonly T[] =>
      [...rows.values()].filter((known) => known.revision > revision).map(({ row }) => row),
  };
}

function isSame<T>(a: T, b: T): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Starts a source without rows. Used while no live source is reachable and the sample must not be served. */
export function startEmptySource(catalog: WritableCatalog, note: string): CatalogSource {
  catalog.replace({ splits: [], articles: [] });
  return {
    id: "empty",
    name: EMBEDDED_NAME,
    sample: false,
    problems: () => [note],
    readError: () => null,
    backfilledRows: () => new Set(),
    stop: () => Promise.resolve(),
  };
}

/** Sorts by ex date and ticker, then by exchange and ratio. */
function bySplit(a: SplitRow, b: SplitRow): number {
  return (
    compareText(a.ex_date, b.ex_date) ||
    compareText(a.ticker, b.ticker) ||
    compareText(a.exchange, b.exchange) ||
    compareText(a.ratio, b.ratio) ||
    // Whatever the order of the rows, every process serves the same bytes.
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

function byArticle(a: ArticleRow, b: ArticleRow): number {
  return compareText(b.date_published, a.date_published) || compareText(a.url, b.url);
}

/** Splits of the exchanges, ignoring case; all splits if `exchanges` is undefined. */
export function findByExchange(splits: readonly SplitRow[], exchanges: readonly string[] | undefined): SplitRow[] {
  const codes = exchanges && new Set(exchanges.map((exchange) => exchange.toUpperCase()));
  return splits.filter((split) => !codes || codes.has(split.exchange));
}

/** Splits of a symbol in any spelling. */
export function findByTicker(splits: readonly SplitRow[], symbol: string): SplitRow[] {
  const ticker = parseTicker(symbol);
  return splits.filter((split) => {
    const listing = listingOfRow(split);
    return ticker !== undefined && listing !== null && selects(ticker, listing);
  });
}

const listingOfRow = memoize((split: SplitRow) => {
  const ticker = parseTicker(split.ticker);
  return ticker === undefined ? null : listingOf({ ticker, exchange: split.exchange as Exchange });
});

/** One page of matching articles, in the order of `articles`; empty beyond the last page. */
export function findArticles(articles: readonly ArticleRow[], search: ArticleSearch): ArticlesAnswer {
  const { from, to, page, size } = search;
  const sources = search.sources && new Set(search.sources.map((source) => source.toLowerCase()));
  const matches = articles.filter(
    ({ source, date_published: day }) =>
      (!sources || sources.has(source)) && (!from || day >= from) && (!to || day <= to),
  );
  return {
    articles: matches.slice(page * size, (page + 1) * size),
    total_results: matches.length,
    total_pages: Math.ceil(matches.length / size),
    page_number: page,
    page_size: size,
  };
}
