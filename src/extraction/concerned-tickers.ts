import type { Article, TickerMention } from "../domain/article/article.ts";
import { findName, foldName, foldText } from "../domain/article/company-name.ts";
import { type Exchange, parseExchange } from "../domain/split/exchange.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { ArticleFacts } from "./extract.ts";

/** The listed splits by ticker. */
type Listed = ReadonlyMap<Ticker, readonly SplitRecord[]>;

const CAPITALS = /\b[A-Z]{1,6}(?:[.-][A-Z]{1,2})?\b/g;

const OTC = parseExchange("OTC");

/**
 * The tickers that an article concerns: those of its tags and cashtags in order of appearance, then any other words that
 * are listed tickers, where the company's name stands in the text too. `under the symbol` alone is no tag: it may be
 * mistyped, or another security's.
 */
export function findConcernedTickers(
  article: Pick<Article, "heading" | "content">,
  facts: Pick<ArticleFacts, "mentions">,
  listed: Listed,
): readonly TickerMention[] {
  const text = `${article.heading}\n${article.content}`;
  const namesCompanyOf = companyReader(text);
  const given = facts.mentions.filter(({ tagged }) => tagged).map((mention) => withExchange(mention, listed));
  const known = new Set(given.map(({ ticker }) => ticker));
  const twins = facts.mentions
    .flatMap((mention) => interimTwins(mention, listed))
    .filter((record) => !known.has(record.ticker) && namesCompanyOf(record));
  for (const { ticker } of twins) known.add(ticker);
  const worded = facts.mentions.map(({ ticker }) => ticker).filter((ticker) => listed.has(ticker));
  const words = [...new Set([...worded, ...listedWords(text, listed)])].filter((ticker) => !known.has(ticker));
  const named = words.flatMap((ticker) => (listed.get(ticker) ?? []).filter(namesCompanyOf));
  return [...given, ...distinct([...twins, ...named])];
}

/** A ticker without a tag has the exchange of its split, where it is listed on one alone. */
function withExchange({ ticker, exchange }: TickerMention, listed: Listed): TickerMention {
  if (exchange) return { ticker, exchange };
  const [only, ...others] = new Set((listed.get(ticker) ?? []).map((record) => record.exchange));
  return { ticker, exchange: only !== undefined && others.length === 0 ? only : null };
}

/**
 * Over the counter a symbol carries a D for some twenty days after its split: ACMED is ACME. Either may be the one that
 * is listed; another company may have the longer one for its own, so the name is asked for too.
 */
function interimTwins({ ticker, exchange }: TickerMention, listed: Listed): readonly SplitRecord[] {
  if (exchange !== OTC) return [];
  const twin = ticker.length === 5 && ticker.endsWith("D") ? ticker.slice(0, -1) : `${ticker}D`;
  if (twin.length > 5) return [];
  return (listed.get(twin as Ticker) ?? []).filter((record) => record.exchange === OTC);
}

function listedWords(text: string, listed: Listed): readonly Ticker[] {
  const found = new Set<Ticker>();
  for (const word of text.match(CAPITALS) ?? []) {
    if (listed.has(word as Ticker)) found.add(word as Ticker);
    // `ACME-US` and a stop without its blank are ACME all the same.
    else if (/[.-]/.test(word)) addListed(word.replace(/[.-].*$/, ""), found, listed);
  }
  return [...found];
}

function addListed(word: string, found: Set<Ticker>, listed: Listed): void {
  if (listed.has(word as Ticker)) found.add(word as Ticker);
}

/** Folds the text only when the first name is asked for: most texts hold no candidate. */
function companyReader(text: string): (record: SplitRecord) => boolean {
  let folded: string | undefined;
  return ({ company }) => {
    folded ??= foldText(text);
    return findName(foldName(company), folded);
  };
}

function distinct(records: readonly SplitRecord[]): readonly TickerMention[] {
  const byKey = new Map<string, TickerMention>();
  for (const { ticker, exchange } of records) byKey.set(mentionKey(ticker, exchange), { ticker, exchange });
  return [...byKey.values()];
}

function mentionKey(ticker: Ticker, exchange: Exchange): string {
  return `${ticker} ${exchange}`;
}
