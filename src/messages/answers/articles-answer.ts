import type { KnownArticle } from "../../domain/article/article.ts";
import type { TermsOfTicker } from "../../domain/article/evidence.ts";
import type { Wire } from "../../domain/article/wire.ts";
import { wireName } from "../../domain/article/wire.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { articleCardRow } from "../alerts/release-cards.ts";
import { formatCount, formatDay, joinList } from "../format.ts";
import { type Button, type Card, card } from "../message.ts";
import { splitName, unlistedText } from "../split-text.ts";

/** A release with its splits. */
export interface ListedArticle {
  readonly article: KnownArticle;
  readonly splits: readonly SplitRecord[];
  /** Splits that the release announces but no source lists. */
  readonly unlisted: readonly TermsOfTicker[];
  /** What limits its weight, such as another speaker than the issuer. */
  readonly marks: readonly string[];
}

/** One page of press releases. */
export interface ArticleList {
  readonly ticker: Ticker | null;
  readonly sources: readonly Wire[];
  readonly from: Day | null;
  readonly to: Day | null;
  /** Releases on this page. */
  readonly articles: readonly ListedArticle[];
  /** Number of matching releases on all pages. */
  readonly total: number;
  /** Number of stored releases. */
  readonly storedCount: number;
  /** Date of the oldest stored release. */
  readonly oldestDay: Day | null;
  readonly pageLine: string | null;
  readonly buttons: readonly Button[];
}

export function articlesCard(list: ArticleList): Card {
  const filter = filterText(list);
  return card({
    title: list.total === 0 ? `No press releases${filter}` : `${formatCount(list.total, "press release")}${filter}`,
    lines: [...(list.total === 0 ? [emptyLine(list)] : []), ...(list.pageLine === null ? [] : [list.pageLine])],
    rows: list.articles.map(({ article, splits, unlisted, marks }) =>
      articleCardRow(article, { marks, details: [...splits.map(listedText), ...unlisted.map(unlistedText)] }),
    ),
    buttons: list.buttons,
  });
}

/** `listed: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026` */
function listedText(record: SplitRecord): string {
  return `listed: ${splitName(record)}, ex date ${formatDay(record.exDate)}`;
}

function filterText({ ticker, sources, from, to }: ArticleList): string {
  const parts = [
    ticker === null ? "" : ` on ${ticker}`,
    sources.length === 0 ? "" : ` from ${joinList(sources.map(wireName), "or")}`,
    from === null ? "" : ` since ${formatDay(from)}`,
    to === null ? "" : ` up to ${formatDay(to)}`,
  ];
  return parts.join("");
}

function emptyLine({ storedCount, oldestDay }: ArticleList): string {
  if (storedCount === 0 || oldestDay === null)
    return "No press releases have been read yet. See the last polls: /splits status";
  return `${formatCount(storedCount, "press release is", "press releases are")} stored, the oldest from ${formatDay(oldestDay)}. See them all: /splits articles`;
}
