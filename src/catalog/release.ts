import { z } from "zod";
import { tickerMentionSchema } from "../domain/article/article.ts";
import { countSchema, type Infer } from "../domain/schema.ts";
import { daySchema, instantSchema } from "../domain/time/day.ts";
import { articleFactsSchema } from "../extraction/facts.ts";

export const releaseSchema = z.object({
  /** Identifies it: a correction appears at the same address. */
  url: z.string(),
  /** One of the five wires, or the name of a configured feed. */
  source: z.string(),
  heading: z.string(),
  /** The feed's summary; may be empty. */
  teaser: z.string(),
  /** The tickers that the feed itself gives. */
  tickers: z.array(tickerMentionSchema),
  /** Null: the feed gives no time. */
  publishedAt: instantSchema.nullable(),
  published: daySchema,
  foundAt: instantSchema,
  /** Hash of what the feed showed last; changes with each correction. */
  version: z.string(),
  /** The version that `text` belongs to; null or another version while the page is pending. */
  readVersion: z.string().nullable(),
  /** When the page was last read. */
  readAt: instantSchema.nullable(),
  /** How often the page was read; limited, because some feeds change with every request. */
  reads: countSchema,
  /** The text of the page; null until it was read for the first time. */
  text: z.string().nullable(),
  /** Extracted from the text, or from the feed's item if there is no text and none is expected soon. */
  facts: articleFactsSchema.nullable(),
  /** Failed attempts to read the current version. */
  tries: countSchema,
  /** Why the last attempt failed; null if none did. */
  problem: z.string().nullable(),
  /** The page is not read before this time. */
  notBefore: instantSchema,
});

/** A press release from a wire, as stored. */
export type Release = Infer<typeof releaseSchema>;

/** Whether its page has yet to be read, for the first time or after a correction. */
export function isPending({ version, readVersion }: Release): boolean {
  return version !== readVersion;
}
