import { type CallingOff, callingOff, callOffEarlier, isNews } from "./call-off.ts";
import { DAY_MS, type Instant } from "./day.ts";
import { type CalledOff, revisionEventId } from "./event.ts";
import { type ArticleIndex, articlesOn, evidenceOn } from "./evidence.ts";
import type { Reading } from "./reading.ts";
import type { Split } from "./split.ts";
import { termsOn } from "./stated-terms.ts";

/** A reading, and the releases that are known by then. */
type Informed = Pick<Reading, "at" | "today" | "sample"> & { readonly articles: ArticleIndex };

/** So long after a release was read, the row that it calls off may still come to the list. */
const AWAITED_MS = DAY_MS;

/** Tells that `article` calls the split off, which is as it is then. */
export function calledOffEvent(split: Split, article: CallingOff, { at, sample, articles }: Informed): CalledOff {
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
export function calledOffBefore(
  split: Split,
  reading: Informed & { readonly bornAt: Instant },
): { readonly split: Split; readonly event: CalledOff } | null {
  const { articles, at, today, bornAt } = reading;
  const { record } = split;
  const recent = articlesOn(record, articles)
    .filter((article) => isNews(article, bornAt) && at - article.seenAt <= AWAITED_MS)
    .filter((article) => termsOn(article, record)?.exDate !== record.exDate);
  const [after = split] = callOffEarlier(recent, [split], { known: articles, today });
  const release = callingOff(after, articles);
  if (release === undefined) return null;
  const told = { ...after, revision: after.revision + 1 };
  return { split: told, event: calledOffEvent(told, release, reading) };
}
