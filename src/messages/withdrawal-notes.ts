import { describeSpeakerConflict } from "../catalog/speaker-conflicts.ts";
import type { ArticleIndex } from "../domain/article/evidence.ts";
import { type DisputedWithdrawal, disputedWithdrawals } from "../domain/diff/withdrawal.ts";
import type { Split } from "../domain/split/split.ts";
import type { Day } from "../domain/time/day.ts";
import { formatDay } from "./format.ts";

/** Withdrawals of upcoming splits that the list still has: those that aren't applied, and the issuer's. Sentences without a period. */
export function withdrawalNotes(splits: Iterable<Split>, articles: ArticleIndex, today: Day): readonly string[] {
  const upcoming = [...splits].filter(({ record }) => record.exDate >= today);
  return upcoming.flatMap((split) => disputedWithdrawals(split, articles).map((one) => noteOf(split, one)));
}

function noteOf({ record }: Split, { article, isIssuersOwn }: DisputedWithdrawal): string {
  const { kind, published: day, url, subject = null } = article;
  const conflict = isIssuersOwn
    ? ({ kind: "still-listed", day, url, status: kind, listedUrl: "", listedSource: "list" } as const)
    : ({ kind: "not-issuer", day, url, subject, claim: kind } as const);
  return `${record.ticker}: ${describeSpeakerConflict(conflict, (source) => `the ${source}`, formatDay)} (${url})`;
}
