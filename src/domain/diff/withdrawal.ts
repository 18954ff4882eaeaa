import { isReinstatement } from "../../extraction/withdrawal.ts";
import { compareText } from "../../lib/collections.ts";
import { eventIds, type Withdrawn } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import {
  type ArticleIndex,
  articlesOn,
  disagreementsOn,
  evidenceOn,
  isAbout,
  isIssuersOwn,
  mayWithdraw,
  termsOn,
} from "../article/evidence.ts";
import { type Split, type SplitRecord, symbolsOf } from "../split/split.ts";
import { addDays, DAY_MS, type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";

/** A release that postpones or cancels a split. */
export type WithdrawalRelease = KnownArticle & { readonly kind: Withdrawn["kind"] };

/** Time of a poll, and the releases known at that time. */
export interface ArticleContext {
  readonly at: Instant;
  readonly today: Day;
  readonly sample: boolean;
  readonly articles: ArticleIndex;
}

/** A withdrawal of an unlisted split is applied if the split's row appears on the list within this time. */
const MAX_WAIT_FOR_ROW_MS = DAY_MS;

export function isWithdrawalRelease(article: KnownArticle): article is WithdrawalRelease {
  return article.kind === "postponed" || article.kind === "cancelled";
}

/** True for releases published at most one day before the snapshot was created. Older releases trigger no events. */
export function isNewArticle({ published }: KnownArticle, snapshotCreatedAt: Instant): boolean {
  return published >= addDays(dayInZone(snapshotCreatedAt, MARKET_ZONE), -1);
}

/** Sorts releases oldest first, then by URL, so that the result doesn't depend on the order of arrival. */
export function sortOldestFirst<T extends KnownArticle>(articles: readonly T[]): readonly T[] {
  return articles.toSorted((a, b) => compareText(a.published, b.published) || compareText(a.url, b.url));
}

/** Applies a withdrawal. Returns the changed splits, which are all upcoming. */
export function withdraw(article: WithdrawalRelease, splits: readonly Split[], today: Day): readonly Split[] {
  return splitsOfIssuer(article, splits)
    .filter(({ withdrawal, record }) => withdrawal?.kind !== article.kind && record.exDate >= today)
    .map((split) => {
      const exDate = isMovedSince(split, article) ? null : split.record.exDate;
      return { ...split, withdrawal: { kind: article.kind, exDate } };
    });
}

/**
 * Applies withdrawals without creating events, so that reminders of the withdrawn splits stop. `releases`: all known
 * releases, because a later release may have reinstated a split.
 */
export function applyWithdrawals(
  articles: readonly KnownArticle[],
  splits: readonly Split[],
  { releases, today }: { readonly releases: ArticleIndex; readonly today: Day },
): readonly Split[] {
  const after = new Map(splits.map((split) => [split.id, split]));
  for (const article of sortOldestFirst(articles.filter(isWithdrawalRelease))) {
    for (const split of withdraw(article, [...after.values()], today)) {
      if (!isAnnouncedSince(split, article, releases)) after.set(split.id, split);
    }
  }
  return [...after.values()];
}

/** True for a release that reinstates withdrawn splits. */
export function isReinstatementRelease({ kind, kindSentence }: KnownArticle): boolean {
  return (kind === "reverse_split" || kind === "ads_ratio_change") && isReinstatement(kindSentence ?? "");
}

/** Applies a reinstatement. Returns the changed splits. `releases`: all known releases, which include the withdrawals. */
export function reinstate(article: KnownArticle, splits: readonly Split[], releases: ArticleIndex): readonly Split[] {
  return splitsOfIssuer(article, splits)
    .filter((split) => (withdrawingRelease(split, releases)?.published ?? article.published) <= article.published)
    .filter(({ withdrawal }) => withdrawal !== null)
    .map((split) => ({ ...split, withdrawal: null }));
}

/** Newest release that withdraws the split; undefined if there is none, or if the split's date has moved since. */
export function withdrawingRelease(
  { withdrawal, record }: Split,
  articles: ArticleIndex,
): WithdrawalRelease | undefined {
  if (withdrawal === null || withdrawal.exDate === null) return undefined;
  return articlesOn(record, articles)
    .filter(isWithdrawalRelease)
    .find((article) => article.kind === withdrawal.kind && mayWithdraw(article, record));
}

/** Releases that contradict the listed split and aren't known as the issuer's own, newest first. They aren't applied. */
export function contradictionsByOthers({ record }: Split, articles: ArticleIndex): readonly KnownArticle[] {
  return articlesOn(record, articles).filter((article) => isContradictionByOther(article, record));
}

/** True if a release that isn't known as the issuer's own withdraws the split or states other terms than the list. */
export function isContradictionByOther(article: KnownArticle, record: SplitRecord): boolean {
  if (isWithdrawalRelease(article)) return !mayWithdraw(article, record);
  return !isIssuersOwn(article, record) && disagreementsOn(record, [article]).length > 0;
}

/** A withdrawal in a release of a split that the list still has. */
export interface DisputedWithdrawal {
  readonly article: WithdrawalRelease;
  /** False for a release that isn't applied. */
  readonly isIssuersOwn: boolean;
}

/** Withdrawals in releases although the list still has the split: the issuer's, then those of others, newest first. */
export function disputedWithdrawals(split: Split, articles: ArticleIndex): readonly DisputedWithdrawal[] {
  if (split.status !== "listed") return [];
  const own = withdrawingRelease(split, articles);
  const byOthers = contradictionsByOthers(split, articles).filter(isWithdrawalRelease);
  return [
    ...(own === undefined ? [] : [{ article: own, isIssuersOwn: true }]),
    ...byOthers.map((article) => ({ article, isIssuersOwn: false })),
  ];
}

/** Creates the event of a withdrawal by `article`; `split` is the state after the withdrawal. */
export function withdrawalEvent(
  split: Split,
  article: WithdrawalRelease,
  { at, sample, articles }: ArticleContext,
): Withdrawn {
  const { id, revision, record, status, withdrawal } = split;
  return {
    kind: article.kind,
    id: eventIds.revision(id, revision),
    at,
    sample,
    splitId: id,
    record,
    ...evidenceOn(record, articles),
    article,
    explainsMissing: status === "missing",
    ...(withdrawal?.exDate === null && { isRescheduled: true }),
  };
}

/**
 * Applies a recent withdrawal to a newly listed split. Returns null if there is none, or if the release states the
 * same ex date as the list.
 */
export function withdrawnBeforeListing(
  split: Split,
  context: ArticleContext & { readonly startedAt: Instant },
): { readonly split: Split; readonly event: Withdrawn } | null {
  const { articles, at, today, startedAt } = context;
  const { record } = split;
  const recentReleases = articlesOn(record, articles)
    .filter((article) => isNewArticle(article, startedAt) && at - article.seenAt <= MAX_WAIT_FOR_ROW_MS)
    .filter((article) => termsOn(article, record)?.exDate !== record.exDate);
  const [after = split] = applyWithdrawals(recentReleases, [split], { releases: articles, today });
  const release = withdrawingRelease(after, articles);
  if (release === undefined) return null;
  const withdrawn = { ...after, revision: after.revision + 1 };
  return { split: withdrawn, event: withdrawalEvent(withdrawn, release, context) };
}

/** Open splits (any status except `closed`) that the release is about. */
export function linkedSplits(article: KnownArticle, splits: readonly Split[]): readonly Split[] {
  return splits.filter((split) => split.status !== "closed" && isAbout(article, split.record));
}

/**
 * Splits of the first company that the release names and that speaks in it, under any of its symbols. The release may mention other
 * companies.
 */
function splitsOfIssuer(article: KnownArticle, splits: readonly Split[]): readonly Split[] {
  const own = linkedSplits(article, splits).filter(({ record }) => mayWithdraw(article, record));
  const named = article.concerns.map(({ ticker }) => own.find(({ record }) => symbolsOf(record).includes(ticker)));
  const issuer = named.find((split) => split !== undefined)?.record;
  return own.filter(({ record }) => record.ticker === issuer?.ticker || record.company === issuer?.company);
}

/** True if the list changed the split on or after the day of the postponement: the listed ex date is assumed to be the new one. */
function isMovedSince({ transitionTimes, status }: Split, { kind, published }: WithdrawalRelease): boolean {
  const last = transitionTimes.at(-1);
  if (status === "missing") return false;
  return kind === "postponed" && last !== undefined && dayInZone(last, MARKET_ZONE) >= published;
}

/** True if the split was announced again after the withdrawal. */
function isAnnouncedSince({ record }: Split, { published }: WithdrawalRelease, releases: ArticleIndex): boolean {
  if (record.dateAnnounced !== null && record.dateAnnounced > published) return true;
  const ownReleases = articlesOn(record, releases).filter((other) => mayWithdraw(other, record));
  return ownReleases.some(
    (other) =>
      (other.published > published && (other.kind === "reverse_split" || other.kind === "ads_ratio_change")) ||
      (other.published >= published && isReinstatementRelease(other)),
  );
}
