import { type Announced, type Changed, eventIds, type ReleaseEvent, type Withdrawn } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { type ArticleIndex, fractionOf, indexArticles, isAbout } from "../article/evidence.ts";
import { evidenceWithOtherRows, listedRecords } from "../split/quality.ts";
import { repeatSplitsOf } from "../split/repeat-splits.ts";
import type { Split, SplitRecord } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import { addDays, type Day, type Instant } from "../time/day.ts";
import { identify } from "./identify.ts";
import { headerOf, headerPatch, type Snapshot, type SnapshotHeader, type SnapshotPatch } from "./snapshot.ts";
import { addStatements, isSameStatement, type ReadRelease, reportStatements } from "./statements.ts";
import {
  type ArticleContext,
  applyWithdrawals,
  isNewArticle,
  isReinstatementRelease,
  isWithdrawalRelease,
  linkedSplits,
  reinstate,
  sortOldestFirst,
  withdraw,
  withdrawalEvent,
} from "./withdrawal.ts";

/** Retention of articles after publication, in days; longer than any range of days that is polled repeatedly. */
export const ARTICLE_RETENTION_DAYS = 120;

export interface PolledArticles {
  readonly source: string;
  readonly sample: boolean;
  /** Articles that are new or have another text than in the snapshot, in any order. */
  readonly newArticles: readonly KnownArticle[];
  /** URLs of all received articles, including known ones. */
  readonly receivedUrls: ReadonlySet<string>;
  /** False if more articles may exist, so that the next poll starts from the same day. */
  readonly complete: boolean;
  /** Rows of the current list, which may be newer than the snapshot; empty if the list was not read. */
  readonly listed: readonly SplitRecord[];
  /** True if a list follows immediately, whose events show the changed statements too; default: false. */
  readonly beforeList?: boolean;
  /** Addresses of articles that trigger no events, because they were old when their publisher was first read; default: none. */
  readonly backfilled?: ReadonlySet<string>;
  readonly at: Instant;
  readonly today: Day;
}

export interface ArticleDiff {
  readonly patch: SnapshotPatch;
  readonly events: readonly (ReleaseEvent | Withdrawn | Changed)[];
  /** Announcements of splits whose treatment of fractions is now stated, for rules that filter by treatment. */
  readonly treatmentAnnouncements: readonly Announced[];
}

/** Compares articles with the snapshot. Pure. */
export function diffArticles(before: Snapshot, polled: PolledArticles): ArticleDiff {
  const isSameSource = before.source === polled.source;
  const isFirstRun = !isSameSource || before.articlesThrough === null;
  const header = isSameSource ? headerOf(before) : newHeader(before, polled);
  const storedArticles = isSameSource ? before.articles : new Map<string, KnownArticle>();
  const splits = isSameSource ? [...before.splits.values()] : [];
  const received = selectNewArticles(polled, storedArticles);
  const possiblyMoved = movedArticles(received, storedArticles, polled.receivedUrls);
  const moved = polled.complete ? possiblyMoved : new Map<string, KnownArticle>();
  // An unread page may list the known URL too. The next complete search shows whether the article has moved or is another one.
  const selected = polled.complete ? received : received.filter(({ url }) => !possiblyMoved.has(url));
  const knownArticles = new Map([...storedArticles, ...moved]);
  const newArticles = selected.map((article) => ({ ...article, seenAt: seenAtOf(article, moved, knownArticles) }));
  const isNew = (article: KnownArticle): boolean =>
    !isFirstRun && isNewArticle(article, before.startedAt) && !polled.backfilled?.has(article.url);
  // A corrected release triggers events only if the correction changes its kind.
  const newReleases = newArticles.filter(
    (article) => isNew(article) && knownArticles.get(article.url)?.kind !== article.kind,
  );
  const olderReleases = newArticles.filter((article) => !isNew(article));
  const evidence = indexArticles(new Map([...knownArticles, ...byUrl(newArticles)]).values());
  const currentSplits = applyWithdrawals(olderReleases, splits, { releases: evidence, today: polled.today });
  const withdrawn = applyNewReleases(newReleases, currentSplits, { ...polled, articles: evidence });
  const clues = { unreadableTickers: new Set<Ticker>(), articles: evidence };
  const stated = applyStatements(
    withdrawn.splits,
    isFirstRun ? [] : newArticles.map((article) => readRelease(article, knownArticles, isNew(article))),
    { ...polled, articles: evidence, known: indexArticles(knownArticles.values()) },
  );
  const unfollowed = identify(splits, polled.listed, polled.today, clues).newRecords;
  return {
    patch: {
      ...headerPatch({
        ...header,
        articlesThrough: isFirstRun || polled.complete ? polled.today : header.articlesThrough,
      }),
      replaces: !isSameSource,
      splits: stated.splits.filter((split) => split !== before.splits.get(split.id)),
      articles: newArticles,
      removedArticles: [
        ...[...storedArticles.values()].filter((article) => isExpired(article, polled.today)),
        ...movedFrom(moved, storedArticles, polled.receivedUrls),
      ].map(({ url }) => url),
    },
    events: [
      ...withdrawn.events,
      ...stated.events,
      ...newReleases.flatMap((article) => releaseEvents(article, { splits, unfollowed }, { ...polled, knownArticles })),
    ],
    treatmentAnnouncements: newTreatments(
      splits,
      { ...before, articles: knownArticles },
      { ...polled, articles: evidence },
    ),
  };
}

/** New and changed articles, oldest first. Without expired articles, which would be purged and count as new at every poll. */
function selectNewArticles(
  { newArticles, today }: PolledArticles,
  knownArticles: ReadonlyMap<string, KnownArticle>,
): KnownArticle[] {
  return [...byUrl(sortOldestFirst(newArticles)).values()].filter(
    (article) => knownArticles.get(article.url)?.version !== article.version && !isExpired(article, today),
  );
}

/**
 * Finds articles whose URL has changed: the source lists a new URL, and no longer lists the known article with the same text.
 * Returns the known articles by new URL, so that a source whose URLs contain a session id triggers no events again.
 */
function movedArticles(
  articles: readonly KnownArticle[],
  stored: ReadonlyMap<string, KnownArticle>,
  receivedUrls: ReadonlySet<string>,
): ReadonlyMap<string, KnownArticle> {
  const candidates = articles.filter(({ url }) => !stored.has(url));
  if (candidates.length === 0) return new Map();
  const unlisted = [...stored.values()].filter(({ url }) => !receivedUrls.has(url));
  const byText = new Map(unlisted.map((article) => [textKey(article), article]));
  return new Map(
    candidates.flatMap((article) => {
      const before = byText.get(textKey(article));
      return before ? [[article.url, before] as const] : [];
    }),
  );
}

/** The known articles that the moved ones replace. */
function movedFrom(
  moved: ReadonlyMap<string, KnownArticle>,
  stored: ReadonlyMap<string, KnownArticle>,
  receivedUrls: ReadonlySet<string>,
): readonly KnownArticle[] {
  const keys = new Set([...moved.values()].map(textKey));
  return [...stored.values()].filter((article) => !receivedUrls.has(article.url) && keys.has(textKey(article)));
}

/** Equal for the same text at another URL. */
function textKey({ source, published, version, heading }: KnownArticle): string {
  return JSON.stringify([source, published, version, heading]);
}

function byUrl(articles: readonly KnownArticle[]): ReadonlyMap<string, KnownArticle> {
  return new Map(articles.map((article) => [article.url, article]));
}

function isExpired(article: KnownArticle, today: Day): boolean {
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
  { at, sample, knownArticles }: PolledArticles & { readonly knownArticles: ReadonlyMap<string, KnownArticle> },
): readonly ReleaseEvent[] {
  const before = knownArticles.get(article.url);
  const linkedRows = linkedSplits(article, splits).map(({ id, record }) => ({ splitId: id, record }));
  const newRows = unfollowed.filter((record) => isAbout(article, record)).map((record) => ({ record }));
  const base = { at, sample, article, splits: [...linkedRows, ...newRows] };
  const isNewlyEarly = isEarly(article) && !(before && isEarly(before));
  return [
    ...(isNewlyEarly ? [{ kind: "early", id: eventIds.early(article), ...base } as const] : []),
    ...(before ? [] : [{ kind: "article", id: eventIds.article(article), ...base } as const]),
  ];
}

/** True if the release precedes a split: an approval, or a range of ratios to choose from. */
function isEarly({ kind }: KnownArticle): boolean {
  return kind === "approval_only" || kind === "ratio_range";
}

/** Applies withdrawals and reinstatements. Only withdrawals create events; a reinstating release has its `article` event. */
function applyNewReleases(
  newReleases: readonly KnownArticle[],
  splits: readonly Split[],
  context: ArticleContext,
): { readonly splits: readonly Split[]; readonly events: readonly Withdrawn[] } {
  const after = new Map(splits.map((split) => [split.id, split]));
  const events: Withdrawn[] = [];
  const revise = (split: Split): Split => {
    const revised = { ...split, revision: split.revision + 1 };
    after.set(split.id, revised);
    return revised;
  };
  for (const article of newReleases.filter(isWithdrawalRelease)) {
    for (const split of withdraw(article, [...after.values()], context.today))
      events.push(withdrawalEvent(revise(split), article, context));
  }
  for (const article of newReleases.filter(isReinstatementRelease)) {
    for (const split of reinstate(article, [...after.values()], context.articles)) revise(split);
  }
  return { splits: [...after.values()], events };
}

/** A correction counts as seen later only if it states something else. */
function seenAtOf(
  article: KnownArticle,
  moved: ReadonlyMap<string, KnownArticle>,
  known: ReadonlyMap<string, KnownArticle>,
): Instant {
  const before = moved.get(article.url) ?? known.get(article.url);
  return before !== undefined && isSameStatement(before, article) ? before.seenAt : article.seenAt;
}

function readRelease(article: KnownArticle, known: ReadonlyMap<string, KnownArticle>, isNew: boolean): ReadRelease {
  const before = known.get(article.url);
  return { article, before, isSilent: !isNew && before === undefined };
}

/** Adds the releases' statements to the splits, and reports those that changed, unless the list that follows reports them. */
function applyStatements(
  splits: readonly Split[],
  releases: readonly ReadRelease[],
  context: PolledArticles & ArticleContext & { readonly known: ArticleIndex },
): { readonly splits: readonly Split[]; readonly events: readonly Changed[] } {
  const after = new Map(splits.map((split) => [split.id, split]));
  const events: Changed[] = [];
  const listed = listedRecords(splits);
  for (const split of addStatements(splits, releases, context)) {
    const reported = context.beforeList === true ? null : reportStatements(split, { ...context, listed });
    after.set(split.id, reported?.split ?? split);
    if (reported !== null) events.push(reported.event);
  }
  return { splits: [...after.values()], events };
}

function newTreatments(
  splits: readonly Split[],
  before: Pick<Snapshot, "articles" | "past">,
  { articles, at, today, sample }: ArticleContext,
): readonly Announced[] {
  const earlierArticles = indexArticles(before.articles.values());
  const listedRows = listedRecords(splits);
  return splits
    .filter((split) => split.status === "listed" && split.revision > 0 && split.record.exDate >= today)
    .flatMap(({ id, record, statements }) => {
      const evidence = evidenceWithOtherRows(record, listedRows, articles);
      const treatment = evidence.fraction?.treatment;
      const isStated = fractionOf(record, earlierArticles) !== null || (statements?.current.fraction ?? null) !== null;
      if (treatment === undefined || isStated) return [];
      const serial = repeatSplitsOf(record, before.past.values(), sample);
      const eventId = eventIds.stated(id, treatment);
      const base = { id: eventId, at, sample, splitId: id, record, ...evidence };
      return [{ kind: "announced", ...base, serial, alreadyEffective: false }];
    });
}
