import type { Article, ReleaseKind, TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Day } from "../domain/time/day.ts";
import { type BareTicker, findBareTicker } from "./bare-ticker.ts";
import { findAnnouncementDay, findDateline } from "./dateline.ts";
import { findExDate } from "./ex-date.ts";
import { type ArticleFacts, type Evidence, quote } from "./facts.ts";
import { type FractionResult, findFraction } from "./fraction.ts";
import { findIssuer } from "./issuer.ts";
import { findKind } from "./kind.ts";
import { listMentions } from "./mentions.ts";
import { resolveExchange, selectCommonShare } from "./security.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { findSplits } from "./splits.ts";
import { type PlainText, plainText } from "./text.ts";
import { findTickers, type TickerMatch } from "./tickers.ts";

export type { ArticleFacts, SplitFacts } from "./facts.ts";

/** News of a reverse split to come. In any other release a fraction is that of a merger, or of a split that is over. */
const KINDS_WITH_FRACTION: readonly ReleaseKind[] = [
  "reverse_split",
  "ads_ratio_change",
  "postponed",
  "approval_only",
  "ratio_range",
];

const NO_FRACTION: FractionResult = { fraction: null, levelSentence: null, contradictory: false };

/** The heading, or the body. */
interface Part {
  readonly text: PlainText;
  readonly sentences: readonly Sentence[];
  readonly found: readonly TickerMatch[];
}

interface TextRead {
  readonly parts: readonly Part[];
  readonly sentences: readonly Sentence[];
  /** Asked for where no ticker is given as one. */
  readonly bare: BareTicker | undefined;
}

/** A release's text. When it was published serves to tell the year of a day that is written without one. */
type Text = Pick<Article, "heading" | "content"> & { readonly published?: Day | null };

/** Reads the facts out of one release. Takes time in step with the length of the text, whatever it holds. */
export function extractFacts({ heading, content, published = null }: Text): ArticleFacts {
  const { parts, sentences, bare } = readParts(heading, content);
  const { kind, sentence, isCompleted: isDone } = findKind(sentences);
  const fractions = KINDS_WITH_FRACTION.includes(kind) ? findFraction(sentences, isDone) : NO_FRACTION;
  const mentions = listMentions(parts.flatMap(({ found }) => found));
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
    fraction: fractions.fraction,
    announced,
    splits,
    contradictions: [...contradictions, ...(fractions.contradictory ? (["fraction"] as const) : [])],
    evidence: {
      ...quote("kind", sentence),
      ...(share && evidenceOfTicker(share, exchange, parts)),
      ...quote("company", issuer.sentence),
      ...(announced !== null && quote("announced", dateline.sentence)),
      ...(fractions.fraction && { fraction: fractions.fraction.sentence }),
      ...(fractions.levelSentence !== null && { level: fractions.levelSentence }),
    },
  };
}

function readParts(heading: string, content: string): TextRead {
  const parts = [plainText(heading), plainText(content)].map(
    (text, index): Part => ({ text, sentences: splitSentences(text, index === 0), found: findTickers(text.plain) }),
  );
  const sentences = parts.flatMap((part) => part.sentences);
  const bare = parts.some(({ found }) => found.length > 0) ? undefined : findBareTicker(sentences);
  return { parts: bare ? parts.map((part) => withBare(part, bare)) : parts, sentences, bare };
}

function withBare(part: Part, { ticker, sentence, start, end }: BareTicker): Part {
  if (!part.sentences.includes(sentence)) return part;
  const place = { start: sentence.start + start, end: sentence.start + end };
  return { ...part, found: [{ ticker, exchange: null, ...place, form: "bare" }] };
}

function evidenceOfTicker({ ticker }: TickerMention, exchange: Exchange | null, parts: readonly Part[]): Evidence {
  for (const { sentences, found } of parts) {
    const place = found.find((one) => one.ticker === ticker);
    const sentence = sentences.find(({ start, end }) => place && start <= place.start && place.start < end);
    if (sentence)
      return { ...quote("ticker", sentence), ...(place?.exchange === exchange && quote("exchange", sentence)) };
  }
  return {};
}
