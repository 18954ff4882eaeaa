import type { KnownArticle } from "../domain/article/article.ts";
import { unlistedTerms } from "../domain/article/evidence.ts";
import type { Wire } from "../domain/article/wire.ts";
import type { Snapshot } from "../domain/diff/snapshot.ts";
import type { Day } from "../domain/time/day.ts";
import { memoize } from "../lib/collections.ts";
import { articlesCard, type ListedArticle } from "../messages/answers/articles-answer.ts";
import { EXAMPLE_TICKER } from "../messages/example-tickers.ts";
import { fromAfterToProblem } from "../messages/option-text.ts";
import { type Command, defineCommand } from "./command.ts";
import {
  type CurrentData,
  newestFirst,
  readCurrentData,
  recordsOfRelease,
  releasesOn,
  sampleBadges,
} from "./current-data.ts";
import { PAGE_OPTION, paginate } from "./paging.ts";
import { releaseMarks } from "./release-marks.ts";

const PAGE_SIZE = 8;

export const articles: Command = defineCommand({
  name: "articles",
  aboutSplits: true,
  summary: "Press releases about reverse splits, the newest first",
  example: `articles ticker:${EXAMPLE_TICKER} from:2026-01-01`,
  options: {
    ticker: { kind: "ticker", summary: "Only releases about this ticker" },
    source: { kind: "sources", summary: "Only releases from these wires" },
    from: { kind: "day", summary: "Published on this day or later" },
    to: { kind: "day", summary: "Published on this day or earlier" },
    page: PAGE_OPTION,
  },
  check({ from, to }) {
    return from !== undefined && to !== undefined && from > to ? [fromAfterToProblem(from, to)] : [];
  },
  shareable: true,
  async run(options, _call, context) {
    const { ticker, source: sources = [], from, to } = options;
    const data = await readCurrentData(context);
    const stored = articlesByDate(data.snapshot);
    const onTicker = ticker === undefined ? new Set(stored) : new Set(releasesOn(data, ticker));
    const matching = stored.filter((article) => onTicker.has(article) && isSelected(article, { sources, from, to }));
    const page = paginate(matching, PAGE_SIZE, articles, options);
    const card = articlesCard({
      ticker: ticker ?? null,
      sources,
      from: from ?? null,
      to: to ?? null,
      articles: page.rows.map((article) => ({
        ...withSplits(article, data),
        marks: releaseMarks(article, data, context),
      })),
      total: matching.length,
      storedCount: stored.length,
      oldestDay: stored.at(-1)?.published ?? null,
      pageLine: page.pageLine,
      buttons: page.buttons,
    });
    return [{ ...card, badges: sampleBadges(context) }];
  },
});

/** Known releases, the newest first. */
const articlesByDate = memoize((snapshot: Snapshot) => [...snapshot.articles.values()].toSorted(newestFirst));

function withSplits(article: KnownArticle, data: CurrentData): Omit<ListedArticle, "marks"> {
  const splits = recordsOfRelease(data, article);
  return { article, splits, unlisted: unlistedTerms(article, splits, data.time.today) };
}

interface Filter {
  readonly sources: readonly Wire[];
  readonly from: Day | undefined;
  readonly to: Day | undefined;
}

function isSelected(article: KnownArticle, { sources, from, to }: Filter): boolean {
  if (sources.length > 0 && !sources.some((wire) => wire === article.source)) return false;
  if (from !== undefined && article.published < from) return false;
  return to === undefined || article.published <= to;
}
