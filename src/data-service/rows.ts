import { z } from "zod";
import { WIRES } from "../domain/article/wire.ts";
import { parsedText } from "../domain/schema-parts.ts";
import { parseExchange } from "../domain/split/exchange.ts";
import { parseRatio, ratioCode } from "../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { type Day, parseDay } from "../domain/time/day.ts";
import { quoteValue } from "../lib/error-text.ts";
import { webAddress } from "../lib/web-address.ts";
import type { ArticleRow, SplitRow } from "./schema.ts";

/** A valid row, or the reason why it is invalid. */
export type RowResult<T> = { readonly ok: true; readonly row: T } | { readonly ok: false; readonly reason: string };

export const DAY_FORM = "a day as YYYY-MM-DD";
const TICKER_FORM = "a ticker such as ACME";
/** A symbol in its canonical form, and as the row writes it. */
export const ticker = parsedText(readSymbol, TICKER_FORM);
export const exchange = parsedText(parseExchange, "an exchange such as NASDAQ");

function readSymbol(text: string): { readonly ticker: Ticker; readonly written: string } | undefined {
  const parsed = parseTicker(text);
  return parsed && { ticker: parsed, written: text.trim().replace(/^\$/, "").toUpperCase() };
}

/** Quotes a received value in a message. */
export type QuoteValue = (value: unknown) => string;

/** Validates a row. The reason names each invalid field, its value and what is expected. */
export function readRow<T>(schema: z.ZodType<T>, row: unknown, quote: QuoteValue = quoteValue): RowResult<T> {
  const parsed = schema.safeParse(row);
  if (parsed.success) return { ok: true, row: parsed.data };
  const reasons = parsed.error.issues.map(({ path: [name], message }) => {
    if (typeof name !== "string") return `got ${quote(row)}, expected an object`;
    return `${name}: got ${quote(fieldOf(row, name))}, expected ${message}`;
  });
  return { ok: false, reason: reasons.join("; ") };
}

/** Fields that identify a row, most specific first. */
interface NameFields {
  readonly tickers: readonly string[];
  readonly texts: readonly string[];
}

const NAME_FIELDS: NameFields = { tickers: ["ticker"], texts: ["company", "url", "heading"] };

/** Name of an invalid row in a message: its ticker, else its first identifying text, quoted; undefined if it has neither. */
export function nameOfRow(
  row: unknown,
  quote: QuoteValue = quoteValue,
  { tickers, texts }: NameFields = NAME_FIELDS,
): string | undefined {
  const textOf = (name: string): string => {
    const value = fieldOf(row, name);
    return typeof value === "string" ? value.trim() : "";
  };
  const validTicker = tickers.map((name) => parseTicker(textOf(name))).find((symbol) => symbol !== undefined);
  if (validTicker !== undefined) return validTicker;
  const text = texts.map(textOf).find((value) => value !== "");
  return text === undefined ? undefined : quote(text);
}

const MAX_NAMES = 3;

/** ` (ACME, "Bolt Marine Corp." and others)`; "" if nothing in the rows identifies them. */
export function namesOfRows(rows: readonly unknown[], fields: NameFields): string {
  const names = rows.flatMap((row) => nameOfRow(row, quoteValue, fields) ?? []);
  if (names.length === 0) return "";
  const others = rows.length > Math.min(names.length, MAX_NAMES) ? " and others" : "";
  return ` (${names.slice(0, MAX_NAMES).join(", ")}${others})`;
}

/** Own property of a row; undefined if there is none. */
export function fieldOf(row: unknown, name: string): unknown {
  return typeof row === "object" && row !== null ? Object.entries(row).find(([key]) => key === name)?.[1] : undefined;
}

const identity = (text: string): string => text;
const day = parsedText(parseDay, DAY_FORM);

/** Normalizes a split: `nyse american` becomes NYSEAMERICAN, `1-for-7.7` becomes 10:77. */
const lenientSplitRow = z.object({
  ticker: parsedText((text) => readSymbol(text)?.written, TICKER_FORM),
  exchange,
  company: parsedText(identity, "the company's name"),
  ratio: parsedText((text) => {
    const ratio = parseRatio(text);
    return ratio && ratioCode(ratio);
  }, "the ratio of a reverse split such as 1:20"),
  ex_date: day,
  date_announced: z
    .union([z.null(), parsedText<Day>(parseDay, `${DAY_FORM}, or null`)], `${DAY_FORM}, or null`)
    .default(null),
});

const lenientArticleRow = z.object({
  source: parsedText((text) => WIRES.find((wire) => wire === text), `one of ${WIRES.join(", ")}`),
  heading: parsedText(identity, "text"),
  url: parsedText(
    (text) => (/^https?:\/\//i.test(text) ? (webAddress(text) ?? undefined) : undefined),
    "an address that begins with http:// or https://",
  ),
  content: parsedText(identity, "text"),
  date_published: day,
});

/** Validates a split and normalizes it to the wire format. */
export function readSplitRow(value: unknown): RowResult<SplitRow> {
  return readRow(lenientSplitRow, value);
}

/** Validates an article in the wire format. */
export function readArticleRow(value: unknown): RowResult<ArticleRow> {
  return readRow(lenientArticleRow, value);
}
