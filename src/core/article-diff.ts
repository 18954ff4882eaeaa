import type { KnownArticle } from "./article.ts";
import { type CallingOff, callOff, callOffEarlier, callsOff, linkedSplits, oldestFirst } from "./call-off.ts";
import { addDays, type Day, dayInZone, type Instant } from "./day.ts";
import {
  type Announced,
  articleEventId,
  type CalledOff,
  earlyEventId,
  type ReleaseEvent,
  revisionEventId,
  statedEventId,
} from "./event.ts";
import { type ArticleIndex, evidenceOn, fractionOf, indexArticles } from "./evidence.ts";
import { evidenceAmong, listedRecords } from "./quality.ts";
import { serialOf } from "./serial.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotHeader, type SnapshotPatch } from "./snapshot.ts";
import type { Split } from "./split.ts";
import { MARKET_ZONE } from "./trading-day.ts";

/** How long an article is remembered after its publication. Its URL must outlive every window that is read again. */
const ARTICLE_KEPT_DAYS = 120;

export interface ArticleReading {
  readonly source: string;
  readonly sample: boolean;
  /** Those that the snapshot does not know yet, or with another text, in any order. */
  readonly fresh: readonly KnownArticle[];
  /** False when more may be there: the next reading starts from the same day again. */
  readonly complete: boolean;
  readonly at: Instant;
  readonly today: Day;
}

export interface ArticleDiff {
  readonly patch: SnapshotPatch;
  readonly events: readonly (ReleaseEvent | CalledOff)[];
  /** Announced splits whose treatment of fractions a release now states, or states anew: told where a rule waited for it. */
  readonly stated: readonly Announced[];
}

/** What new articles mean for the splits, and what of it is worth telling. */
export function diffArticles(before: Snapshot, reading: ArticleReading): ArticleDiff {
  const sameSource = before.source === reading.source;
  const firstRun = !sameSource || before.articlesThrough === null;
  const header = sameSource ? headerOf(before) : newHeader(before, reading);
  const known = sameSource ? before.articles : new Map<string, KnownArticle>();
  const splits = sameSource ? [...before.splits.values()] : [];
  const fresh = freshOnes(reading, known);
  const isTold = (article: KnownArticle): boolean => !firstRun && isNews(article, before);
  // A correction is news only where it makes the release one of another kind.
  const news = fresh.filter((article) => isTold(article) && known.get(article.url)?.kind !== article.kind);
  const earlier = fresh.filter((article) => !isTold(article));
  const evidence = indexArticles(new Map([...known, ...byUrl(fresh)]).values());
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
    events: [...calledOff.events, ...news.flatMap((article) => releaseEvents(article, splits, { ...reading, known }))],
    stated: statedNow(splits, { ...before, articles: known }, { ...reading, evidence }),
  };
}

/** Each once, oldest first; none that would be forgotten again at once, to come back as new with the next reading. */
function freshOnes({ fresh, today }: ArticleReading, known: ReadonlyMap<string, KnownArticle>): KnownArticle[] {
  return [...byUrl(oldestFirst(fresh)).values()].filter(
    (article) => known.get(article.url)?.version !== article.version && !isOld(article, today),
  );
}

function byUrl(articles: readonly KnownArticle[]): ReadonlyMap<string, KnownArticle> {
  return new Map(articles.map((article) => [article.url, article]));
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
    ...(before.stale ? { stale: before.stale } : {}),
  };
}

function releaseEvents(
  article: KnownArticle,
  splits: readonly Split[],
  { at, sample, known }: ArticleReading & { readonly known: ReadonlyMap<string, KnownArticle> },
): readonly ReleaseEvent[] {
  const before = known.get(article.url);
  const linked = linkedSplits(article, splits).map(({ id, record }) => ({ splitId: id, record }));
  const base = { at, sample, article, splits: linked };
  const isNewlyEarly = isEarly(article) && !(before && isEarly(before));
  return [
    ...(isNewlyEarly ? [{ kind: "early", id: earlyEventId(article), ...base } as const] : []),
    ...(before ? [] : [{ kind: "article", id: articleEventId(article), ...base } as const]),
  ];
}

/** There is no split yet: holders may, or a board may yet choose. */
function isEarly({ kind }: KnownArticle): boolean {
  return kind === "approval_only" || kind === "ratio_range";
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

function calledOffEvent(split: Split, article: CallingOff, reading: Informed): CalledOff {
  const { id, revision, record, status } = split;
  return {
    kind: article.kind,
    id: revisionEventId(id, revision),
    at: reading.at,
    sample: reading.sample,
    splitId: id,
    record,
    ...evidenceOn(record, reading.evidence),
    article,
    explainsMissing: status === "missing",
  };
}

function statedNow(
  splits: readonly Split[],
  before: Pick<Snapshot, "articles" | "past">,
  { evidence, at, today, sample }: Informed,
): readonly Announced[] {
  const earlier = indexArticles(before.articles.values());
  const listed = listedRecords(splits);
  return splits
    .filter((split) => split.status === "listed" && split.revision > 0 && split.record.exDate >= today)
    .flatMap(({ id, record }) => {
      const now = evidenceAmong(record, listed, evidence);
      const treatment = now.fraction?.treatment;
      if (treatment === undefined || treatment === fractionOf(record, earlier)?.treatment) return [];
      const serial = serialOf(record, before.past.values(), sample);
      const eventId = statedEventId(id, treatment);
      const base = { id: eventId, at, sample, splitId: id, record, ...now };
      return [{ kind: "announced", ...base, serial, alreadyEffective: false }];
    });
}
