import type { KnownArticle } from "../core/article.ts";
import { compareText } from "../core/compare-text.ts";
import { dayInZone } from "../core/day.ts";
import { type ArticleIndex, indexArticles } from "../core/evidence.ts";
import { EMPTY_SNAPSHOT, type Snapshot } from "../core/snapshot.ts";
import type { Split } from "../core/split.ts";
import type { Ticker } from "../core/ticker.ts";
import { MARKET_ZONE } from "../core/trading-day.ts";
import type { Row } from "../messages/message.ts";
import { tickerStateWords } from "../messages/show-answer.ts";
import type { Moment } from "../messages/words.ts";
import type { CommandContext } from "./context.ts";

/** What is known at the moment of asking. */
export interface Knowledge {
  readonly snapshot: Snapshot;
  readonly articles: ArticleIndex;
  readonly at: Moment;
}

export async function readKnowledge(context: CommandContext): Promise<Knowledge> {
  const kept = await context.store.snapshot.read();
  // What another source showed is nothing that this one says: real splits must not pass for a sample, nor a sample for them.
  const snapshot = kept.source === context.source.id ? kept : EMPTY_SNAPSHOT;
  return { snapshot, articles: indexArticles(snapshot.articles.values()), at: momentOf(context) };
}

export function momentOf({ clock, timezone }: Pick<CommandContext, "clock" | "timezone">): Moment {
  const now = clock.now();
  return { now, today: dayInZone(now, MARKET_ZONE), timezone };
}

/** On every card that shows what the source says. */
export function sampleBadges({ source }: CommandContext): readonly string[] {
  return source.sample ? ["SAMPLE"] : [];
}

/** The splits of a ticker: those to come first, the nearest before the others, then the past ones, the latest first. */
export function splitsOf({ snapshot, at }: Knowledge, ticker: Ticker): readonly Split[] {
  const found = [...snapshot.splits.values()].filter(({ record }) => record.ticker === ticker);
  const byDate = found.toSorted((a, b) => compareText(a.record.exDate, b.record.exDate));
  const isToCome = ({ record, status }: Split): boolean => record.exDate >= at.today && status !== "closed";
  return [...byDate.filter(isToCome), ...byDate.filter((split) => !isToCome(split)).toReversed()];
}

/** The newest first. */
export function releasesOn({ articles }: Knowledge, ticker: Ticker): readonly KnownArticle[] {
  return (articles.get(ticker) ?? []).toSorted(newestFirst);
}

export function newestFirst(a: KnownArticle, b: KnownArticle): number {
  return compareText(b.published, a.published) || b.seenAt - a.seenAt || compareText(a.url, b.url);
}

/** What is known of a ticker, in one line. */
export function tickerState(knowledge: Knowledge, ticker: Ticker): string {
  const split = splitsOf(knowledge, ticker)[0] ?? null;
  const release = releasesOn(knowledge, ticker)[0];
  return tickerStateWords(split, release?.published ?? null, knowledge.at);
}

export function tickerRow(knowledge: Knowledge, ticker: Ticker): Row {
  return { title: ticker, detail: tickerState(knowledge, ticker) };
}
