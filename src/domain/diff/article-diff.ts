import { type Announced, eventIds, type ReleaseEvent, type Withdrawn } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { fractionOf, indexArticles, isAbout } from "../article/evidence.ts";
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
  type ReleaseContext,
  reinstate,
  withdraw,
  withdrawalEvent,
} from "./withdrawal.ts";

/** How long an article is kept after its publication; longer than any range of days that is polled again. */
const ARTICLE_RETENTION_DAYS = 120;

export interface PolledArticles {
  readonly source: string;
  readonly sample: boolean;
  /** Articles that the snapshot does not contain, or contains with another text; in any order. */
  readonly fresh: readonly KnownArticle[];
  /** False if there may be more: the next poll starts from the same day again. */
  readonly complete: boolean;
  /** The current list, which may be ahead of the snapshot; empty if it was not read. */
  readonly listed: readonly SplitRecord[];
  readonly at: Instant;
  readonly today: Day;
}

export interface ArticleDiff {
  readonly patch: SnapshotPatch;
  readonly events: readonly (ReleaseEvent | Withdrawn)[];
  /** Splits whose treatment of fractions is now stated, or stated differently; sent where a rule filters by treatment. */
  readonly stated: readonly Announced[];
}

/** Compares articles with the snapshot. Pure. */
export function diffArticles(before: Snapshot, polled: PolledArticles): ArticleDiff {
  const isSameSource = before.source === polled.source;
  const isFirstRun = !isSameSource || before.articlesThrough === null;
  const header = isSameSource ? headerOf(before) : newHeader(before, polled);
  const known = isSameSource ? before.articles : new Map<string, KnownArticle>();
  const splits = isSameSource ? [...before.splits.values()] : [];
  const fresh = freshArticles(polled, known);
  const isNew = (article: KnownArticle): boolean => !isFirstRun && isNewRelease(article, before.startedAt);
  // A corrected release triggers events only if the correction changes its kind.
  const news = fresh.filter((article) => isNew(article) && known.get(article.url)?.kind !== article.kind);
  const earlier = fresh.filter((article) => !isNew(article));
  const evidence = indexArticles(new Map([...known, ...byUrl(fresh)]).values());
  const silent = applyEarlierWithdrawals(earlier, splits, { known: evidence, today: polled.today });
  const withdrawn = applyNewReleases(news, silent, { ...polled, articles: evidence });
  const unfollowed = identify(splits, polled.listed, polled.today).fresh;
  return {
    patch: {
      ...headerPatch({
        ...header,
        articlesThrough: isFirstRun || polled.complete ? polled.today : header.articlesThrough,
      }),
      replaces: !isSameSource,
      splits: withdrawn.splits.filter((split) => split !== before.splits.get(split.id)),
      articles: fresh,
      removedArticles: [...known.values()].filter((article) => isOld(article, polled.today)).map(({ url }) => url),
    },
    events: [
      ...withdrawn.events,
      ...news.flatMap((article) => releaseEvents(article, { splits, unfollowed }, { ...polled, known })),
    ],
    stated: newlyStated(splits, { ...before, articles: known }, { ...polled, articles: evidence }),
  };
}

/** Each new article once, oldest first; without those that would be purged immediately and then read as new again. */
function freshArticles({ fresh, today }: PolledArticles, known: ReadonlyMap<string, KnownArticle>): KnownArticle[] {
  return [...byUrl(oldestFirst(fresh)).values()].filter(
    (article) => known.get(article.url)?.version !== article.version && !isOld(article, today),
  );
}

function byUrl(articles: readonly KnownArticle[]): ReadonlyMap<string, KnownArticle> {
  return new Map(articles.map((article) => [article.url, article]));
}

function isOld(article: KnownArticle, today: Day): boolean {
  return article.published < addDays(today, -ARTICLE_RETENTION_DAYS);
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

/** Followed splits, and listed rows that the next poll of the list will announce. */
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
  const rows = unfollowed.filter((record) => isAbout(article, record)).map((record) => ({ record }));
  const base = { at, sample, article, splits: [...linked, ...rows] };
  const isNewlyEarly = isEarly(article) && !(before && isEarly(before));
  return [
    ...(isNewlyEarly ? [{ kind: "early", id: eventIds.early(article), ...base } as const] : []),
    ...(before ? [] : [{ kind: "article", id: eventIds.article(article), ...base } as const]),
  ];
}

/** Whether the release precedes a split: an approval, or a range of ratios to choose from. */
function isEarly({ kind }: KnownArticle): boolean {
  return kind === "approval_only" || kind === "ratio_range";
}

/** Applies withdrawals, with events, and reinstatements, without: the release itself is an event. */
function applyNewReleases(
  news: readonly KnownArticle[],
  splits: readonly Split[],
  context: ReleaseContext,
): { readonly splits: readonly Split[]; readonly events: readonly Withdrawn[] } {
  const after = new Map(splits.map((split) => [split.id, split]));
  const events: Withdrawn[] = [];
  const revise = (split: Split): Split => {
    const revised = { ...split, revision: split.revision + 1 };
    after.set(split.id, revised);
    return revised;
  };
  for (const article of news.filter(isWithdrawalRelease)) {
    for (const split of withdraw(article, [...after.values()], context.today))
      events.push(withdrawalEvent(revise(split), article, context));
  }
  for (const article of news.filter(isReinstatementRelease)) {
    for (const split of reinstate(article, [...after.values()], context.articles)) revise(split);
  }
  return { splits: [...after.values()], events };
}

function newlyStated(
  splits: readonly Split[],
  before: Pick<Snapshot, "articles" | "past">,
  { articles, at, today, sample }: ReleaseContext,
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
      const eventId = eventIds.stated(id, treatment);
      const base = { id: eventId, at, sample, splitId: id, record, ...now };
      return [{ kind: "announced", ...base, serial, alreadyEffective: false }];
    });
}
