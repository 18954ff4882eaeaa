import { createHash } from "node:crypto";
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
import { findRows, type ListRow, type Parsed, parseRows } from "./json-list.ts";

/** Longer texts are cut; a longer URL is invalid. */
const MAX_COMPANY_LENGTH = 300;
const MAX_RATIO_LENGTH = 60;
const MAX_HEADING_LENGTH = 500;
const MAX_SOURCE_LENGTH = 60;
const MAX_URL_LENGTH = 2_000;
const MAX_CONTENT_LENGTH = 200_000;

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

/**
 * Reads a list of splits from UTF-8. A row without a valid term is quarantined; one with an invalid optional field (company,
 * announcement day) is used without it. Identical rows count once.
 */
export async function readSplitList(body: Buffer, toExcerpt: Excerpt): Promise<Parsed<SplitList>> {
  const list = await findRows(body, "data");
  if (!list.ok) return list;
  const { read, quarantined } = rowReader(splitFields, "data", toExcerpt);
  const records = new Map<string, SplitRecord>();
  for await (const row of parseRows(list.value.rows)) {
    const fields = read(row);
    if (!fields) continue;
    const record = toSplitRecord(fields);
    records.set(JSON.stringify(record), record);
  }
  if (records.size === 0 && quarantined.length > 1) {
    return { ok: false, problem: `none of ${quarantined.length} rows can be used: ${quarantined[0]?.reason}` };
  }
  return { ok: true, value: { records: [...records.values()], quarantined } };
}

/** Reads a page of articles from UTF-8. A row without a valid term is quarantined. */
export async function readArticlePage(body: Buffer, toExcerpt: Excerpt): Promise<Parsed<ArticlePage>> {
  const list = await findRows(body, "articles");
  if (!list.ok) return list;
  const { read, quarantined } = rowReader(articleFields, "articles", toExcerpt);
  const articles: Article[] = [];
  const keys: string[] = [];
  for await (const row of parseRows(list.value.rows)) {
    keys.push(keyOf(row));
    const fields = read(row);
    if (fields) articles.push(toArticle(fields));
  }
  return { ok: true, value: { articles, quarantined, keys, total: readCount(list.value.fields.total_results) } };
}

/** Reads the rows of a list with a schema and collects the reasons for what cannot be used. */
function rowReader<T extends object>(schema: z.ZodType<T>, list: string, toExcerpt: Excerpt) {
  const quarantined: QuarantinedRecord[] = [];
  const show = (value: unknown): string => (value === undefined ? "nothing" : toExcerpt(JSON.stringify(value)));
  let index = -1;

  function quarantine(row: ListRow, reason: string): undefined {
    quarantined.push({ ticker: row.ok ? tickerOf(row.value) : tickerIn(row.bytes), reason });
  }

  function noteUnused(row: unknown, read: T, at: string): void {
    for (const [name, field] of Object.entries(read) as [string, Partial<Optional<unknown>> | string][]) {
      if (typeof field === "string" || !field.expected) continue;
      const got = show(fieldOf(row, name));
      // No ticker: the record itself shows that the split is listed.
      const reason = `${at}.${name}: got ${got}, expected ${field.expected}; used without it`;
      quarantined.push({ ticker: null, reason });
    }
  }

  return {
    quarantined,
    read: (row: ListRow): T | undefined => {
      index += 1;
      const at = `${list}[${index}]`;
      if (!row.ok) return quarantine(row, `${at}: got a row that is ${row.problem}`);
      const result = readRow(schema, row.value, { at, show });
      if (!result.ok) return quarantine(row, result.reason);
      noteUnused(row.value, result.row, at);
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

/** Beginning of a row in which the ticker of an unparsed one is searched. */
const MAX_SEARCHED_BYTES = 1_000;

/** Ticker of a row that was not parsed: its split still counts as listed. */
function tickerIn(bytes: Buffer): Ticker | null {
  const text = /^\s*\{[^{}[\]]*?"ticker"\s*:\s*"([^"\\]{1,20})"/.exec(
    bytes.toString("utf8", 0, MAX_SEARCHED_BYTES),
  )?.[1];
  return text === undefined ? null : (parseTicker(text) ?? null);
}

/** The URL of an article; without one, or with a longer one, a hash of the row. */
function keyOf(row: ListRow): string {
  const url = row.ok ? fieldOf(row.value, "url") : undefined;
  if (typeof url === "string" && url.length <= MAX_URL_LENGTH) return url;
  return createHash("sha256").update(row.bytes).digest("hex");
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
