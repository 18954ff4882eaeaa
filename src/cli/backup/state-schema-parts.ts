import { z } from "zod";
import type { MessageRef } from "../../domain/alert/delivery.ts";
import type { Destination, Person } from "../../domain/alert/destination.ts";
import {
  type Fraction,
  type KnownArticle,
  type ReleaseKind,
  type StatedTerms,
  type TickerMention,
  TREATMENTS,
  WIRES,
} from "../../domain/article/article.ts";
import type { Exchange } from "../../domain/split/exchange.ts";
import type { Ratio } from "../../domain/split/ratio.ts";
import type { SplitId, SplitRecord } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import type { Day, Instant } from "../../domain/time/day.ts";
import type { ArticleFacts, Evidence, FactField } from "../../extraction/facts.ts";

/** A text that means something of its own; that it means it is its writer's word. */
export function text<T extends string = string>(): z.ZodType<T> {
  return z.string() as unknown as z.ZodType<T>;
}

export function oneOf<T extends string>(words: readonly T[]): z.ZodType<T> {
  return z.enum(words);
}

export const instant: z.ZodType<Instant> = z.number();
export const day = z.iso.date() as unknown as z.ZodType<Day>;
export const count: z.ZodType<number> = z.int().nonnegative();
export const ticker = text<Ticker>();
export const exchange = text<Exchange>();
export const splitId = text<SplitId>();
export const treatment = oneOf(TREATMENTS);
export const wire = oneOf(WIRES);

export const destination: z.ZodType<Destination> = z.object({
  platform: text(),
  kind: oneOf(["channel", "person"]),
  id: text(),
});

export const person: z.ZodType<Person> = z.object({ platform: text(), kind: z.literal("person"), id: text() });

export const messageRef: z.ZodType<MessageRef> = z.object({ id: text(), link: text().nullable() });

export const ratio: z.ZodType<Ratio> = z.object({ newShares: z.number(), oldShares: z.number() });

export const splitRecord: z.ZodType<SplitRecord> = z.object({
  ticker,
  exchange,
  company: text(),
  ratioText: text(),
  ratio: ratio.nullable(),
  exDate: day,
  dateAnnounced: day.nullable(),
});

export const releaseKind = oneOf<ReleaseKind>([
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

export const fractionFields = {
  treatment,
  level: oneOf(["holder", "participant"]).nullable(),
  sentence: text(),
};

const fraction: z.ZodType<Fraction> = z.object(fractionFields);

export const tickerMention: z.ZodType<TickerMention> = z.object({ ticker, exchange: exchange.nullable() });

const statedFields = {
  ticker: ticker.nullable(),
  exchange: exchange.nullable(),
  company: text().nullable(),
  ratio: ratio.nullable(),
  exDate: day.nullable(),
  newCusip: text().nullable(),
};

const statedTerms: z.ZodType<StatedTerms> = z.object(statedFields);

export const knownArticle: z.ZodType<KnownArticle> = z.object({
  url: text(),
  source: text(),
  heading: text(),
  version: text(),
  published: day,
  seenAt: instant,
  kind: releaseKind,
  kindSentence: text().nullable(),
  concerns: z.array(tickerMention),
  fraction: fraction.nullable(),
  terms: z.array(statedTerms),
});

const factField = oneOf<FactField>([
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

const evidence: z.ZodType<Evidence> = z.record(z.string(), z.string());

export const articleFacts: z.ZodType<ArticleFacts> = z.object({
  kind: releaseKind,
  mentions: z.array(z.object({ ticker, exchange: exchange.nullable(), tagged: z.boolean() })),
  security: z.object({ ticker: ticker.nullable(), exchange: exchange.nullable(), company: text().nullable() }),
  fraction: fraction.nullable(),
  announced: day.nullable(),
  splits: z.array(z.object({ ...statedFields, evidence })),
  contradictions: z.array(factField),
  evidence,
});
