import { type CatalogSplit, completeSplits } from "../../catalog/catalog-split.ts";
import type { Release } from "../../catalog/release.ts";
import type { ArticleRow, SplitRow } from "../../data-service/schema.ts";
import { ratioCode } from "../../domain/split/ratio.ts";
import { isWire } from "./release-state.ts";
import { namesSplit } from "./split-keywords.ts";

/** Whether what is known of a release speaks of a reverse split. */
export function isOnSplit({ facts, heading, teaser, text }: Release): boolean {
  if (facts === null) return namesSplit(`${heading}\n${teaser}`);
  if (facts.kind !== "other" && facts.kind !== "forward_split") return true;
  return namesSplit(`${heading}\n${text ?? teaser}`);
}

/** The release as `/v1/articles` serves it; null for those of other feeds, on other matters, and whose text is still awaited. */
export function articleRowOf(release: Release): ArticleRow | null {
  const { source, heading, url, text, teaser, published, facts } = release;
  if (facts === null || !isWire(source) || !isOnSplit(release)) return null;
  return {
    source: source as ArticleRow["source"],
    heading,
    url,
    content: text ?? `${heading}\n\n${teaser}`.trim(),
    date_published: published,
  };
}

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
