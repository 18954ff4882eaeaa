import type { z } from "zod";
import { WIRES } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { parseRatio, ratioCode } from "../../domain/split/ratio.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import { type ArticleRow, articleRow, type SplitRow, splitRow } from "../schema.ts";
import { quote } from "./problem.ts";

/** A row in the form that the service answers with, or what is wrong with it. */
export type RowResult<T> = { readonly ok: true; readonly row: T } | { readonly ok: false; readonly reason: string };

const EXPECTED: Readonly<Record<keyof SplitRow | keyof ArticleRow, string>> = {
  ticker: "a symbol such as ACME",
  exchange: "an exchange such as NASDAQ",
  company: "the company's name",
  ratio: "the ratio of a reverse split such as 1:20",
  ex_date: "a day as YYYY-MM-DD",
  date_announced: "a day as YYYY-MM-DD, or null",
  source: `one of ${WIRES.join(", ")}`,
  heading: "text",
  url: "an address that begins with http:// or https://",
  content: "text",
  date_published: "a day as YYYY-MM-DD",
};

/** Brings ticker, exchange and ratio into the service's own form: `nyse american` is NYSEAMERICAN, `1-for-7.7` is 10:77. */
export function readSplitRow(value: unknown): RowResult<SplitRow> {
  // A day that is not known may be left out as well as null.
  const parsed = splitRow.safeParse(isRecord(value) ? { date_announced: null, ...value } : value);
  if (!parsed.success) return refused(value, parsed.error);
  const row = parsed.data;
  const [ticker, exchange, ratio] = [parseTicker(row.ticker), parseExchange(row.exchange), parseRatio(row.ratio)];
  if (ticker && exchange && ratio) return { ok: true, row: { ...row, ticker, exchange, ratio: ratioCode(ratio) } };
  const odd = Object.entries({ ticker, exchange, ratio }).filter(([, read]) => read === undefined);
  return { ok: false, reason: odd.map(([field]) => describe(field, value)).join("; ") };
}

export function readArticleRow(value: unknown): RowResult<ArticleRow> {
  const parsed = articleRow.safeParse(value);
  if (!parsed.success) return refused(value, parsed.error);
  if (!/^https?:\/\//i.test(parsed.data.url)) return { ok: false, reason: describe("url", value) };
  return { ok: true, row: parsed.data };
}

function refused(value: unknown, error: z.ZodError): RowResult<never> {
  if (!isRecord(value)) return { ok: false, reason: `got ${shown(value)}, expected an object` };
  const fields = new Set(error.issues.map((issue) => String(issue.path[0])));
  return { ok: false, reason: [...fields].map((field) => describe(field, value)).join("; ") };
}

/** `ex_date: got "soon", expected a day as YYYY-MM-DD` */
function describe(field: string, value: unknown): string {
  const expected = EXPECTED[field as keyof typeof EXPECTED];
  return `${field}: got ${shown((value as Record<string, unknown>)[field])}, expected ${expected}`;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? quote(value) : quote(JSON.stringify(value)).slice(1, -1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
