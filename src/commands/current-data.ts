import type { SplitEvidence } from "../domain/alert/event.ts";
import type { KnownArticle } from "../domain/article/article.ts";
import {
  type ArticleIndex,
  indexArticles,
  isOn,
  type TermsOfTicker,
  unlistedTerms,
} from "../domain/article/evidence.ts";
import { EMPTY_SNAPSHOT, type Snapshot } from "../domain/diff/snapshot.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import { evidenceWithOtherRows, listedRecords, type MarkedSplit, markedSplits } from "../domain/split/quality.ts";
import { type Serial, serialOf } from "../domain/split/serial.ts";
import type { Split, SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { compareText } from "../lib/collections.ts";
import { tickerStateText } from "../messages/answers/show-answer.ts";
import type { TimeContext } from "../messages/format.ts";
import type { Row } from "../messages/message.ts";
import type { CommandContext } from "./context.ts";

/** What is known at the moment of asking. */
export interface CurrentData {
  readonly snapshot: Snapshot;
  readonly articles: ArticleIndex;
  readonly at: TimeContext;
}

export async function readCurrentData(context: CommandContext): Promise<CurrentData> {
  return { ...(await readSnapshotOf(context)), at: currentMoment(context) };
}

export async function readSnapshotOf({
  store,
  source,
}: Pick<CommandContext, "store"> & { readonly source: Pick<CommandContext["source"], "id"> }): Promise<
  Omit<CurrentData, "at">
> {
  const kept = await store.snapshot.read();
  // What another source showed is nothing that this one says: real splits must not pass for a sample, nor a sample for them.
  const snapshot = kept.source === source.id ? kept : EMPTY_SNAPSHOT;
  return { snapshot, articles: indexArticles(snapshot.articles.values()) };
}

/** The listed splits about which something is odd. */
export function marksIn({ snapshot, articles }: Omit<CurrentData, "at">): readonly MarkedSplit[] {
  return markedSplits(snapshot.splits.values(), articles);
}

/** What the list's other rows, and releases, say of a split. */
export function evidenceOf({ snapshot, articles }: CurrentData, { record, status }: Split): SplitEvidence {
  return evidenceWithOtherRows(record, status === "listed" ? listedRecords(snapshot.splits.values()) : [], articles);
}

/** How often its issuer has split in 24 months; null for a first time. */
export function serialIn({ snapshot }: CurrentData, record: SplitRecord, sample: boolean): Serial | null {
  return serialOf(record, snapshot.past.values(), sample);
}

export function currentMoment({ clock, timezone }: Pick<CommandContext, "clock" | "timezone">): TimeContext {
  const now = clock.now();
  return { now, today: dayInZone(now, MARKET_ZONE), timezone };
}

/** The exchanges of the splits that are known, once each. */
export function exchangesIn({ snapshot }: Pick<CurrentData, "snapshot">): readonly Exchange[] {
  return [...new Set([...snapshot.splits.values()].map(({ record }) => record.exchange))];
}

/** On every card that shows what the source says. */
export function sampleBadges({ source }: CommandContext): readonly string[] {
  return source.sample ? ["SAMPLE"] : [];
}

/** The splits of a ticker: those to come first, the nearest before the others, then the past ones, the latest first. */
export function splitsOf({ snapshot, at }: CurrentData, ticker: Ticker): readonly Split[] {
  const found = [...snapshot.splits.values()].filter(({ record }) => record.ticker === ticker);
  const byDate = found.toSorted((a, b) => compareText(a.record.exDate, b.record.exDate));
  const isToCome = ({ record, status }: Split): boolean => record.exDate >= at.today && status !== "closed";
  return [...byDate.filter(isToCome), ...byDate.filter((split) => !isToCome(split)).toReversed()];
}

/** The newest first. */
export function releasesOn({ articles }: CurrentData, ticker: Ticker): readonly KnownArticle[] {
  return (articles.get(ticker) ?? []).toSorted(newestFirst);
}

export function newestFirst(a: KnownArticle, b: KnownArticle): number {
  return compareText(b.published, a.published) || b.seenAt - a.seenAt || compareText(a.url, b.url);
}

/** The known splits that a release concerns, also those that left the list. */
export function recordsIn({ snapshot }: CurrentData, article: KnownArticle): readonly SplitRecord[] {
  const records = [...snapshot.splits.values()].map(({ record }) => record);
  return records.filter((record) => isOn(article, record));
}

/** A split to come that a release announces and the source does not list. */
export interface UnlistedSplit {
  readonly article: KnownArticle;
  readonly terms: TermsOfTicker;
}

/** By the newest release on the ticker; null where that one calls the split off, there is none, or no list has come yet. */
export function unlistedSplitOf(knowledge: CurrentData, ticker: Ticker): UnlistedSplit | null {
  if (!knowledge.snapshot.splitsKnown) return null;
  for (const article of releasesOn(knowledge, ticker)) {
    if (article.kind === "cancelled") return null;
    const unlisted = unlistedTerms(article, recordsIn(knowledge, article), knowledge.at.today);
    const terms = unlisted.find((one) => one.ticker === ticker);
    if (terms) return { article, terms };
  }
  return null;
}

/** What is known of a ticker, in one line. */
export function tickerState(knowledge: CurrentData, ticker: Ticker): string {
  const split = splitsOf(knowledge, ticker)[0] ?? null;
  const isCurrent = split !== null && split.status !== "closed";
  const unlisted = isCurrent ? null : unlistedSplitOf(knowledge, ticker);
  const latestRelease = releasesOn(knowledge, ticker)[0]?.published ?? null;
  return tickerStateText({ split, unlisted: unlisted?.terms ?? null, latestRelease }, knowledge.at);
}

export function tickerRow(knowledge: CurrentData, ticker: Ticker): Row {
  return { title: ticker, detail: tickerState(knowledge, ticker) };
}
