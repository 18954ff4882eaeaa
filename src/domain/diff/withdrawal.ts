import { isReinstatement } from "../../extraction/withdrawal.ts";
import { compareText } from "../../lib/compare-text.ts";
import type { Withdrawn } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { type ArticleIndex, articlesOn, isOn } from "../article/evidence.ts";
import type { Split } from "../split/split.ts";
import { addDays, type Day, dayInZone, type Instant } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";

/** A release that says postponed or cancelled. */
export type WithdrawalRelease = KnownArticle & { readonly kind: Withdrawn["kind"] };

export function isWithdrawalRelease(article: KnownArticle): article is WithdrawalRelease {
  return article.kind === "postponed" || article.kind === "cancelled";
}

/** A release that is older than the snapshot was missed by its first run: it is no news. */
export function isNewRelease({ published }: KnownArticle, startedAt: Instant): boolean {
  return published >= addDays(dayInZone(startedAt, MARKET_ZONE), -1);
}

/** Oldest first; those of one day in the order of their addresses, so that no order of reading matters. */
export function oldestFirst<T extends KnownArticle>(articles: readonly T[]): readonly T[] {
  return articles.toSorted((a, b) => compareText(a.published, b.published) || compareText(a.url, b.url));
}

/** The splits that are still to come and that the release calls off anew, as they are then. */
export function withdraw(article: WithdrawalRelease, splits: readonly Split[], today: Day): readonly Split[] {
  return splitsOfIssuer(article, splits)
    .filter(({ withdrawal, record }) => withdrawal?.kind !== article.kind && record.exDate >= today)
    .map((split) => {
      const exDate = isMovedSince(split, article) ? null : split.record.exDate;
      return { ...split, withdrawal: { kind: article.kind, exDate } };
    });
}

/**
 * What releases from before our time called off: no news, but the splits must not be reminded of. `known`: all releases
 * that we know, for a later one may have taken the word back.
 */
export function applyEarlierWithdrawals(
  articles: readonly KnownArticle[],
  splits: readonly Split[],
  { known, today }: { readonly known: ArticleIndex; readonly today: Day },
): readonly Split[] {
  const after = new Map(splits.map((split) => [split.id, split]));
  for (const article of oldestFirst(articles.filter(isWithdrawalRelease))) {
    for (const split of withdraw(article, [...after.values()], today)) {
      if (!isAnnouncedSince(split, article, known)) after.set(split.id, split);
    }
  }
  return [...after.values()];
}

/** A release that says of splits which were called off that they are on again. */
export function isReinstatementRelease({ kind, kindSentence }: KnownArticle): boolean {
  return (kind === "reverse_split" || kind === "ads_ratio_change") && isReinstatement(kindSentence ?? "");
}

/** The splits that were called off and that the release says are on again, as they are then. `known`: what called them off. */
export function reinstate(article: KnownArticle, splits: readonly Split[], known: ArticleIndex): readonly Split[] {
  return splitsOfIssuer(article, splits)
    .filter((split) => (withdrawingRelease(split, known)?.published ?? article.published) <= article.published)
    .filter(({ withdrawal }) => withdrawal !== null)
    .map((split) => ({ ...split, withdrawal: null }));
}

/** The newest release that calls the split off as it stands; undefined where none does, or its date has moved since. */
export function withdrawingRelease(
  { withdrawal, record }: Split,
  articles: ArticleIndex,
): WithdrawalRelease | undefined {
  if (withdrawal === null || withdrawal.exDate === null) return undefined;
  return articlesOn(record, articles)
    .filter(isWithdrawalRelease)
    .find(({ kind }) => kind === withdrawal.kind);
}

/** The splits on the list that a release is about. */
export function linkedSplits(article: KnownArticle, splits: readonly Split[]): readonly Split[] {
  return splits.filter((split) => split.status !== "closed" && isOn(article, split.record));
}

/** A release may name other companies too: it speaks of the one that it names first, under each of its symbols. */
function splitsOfIssuer(article: KnownArticle, splits: readonly Split[]): readonly Split[] {
  const linked = linkedSplits(article, splits);
  const issuer = linked.find(({ record }) => record.ticker === article.concerns[0]?.ticker)?.record;
  return linked.filter(({ record }) => record.ticker === issuer?.ticker || record.company === issuer?.company);
}

/** Upstream may follow a release before we have read it: the date that it shows is then the new one, if it shows any. */
function isMovedSince({ transitionTimes, status }: Split, { kind, published }: WithdrawalRelease): boolean {
  const last = transitionTimes.at(-1);
  if (status === "missing") return false;
  return kind === "postponed" && last !== undefined && dayInZone(last, MARKET_ZONE) >= published;
}

/** A split that was announced after a release had called it off goes ahead on the date that was announced then. */
function isAnnouncedSince({ record }: Split, { published }: WithdrawalRelease, known: ArticleIndex): boolean {
  if (record.dateAnnounced !== null && record.dateAnnounced > published) return true;
  return articlesOn(record, known).some(
    (other) =>
      (other.published > published && (other.kind === "reverse_split" || other.kind === "ads_ratio_change")) ||
      (other.published >= published && isReinstatementRelease(other)),
  );
}
