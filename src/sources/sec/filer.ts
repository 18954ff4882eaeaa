import { z } from "zod";
import type { TickerMention } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import { filerName } from "../sec-hosts.ts";
import { unreadable } from "../web/fetch-error.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web.ts";

/** A company that files with the SEC. */
export interface Filer {
  readonly name: string;
  /** Common share; null if its symbol is ambiguous. */
  readonly share: TickerMention | null;
}

export function filerUrl(origin: string, cik: string): string {
  return `${origin}/submissions/CIK${cik.padStart(10, "0")}.json`;
}

const filerSchema = z.object({
  name: z.string().min(1).max(300),
  tickers: z.array(z.string().max(20)).max(100),
  exchanges: z.array(z.string().max(40).nullable()).max(100),
});

export function readFiler(answer: WebAnswer): Filer {
  const parsed = filerSchema.safeParse(readJson(answer));
  if (!parsed.success)
    throw unreadable(answer, "expected JSON with name, tickers and exchanges, got JSON of another shape");
  const { name, tickers, exchanges } = parsed.data;
  return { name: filerName(name), share: shareOf(tickers, exchanges) };
}

/** First symbol, if all other symbols are that symbol with a suffix, as for warrants; otherwise null. */
function shareOf(tickers: readonly string[], exchanges: readonly (string | null)[]): TickerMention | null {
  const [first = ""] = tickers;
  // The SEC writes share classes with a hyphen; exchanges write them with a dot.
  const ticker = parseTicker(first.replace("-", "."));
  if (ticker === undefined || !tickers.every((other) => other.startsWith(first))) return null;
  return { ticker, exchange: parseExchange(exchanges[0] ?? "") ?? null };
}
