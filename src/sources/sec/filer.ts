import { z } from "zod";
import type { TickerMention } from "../../domain/article/article.ts";
import { OTC, parseExchange } from "../../domain/split/exchange.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import { companyNameOf } from "../company-name.ts";
import { isOtherSecurity } from "../share-symbols.ts";
import { unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** A company that files with the SEC. */
export interface Filer {
  /** Empty if it is not stated. */
  readonly name: string;
  /** Common share; null if its symbol is ambiguous. */
  readonly share: TickerMention | null;
}

const filerSchema = z.object({
  name: z.string().max(300).nullish().catch(null),
  tickers: z.array(z.string().max(20).nullable()).max(100),
  exchanges: z.array(z.string().max(40).nullable()).max(100).nullish().catch(null),
});

export function readFiler(answer: WebAnswer): Filer {
  const parsed = filerSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected JSON with tickers, got JSON of another shape");
  const { name, tickers, exchanges } = parsed.data;
  return { name: companyNameOf(name ?? ""), share: shareOf(tickers, exchanges ?? []) };
}

/**
 * The only symbol that is not of warrants, units, rights or preferred shares. If there are several, the only one on an exchange;
 * null if several share classes are listed.
 */
function shareOf(tickers: readonly (string | null)[], exchanges: readonly (string | null)[]): TickerMention | null {
  const listings = tickers.flatMap((symbol, index) => {
    const ticker = parseTicker(symbol ?? "");
    return ticker === undefined ? [] : [{ ticker, exchange: parseExchange(exchanges[index] ?? "") ?? null }];
  });
  const symbols = new Set(listings.map(({ ticker }) => ticker));
  const shares = listings.filter(({ ticker }) => !isOtherSecurity(ticker, symbols));
  const listed = shares.filter(({ exchange }) => exchange !== null && exchange !== OTC);
  const [share, ...others] = listed.length > 0 ? listed : shares;
  return share === undefined || others.length > 0 ? null : share;
}
