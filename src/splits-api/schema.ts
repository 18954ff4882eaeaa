import { z } from "zod";
import { WIRES } from "../core/article.ts";
import { parseDay } from "../core/day.ts";

/** The interface of the data service, both ends of it. DATA-SERVICE.md is its source. */

const day = z
  .string()
  .refine((text) => parseDay(text) !== undefined, "expected a day as YYYY-MM-DD")
  .meta({ format: "date", description: "A day, YYYY-MM-DD" });

export const splitRow = z
  .object({
    ticker: z.string().min(1).meta({ description: "Symbol of the security that is reverse split" }),
    exchange: z.string().min(1).meta({ description: "Stock exchange where the security is traded, in upper case" }),
    company: z.string().meta({ description: "Company name" }),
    ratio: z
      .string()
      .min(1)
      .meta({ description: "Ratio of the reverse split as new:old in lowest integers", examples: ["1:20"] }),
    ex_date: day.meta({ description: "First trading day at the new adjusted price" }),
    date_announced: day
      .nullable()
      .meta({ description: "Day on which the reverse split was announced; null when not known" }),
  })
  .meta({ id: "Split" });

export const articleRow = z
  .object({
    source: z.enum(WIRES).meta({ description: "News wire that published the article" }),
    heading: z.string().meta({ description: "Title of the article" }),
    url: z.url().meta({ description: "Direct address of the article" }),
    content: z.string().meta({ description: "Body of the article as plain text; may hold line breaks and is long" }),
    date_published: day.meta({ description: "Day on which the article was published" }),
  })
  .meta({ id: "Article" });

export const splitsAnswer = z.object({ data: z.array(splitRow) }).meta({ id: "Splits" });

export const articlesAnswer = z
  .object({
    articles: z.array(articleRow),
    total_results: z.int().min(0).meta({ description: "Number of articles found by the search" }),
    total_pages: z.int().min(0).meta({ description: "Number of pages the results span; 0 when there is none" }),
    page_number: z.int().min(0).meta({ description: "Number of this page, counted from 0" }),
    page_size: z.int().min(1).max(40).meta({ description: "The page size asked for" }),
  })
  .meta({ id: "Articles" });

export type SplitRow = z.infer<typeof splitRow>;
export type ArticleRow = z.infer<typeof articleRow>;

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 40;
