import { z } from "zod";
import type { Article } from "../../domain/article/article.ts";
import { parsedText } from "../../domain/schema-parts.ts";
import { parseRatio } from "../../domain/split/ratio.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { type Day, parseDay } from "../../domain/time/day.ts";
import { multiLine, oneLine } from "../../lib/external-text.ts";
import type { QuarantinedRecord, SplitList } from "../../ports/split-source.ts";
import { DAY_FORM, exchange, fieldOf, readRow, ticker } from "../rows.ts";

/** Longer texts are cut; a longer URL is invalid. */
const MAX_COMPANY_LENGTH = 300;
const MAX_RATIO_LENGTH = 60;
const MAX_HEADING_LENGTH = 500;
const MAX_SOURCE_LENGTH = 60;
const MAX_URL_LENGTH = 2_000;
const MAX_CONTENT_LENGTH = 200_000;

/** The value of an answer's body, or why it is invalid. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Shortens and redacts received text for a message. */
type Excerpt = (text: string) => string;

/** One page of the article search. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** Identity of each row, usable or not, in the received order. */
  readonly keys: readonly string[];
  /** Number of articles in the search, as stated by the service; null if not readable. */
  readonly total: number | null;
}

/** Value of an optional field. `expected` is set if a value is present but invalid. */
interface Optional<T> {
  readonly value: T | null;
  readonly expected: string | null;
}

/** Field that a record can do without. Null, missing and empty values are valid. */
function optional<T>(read: (text: string) => T | undefined, expected: string) {
  const blank: Optional<T> = { value: null, expected: null };
  return z
    .unknown()
    .transform((value): Optional<T> => {
      if (value === null || (typeof value === "string" && value.trim() === "")) return blank;
      const result = typeof value === "string" ? read(value) : undefined;
      return result === undefined ? { value: null, expected } : { value: result, expected: null };
    })
    .default(blank);
}

const splitFields = z.object({
  ticker,
  exchange,
  company: optional((text) => oneLine(text, MAX_COMPANY_LENGTH), "a name"),
  ratio: parsedText((text) => oneLine(text, MAX_RATIO_LENGTH) || undefined, "a ratio such as 1:20"),
  ex_date: parsedText(readDay, DAY_FORM),
  date_announced: optional(readDay, `${DAY_FORM} or null`),
});

const articleFields = z.object({
  source: optional((text) => oneLine(text, MAX_SOURCE_LENGTH).toLowerCase(), "the name of a wire"),
  heading: parsedText((text) => oneLine(text, MAX_HEADING_LENGTH) || undefined, "a heading"),
  url: parsedText(readUrl, `an http or https address of at most ${MAX_URL_LENGTH} characters`),
  content: optional((text) => multiLine(text, MAX_CONTENT_LENGTH), "a text"),
  date_published: parsedText(readDay, DAY_FORM),
});

const splitsBody = z.object({ data: z.array(z.unknown()) });

const articlesBody = z.object({ articles: z.array(z.unknown()), total_results: z.unknown().optional() });

/**
 * Reads a list of splits. A row without a valid term is quarantined; one with an invalid optional field (company, announcement
 * day) is used without it. Identical rows count once.
 */
export function readSplitList(body: unknown, toExcerpt: Excerpt): Parsed<SplitList> {
  const parsed = splitsBody.safeParse(body);
  if (!parsed.success) return { ok: false, problem: 'expected an object with a list "data"' };
  const { read, quarantined } = rowReader(splitFields, toExcerpt);
  const records = new Map<string, SplitRecord>();
  for (const [index, row] of parsed.data.data.entries()) {
    const fields = read(row, `data[${index}]`);
    if (!fields) continue;
    const record = toSplitRecord(fields);
    records.set(JSON.stringify(record), record);
  }
  if (records.size === 0 && quarantined.length > 1) {
    return { ok: false, problem: `none of ${quarantined.length} rows can be used: ${quarantined[0]?.reason}` };
  }
  return { ok: true, value: { records: [...records.values()], quarantined } };
}

export function readArticlePage(body: unknown, toExcerpt: Excerpt): Parsed<ArticlePage> {
  const parsed = articlesBody.safeParse(body);
  if (!parsed.success) return { ok: false, problem: 'expected an object with a list "articles"' };
  const { articles: rows, total_results: total } = parsed.data;
  const { read, quarantined } = rowReader(articleFields, toExcerpt);
  const articles = rows.flatMap((row, index) => {
    const fields = read(row, `articles[${index}]`);
    return fields ? [toArticle(fields)] : [];
  });
  return { ok: true, value: { articles, quarantined, keys: rows.map(keyOf), total: readCount(total) } };
}

/** Reads rows with a schema and collects the reasons for what cannot be used. */
function rowReader<T extends object>(schema: z.ZodType<T>, toExcerpt: Excerpt) {
  const quarantined: QuarantinedRecord[] = [];
  const show = (value: unknown): string => (value === undefined ? "nothing" : toExcerpt(JSON.stringify(value)));
  return {
    quarantined,
    read: (row: unknown, at: string): T | undefined => {
      const result = readRow(schema, row, { at, show });
      if (!result.ok) {
        quarantined.push({ ticker: tickerOf(row), reason: result.reason });
        return undefined;
      }
      for (const [name, field] of Object.entries(result.row) as [string, Partial<Optional<unknown>> | string][]) {
        if (typeof field === "string" || !field.expected) continue;
        const got = show(fieldOf(row, name));
        const reason = `${at}.${name}: got ${got}, expected ${field.expected}; used without it`;
        // No ticker: the record itself shows that the split is listed.
        quarantined.push({ ticker: null, reason });
      }
      return result.row;
    },
  };
}

function toSplitRecord(fields: z.infer<typeof splitFields>): SplitRecord {
  return {
    ticker: fields.ticker,
    exchange: fields.exchange,
    company: fields.company.value ?? "",
    ratioText: fields.ratio,
    ratio: parseRatio(fields.ratio) ?? null,
    exDate: fields.ex_date,
    dateAnnounced: fields.date_announced.value,
  };
}

function toArticle(fields: z.infer<typeof articleFields>): Article {
  return {
    source: fields.source.value ?? "unknown",
    heading: fields.heading,
    url: fields.url,
    content: fields.content.value ?? "",
    published: fields.date_published,
  };
}

function tickerOf(row: unknown): Ticker | null {
  const text = fieldOf(row, "ticker");
  return typeof text === "string" ? (parseTicker(text) ?? null) : null;
}

/** The URL of an article; without one, the whole row. */
function keyOf(row: unknown): string {
  const url = fieldOf(row, "url");
  return typeof url === "string" ? url : JSON.stringify(row);
}

/** `2026-03-10`, possibly followed by a time, which is ignored. */
function readDay(text: string): Day | undefined {
  const written = /^\s*(\d{4}-\d{2}-\d{2})(?:[T\s].*)?$/s.exec(text)?.[1];
  return written === undefined ? undefined : parseDay(written);
}

function readUrl(text: string): string | undefined {
  const url = text.trim();
  const isUrl = /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(url) && URL.canParse(url);
  return isUrl && url.length <= MAX_URL_LENGTH ? url : undefined;
}

function readCount(value: unknown): number | null {
  const count = typeof value === "string" ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
