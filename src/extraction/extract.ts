import type { Article, ReleaseKind, TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Day } from "../domain/time/day.ts";
import { type BareTicker, findBareTicker } from "./bare-ticker.ts";
import { findAnnouncementDay, findDateline } from "./dateline.ts";
import { findExDate } from "./ex-date.ts";
import { type ArticleFacts, type Evidence, quoteEvidence } from "./facts.ts";
import { type FractionResult, findFraction } from "./fraction.ts";
import { findIssuer } from "./issuer.ts";
import { findKind } from "./kind.ts";
import { listMentions, resolveExchange, selectCommonShare } from "./mentions.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { findSplits } from "./splits.ts";
import { type PlainText, plainText } from "./text.ts";
import { findTickers, type TickerMatch } from "./tickers.ts";

export type { ArticleFacts, SplitFacts } from "./facts.ts";

/** Kinds of release about a split to come. In others, fraction belong to a merger or an earlier split. */
const KINDS_WITH_FRACTION: readonly ReleaseKind[] = [
  "reverse_split",
  "ads_ratio_change",
  "postponed",
  "approval_only",
  "ratio_range",
];

const NO_FRACTION: FractionResult = { fraction: null, levelSentence: null, contradictory: false };

/** Heading or body. */
interface Part {
  readonly text: PlainText;
  readonly sentences: readonly Sentence[];
  readonly tickers: readonly TickerMatch[];
}

interface ParsedText {
  readonly parts: readonly Part[];
  readonly sentences: readonly Sentence[];
  /** Searched only where no other form of ticker is found. */
  readonly bare: BareTicker | undefined;
}

/** Text of a release. The publication day determines the year of dates without one. */
type Text = Pick<Article, "heading" | "content"> & { readonly published?: Day | null };

/** Extracts the facts that a release states, in time linear in the length of its text. */
export function extractFacts({ heading, content, published = null }: Text): ArticleFacts {
  const { parts, sentences, bare } = parseText(heading, content);
  const { kind, sentence, isCompleted } = findKind(sentences);
  const fraction = KINDS_WITH_FRACTION.includes(kind) ? findFraction(sentences, isCompleted) : NO_FRACTION;
  const mentions = listMentions(parts.flatMap(({ tickers }) => tickers));
  const share = selectCommonShare(mentions);
  const exchange = resolveExchange(share, parts.map(({ text }) => text.plain).join("\n"));
  const issuer = bare ?? findIssuer(sentences, mentions);
  const security = { ticker: share?.ticker ?? null, exchange, company: issuer.company };
  const dateline = findDateline(sentences, published);
  const exDate = findExDate(sentences, { dateline: dateline.day, published, exchange });
  const announced = findAnnouncementDay(sentences, dateline.day, exDate);
  const { splits, contradictions } = findSplits({ kind, sentences, security, mentions, exDate });
  return {
    kind,
    mentions,
    security,
    fraction: fraction.fraction,
    announced,
    splits,
    contradictions: [...contradictions, ...(fraction.contradictory ? (["fraction"] as const) : [])],
    evidence: {
      ...quoteEvidence("kind", sentence),
      ...(share && evidenceOfTicker(share, exchange, parts)),
      ...quoteEvidence("company", issuer.sentence),
      ...(announced !== null && quoteEvidence("announced", dateline.sentence)),
      ...(fraction.fraction && { fraction: fraction.fraction.sentence }),
      ...(fraction.levelSentence !== null && { level: fraction.levelSentence }),
    },
  };
}

function parseText(heading: string, content: string): ParsedText {
  const parts = [plainText(heading), plainText(content)].map(
    (text, index): Part => ({ text, sentences: splitSentences(text, index === 0), tickers: findTickers(text.plain) }),
  );
  const sentences = parts.flatMap((part) => part.sentences);
  const bare = parts.some(({ tickers }) => tickers.length > 0) ? undefined : findBareTicker(sentences);
  return { parts: bare ? parts.map((part) => withBareTicker(part, bare)) : parts, sentences, bare };
}

function withBareTicker(part: Part, { ticker, sentence, start, end }: BareTicker): Part {
  if (!part.sentences.includes(sentence)) return part;
  const match = { start: sentence.start + start, end: sentence.start + end };
  return { ...part, tickers: [{ ticker, exchange: null, ...match, form: "bare" }] };
}

function evidenceOfTicker({ ticker }: TickerMention, exchange: Exchange | null, parts: readonly Part[]): Evidence {
  for (const { sentences, tickers } of parts) {
    const match = tickers.find((one) => one.ticker === ticker);
    const sentence = sentences.find(({ start, end }) => match && start <= match.start && match.start < end);
    if (sentence)
      return {
        ...quoteEvidence("ticker", sentence),
        ...(match?.exchange === exchange && quoteEvidence("exchange", sentence)),
      };
  }
  return {};
}
