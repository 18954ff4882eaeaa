import type { KnownArticle, Wire } from "../domain/article/article.ts";
import { unlistedTerms } from "../domain/article/evidence.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { articlesCard, type ListedArticle } from "../messages/answers/articles-answer.ts";
import { A_TICKER } from "../messages/example-tickers.ts";
import { pageButtons, pageLine } from "../messages/message.ts";
import { fromAfterToText } from "../messages/option-text.ts";
import { defineCommand } from "./command.ts";
import { type CurrentData, newestFirst, readCurrentData, recordsIn, sampleBadges } from "./current-data.ts";
import { PAGE_OPTION, pageOf } from "./paging.ts";
import { writeCommandLine } from "./parser/words.ts";
import { WIRE_CHOICES, wiresOf } from "./sources.ts";

const PAGE_SIZE = 8;

export const articles = defineCommand({
  name: "articles",
  summary: "Press releases about reverse splits, the newest first",
  example: `articles ticker:${A_TICKER} from:2026-01-01`,
  options: {
    ticker: { kind: "ticker", summary: "Only releases that concern this ticker" },
    source: { ...WIRE_CHOICES, summary: "Only releases of these wires" },
    from: { kind: "day", summary: "Published on this day or later" },
    to: { kind: "day", summary: "Published on this day or earlier" },
    page: PAGE_OPTION,
  },
  check({ from, to }) {
    return from !== undefined && to !== undefined && from > to ? [fromAfterToText(from, to)] : [];
  },
  shareable: true,
  async run({ ticker, source = [], from, to, page: askedPage }, _call, context) {
    const knowledge = await readCurrentData(context);
    const all = [...knowledge.snapshot.articles.values()].toSorted(newestFirst);
    const sources = wiresOf(source);
    const found = all.filter((article) => isAskedFor(article, { ticker, sources, from, to }));
    const page = pageOf(found, askedPage, PAGE_SIZE);
    const card = articlesCard({
      ticker: ticker ?? null,
      sources,
      from: from ?? null,
      to: to ?? null,
      articles: page.rows.map((article) => withSplits(article, knowledge)),
      found: found.length,
      stored: all.length,
      oldest: all.at(-1)?.published ?? null,
      pageLine: pageLine(page),
      buttons: pageButtons(page, (number) =>
        writeCommandLine("articles", { ticker, source: sources.join(","), from, to, page: number }),
      ),
    });
    return [{ ...card, badges: sampleBadges(context) }];
  },
});

function withSplits(article: KnownArticle, knowledge: CurrentData): ListedArticle {
  const splits = recordsIn(knowledge, article);
  return { article, splits, unlisted: unlistedTerms(article, splits, knowledge.at.today) };
}

interface Filter {
  readonly ticker: Ticker | undefined;
  readonly sources: readonly Wire[];
  readonly from: Day | undefined;
  readonly to: Day | undefined;
}

function isAskedFor(article: KnownArticle, { ticker, sources, from, to }: Filter): boolean {
  if (ticker !== undefined && !article.concerns.some((mention) => mention.ticker === ticker)) return false;
  if (sources.length > 0 && !sources.some((wire) => wire === article.source)) return false;
  if (from !== undefined && article.published < from) return false;
  return to === undefined || article.published <= to;
}
