import type { KnownArticle } from "./article.ts";
import { type CallingOff, callOff, callOffEarlier, callsOff, linkedSplits, oldestFirst } from "./call-off.ts";
import { addDays, type Day, dayInZone, type Instant } from "./day.ts";
import {
  type Announced,
  type ArticleEvent,
  articleEventId,
  type CalledOff,
  revisionEventId,
  statedEventId,
} from "./event.ts";
import { type ArticleIndex, fractionOf, indexArticles } from "./evidence.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotHeader, type SnapshotPatch } from "./snapshot.ts";
import type { Split } from "./split.ts";
import { MARKET_ZONE } from "./trading-day.ts";

/** How long an article is remembered after its publication. Its URL must outlive every window that is read again. */
const ARTICLE_KEPT_DAYS = 120;

export interface ArticleReading {
  readonly source: string;
  readonly sample: boolean;
  /** Those that the snapshot does not know yet, in any order. */
  readonly fresh: readonly KnownArticle[];
  /** False when more may be there: the next reading starts from the same day again. */
  readonly complete: boolean;
  readonly at: Instant;
  readonly today: Day;
}

export interface ArticleDiff {
  readonly patch: SnapshotPatch;
  readonly events: readonly (ArticleEvent | CalledOff)[];
  /** Announced splits whose treatment of fractions a release now states: told where a rule waited for it. */
  readonly stated: readonly Announced[];
}

/** What new articles mean for the splits, and what of it is worth telling. */
export function diffArticles(before: Snapshot, reading: ArticleReading): ArticleDiff {
  const sameSource = before.source === reading.source;
  const firstRun = !sameSource || before.articlesThrough === null;
  const header = sameSource ? headerOf(before) : newHeader(before, reading);
  const known = sameSource ? before.articles : new Map<string, KnownArticle>();
  const splits = sameSource ? [...before.splits.values()] : [];
  const fresh = unknownOnes(reading, known);
  const isTold = (article: KnownArticle): boolean => !firstRun && isNews(article, before);
  const news = fresh.filter(isTold);
  const earlier = fresh.filter((article) => !isTold(article));
  const evidence = indexArticles([...known.values(), ...fresh]);
  const silent = callOffEarlier(earlier, splits, { known: evidence, today: reading.today });
  const calledOff = tellCalledOff(news, silent, { ...reading, evidence });
  return {
    patch: {
      ...headerPatch({
        ...header,
        articlesThrough: firstRun || reading.complete ? reading.today : header.articlesThrough,
      }),
      replaces: !sameSource,
      splits: calledOff.splits.filter((split) => split !== before.splits.get(split.id)),
      articles: fresh,
      removedArticles: [...known.values()].filter((article) => isOld(article, reading.today)).map(({ url }) => url),
    },
    events: [...calledOff.events, ...news.map((article) => articleEvent(article, splits, reading))],
    stated: statedNow(splits, indexArticles(known.values()), { ...reading, evidence }),
  };
}

/** Each once, oldest first; none that would be forgotten again at once, to come back as new with the next reading. */
function unknownOnes({ fresh, today }: ArticleReading, known: ReadonlyMap<string, KnownArticle>): KnownArticle[] {
  const byUrl = new Map(oldestFirst(fresh).map((article) => [article.url, article]));
  return [...byUrl.values()].filter((article) => !known.has(article.url) && !isOld(article, today));
}

/** A release that is older than the snapshot was missed by its first run: it is no news. */
function isNews(article: KnownArticle, { bornAt }: Snapshot): boolean {
  return article.published >= addDays(dayInZone(bornAt, MARKET_ZONE), -1);
}

function isOld(article: KnownArticle, today: Day): boolean {
  return article.published < addDays(today, -ARTICLE_KEPT_DAYS);
}

function newHeader(before: Snapshot, { source, at }: ArticleReading): SnapshotHeader {
  return {
    source,
    bornAt: at,
    nextSplit: before.nextSplit,
    splitsKnown: false,
    settlingPolls: 0,
    articlesThrough: null,
    doubt: null,
  };
}

function articleEvent(article: KnownArticle, splits: readonly Split[], { at, sample }: ArticleReading): ArticleEvent {
  const linked = linkedSplits(article, splits);
  return {
    kind: "article",
    id: articleEventId(article),
    at,
    sample,
    article,
    splits: linked.map(({ id, record }) => ({ splitId: id, record })),
  };
}

/** A reading with all that is known by now. */
type Informed = ArticleReading & { readonly evidence: ArticleIndex };

interface CalledOffSplits {
  readonly splits: readonly Split[];
  readonly events: readonly CalledOff[];
}

/** A release that says postponed or cancelled is an event of the split that it names; the first one tells it. */
function tellCalledOff(news: readonly KnownArticle[], splits: readonly Split[], reading: Informed): CalledOffSplits {
  const after = new Map(splits.map((split) => [split.id, split]));
  const events: CalledOff[] = [];
  for (const article of news.filter(callsOff)) {
    for (const split of callOff(article, [...after.values()], reading.today)) {
      const told = { ...split, revision: split.revision + 1 };
      after.set(split.id, told);
      events.push(calledOffEvent(told, article, reading));
    }
  }
  return { splits: [...after.values()], events };
}

function calledOffEvent({ id, revision, record }: Split, article: CallingOff, reading: Informed): CalledOff {
  return {
    kind: article.kind,
    id: revisionEventId(id, revision),
    at: reading.at,
    sample: reading.sample,
    splitId: id,
    record,
    fraction: fractionOf(record, reading.evidence),
    article,
  };
}

function statedNow(
  splits: readonly Split[],
  before: ArticleIndex,
  { evidence, at, today, sample }: Informed,
): readonly Announced[] {
  return splits
    .filter((split) => split.status === "listed" && split.revision > 0 && split.record.exDate >= today)
    .flatMap(({ id, record }) => {
      const fraction = fractionOf(record, evidence);
      if (fraction === null || fractionOf(record, before) !== null) return [];
      const eventId = statedEventId(id);
      return [{ kind: "announced", id: eventId, at, sample, splitId: id, record, fraction, alreadyEffective: false }];
    });
}
