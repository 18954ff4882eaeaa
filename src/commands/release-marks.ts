import type { KnownArticle } from "../domain/article/article.ts";
import { isSameCompany } from "../domain/article/company-name.ts";
import { isIssuersOwn, unlistedTerms } from "../domain/article/evidence.ts";
import { isContradictionByOther, withdrawingRelease } from "../domain/diff/withdrawal.ts";
import type { Split } from "../domain/split/split.ts";
import { type ReleaseMark, releaseMarkText } from "../messages/release-marks.ts";
import type { CommandContext } from "./context.ts";
import { type CurrentData, splitsOfRelease } from "./current-data.ts";

/** Marks of a release that isn't the issuer's own, that nobody confirms, or that withdraws a split which is still listed. */
export function releaseMarks(
  article: KnownArticle,
  data: CurrentData,
  { source }: Pick<CommandContext, "source">,
): readonly string[] {
  const splits = splitsOfRelease(data, article);
  const marks = [...speakerMarks(article, splits, data), ...listingMarks(article, splits, { data, source })];
  return [...new Set(marks.map(releaseMarkText))];
}

function speakerMarks(article: KnownArticle, splits: readonly Split[], { time }: CurrentData): readonly ReleaseMark[] {
  const company = article.subject ?? null;
  const records = splits.map(({ record }) => record);
  if (records.length === 0) {
    const companies = unlistedTerms(article, [], time.today).flatMap((terms) => terms.company ?? []);
    const isOther = company !== null && companies.length > 0 && !companies.some((own) => isSameCompany(own, company));
    return isOther ? [{ kind: "not-issuer", company, isIgnored: false }] : [];
  }
  const isIgnored = records.some((record) => isContradictionByOther(article, record));
  const isOwn = records.some((record) => isIssuersOwn(article, record));
  return isOwn && !isIgnored ? [] : [{ kind: "not-issuer", company, isIgnored }];
}

function listingMarks(
  article: KnownArticle,
  splits: readonly Split[],
  { data, source: { live } }: { readonly data: CurrentData; readonly source: CommandContext["source"] },
): readonly ReleaseMark[] {
  const conflicts = splits.flatMap(({ record }) => live?.splitOf(record)?.conflicts ?? []);
  const marks = conflicts.flatMap((conflict): readonly ReleaseMark[] => {
    if (conflict.url !== article.url) return [];
    if (conflict.kind === "unconfirmed") return [{ kind: "unconfirmed" }];
    if (conflict.kind !== "still-listed" || live === null) return [];
    return [{ kind: "still-listed", source: live.labelOf(conflict.listedSource) }];
  });
  const isListed = splits.some(
    (split) => split.status === "listed" && withdrawingRelease(split, data.articles)?.url === article.url,
  );
  return live === null && isListed ? [{ kind: "still-listed", source: "the list" }] : marks;
}
