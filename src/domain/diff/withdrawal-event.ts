import { revisionEventId, type Withdrawn } from "../alert/event.ts";
import { type ArticleIndex, articlesOn, evidenceOn } from "../article/evidence.ts";
import { termsOn } from "../article/stated-terms.ts";
import type { Split } from "../split/split.ts";
import { DAY_MS, type Instant } from "../time/day.ts";
import type { PolledList } from "./snapshot.ts";
import { applyEarlierWithdrawals, isNewRelease, type WithdrawalRelease, withdrawingRelease } from "./withdrawal.ts";

/** A reading, and the releases that are known by then. */
type Informed = Pick<PolledList, "at" | "today" | "sample"> & { readonly articles: ArticleIndex };

/** So long after a release was read, the row that it calls off may still come to the list. */
const AWAITED_MS = DAY_MS;

/** Tells that `article` calls the split off, which is as it is then. */
export function withdrawalEvent(
  split: Split,
  article: WithdrawalRelease,
  { at, sample, articles }: Informed,
): Withdrawn {
  const { id, revision, record, status } = split;
  return {
    kind: article.kind,
    id: revisionEventId(id, revision),
    at,
    sample,
    splitId: id,
    record,
    ...evidenceOn(record, articles),
    article,
    explainsMissing: status === "missing",
  };
}

/**
 * A split that is announced now, and that a release called off which was read shortly before the list showed it. Null where
 * none did, or where that release names the very date that the list shows.
 */
export function withdrawnBeforeListing(
  split: Split,
  reading: Informed & { readonly startedAt: Instant },
): { readonly split: Split; readonly event: Withdrawn } | null {
  const { articles, at, today, startedAt } = reading;
  const { record } = split;
  const recent = articlesOn(record, articles)
    .filter((article) => isNewRelease(article, startedAt) && at - article.seenAt <= AWAITED_MS)
    .filter((article) => termsOn(article, record)?.exDate !== record.exDate);
  const [after = split] = applyEarlierWithdrawals(recent, [split], { known: articles, today });
  const release = withdrawingRelease(after, articles);
  if (release === undefined) return null;
  const told = { ...after, revision: after.revision + 1 };
  return { split: told, event: withdrawalEvent(told, release, reading) };
}
