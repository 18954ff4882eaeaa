import { z } from "zod";
import { WIRES } from "../domain/article/wire.ts";
import { parseDay } from "../domain/time/day.ts";

/**
 * Wire format of the data service, used by its answers, its OpenAPI document, the sample and the folder source.
 * The client also reads other services, so it accepts more spellings of the same fields: see `rows.ts`.
 */

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 40;

/** Response header that marks sample data; absent for live data. */
export const DATA_HEADER = "X-Splitwatch-Data";
export const SAMPLE_DATA = "sample";

/** Files of a source folder, with one record per line in the wire format. */
export const SPLITS_FILE = "splits.jsonl";
export const ARTICLES_FILE = "articles.jsonl";

const day = z
  .string()
  .refine((text) => parseDay(text) !== undefined, "expected a day as YYYY-MM-DD")
  .meta({ format: "date", description: "A day, YYYY-MM-DD", example: "2026-03-10" });

export const splitRow = z
  .strictObject({
    ticker: z.string().min(1).meta({ description: "Symbol of the security that is reverse split", example: "ACME" }),
    exchange: z.string().min(1).meta({
      description: "Stock exchange where the security is traded, in upper case, without spaces",
      pattern: "^[A-Z][A-Z0-9]+$",
      example: "NASDAQ",
    }),
    company: z.string().meta({ description: "Company name", example: "Acme Robotics Inc." }),
    ratio: z.string().min(1).meta({
      description: "Ratio of the reverse split as new:old in lowest integers; 1-for-7.7 is 10:77",
      pattern: "^[1-9][0-9]*:[1-9][0-9]*$",
      example: "1:20",
    }),
    ex_date: day.meta({ description: "First trading day at the new adjusted price" }),
    date_announced: day
      .nullable()
      .meta({ description: "Day on which the reverse split was announced; null if unknown", example: "2026-02-27" }),
  })
  .meta({ id: "Split", description: "One reverse split" });

export const articleRow = z
  .strictObject({
    source: z.enum(WIRES).meta({ description: "News wire that published the article", example: "globenewswire" }),
    heading: z.string().meta({
      description: "Title of the article",
      example: "Acme Robotics Announces 1-for-20 Reverse Stock Split",
    }),
    url: z.url().meta({ description: "Direct URL of the article", example: "https://wire.example/acme-1" }),
    content: z.string().meta({
      description: "Body of the article as plain text; may contain line breaks and is long",
      example: "Acme Robotics Inc. (NASDAQ: ACME) will combine every twenty shares into one.",
    }),
    date_published: day.meta({ description: "Day on which the article was published", example: "2026-02-27" }),
  })
  .meta({ id: "Article", description: "One press release" });

export const splitsAnswer = z.strictObject({ data: z.array(splitRow) }).meta({ id: "Splits" });

export const articlesAnswer = z
  .strictObject({
    articles: z.array(articleRow).meta({ description: "The articles of this page, newest first" }),
    total_results: z.int().min(0).meta({ description: "Number of articles found by the search", example: 1 }),
    total_pages: z.int().min(0).meta({ description: "Number of pages; 0 without results", example: 1 }),
    page_number: z.int().min(0).meta({ description: "Number of the page, counted from 0", example: 0 }),
    page_size: z
      .int()
      .min(1)
      .max(MAX_PAGE_SIZE)
      .meta({ description: "The requested page size", example: DEFAULT_PAGE_SIZE }),
  })
  .meta({ id: "Articles" });

/** Error codes of the embedded service and their statuses. */
export const PROBLEM_STATUSES = {
  bad_parameter: 400,
  key_missing: 401,
  key_unknown: 401,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  internal: 500,
  not_ready: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUSES;

/** Error answer of the embedded service (RFC 9457). */
export const problemAnswer = z
  .strictObject({
    type: z.literal("about:blank").meta({ description: "Always about:blank; `code` distinguishes the cases" }),
    title: z.string().meta({ description: "The status phrase" }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "Human-readable problem and remedy" }),
    code: z
      .enum(Object.keys(PROBLEM_STATUSES) as [ProblemCode, ...ProblemCode[]])
      .meta({ description: "Machine-readable error code" }),
    parameter: z.string().optional().meta({ description: "The invalid parameter" }),
    allowed: z.array(z.string()).optional().meta({ description: "The allowed values, if they are few" }),
  })
  .meta({ id: "Problem", description: "An error, RFC 9457" });

export type SplitRow = z.infer<typeof splitRow>;
export type ArticleRow = z.infer<typeof articleRow>;
export type ArticlesAnswer = z.infer<typeof articlesAnswer>;
