import { z } from "zod";
import { WIRES } from "../domain/article/article.ts";
import { parseDay } from "../domain/time/day.ts";

/**
 * The interface of a Reverse Stock Split Data Service as the embedded one promises it: it answers and describes itself by
 * these schemas. Another service may write a ratio or a date differently, so the client reads rows by the lenient
 * schemas in `records.ts`.
 */

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 40;

const day = z
  .string()
  .refine((text) => parseDay(text) !== undefined, "expected a day as YYYY-MM-DD")
  .meta({ format: "date", description: "A day, YYYY-MM-DD", examples: ["2026-03-10"] });

const wire = z.enum(WIRES);

export const splitRow = z
  .object({
    ticker: z
      .string()
      .min(1)
      .meta({ description: "Symbol of the security that is reverse split", examples: ["ACME"] }),
    exchange: z
      .string()
      .min(1)
      .meta({
        description: "Stock exchange where the security is traded, in upper case, without blanks",
        pattern: "^[A-Z][A-Z0-9]+$",
        examples: ["NASDAQ"],
      }),
    company: z.string().meta({ description: "Company name", examples: ["Acme Robotics Inc."] }),
    ratio: z
      .string()
      .min(1)
      .meta({
        description: "Ratio of the reverse split as new:old in lowest integers; 1-for-7.7 is 10:77",
        pattern: "^[1-9][0-9]*:[1-9][0-9]*$",
        examples: ["1:20"],
      }),
    ex_date: day.meta({ description: "First trading day at the new adjusted price" }),
    date_announced: day
      .nullable()
      .meta({ description: "Day on which the reverse split was announced; null when not known" }),
  })
  .meta({ id: "Split", description: "One reverse split" });

export const articleRow = z
  .object({
    source: wire.meta({ description: "News wire that published the article" }),
    heading: z.string().meta({ description: "Title of the article" }),
    url: z.url().meta({ description: "Direct address of the article" }),
    content: z.string().meta({ description: "Body of the article as plain text; may hold line breaks and is long" }),
    date_published: day.meta({ description: "Day on which the article was published" }),
  })
  .meta({ id: "Article", description: "One press release" });

export const splitsAnswer = z.object({ data: z.array(splitRow) }).meta({ id: "Splits" });

/** The pages and sizes that may be asked for. */
export const pageNumber = z.int().min(0).meta({ description: "Number of the page, counted from 0" });
export const pageSize = z.int().min(1).max(MAX_PAGE_SIZE).meta({ description: "Results per page" });

export const articlesAnswer = z
  .object({
    articles: z.array(articleRow).meta({ description: "The articles of this page, newest first" }),
    total_results: z.int().min(0).meta({ description: "Number of articles found by the search" }),
    total_pages: z.int().min(0).meta({ description: "Number of pages the results span; 0 when there is none" }),
    page_number: pageNumber,
    page_size: pageSize.meta({ description: "The page size asked for" }),
  })
  .meta({ id: "Articles" });

export const PROBLEM_CODES = [
  "bad_parameter",
  "key_missing",
  "key_unknown",
  "not_found",
  "method_not_allowed",
  "rate_limited",
  "not_ready",
  "internal",
] as const;

/** What the embedded service answers instead, as RFC 9457 has it. */
export const problemAnswer = z
  .object({
    type: z.literal("about:blank").meta({ description: "The status says it all; `code` tells cases apart" }),
    title: z.string().meta({ description: "The name of the status" }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "What was wrong and what to do, for people" }),
    code: z.enum(PROBLEM_CODES).meta({ description: "What was wrong, for programs" }),
    parameter: z.string().optional().meta({ description: "The parameter that was wrong" }),
    allowed: z.array(z.string()).optional().meta({ description: "What may stand there, where it is a short list" }),
  })
  .meta({ id: "Problem", description: "An error, RFC 9457" });

/** Days as parameters have the form of those in records. */
export const dayParameter = day;
export const wireParameter = wire;

export type SplitRow = z.infer<typeof splitRow>;
export type ArticleRow = z.infer<typeof articleRow>;
export type ArticlesAnswer = z.infer<typeof articlesAnswer>;
export type ProblemCode = (typeof PROBLEM_CODES)[number];
export type ProblemAnswer = z.infer<typeof problemAnswer>;
