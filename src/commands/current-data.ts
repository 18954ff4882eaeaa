import type { SplitEvidence } from "../domain/alert/event.ts";
import type { FractionEvidence, KnownArticle } from "../domain/article/article.ts";
import {
  type ArticleIndex,
  articlesOn,
  indexArticles,
  isAbout,
  type TermsOfTicker,
  unlistedTerms,
} from "../domain/article/evidence.ts";
import { EMPTY_SNAPSHOT, type Snapshot } from "../domain/diff/snapshot.ts";
import { type CalendarEntry, calendarEntries } from "../domain/split/calendar-entries.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import {
  evidenceWithOtherRows,
  listedRecords,
  type SplitWithWarnings,
  splitsWithWarnings,
} from "../domain/split/quality.ts";
import { type RepeatSplits, repeatSplitsOf } from "../domain/split/repeat-splits.ts";
import { type Split, type SplitRecord, selectorsOfRecord } from "../domain/split/split.ts";
import { overlapsSelector, selects, type Ticker } from "../domain/split/ticker.ts";
import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { compareText, groupBy, memoize } from "../lib/collections.ts";
import { type ListState, tickerStateText } from "../messages/answers/show-answer.ts";
import { splitSourcesCard } from "../messages/answers/split-sources.ts";
import type { TimeContext } from "../messages/format.ts";
import type { Card, Row } from "../messages/message.ts";
import { isSampleId } from "../ports/data-source.ts";
import type { AnswerContext, CommandContext } from "./context.ts";

/** Snapshot and releases at the time of a command. */
export interface CurrentData {
  readonly list: ListState;
  readonly snapshot: Snapshot;
  readonly articles: ArticleIndex;
  readonly time: TimeContext;
}

export async function readCurrentData(context: AnswerContext): Promise<CurrentData> {
  const read = await readSnapshotOf(context);
  const known = read.snapshot.splitsKnown ? "complete" : "none-yet";
  const list = context.source.problem() === null ? known : "unreadable";
  return { ...read, list, time: currentMoment(context) };
}

export async function readSnapshotOf({
  store,
  source,
}: Pick<CommandContext, "store"> & { readonly source: Pick<CommandContext["source"], "id" | "sample"> }): Promise<
  Omit<CurrentData, "time" | "list">
> {
  const saved = await store.snapshot.read();
  // Another source's data is ignored: real splits and sample data must never be mixed. Each start of the sample's story is a source.
  const isShown = saved.source === source.id || (source.sample && isSampleId(saved.source));
  const snapshot = isShown ? saved : EMPTY_SNAPSHOT;
  return { snapshot, articles: articlesIn(snapshot) };
}

const articlesIn = memoize((snapshot: Snapshot) => indexArticles(snapshot.articles.values()));

/** The splits that each ticker selects, also with its market. */
const splitsByTicker = memoize((snapshot: Snapshot) =>
  groupBy(
    [...snapshot.splits.values()].flatMap((split) =>
      selectorsOfRecord(split.record).map((ticker) => ({ ticker, split })),
    ),
    ({ ticker }) => ticker,
  ),
);

/** Splits that are or were listed under a symbol. */
function splitsUnder(snapshot: Snapshot, ticker: Ticker): readonly Split[] {
  return (splitsByTicker(snapshot).get(ticker) ?? []).map(({ split }) => split);
}

/** Splits under a symbol that changed since they were first listed. */
export function renamedSplitsUnder({ snapshot }: Pick<CurrentData, "snapshot">, ticker: Ticker): readonly Split[] {
  return splitsUnder(snapshot, ticker).filter(({ record }) => record.formerTickers !== undefined);
}

/** The entry of a watchlist that selects a ticker, or its split under another symbol; undefined if none does. */
export function watchedEntry(
  data: Pick<CurrentData, "snapshot">,
  ticker: Ticker,
  watched: readonly Ticker[],
): Ticker | undefined {
  const selectors = renamedSplitsUnder(data, ticker).flatMap(({ record }) => selectorsOfRecord(record));
  return watched.find((entry) => overlapsSelector(ticker, entry)) ?? watched.find((entry) => selectors.includes(entry));
}

const exchangesOf = memoize((snapshot: Snapshot): readonly Exchange[] => [
  ...new Set([...snapshot.splits.values()].map(({ record }) => record.exchange)),
]);

const warningsIn = memoize((snapshot: Snapshot) => splitsWithWarnings(snapshot.splits.values(), articlesIn(snapshot)));

/** Returns the evidence on a split of the snapshot. */
const evidenceBySplit = memoize((snapshot: Snapshot) => {
  const listed = listedRecords(snapshot.splits.values());
  return memoize(({ record, status }: Split) =>
    evidenceWithOtherRows(record, status === "listed" ? listed : [], articlesIn(snapshot)),
  );
});

const entriesFrom = memoize((snapshot: Snapshot, today: Day) =>
  calendarEntries(snapshot.splits.values(), articlesIn(snapshot), today),
);

/** Listed splits with warnings about inconsistent terms. */
export function currentWarnings({ snapshot }: Pick<CurrentData, "snapshot">): readonly SplitWithWarnings[] {
  return warningsIn(snapshot);
}

/** Evidence on a split from the list's other rows and from releases. */
export function evidenceOf({ snapshot }: Pick<CurrentData, "snapshot">, split: Split): SplitEvidence {
  return evidenceBySplit(snapshot)(split);
}

/** Upcoming and recent ex dates. */
export function entriesIn({ snapshot, time }: CurrentData): readonly CalendarEntry[] {
  return entriesFrom(snapshot, time.today);
}

/** How many splits the issuer has had within 24 months, including this one; null if it is the only one. */
export function repeatSplitsIn({ snapshot }: CurrentData, record: SplitRecord, sample: boolean): RepeatSplits | null {
  return repeatSplitsOf(record, snapshot.past.values(), sample);
}

export function currentMoment({
  clock,
  readersTimezone,
}: Pick<AnswerContext, "clock" | "readersTimezone">): TimeContext {
  const now = clock.now();
  return { now, today: dayInZone(now, MARKET_ZONE), timezone: readersTimezone };
}

/** Exchanges of the known splits, without duplicates. */
export function exchangesIn({ snapshot }: Pick<CurrentData, "snapshot">): readonly Exchange[] {
  return exchangesOf(snapshot);
}

/** Card on the sources of a split's terms, with quotes on fractional shares; none if the sources are unknown. */
export function splitSourcesOf(
  { record }: Split,
  fractions: readonly FractionEvidence[],
  { source: { live } }: CommandContext,
): readonly Card[] {
  const split = live?.splitOf(record) ?? null;
  if (live === null || split === null) return [];
  const sources = { ticker: record.ticker, split, listingProblems: live.listingProblems(split), fractions };
  return [splitSourcesCard({ ...sources, labelOf: (source) => live.labelOf(source) })];
}

/** Whether the ex date of a split is derived from an effective date; false if its sources are unknown. */
export function isFromEffectiveDate({ record }: Split, { source: { live } }: Pick<CommandContext, "source">): boolean {
  const [exDate] = live?.splitOf(record)?.facts.exDate ?? [];
  return exDate?.basis === "effective" && exDate.value === record.exDate;
}

/** Badges for cards that show data of the source. */
export function sampleBadges({ source }: CommandContext): readonly string[] {
  return source.sample ? ["SAMPLE"] : [];
}

/** Splits of a ticker: upcoming splits by ex date, then past splits, the latest first. */
export function splitsOf({ snapshot, time }: CurrentData, ticker: Ticker): readonly Split[] {
  const splits = splitsUnder(snapshot, ticker);
  const byDate = splits.toSorted((a, b) => compareText(a.record.exDate, b.record.exDate));
  const isUpcoming = ({ record, status }: Split): boolean => record.exDate >= time.today && status !== "closed";
  return [...byDate.filter(isUpcoming), ...byDate.filter((split) => !isUpcoming(split)).toReversed()];
}

/** True if a known split or release has the ticker. */
export function isKnownTicker(snapshot: Snapshot, ticker: Ticker): boolean {
  return splitsByTicker(snapshot).has(ticker) || articlesIn(snapshot).has(ticker);
}

/** Releases on a ticker, the newest first. */
export function releasesOn({ snapshot, articles }: CurrentData, ticker: Ticker): readonly KnownArticle[] {
  const renamed = renamedSplitsUnder({ snapshot }, ticker);
  const releases = [...(articles.get(ticker) ?? []), ...renamed.flatMap(({ record }) => articlesOn(record, articles))];
  return [...new Set(releases)].toSorted(newestFirst);
}

export function newestFirst(a: KnownArticle, b: KnownArticle): number {
  return compareText(b.published, a.published) || b.seenAt - a.seenAt || compareText(a.url, b.url);
}

/** Known splits that a release is about, including those that left the list, in the order of the release's tickers. */
export function splitsOfRelease({ snapshot }: Pick<CurrentData, "snapshot">, article: KnownArticle): readonly Split[] {
  const tickers = new Set(article.concerns.map(({ ticker }) => ticker));
  const splits = new Set([...tickers].flatMap((ticker) => splitsUnder(snapshot, ticker)));
  return [...splits].filter(({ record }) => isAbout(article, record));
}

export function recordsOfRelease(data: Pick<CurrentData, "snapshot">, article: KnownArticle): readonly SplitRecord[] {
  return splitsOfRelease(data, article).map(({ record }) => record);
}

/** Upcoming split that a release announces and the source doesn't list. */
export interface UnlistedSplit {
  readonly article: KnownArticle;
  readonly terms: TermsOfTicker;
}

/** Split that the newest release about an unlisted split announces. Null after a newer cancellation, and before the first list. */
export function unlistedSplitOf(data: CurrentData, ticker: Ticker): UnlistedSplit | null {
  if (!data.snapshot.splitsKnown) return null;
  for (const article of releasesOn(data, ticker)) {
    if (article.kind === "cancelled") return null;
    const unlisted = unlistedTerms(article, recordsOfRelease(data, article), data.time.today);
    const terms = unlisted.find((candidate) => selects(ticker, candidate));
    if (terms) return { article, terms };
  }
  return null;
}

/** State of a ticker in one line. */
export function tickerState(data: CurrentData, ticker: Ticker): string {
  const [split = null, ...otherSplits] = splitsOf(data, ticker);
  const others = otherSplits.filter(({ record, status }) => status === "listed" && record.exDate >= data.time.today);
  const isCurrent = split !== null && split.status !== "closed";
  const unlisted = isCurrent ? null : unlistedSplitOf(data, ticker);
  const latestRelease = releasesOn(data, ticker)[0]?.published ?? null;
  const state = { ticker, split, others, unlisted: unlisted?.terms ?? null, latestRelease, list: data.list };
  return tickerStateText(state, data.time);
}

export function tickerRow(data: CurrentData, ticker: Ticker): Row & { readonly ticker: Ticker } {
  return { title: ticker, detail: tickerState(data, ticker), ticker };
}
