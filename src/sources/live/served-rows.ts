import { isSameSecurity } from "../../catalog/catalog-observation.ts";
import { type CatalogSplit, completeSplits } from "../../catalog/catalog-split.ts";
import { isFiling, type Release } from "../../catalog/release.ts";
import type { ArticleRow, SplitRow } from "../../data-service/schema.ts";
import type { Article } from "../../domain/article/article.ts";
import { isWire } from "../../domain/article/wire.ts";
import { ratioCode } from "../../domain/split/ratio.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { concernsReverseSplit } from "../split-keywords.ts";

/** Row of `/v1/articles`; null for releases of configured feeds, about other topics, or whose text isn't read yet. */
export function articleRowOf(release: Release): ArticleRow | null {
  const { source, heading, url, text, teaser, published, facts } = release;
  if (facts === null || !isWire(source) || !concernsReverseSplit(release)) return null;
  return {
    source,
    heading,
    url,
    content: text ?? `${heading}\n\n${teaser}`.trim(),
    date_published: published,
  };
}

/**
 * Article about an approval or a range of ratios that a filing reports; null for other releases. Only the bot reads these
 * articles, because `/v1/articles` serves only releases of wires.
 */
export function earlyReportOf(release: Release, labelOf: (source: string) => string): Article | null {
  const { source, heading, url, text, published, facts } = release;
  const isEarly = facts?.kind === "approval_only" || facts?.kind === "ratio_range";
  if (!isEarly || !text || isWire(source) || !isFiling(release)) return null;
  return { source: labelOf(source), heading, url, content: text, published };
}

/** Rows of `/v1/splits`, one for each listing whose terms are complete. */
export function splitRowsOf(split: CatalogSplit): readonly SplitRow[] {
  return completeSplits(split).map(({ ticker, exchange, company, ratio, exDate, announced }) => ({
    ticker,
    exchange,
    company,
    ratio: ratioCode(ratio),
    ex_date: exDate,
    date_announced: announced,
  }));
}

/** Finds the split of a row, even if the split's ex date changed after the row was served. Null if no source lists the split. */
export function splitOfRow(
  splits: readonly CatalogSplit[],
  { ticker, exchange, exDate }: Pick<SplitRecord, "ticker" | "exchange" | "exDate">,
): CatalogSplit | null {
  const candidates = splits.filter(({ listings }) =>
    listings.some((listing) => isSameSecurity(listing, { ticker, exchange })),
  );
  return (
    candidates.find((split) => split.exDate === exDate) ??
    candidates.find(({ observations }) => observations.some((observation) => observation.exDate === exDate)) ??
    null
  );
}
