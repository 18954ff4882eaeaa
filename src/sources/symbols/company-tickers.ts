import { z } from "zod";
import { parseKnownExchange } from "../../domain/split/exchange.ts";
import type { ListedSymbol } from "../../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { parseJson } from "../../lib/json.ts";
import { forEachInSlices } from "../../lib/slices.ts";
import { companyNameOf } from "../company-name.ts";
import { isOtherSecurity } from "../share-symbols.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web.ts";

const MAX_NAME_LENGTH = 300;

const fileSchema = z.object({
  fields: z.array(z.string()).max(20),
  // The file has fewer rows.
  data: z.array(z.unknown()).min(1).max(60_000),
});

const rowSchema = z.object({
  cik: z.number(),
  name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
  ticker: z.string().max(20),
  exchange: z.string().nullable(),
});

interface CompanyTicker extends ListedSymbol {
  readonly cik: number;
  readonly ticker: Ticker;
}

/** In this file, NYSE includes NYSE American and NYSE Arca. */
const AMBIGUOUS_EXCHANGE = "NYSE";

/** Parses the SEC's `company_tickers_exchange.json`. Throws a FetchError for another file or one without a valid row. */
export async function readCompanyTickers(answer: WebAnswer): Promise<ReadonlyMap<Ticker, ListedSymbol>> {
  const parsed = fileSchema.safeParse(parseJson(answer.body.toString("utf8")));
  if (!parsed.success) throw unreadable(answer, "expected JSON with fields and data, got JSON of another shape");
  const { fields, data } = parsed.data;
  const byCik = new Map<number, CompanyTicker[]>();
  await forEachInSlices(data, (cells) => {
    const values: readonly unknown[] = Array.isArray(cells) ? cells : [];
    const company = companyTickerOf(Object.fromEntries(fields.map((field, index) => [field, values[index]])));
    if (company === null) return;
    const ofCompany = byCik.get(company.cik);
    if (ofCompany) ofCompany.push(company);
    else byCik.set(company.cik, [company]);
  });
  const shares = [...byCik.values()].flatMap(removeOtherSecurities);
  if (shares.length === 0) throw unreadable(answer, "expected rows with cik, name, ticker and exchange, got none");
  return new Map(shares.map(({ ticker, company, exchange }) => [ticker, { company, exchange }]));
}

function companyTickerOf(cells: Readonly<Record<string, unknown>>): CompanyTicker | null {
  const parsed = rowSchema.safeParse(cells);
  if (!parsed.success) return null;
  const { cik, name, exchange } = parsed.data;
  // The SEC writes share classes with a hyphen; exchanges write them with a dot.
  const ticker = parseTicker(parsed.data.ticker.replace("-", "."));
  if (ticker === undefined) return null;
  const knownExchange = exchange === AMBIGUOUS_EXCHANGE ? undefined : parseKnownExchange(exchange ?? "");
  return { cik, ticker, company: companyNameOf(name), exchange: knownExchange ?? null };
}

/** Removes the symbols of warrants, units, rights and preferred shares. */
function removeOtherSecurities(tickers: readonly CompanyTicker[]): readonly CompanyTicker[] {
  const symbols = tickers.map(({ ticker }) => ticker);
  return tickers.filter(({ ticker }) => !isOtherSecurity(ticker, symbols));
}
