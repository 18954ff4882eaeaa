import { createHash } from "node:crypto";
import { z } from "zod";
import type { Article } from "../../domain/article/article.ts";
import { parsedText } from "../../domain/schema-parts.ts";
import { parseRatio, type Ratio } from "../../domain/split/ratio.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { listedTicker, listingOf, type Ticker } from "../../domain/split/ticker.ts";
import { type Day, parseDay } from "../../domain/time/day.ts";
import { cutText, multiLine, oneLine } from "../../lib/external-text.ts";
import type { QuarantinedRecord, SplitList } from "../../ports/split-source.ts";
import { DAY_FORM, exchange, fieldOf, nameOfRow, readRow, ticker } from "../rows.ts";
import { findRows, type ListRow, type Parsed, parseRows } from "./json-list.ts";

/** Maximum lengths in characters. Longer texts are truncated; a longer URL is invalid. */
const MAX_COMPANY_LENGTH = 300;
const MAX_RATIO_LENGTH = 60;
const MAX_HEADING_LENGTH = 500;
const MAX_SOURCE_LENGTH = 60;
const MAX_URL_LENGTH = 2_000;
const MAX_CONTENT_LENGTH = 200_000;

/** Shortens and redacts received text for use in a message. */
type Excerpt = (text: string) => string;

/** One page of the article search. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** One key per row, in the received order: its URL, or a hash if it has no usable URL. Includes quarantined rows. */
  readonly keys: readonly string[];
  /** Number of articles that the service states for the search; null if it is invalid. */
  readonly total: number | null;
}

/** Value of an optional field. `expected` is set if a value is present but invalid. */
interface Optional<T> {
  readonly value: T | null;
  readonly expected: string | null;
}

/** Schema of an optional field. Null, missing and empty values are valid. */
function optional<T>(parse: (text: string) => T | undefined, expected: string) {
  const empty: Optional<T> = { value: null, expected: null };
  return z
    .unknown()
    .transform((value): Optional<T> => {
      if (value === null || (typeof value === "string" && value.trim() === "")) return empty;
      const result = typeof value === "string" ? parse(value) : undefined;
      return result === undefined ? { value: null, expected } : { value: result, expected: null };
    })
    .default(empty);
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
 * Reads a list of splits from UTF-8 JSON. A row with an invalid required field is quarantined. An invalid optional field
 * (company, announcement day) is dropped and reported. Identical rows count once.
 */
export async function readSplitList(body: Buffer, toExcerpt: Excerpt): Promise<Parsed<SplitList>> {
  const list = await findRows(body, "data");
  if (!list.ok) return list;
  const { read, quarantined } = createRowReader(splitFields, (row) => `row ${row}`, toExcerpt);
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

/** Reads a page of articles from UTF-8 JSON. A row with an invalid required field is quarantined. */
export async function readArticlePage(body: Buffer, toExcerpt: Excerpt): Promise<Parsed<ArticlePage>> {
  const list = await findRows(body, "articles");
  if (!list.ok) return list;
  const { read, quarantined } = createRowReader(articleFields, (row) => `row ${row} of its page`, toExcerpt);
  const articles: Article[] = [];
  const keys: string[] = [];
  for await (const row of parseRows(list.value.rows)) {
    keys.push(keyOf(row));
    const fields = read(row);
    if (fields) articles.push(toArticle(fields));
  }
  return { ok: true, value: { articles, quarantined, keys, total: readCount(list.value.fields.total_results) } };
}

/** Maximum length of a reason, in characters. */
const MAX_REASON_LENGTH = 500;

/** Returns the article of a row as a client reads it from its page; null if the row is invalid. */
export function articleOf(row: unknown): Article | null {
  const { data } = articleFields.safeParse(row);
  return data === undefined ? null : toArticle(data);
}

/**
 * Creates a reader that validates the rows of a list and collects the reasons for quarantined rows and dropped fields. Each
 * reason names the row, or states its position, counted from 1, if none of its fields identifies it.
 */
function createRowReader<T extends object>(
  schema: z.ZodType<T>,
  positionName: (row: number) => string,
  toExcerpt: Excerpt,
) {
  const quarantined: QuarantinedRecord[] = [];
  const quote = (value: unknown): string => (value === undefined ? "nothing" : toExcerpt(JSON.stringify(value)));
  let position = 0;

  function quarantine(rowTicker: Ticker | null, name: string | undefined, reason: string): undefined {
    const text = cutText(`${name ?? positionName(position)}: ${reason}`, MAX_REASON_LENGTH);
    quarantined.push({ ticker: rowTicker, reason: text });
  }

  function reportDroppedFields(row: unknown, fields: T): void {
    for (const [name, field] of Object.entries(fields) as [string, Partial<Optional<unknown>> | string][]) {
      if (typeof field === "string" || !field.expected) continue;
      const got = quote(fieldOf(row, name));
      // Only a row that isn't used needs a ticker here, so that its split doesn't count as missing.
      const reason = `${name}: got ${got}, expected ${field.expected}; the row is used without it`;
      quarantine(null, nameOfRow(row, quote), reason);
    }
  }

  return {
    quarantined,
    read: (row: ListRow): T | undefined => {
      position += 1;
      if (!row.ok) {
        const rowTicker = tickerOfUnparsed(row.bytes);
        return quarantine(rowTicker, rowTicker ?? undefined, `got a row that is ${row.problem}`);
      }
      const result = readRow(schema, row.value, quote);
      if (!result.ok) return quarantine(tickerOf(row.value), nameOfRow(row.value, quote), result.reason);
      reportDroppedFields(row.value, result.row);
      return result.row;
    },
  };
}

function toSplitRecord(fields: z.infer<typeof splitFields>): SplitRecord {
  const { exchange: listedOn } = fields;
  const listed = listedTicker(fields.ticker.ticker, listedOn);
  return {
    ticker: listed,
    ...(fields.ticker.written === listed ? {} : { symbol: fields.ticker.written }),
    exchange: listedOn,
    company: fields.company.value ?? "",
    ratioText: fields.ratio,
    ratio: readRatio(fields.ratio),
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
  const [symbol, listedOn] = [ticker.safeParse(fieldOf(row, "ticker")), exchange.safeParse(fieldOf(row, "exchange"))];
  return symbol.success ? listingOf({ ticker: symbol.data.ticker, exchange: listedOn.data ?? null }).ticker : null;
}

/** Number of bytes at the start of an unparsed row that are searched for its ticker. */
const MAX_SEARCHED_BYTES = 1_000;

/** Ticker of an unparsed row, so that its split doesn't count as missing. */
function tickerOfUnparsed(bytes: Buffer): Ticker | null {
  const text = /^\s*\{[^{}[\]]*?"ticker"\s*:\s*"([^"\\]{1,20})"/.exec(
    bytes.toString("utf8", 0, MAX_SEARCHED_BYTES),
  )?.[1];
  return text === undefined ? null : tickerOf({ ticker: text });
}

/** Identity of a row: the article's URL, or a hash of the row if the URL is missing or too long. */
function keyOf(row: ListRow): string {
  const url = row.ok ? fieldOf(row.value, "url") : undefined;
  if (typeof url === "string" && url.length <= MAX_URL_LENGTH) return url;
  return createHash("sha256").update(row.bytes).digest("hex");
}

/** Parses `1:20`, `1-20`, `1-for-20` and `1/20`, also with a typographic dash or colon. Null for any other text. */
function readRatio(text: string): Ratio | null {
  const plain = text.replace(/[\u2010-\u2015\u2212]/g, "-").replace(/[\u2236\uff1a]/g, ":");
  return parseRatio(plain.replace(/^([\d.,]+) ?- ?([\d.,]+)$/, "$1:$2")) ?? null;
}

/** Parses a day such as `2026-03-10`; ignores a time after it. */
function readDay(text: string): Day | undefined {
  const dayText = /^\s*(\d{4}-\d{2}-\d{2})(?:[T\s].*)?$/s.exec(text)?.[1];
  return dayText === undefined ? undefined : parseDay(dayText);
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
