import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type Evidence, quoteEvidence, type Security, type TaggedTicker } from "./facts.ts";
import { findIssuer, type IssuerResult, isSameName } from "./issuer.ts";
import { listMentions, resolveExchange } from "./mentions.ts";
import { findNoticeTitle, type NoticeTitle } from "./notice.ts";
import type { Sentence } from "./sentences.ts";
import { selectShare } from "./share.ts";
import { findBareTicker, findListedTicker, type TickerInSentence, type TickerMatch } from "./tickers.ts";

/** Heading or body of a release. */
export interface TextPart {
  readonly plain: string;
  readonly sentences: readonly Sentence[];
  readonly tickers: readonly TickerMatch[];
}

export interface SecurityResult {
  /** True if the text is an exchange's own notice. */
  readonly isNotice: boolean;
  readonly security: Security;
  readonly mentions: readonly TaggedTicker[];
  /** Tickers of companies that are mentioned in another role, such as a customer or parent. */
  readonly relatedTickers: ReadonlySet<Ticker>;
  /** True if two companies match equally well, or only a company other than the issuer has a ticker. */
  readonly contradictory: boolean;
  readonly evidence: Evidence;
}

/** Finds the security that a release is about. `parts`: its heading and its body. */
export function findSecurity(parts: readonly [TextPart, TextPart], directory: SymbolDirectory | null): SecurityResult {
  const sentences = parts.flatMap((part) => part.sentences);
  const notice = findNoticeTitle(sentences);
  return notice ? securityOfNotice(notice, parts) : securityOfRelease(parts, sentences, directory);
}

function securityOfNotice(notice: NoticeTitle, parts: readonly TextPart[]): SecurityResult {
  const { ticker, exchange, company, sentence } = notice;
  const others = listMentions(parts.flatMap(({ tickers }) => tickers)).filter((mention) => mention.ticker !== ticker);
  return {
    security: { ticker, exchange, company },
    mentions: [{ ticker, exchange, tagged: true }, ...others],
    isNotice: true,
    relatedTickers: new Set(),
    contradictory: false,
    evidence: {
      ...quoteEvidence("ticker", sentence),
      ...quoteEvidence("exchange", sentence),
      ...quoteEvidence("company", sentence),
    },
  };
}

function securityOfRelease(
  parts: readonly [TextPart, TextPart],
  sentences: readonly Sentence[],
  directory: SymbolDirectory | null,
): SecurityResult {
  const [heading, body] = parts;
  const selected = selectShare({ heading, body, sentences, directory });
  const untagged = selected.share ? undefined : findUntagged(sentences, directory);
  const share = untagged ? { ticker: untagged.ticker, exchange: untagged.exchange } : selected.share;
  const tickers = untagged ? new Set([untagged.ticker]) : selected.tickers;
  const matches = parts.flatMap((part) => part.tickers);
  const mentions = withShare(listMentions(matches), share);
  const exchange = resolveExchange(share, parts.map(({ plain }) => plain).join("\n"));
  const issuer = issuerOf(
    sentences,
    mentions.filter(({ ticker }) => tickers.has(ticker)),
    untagged,
  );
  return {
    security: { ticker: share?.ticker ?? null, exchange, company: issuer.company },
    mentions,
    isNotice: false,
    relatedTickers: selected.relatedTickers,
    contradictory: selected.contradictory && !untagged,
    evidence: {
      ...(share && evidenceOfTicker(share, exchange, parts, untagged)),
      ...quoteEvidence("company", issuer.sentence),
    },
  };
}

/** Finds a ticker without an exchange tag: a symbol that the directory lists, else one directly after the issuer's name. */
function findUntagged(sentences: readonly Sentence[], directory: SymbolDirectory | null): TickerInSentence | undefined {
  return (directory && findListedTicker(sentences, directory)) ?? findBareTicker(sentences);
}

function withShare(mentions: readonly TaggedTicker[], share: TickerMention | null): readonly TaggedTicker[] {
  if (!share || mentions.some(({ ticker }) => ticker === share.ticker)) return mentions;
  return [...mentions, { ...share, tagged: false }];
}

function issuerOf(
  sentences: readonly Sentence[],
  mentions: readonly TaggedTicker[],
  untagged: TickerInSentence | undefined,
): IssuerResult {
  const issuer = findIssuer(sentences, mentions);
  if (!untagged || (issuer.company !== null && isSameName(issuer.company, untagged.company))) return issuer;
  return untagged;
}

function evidenceOfTicker(
  { ticker }: TickerMention,
  exchange: Exchange | null,
  parts: readonly TextPart[],
  untagged: TickerInSentence | undefined,
): Evidence {
  if (untagged) return quoteEvidence("ticker", untagged.sentence);
  for (const { sentences, tickers } of parts) {
    const match = tickers.find((candidate) => candidate.ticker === ticker);
    const sentence = sentences.find(({ start, end }) => match && start <= match.start && match.start < end);
    if (sentence)
      return {
        ...quoteEvidence("ticker", sentence),
        ...(match?.exchange === exchange && quoteEvidence("exchange", sentence)),
      };
  }
  return {};
}
