import { z } from "zod";
import type { Infer } from "../schema-parts.ts";
import { exchangeSchema } from "../split/exchange.ts";
import { ratioSchema } from "../split/ratio.ts";
import { tickerSchema } from "../split/ticker.ts";
import { type Day, daySchema, instantSchema } from "../time/day.ts";

/** A press release as the data service serves it. */
export interface Article {
  readonly source: string;
  readonly heading: string;
  readonly url: string;
  readonly content: string;
  readonly published: Day;
}

export const releaseKindSchema = z.enum([
  "reverse_split",
  "ads_ratio_change",
  "postponed",
  "cancelled",
  "approval_only",
  "ratio_range",
  "forward_split",
  "completed_past",
  "deficiency",
  "other",
]);

/** The subject of a release. */
export type ReleaseKind = z.infer<typeof releaseKindSchema>;

export const TREATMENTS = ["round_up", "round_nearest", "round_down", "cash_in_lieu"] as const;

export const treatmentSchema = z.enum(TREATMENTS);

/** How fractional shares are settled. */
export type Treatment = z.infer<typeof treatmentSchema>;

export const fractionSchema = z.object({
  treatment: treatmentSchema,
  /** Whether rounding applies per holder or per participant of the clearing house; null if not stated. */
  level: z.enum(["holder", "participant"]).nullable(),
  /** The sentence that states the treatment, verbatim. */
  sentence: z.string(),
});

/** A release's statement on fractional shares. */
export type Fraction = Infer<typeof fractionSchema>;

export const fractionEvidenceSchema = fractionSchema.extend({ url: z.string(), source: z.string() });

/** A release's statement on the fractional shares of a split, with its source. */
export type FractionEvidence = Infer<typeof fractionEvidenceSchema>;

export const ratioRangeSchema = z.object({
  /** The less and the more steep bound; null if the sentence states only one, or none as a ratio. */
  bounds: z.tuple([ratioSchema, ratioSchema]).readonly().nullable(),
  /** The sentence that limits the ratio, verbatim. */
  sentence: z.string(),
});

/** The range of ratios that a release before a split states. */
export type RatioRange = Infer<typeof ratioRangeSchema>;

export const tickerMentionSchema = z.object({ ticker: tickerSchema, exchange: exchangeSchema.nullable() });

/** A ticker named in a text, with the exchange of its tag, such as (NASDAQ: ACME); null if the ticker has no tag. */
export type TickerMention = Infer<typeof tickerMentionSchema>;

export const statedTermsSchema = z.object({
  ticker: tickerSchema.nullable(),
  exchange: exchangeSchema.nullable(),
  /** The issuer's name, or the fund's name if one release covers several funds. */
  company: z.string().nullable(),
  ratio: ratioSchema.nullable(),
  /** First trading day on the split-adjusted basis. */
  exDate: daySchema.nullable(),
  /** Nine characters without spaces. */
  newCusip: z.string().nullable(),
});

/** The terms of one split as a release states them; null if not stated or contradictory. */
export type StatedTerms = Infer<typeof statedTermsSchema>;

const articleTermsSchema = statedTermsSchema.extend({
  /** The sentence that states the new CUSIP, verbatim; absent if none does, and in records of earlier versions. */
  newCusipSentence: z.string().exactOptional(),
});

/** The terms of one split as a stored release has them. */
export type ArticleTerms = Infer<typeof articleTermsSchema>;

export const knownArticleSchema = z.object({
  url: z.string(),
  source: z.string(),
  heading: z.string(),
  /** Hash of the text; changes if the wire corrects the release at the same URL. */
  version: z.string(),
  published: daySchema,
  seenAt: instantSchema,
  kind: releaseKindSchema,
  /** The sentence that shows the kind, verbatim; null if there is none. */
  kindSentence: z.string().nullable(),
  concerns: z.array(tickerMentionSchema),
  /** The company that speaks in the release; null if unknown, absent in records of earlier versions. */
  subject: z.string().nullable().exactOptional(),
  /** The sentence that states a former name of the company that speaks, verbatim; absent if none does. */
  renamedSentence: z.string().exactOptional(),
  fraction: fractionSchema.nullable(),
  /** Absent if there is none, in releases of an announced split, and in records of earlier versions. */
  range: ratioRangeSchema.exactOptional(),
  /** One entry per split; empty if the release announces, moves or withdraws none. */
  terms: z.array(articleTermsSchema),
});

/** An article as stored: everything except its body. */
export type KnownArticle = Infer<typeof knownArticleSchema>;
