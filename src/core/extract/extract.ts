import type { Article, Fraction, ReleaseKind, TickerMention } from "../article.ts";
import { type FractionFound, findFraction } from "./fraction.ts";
import { findKind } from "./kind.ts";
import { listMentions, type Mention } from "./mentions.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { plainText } from "./text.ts";
import { type FoundTicker, findTickers } from "./tickers.ts";

export type FactField = "kind" | "ticker" | "fraction";

/** What a release says. What it does not say is null, or missing from its list. */
export interface ArticleFacts {
  readonly kind: ReleaseKind;
  /** The tickers that the text gives as such, each once per exchange, in order of appearance. */
  readonly mentions: readonly Mention[];
  readonly fraction: Fraction | null;
  /** The fields on which the text contradicts itself. They are null. */
  readonly contradictions: readonly FactField[];
  /** The sentence that each field came from, word for word. */
  readonly evidence: Readonly<Partial<Record<FactField, string>>>;
}

/** News of a reverse split to come. In any other release a fraction is that of a merger, or of a split that is over. */
const KINDS_WITH_FRACTION: readonly ReleaseKind[] = [
  "reverse_split",
  "ads_ratio_change",
  "postponed",
  "approval_only",
  "ratio_range",
];

const NO_FRACTION: FractionFound = { fraction: null, contradicts: false };

/** The heading, or the body. */
interface Part {
  readonly sentences: readonly Sentence[];
  readonly found: readonly FoundTicker[];
}

/** Reads the facts out of one release. Takes time in step with the length of the text, whatever it holds. */
export function extractFacts({ heading, content }: Pick<Article, "heading" | "content">): ArticleFacts {
  const parts = [plainText(heading), plainText(content)].map(
    (text, index): Part => ({
      sentences: splitSentences(text, index === 0),
      found: findTickers(text.plain),
    }),
  );
  const sentences = parts.flatMap((part) => part.sentences);
  const { kind, sentence } = findKind(sentences);
  const { fraction, contradicts } = KINDS_WITH_FRACTION.includes(kind) ? findFraction(sentences) : NO_FRACTION;
  const mentions = listMentions(parts.flatMap(({ found }) => found));
  const [first] = mentions;
  return {
    kind,
    mentions,
    fraction,
    contradictions: contradicts ? ["fraction"] : [],
    evidence: {
      ...(sentence && { kind: sentence.verbatim }),
      ...(first && evidenceOfTicker(first, parts)),
      ...(fraction && { fraction: fraction.sentence }),
    },
  };
}

function evidenceOfTicker({ ticker }: TickerMention, parts: readonly Part[]): Partial<Record<FactField, string>> {
  for (const { sentences, found } of parts) {
    const place = found.find((one) => one.ticker === ticker)?.start ?? -1;
    const sentence = sentences.find(({ start, end }) => start <= place && place < end);
    if (sentence) return { ticker: sentence.verbatim };
  }
  return {};
}
