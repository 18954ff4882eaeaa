import { z } from "zod";
import { WIRES } from "../domain/article/wire.ts";
import { parsedText } from "../domain/schema-parts.ts";
import { parseExchange } from "../domain/split/exchange.ts";
import { parseRatio, ratioCode } from "../domain/split/ratio.ts";
import { parseTicker } from "../domain/split/ticker.ts";
import { type Day, parseDay } from "../domain/time/day.ts";
import { quoteValue } from "../lib/error-text.ts";
import type { ArticleRow, SplitRow } from "./schema.ts";

/** A valid row, or the reason why it is invalid. */
export type RowResult<T> = { readonly ok: true; readonly row: T } | { readonly ok: false; readonly reason: string };

export const DAY_FORM = "a day as YYYY-MM-DD";
export const ticker = parsedText(parseTicker, "a ticker such as ACME");
export const exchange = parsedText(parseExchange, "an exchange such as NASDAQ");

interface RowContext {
  /** Prefix of field names, such as `data[4]`. */
  readonly path?: string;
  /** Quotes a received value. */
  readonly quote?: (value: unknown) => string;
}

/** Validates a row. The reason names each invalid field, its value and what is expected. */
export function readRow<T>(
  schema: z.ZodType<T>,
  row: unknown,
  { path = "", quote = quoteValue }: RowContext = {},
): RowResult<T> {
  const parsed = schema.safeParse(row);
  if (parsed.success) return { ok: true, row: parsed.data };
  const reasons = parsed.error.issues.map(({ path: [name], message }) => {
    if (typeof name !== "string") return `${path === "" ? "" : `${path}: `}got ${quote(row)}, expected an object`;
    return `${path === "" ? "" : `${path}.`}${name}: got ${quote(fieldOf(row, name))}, expected ${message}`;
  });
  return { ok: false, reason: reasons.join("; ") };
}

/** Own property of a row; undefined if there is none. */
export function fieldOf(row: unknown, name: string): unknown {
  return typeof row === "object" && row !== null ? Object.entries(row).find(([key]) => key === name)?.[1] : undefined;
}

const identity = (text: string): string => text;
const day = parsedText(parseDay, DAY_FORM);

/** Normalizes a split: `nyse american` becomes NYSEAMERICAN, `1-for-7.7` becomes 10:77. */
const lenientSplitRow = z.object({
  ticker,
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
    (text) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined),
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
