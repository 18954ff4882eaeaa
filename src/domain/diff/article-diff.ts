import {
  type Announced,
  articleEventId,
  earlyEventId,
  type ReleaseEvent,
  statedEventId,
  type Withdrawn,
} from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { type ArticleIndex, fractionOf, indexArticles, isOn } from "../article/evidence.ts";
import { evidenceWithOtherRows, listedRecords } from "../split/quality.ts";
import { serialOf } from "../split/serial.ts";
import type { Split, SplitRecord } from "../split/split.ts";
import { addDays, type Day, type Instant } from "../time/day.ts";
import { identify } from "./identify.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotHeader, type SnapshotPatch } from "./snapshot.ts";
import {
  applyEarlierWithdrawals,
  isNewRelease,
  isReinstatementRelease,
  isWithdrawalRelease,
  linkedSplits,
  oldestFirst,
  reinstate,
  withdraw,
} from "./withdrawal.ts";
import { withdrawalEvent } from "./withdrawal-event.ts";

/** How long an article is remembered after its publication. Its URL must outlive every window that is read again. */
const ARTICLE_KEPT_DAYS = 120;

export interface PolledArticles {
  readonly source: string;
  readonly sample: boolean;
  /** Those that the snapshot does not know yet, or with another text, in any order. */
  readonly fresh: readonly KnownArticle[];
  /** False when more may be there: the next reading starts from the same day again. */
  readonly complete: boolean;
  /** What the list shows by now: it may be ahead of the snapshot. Empty where it was not read. */
  readonly listed: readonly SplitRecord[];
  readonly at: Instant;
  readonly today: Day;
}

export interface ArticleDiff {
  readonly patch: SnapshotPatch;
  readonly events: readonly (ReleaseEvent | Withdrawn)[];
  /** Announced splits whose treatment of fractions a release now states, or states anew: told where a rule waited for it. */
  readonly stated: readonly Announced[];
}

/** What new articles mean for the splits, and what of it is worth telling. */
export function diffArticles(before: Snapshot, reading: PolledArticles): ArticleDiff {
  const sameSource = before.source === reading.source;
  const firstRun = !sameSource || before.articlesThrough === null;
  const header = sameSource ? headerOf(before) : newHeader(before, reading);
  const known = sameSource ? before.articles : new Map<string, KnownArticle>();
  const splits = sameSource ? [...before.splits.values()] : [];
  const fresh = freshOnes(reading, known);
  const isTold = (article: KnownArticle): boolean => !firstRun && isNewRelease(article, before.startedAt);
  // A correction is news only where it makes the release one of another kind.
  const news = fresh.filter((article) => isTold(article) && known.get(article.url)?.kind !== article.kind);
  const earlier = fresh.filter((article) => !isTold(article));
  const evidence = indexArticles(new Map([...known, ...byUrl(fresh)]).values());
  const silent = applyEarlierWithdrawals(earlier, splits, { known: evidence, today: reading.today });
  const withdrawal = tellCalledOff(news, silent, { ...reading, articles: evidence });
  const unfollowed = identify(splits, reading.listed, reading.today).fresh;
  return {
    patch: {
      ...headerPatch({
        ...header,
        articlesThrough: firstRun || reading.complete ? reading.today : header.articlesThrough,
      }),
      replaces: !sameSource,
      splits: withdrawal.splits.filter((split) => split !== before.splits.get(split.id)),
      articles: fresh,
      removedArticles: [...known.values()].filter((article) => isOld(article, reading.today)).map(({ url }) => url),
    },
    events: [
      ...withdrawal.events,
      ...news.flatMap((article) => releaseEvents(article, { splits, unfollowed }, { ...reading, known })),
    ],
    stated: statedNow(splits, { ...before, articles: known }, { ...reading, articles: evidence }),
  };
}

/** Each once, oldest first; none that would be forgotten again at once, to come back as new with the next reading. */
function freshOnes({ fresh, today }: PolledArticles, known: ReadonlyMap<string, KnownArticle>): KnownArticle[] {
  return [...byUrl(oldestFirst(fresh)).values()].filter(
    (article) => known.get(article.url)?.version !== article.version && !isOld(article, today),
  );
}

function byUrl(articles: readonly KnownArticle[]): ReadonlyMap<string, KnownArticle> {
  return new Map(articles.map((article) => [article.url, article]));
}

function isOld(article: KnownArticle, today: Day): boolean {
  return article.published < addDays(today, -ARTICLE_KEPT_DAYS);
}

function newHeader(before: Snapshot, { source, at }: PolledArticles): SnapshotHeader {
  return {
    source,
    startedAt: at,
    nextSplit: before.nextSplit,
    splitsKnown: false,
    settlingPolls: 0,
    articlesThrough: null,
    suspicion: null,
    ...(before.stale ? { stale: before.stale } : {}),
  };
}

/** The splits that we follow, and the rows that the list shows beside them: those are announced with its next poll. */
interface Listed {
  readonly splits: readonly Split[];
  readonly unfollowed: readonly SplitRecord[];
}

function releaseEvents(
  article: KnownArticle,
  { splits, unfollowed }: Listed,
  { at, sample, known }: PolledArticles & { readonly known: ReadonlyMap<string, KnownArticle> },
): readonly ReleaseEvent[] {
  const before = known.get(article.url);
  const linked = linkedSplits(article, splits).map(({ id, record }) => ({ splitId: id, record }));
  const beside = unfollowed.filter((record) => isOn(article, record)).map((record) => ({ record }));
  const base = { at, sample, article, splits: [...linked, ...beside] };
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
type Informed = PolledArticles & { readonly articles: ArticleIndex };

interface CalledOffSplits {
  readonly splits: readonly Split[];
  readonly events: readonly Withdrawn[];
}

/** A release that says postponed or cancelled is an event of the split that it names; the first one tells it. */
function tellCalledOff(news: readonly KnownArticle[], splits: readonly Split[], reading: Informed): CalledOffSplits {
  const after = new Map(splits.map((split) => [split.id, split]));
  const events: Withdrawn[] = [];
  for (const article of news.filter(isWithdrawalRelease)) {
    for (const split of withdraw(article, [...after.values()], reading.today)) {
      const told = { ...split, revision: split.revision + 1 };
      after.set(split.id, told);
      events.push(withdrawalEvent(told, article, reading));
    }
  }
  // No event of the split's own: that the release is there is told, and the split's day or its coming back to the list.
  for (const article of news.filter(isReinstatementRelease)) {
    for (const split of reinstate(article, [...after.values()], reading.articles)) {
      after.set(split.id, { ...split, revision: split.revision + 1 });
    }
  }
  return { splits: [...after.values()], events };
}

function statedNow(
  splits: readonly Split[],
  before: Pick<Snapshot, "articles" | "past">,
  { articles, at, today, sample }: Informed,
): readonly Announced[] {
  const earlier = indexArticles(before.articles.values());
  const listed = listedRecords(splits);
  return splits
    .filter((split) => split.status === "listed" && split.revision > 0 && split.record.exDate >= today)
    .flatMap(({ id, record }) => {
      const now = evidenceWithOtherRows(record, listed, articles);
      const treatment = now.fraction?.treatment;
      if (treatment === undefined || treatment === fractionOf(record, earlier)?.treatment) return [];
      const serial = serialOf(record, before.past.values(), sample);
      const eventId = statedEventId(id, treatment);
      const base = { id: eventId, at, sample, splitId: id, record, ...now };
      return [{ kind: "announced", ...base, serial, alreadyEffective: false }];
    });
}
