import type { Article, ArticleTerms, KnownArticle, TickerMention } from "../domain/article/article.ts";
import { containsName, foldName, foldText, formerNameIn } from "../domain/article/company-name.ts";
import { type Exchange, OTC } from "../domain/split/exchange.ts";
import { permanentSymbol } from "../domain/split/interim-symbol.ts";
import type { ListedSplit, ListedSplits } from "../domain/split/split.ts";
import { listingOf, parseTicker, type Ticker } from "../domain/split/ticker.ts";
import type { Instant } from "../domain/time/day.ts";
import { type ArticleFacts, extractFacts } from "./extract.ts";
import type { SplitFacts } from "./facts.ts";
import { decodeMarkup } from "./markup.ts";

/** Returns a 32-bit FNV-1a hash of the text, which changes when a wire corrects a release. */
export function articleVersion({ heading, content }: Pick<Article, "heading" | "content">): string {
  let hash = 0x811c9dc5;
  for (const text of [heading, "\n", content]) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Returns the stored form of an article: its extracted facts, without its body. */
export function readArticle(article: Article, listed: ListedSplits, seenAt: Instant): KnownArticle {
  const facts = extractFacts(article);
  return {
    url: article.url,
    source: article.source,
    heading: article.heading,
    version: articleVersion(article),
    published: article.published,
    seenAt,
    kind: facts.kind,
    kindSentence: facts.evidence.kind ?? null,
    concerns: findConcernedTickers(article, facts, listed),
    subject: facts.subject ?? null,
    ...renamedSentence(facts),
    fraction: facts.fraction,
    ...(facts.range && { range: facts.range }),
    terms: facts.splits.map(termsOf),
  };
}

function renamedSentence({ subject = null, evidence }: ArticleFacts): Pick<KnownArticle, "renamedSentence"> {
  const sentence = evidence.company;
  const isStated = subject !== null && sentence !== undefined && formerNameIn(sentence, subject) !== undefined;
  return isStated ? { renamedSentence: sentence } : {};
}

/** Omits the evidence that no alert quotes, because articles are stored for months. */
function termsOf({ ticker, exchange, company, ratio, exDate, newCusip, evidence }: SplitFacts): ArticleTerms {
  const terms = { ticker, exchange, company, ratio, exDate, newCusip };
  const sentence = evidence.newCusip;
  return newCusip === null || sentence === undefined ? terms : { ...terms, newCusipSentence: sentence };
}

const CAPITALS = /\b[A-Z]{1,6}(?:[./-][A-Z]{1,2}){0,2}\b/g;

/**
 * Finds the tickers that an article concerns: those of its tags and cashtags, then listed tickers whose company the text
 * names. A ticker in `under the symbol "ACME"` must be listed too, because it may be mistyped or name another security.
 */
export function findConcernedTickers(
  article: Pick<Article, "heading" | "content">,
  facts: Pick<ArticleFacts, "mentions">,
  listed: ListedSplits,
): readonly TickerMention[] {
  const text = decodeMarkup(`${article.heading}\n${article.content}`);
  const namesCompanyOf = companyMatcher(text);
  const taggedMentions = facts.mentions.filter(({ tagged }) => tagged).map((mention) => withExchange(mention, listed));
  const knownTickers = new Set(taggedMentions.map(({ ticker }) => ticker));
  const interimRecords = facts.mentions
    .flatMap((mention) => findInterimTwins(mention, listed))
    .filter((record) => !knownTickers.has(record.ticker) && namesCompanyOf(record));
  for (const { ticker } of interimRecords) knownTickers.add(ticker);
  const mentionedTickers = facts.mentions.map(({ ticker }) => ticker).filter((ticker) => listed.has(ticker));
  const words = [...new Set([...mentionedTickers, ...listedWords(text, listed)])].filter(
    (ticker) => !knownTickers.has(ticker),
  );
  const namedRecords = words.flatMap((ticker) => (listed.get(ticker) ?? []).filter(namesCompanyOf));
  return [...taggedMentions, ...distinct([...interimRecords, ...namedRecords])];
}

/** A ticker without an exchange gets that of its listed splits, if they share one. */
function withExchange({ ticker, exchange }: TickerMention, listed: ListedSplits): TickerMention {
  if (exchange) return { ticker, exchange };
  const [listedExchange, ...otherExchanges] = new Set((listed.get(ticker) ?? []).map((record) => record.exchange));
  return { ticker, exchange: listedExchange !== undefined && otherExchanges.length === 0 ? listedExchange : null };
}

/**
 * Over-the-counter symbols have the suffix D for about twenty business days after a split: ACMED is ACME. Either may be
 * listed, or belong to another company, so the caller checks the company name too.
 */
function findInterimTwins({ ticker, exchange }: TickerMention, listed: ListedSplits): readonly ListedSplit[] {
  if (exchange !== OTC) return [];
  const twin = permanentSymbol({ ticker, exchange }) ?? (`${ticker}D` as Ticker);
  return (listed.get(twin) ?? []).filter((record) => record.exchange === OTC);
}

/** Returns the words in capitals that are listed tickers in any spelling. `ACME-US` and `ACME.The` name ACME too. */
function listedWords(text: string, listed: ListedSplits): readonly Ticker[] {
  const words: readonly string[] = text.match(CAPITALS) ?? [];
  const tickers = [...new Set(words)].flatMap((word) => {
    const ticker = /[./-]/.test(word) ? parseTicker(word) : (word as Ticker);
    return ticker === undefined ? [] : [ticker, listingOf({ ticker, exchange: null }).ticker];
  });
  return [...new Set(tickers)].filter((ticker) => listed.has(ticker));
}

/** Normalizes the text on first use, because most texts contain no candidate. */
function companyMatcher(text: string): (record: ListedSplit) => boolean {
  let foldedText: string | undefined;
  return ({ company }) => {
    foldedText ??= foldText(text);
    return containsName(foldName(company), foldedText);
  };
}

function distinct(records: readonly ListedSplit[]): readonly TickerMention[] {
  const byKey = new Map<string, TickerMention>();
  for (const { ticker, exchange } of records) byKey.set(mentionKey(ticker, exchange), { ticker, exchange });
  return [...byKey.values()];
}

function mentionKey(ticker: Ticker, exchange: Exchange): string {
  return `${ticker} ${exchange}`;
}
