import { z } from "zod";
import {
  fractionSchema,
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

/** The sentence that each field was read from, verbatim. */
export type Evidence = Readonly<Partial<Record<FactField, string>>>;

/** Accepts fields of later versions, too. */
const evidenceSchema: z.ZodType<Evidence> = z.record(z.string(), z.string());

const mentionSchema = tickerMentionSchema.extend({
  /** In an exchange tag or a cashtag, not only in a table or after words such as `under the symbol`. */
  tagged: z.boolean(),
});

export type TaggedTicker = Infer<typeof mentionSchema>;

/** `evidence`: only where it differs from the release's common evidence. */
const splitFactsSchema = statedTermsSchema.extend({ evidence: evidenceSchema });

export type SplitFacts = Infer<typeof splitFactsSchema>;

const securitySchema = statedTermsSchema.pick({ ticker: true, exchange: true, company: true });

/** The security that a release is about, whether or not it is split. */
export type Security = Infer<typeof securitySchema>;

export const articleFactsSchema = z.object({
  kind: releaseKindSchema,
  /** Each ticker once per exchange, in text order. */
  mentions: z.array(mentionSchema),
  security: securitySchema,
  fraction: fractionSchema.nullable(),
  /** The day of the dateline. */
  announced: daySchema.nullable(),
  /** One entry per split; empty if the release announces, postpones or cancels none. */
  splits: z.array(splitFactsSchema),
  /** Fields on which the text contradicts itself; their values are null. */
  contradictions: z.array(factFieldSchema),
  evidence: evidenceSchema,
});

/** The facts that a release states; null or missing from its list if not stated. */
export type ArticleFacts = Infer<typeof articleFactsSchema>;

export function quoteEvidence(field: FactField, sentence: Sentence | null | undefined): Evidence {
  return sentence ? { [field]: sentence.verbatim } : {};
}
