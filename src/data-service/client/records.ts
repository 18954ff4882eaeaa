import { z } from "zod";
import type { Article } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { parseRatio } from "../../domain/split/ratio.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { type Day, parseDay } from "../../domain/time/day.ts";
import type { QuarantinedRecord, SplitList } from "../../ports/split-source.ts";
import { manyLines, oneLine } from "../text.ts";
import type { ServiceAddress } from "./address.ts";
import type { Parsed } from "./resource.ts";

/** Longer texts are cut; an address that is longer is no address. */
const MAX_COMPANY = 300;
const MAX_RATIO = 60;
const MAX_HEADING = 500;
const MAX_SOURCE = 60;
const MAX_URL = 2_000;
const MAX_CONTENT = 200_000;

/** One page of the article search. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** What each row is known by, usable or not, in the order they came. */
  readonly keys: readonly string[];
  /** How many articles the search has, as the service claims; null where it claims nothing readable. */
  readonly total: number | null;
}

const DAY_FORM = "a day as YYYY-MM-DD";

const splitFields = z.object({
  ticker: required(parseTicker, "a ticker such as ACME"),
  exchange: required(parseExchange, "an exchange such as NASDAQ"),
  company: optional((text) => oneLine(text, MAX_COMPANY), "a name"),
  ratio: required((text) => oneLine(text, MAX_RATIO) || undefined, "a ratio such as 1:20"),
  ex_date: required(readDay, DAY_FORM),
  date_announced: optional(readDay, `${DAY_FORM} or null`),
});

const articleFields = z.object({
  source: optional((text) => oneLine(text, MAX_SOURCE).toLowerCase(), "the name of a wire"),
  heading: required((text) => oneLine(text, MAX_HEADING) || undefined, "a heading"),
  url: required(readUrl, `an http or https address of at most ${MAX_URL} characters`),
  content: optional((text) => manyLines(text, MAX_CONTENT), "a text"),
  date_published: required(readDay, DAY_FORM),
});

const splitsBody = z.object({ data: z.array(z.unknown()) });

const articlesBody = z.object({ articles: z.array(z.unknown()), total_results: z.unknown().optional() });

/**
 * The rows of a split list, each on its own: one that lacks a term is set aside, one with an odd extra (company, announcement
 * day) is used without that. Rows that are the same in all fields are one.
 */
export function readSplitList(body: unknown, redactedExcerpt: ServiceAddress["redactedExcerpt"]): Parsed<SplitList> {
  const parsed = splitsBody.safeParse(body);
  if (!parsed.success) return { ok: false, problem: 'expected an object with a list "data"' };
  const records = new Map<string, SplitRecord>();
  const quarantined: QuarantinedRecord[] = [];
  for (const [index, row] of parsed.data.data.entries()) {
    const reader = readerOf(row, `data[${index}]`, redactedExcerpt);
    const record = readSplit(reader);
    if (record) records.set(JSON.stringify(record), record);
    quarantined.push(...reader.odd);
  }
  if (records.size === 0 && quarantined.length > 1) {
    return { ok: false, problem: `not one of ${quarantined.length} rows can be used: ${quarantined[0]?.reason}` };
  }
  return { ok: true, value: { records: [...records.values()], quarantined } };
}

export function readArticlePage(
  body: unknown,
  redactedExcerpt: ServiceAddress["redactedExcerpt"],
): Parsed<ArticlePage> {
  const parsed = articlesBody.safeParse(body);
  if (!parsed.success) return { ok: false, problem: 'expected an object with a list "articles"' };
  const { articles: rows, total_results: total } = parsed.data;
  const readers = rows.map((row, index) => readerOf(row, `articles[${index}]`, redactedExcerpt));
  const articles = readers.map(readArticle).filter((article) => article !== undefined);
  const quarantined = readers.flatMap((reader) => reader.odd);
  return { ok: true, value: { articles, quarantined, keys: rows.map(keyOf), total: readCount(total) } };
}

/** One row on its way to a record, and what was odd about it. */
interface RowReader {
  readonly row: unknown;
  readonly at: string;
  readonly redactedExcerpt: ServiceAddress["redactedExcerpt"];
  readonly odd: QuarantinedRecord[];
}

function readerOf(row: unknown, at: string, redactedExcerpt: ServiceAddress["redactedExcerpt"]): RowReader {
  return { row, at, redactedExcerpt, odd: [] };
}

function readSplit(reader: RowReader): SplitRecord | undefined {
  const fields = readFields(reader, splitFields);
  if (!fields) return undefined;
  return {
    ticker: fields.ticker,
    exchange: fields.exchange,
    company: extra(reader, "company", fields.company) ?? "",
    ratioText: fields.ratio,
    ratio: parseRatio(fields.ratio) ?? null,
    exDate: fields.ex_date,
    dateAnnounced: extra(reader, "date_announced", fields.date_announced),
  };
}

function readArticle(reader: RowReader): Article | undefined {
  const fields = readFields(reader, articleFields);
  if (!fields) return undefined;
  return {
    source: extra(reader, "source", fields.source) ?? "unknown",
    heading: fields.heading,
    url: fields.url,
    content: extra(reader, "content", fields.content) ?? "",
    published: fields.date_published,
  };
}

/** A field that makes or breaks the record. `expected` ends the sentence `got …, expected …`. */
function required<T>(read: (text: string) => T | undefined, expected: string) {
  return z.unknown().transform((value, context): T => {
    const result = typeof value === "string" ? read(value) : undefined;
    if (result !== undefined) return result;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });
}

interface Optional<T> {
  readonly value: T | null;
  /** Set where there is something, but nothing that can be read. */
  readonly expected: string | null;
}

/** A field that a record can do without. Null, absent and empty are nothing odd. */
function optional<T>(read: (text: string) => T | undefined, expected: string) {
  const blank: Optional<T> = { value: null, expected: null };
  return z
    .unknown()
    .transform((value): Optional<T> => {
      if (isBlank(value)) return blank;
      const result = typeof value === "string" ? read(value) : undefined;
      return result === undefined ? { value: null, expected } : { value: result, expected: null };
    })
    .default(blank);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

function readFields<T>(reader: RowReader, fields: z.ZodType<T>): T | undefined {
  const { row, at, odd } = reader;
  const parsed = fields.safeParse(row);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path, message }) => {
    const name = path[0];
    if (typeof name !== "string") return `${at}: got ${describe(reader, row)}, expected an object`;
    return `${at}.${name}: got ${describe(reader, fieldOf(row, name))}, expected ${message}`;
  });
  odd.push({ ticker: tickerOf(row), reason: reasons.join("; ") });
  return undefined;
}

function extra<T>(reader: RowReader, name: string, { value, expected }: Optional<T>): T | null {
  if (expected !== null) {
    const got = describe(reader, fieldOf(reader.row, name));
    // No ticker: the record itself shows that the split is listed.
    reader.odd.push({
      ticker: null,
      reason: `${reader.at}.${name}: got ${got}, expected ${expected}; used without it`,
    });
  }
  return value;
}

function describe({ redactedExcerpt }: RowReader, value: unknown): string {
  return value === undefined ? "nothing" : redactedExcerpt(JSON.stringify(value));
}

function fieldOf(row: unknown, name: string): unknown {
  return typeof row === "object" && row !== null ? Object.entries(row).find(([key]) => key === name)?.[1] : undefined;
}

function tickerOf(row: unknown): Ticker | null {
  const ticker = fieldOf(row, "ticker");
  return typeof ticker === "string" ? (parseTicker(ticker) ?? null) : null;
}

/** An article is known by its address; a row without one by all that it says. */
function keyOf(row: unknown): string {
  const url = fieldOf(row, "url");
  return typeof url === "string" ? url : JSON.stringify(row);
}

/** `2026-03-10`, also with a time after it: the day is the one that is written. */
function readDay(text: string): Day | undefined {
  const written = /^\s*(\d{4}-\d{2}-\d{2})(?:[T\s].*)?$/s.exec(text)?.[1];
  return written === undefined ? undefined : parseDay(written);
}

function readUrl(text: string): string | undefined {
  const url = text.trim();
  return url.length <= MAX_URL && /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(url) && URL.canParse(url)
    ? url
    : undefined;
}

function readCount(value: unknown): number | null {
  const count = typeof value === "string" ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
