import type { Fraction, ReleaseKind, StatedTerms } from "../domain/article/article.ts";
import type { Day } from "../domain/time/day.ts";
import type { Mention } from "./mentions.ts";
import type { Sentence } from "./sentences.ts";

export type FactField =
  | "kind"
  | "ticker"
  | "exchange"
  | "company"
  | "ratio"
  | "exDate"
  | "announced"
  | "fraction"
  | "level"
  | "newCusip";

export type Evidence = Readonly<Partial<Record<FactField, string>>>;

/** The terms of one split with the sentence that each came from, where that is not the release's common one. */
export interface SplitFacts extends StatedTerms {
  readonly evidence: Evidence;
}

/** The share that a release is about, whether or not that is split. */
export type Security = Pick<StatedTerms, "ticker" | "exchange" | "company">;

/** What a release says. What it does not say is null, or missing from its list. */
export interface ArticleFacts {
  readonly kind: ReleaseKind;
  /** The tickers that the text gives as such, each once per exchange, in order of appearance. */
  readonly mentions: readonly Mention[];
  readonly security: Security;
  readonly fraction: Fraction | null;
  /** When the release was first sent out, by its own dateline. */
  readonly announced: Day | null;
  /** One for each split that it speaks of; none where it announces, moves or calls off none. */
  readonly splits: readonly SplitFacts[];
  /** The fields on which the text contradicts itself. They are null. */
  readonly contradictions: readonly FactField[];
  /** The sentence that each field came from, word for word. */
  readonly evidence: Evidence;
}

/** The evidence of one field, where there is any. */
export function quote(field: FactField, sentence: Sentence | null | undefined): Evidence {
  return sentence ? { [field]: sentence.verbatim } : {};
}
