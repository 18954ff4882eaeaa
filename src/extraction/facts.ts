import { z } from "zod";
import {
  fractionSchema,
  ratioRangeSchema,
  releaseKindSchema,
  statedTermsSchema,
  tickerMentionSchema,
} from "../domain/article/article.ts";
import type { Infer } from "../domain/schema-parts.ts";
import { daySchema } from "../domain/time/day.ts";
import type { Sentence } from "./sentences.ts";

const factFieldSchema = z.enum([
  "kind",
  "ticker",
  "exchange",
  "company",
  "ratio",
  "exDate",
  "announced",
  "fraction",
  "level",
  "newCusip",
]);

export type FactField = z.infer<typeof factFieldSchema>;

/** Verbatim sentence that states each field. */
export type Evidence = Readonly<Partial<Record<FactField, string>>>;

/** Also accepts fields of later versions. */
const evidenceSchema: z.ZodType<Evidence> = z.record(z.string(), z.string());

const mentionSchema = tickerMentionSchema.extend({
  /** Whether the ticker is in an exchange tag or a cashtag, not only in a table or after words such as `under the symbol`. */
  tagged: z.boolean(),
});

export type TaggedTicker = Infer<typeof mentionSchema>;

/** What an ex date is derived from: a statement about trading, or only the day on which the split takes effect. */
const exDateBasisSchema = z.enum(["trading", "effective"]);

export type ExDateBasis = z.infer<typeof exDateBasisSchema>;

/** Facts of one split. `evidence` has only the fields whose sentence differs from that of the release. */
const splitFactsSchema = statedTermsSchema.extend({
  /** Null without an ex date. Missing in facts of earlier versions, whose ex dates are all from statements about trading. */
  exDateBasis: exDateBasisSchema.nullable().optional(),
  evidence: evidenceSchema,
});

export type SplitFacts = Infer<typeof splitFactsSchema>;

const securitySchema = statedTermsSchema.pick({ ticker: true, exchange: true, company: true });

/** Security that a release is about, even if it is not split. */
export type Security = Infer<typeof securitySchema>;

export const articleFactsSchema = z.object({
  kind: releaseKindSchema,
  /** One entry per ticker and exchange, in text order. */
  mentions: z.array(mentionSchema),
  security: securitySchema,
  /**
   * Company that announces, changes or withdraws the split, which may differ from `security.company`; null if unknown.
   * Missing in facts of earlier versions.
   */
  subject: z.string().nullable().optional(),
  fraction: fractionSchema.nullable(),
  /** Only of a release before a split. Missing in facts of earlier versions. */
  range: ratioRangeSchema.exactOptional(),
  /** Day of first publication: the stated one, else that of the dateline. Null for a repost that states none. */
  announced: daySchema.nullable(),
  /** One entry per split; empty if the release announces, postpones or cancels none. */
  splits: z.array(splitFactsSchema),
  /** Fields on which the text contradicts itself; their values are null. */
  contradictions: z.array(factFieldSchema),
  evidence: evidenceSchema,
});

/** Facts that a release states. A fact that is not stated is null or has no entry in its list. */
export type ArticleFacts = Infer<typeof articleFactsSchema>;

export function quoteEvidence(field: FactField, sentence: Sentence | null | undefined): Evidence {
  return sentence ? { [field]: sentence.verbatim } : {};
}
