import { parseDay } from "../../src/domain/time/day.ts";
import { extractFacts } from "../../src/extraction/extract.ts";

/** A text with its publication day, if known, and its terms: kind, ratio, ex date with its basis, treatment of fractions. */
export interface TermsCase {
  readonly heading: string;
  readonly content: string;
  readonly published?: string;
  readonly terms: string | readonly string[];
}

/** Terms in the notation of `TermsCase`: `reverse_split | 1:20 2026-05-04 trading | round_up holder`. */
export function readTerms({ heading, content, published = "" }: Omit<TermsCase, "terms">): string {
  const { kind, splits, fraction } = extractFacts({ heading, content, published: parseDay(published) ?? null });
  const terms = splits.map(({ ratio, exDate, exDateBasis }) =>
    [ratio ? `${ratio.newShares}:${ratio.oldShares}` : "-", exDate ?? "-", exDateBasis ?? "-"].join(" "),
  );
  return [kind, ...terms, fraction?.treatment ?? "-"].join(" | ");
}
