import { z } from "zod";
import { tickerMentionSchema } from "../domain/article/article.ts";
import { countSchema, type Infer } from "../domain/schema-parts.ts";
import { daySchema, instantSchema } from "../domain/time/day.ts";
import { articleFactsSchema } from "../extraction/facts.ts";

export const releaseSchema = z.object({
  /** Identifies the release. A correction has the same address. */
  url: z.string(),
  /** Id of the wire or name of the configured feed. For a filing: the wire that its dateline names, otherwise `sec`. */
  source: z.string(),
  heading: z.string(),
  /** The feed's summary; empty for a filing. */
  teaser: z.string(),
  /** The tickers in the feed, or the share that the SEC lists for the filer. */
  tickers: z.array(tickerMentionSchema),
  /** Null if the feed states no time. */
  publishedAt: instantSchema.nullable(),
  published: daySchema,
  foundAt: instantSchema,
  /** Hash of the current feed item, so that each correction changes the version; for a filing, its accession number. */
  version: z.string(),
  /** Time at which the feed first showed the current version; absent if the release was never corrected. */
  correctedAt: instantSchema.optional(),
  /** The version that `text` belongs to; null or another version while the page is pending. */
  readVersion: z.string().nullable(),
  /** Time of the last read of the page. */
  readAt: instantSchema.nullable(),
  /** Number of reads of the page. Limited, because some feeds change their items, and so `version`, with every request. */
  reads: countSchema,
  /** The text of the page; null until the page has been read once. */
  text: z.string().nullable(),
  /** Extracted from the text, or from the feed item if the page could not be read; null until then. */
  facts: articleFactsSchema.nullable(),
  /** Whether heading and text name a reverse split; absent until the text has been read. */
  mentionsSplit: z.boolean().optional(),
  /** Failed attempts to read the current version. */
  tries: countSchema,
  /** Error of the last failed attempt; null if there is none. */
  problem: z.string().nullable(),
  /** The page is not read before this time. */
  notBefore: instantSchema,
});

/** A publication of an issuer: a press release on a wire, or the exhibit or main document of an SEC filing. */
export type Release = Infer<typeof releaseSchema>;

/** Source id of filings. */
export const SEC = "sec";

/** Whether the release is a document of a filing. Its address decides, because `source` may name a wire. */
export function isFiling({ url }: Release): boolean {
  return /^https?:\/\/[^/]+\/Archives\/edgar\//i.test(url);
}

/** The SEC's number of the company that made the filing, from the document's address; null for a release of a wire. */
export function filerNumber({ url }: Release): string | null {
  return /^https?:\/\/[^/]+\/Archives\/edgar\/data\/0*(\d{1,10})\//i.exec(url)?.[1] ?? null;
}

/** Source in which the release was found: the SEC for a filing, even if its dateline names a wire. */
export function discoverySource(release: Release): string {
  return isFiling(release) ? SEC : release.source;
}

/** Whether the page must be read, for the first time or after a correction. */
export function isPending({ version, readVersion }: Release): boolean {
  return version !== readVersion;
}

/** True until the first attempt to read the page. */
export function isUntried({ text, tries }: Release): boolean {
  return text === null && tries === 0;
}
