import { z } from "zod";
import { parseKnownExchange } from "../../domain/split/exchange.ts";
import type { ListedSymbol } from "../../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { hasMoreValues, parseJson } from "../../lib/json.ts";
import { companyNameOf } from "../company-name.ts";
import { isOtherSecurity } from "../share-symbols.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";

const MAX_NAME_LENGTH = 300;
const MAX_ROWS = 60_000;
const MAX_VALUES = 6 * MAX_ROWS;

/** `company_tickers_exchange.json` */
const tableSchema = z.object({
  fields: z.array(z.string()).max(20),
  // The file has fewer rows.
  data: z.array(z.unknown()).min(1).max(MAX_ROWS),
});

const rowSchema = z.object({
  cik: z.coerce.number(),
  name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
  ticker: z.string().max(20),
  exchange: z.string().nullish().catch(null),
});

interface CompanyTicker extends ListedSymbol {
  readonly cik: number;
  readonly ticker: Ticker;
}

/** In this file, NYSE includes NYSE American and NYSE Arca. */
const AMBIGUOUS_EXCHANGE = "NYSE";

/**
 * Parses the SEC's `company_tickers_exchange.json`, or `company_tickers.json`, which states no exchange. Throws a FetchError for
 * another file or one without a valid row.
 */
export function readCompanyTickers(answer: WebAnswer): ReadonlyMap<Ticker, ListedSymbol> {
  const text = answer.body.toString("utf8").replace(/^\uFEFF/, "");
  const rows = hasMoreValues(text, MAX_VALUES) ? null : rowsOf(parseJson(text));
  if (rows === null) throw unreadable(answer, "expected JSON with fields and data, got JSON of another shape");
  const byCik = new Map<number, CompanyTicker[]>();
  for (const row of rows) {
    const company = companyTickerOf(row);
    if (company === null) continue;
    const ofCompany = byCik.get(company.cik);
    if (ofCompany) ofCompany.push(company);
    else byCik.set(company.cik, [company]);
  }
  const shares = [...byCik.values()].flatMap(removeOtherSecurities);
  if (shares.length === 0) throw unreadable(answer, "expected rows with cik, name, ticker and exchange, got none");
  return new Map(shares.map(({ ticker, company, exchange }) => [ticker, { company, exchange }]));
}

/** Rows of either file; null for another document. */
function rowsOf(content: unknown): readonly unknown[] | null {
  const table = tableSchema.safeParse(content);
  if (table.success) {
    const fields = table.data.fields.map((field) => field.toLowerCase());
    return table.data.data.map((cells) =>
      Object.fromEntries(fields.map((field, index) => [field, Array.isArray(cells) ? cells[index] : undefined])),
    );
  }
  const rows = typeof content === "object" && content !== null ? Object.values(content) : [];
  const isList = rows.length > 0 && rows.length <= MAX_ROWS && listRowSchema.safeParse(rows[0]).success;
  return isList ? rows.map((row) => listRowSchema.safeParse(row).data) : null;
}

/** Row of `company_tickers.json` */
const listRowSchema = z
  .object({ cik_str: z.coerce.number(), ticker: z.string(), title: z.string() })
  .transform(({ cik_str: cik, ticker, title: name }) => ({ cik, ticker, name }));

function companyTickerOf(row: unknown): CompanyTicker | null {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) return null;
  const { cik, name, exchange } = parsed.data;
  const ticker = parseTicker(parsed.data.ticker);
  if (ticker === undefined) return null;
  const knownExchange = exchange === AMBIGUOUS_EXCHANGE ? undefined : parseKnownExchange(exchange ?? "");
  return { cik, ticker, company: companyNameOf(name), exchange: knownExchange ?? null };
}

/** Removes the symbols of warrants, units, rights and preferred shares. */
function removeOtherSecurities(tickers: readonly CompanyTicker[]): readonly CompanyTicker[] {
  const symbols = new Set(tickers.map(({ ticker }) => ticker));
  return tickers.filter(({ ticker }) => !isOtherSecurity(ticker, symbols));
}
