import type { Article, ReleaseKind } from "../domain/article/article.ts";
import type { Day } from "../domain/time/day.ts";
import type { ArticleFacts, SplitFacts } from "./facts.ts";
import { decodeMarkup } from "./markup.ts";
import { type Consolidation, readVentureBulletins, TSXV, type VentureBulletin } from "./venture-bulletins.ts";

/** A release in which an exchange publishes its bulletins of a day, one block for each company. */
export function isCollectiveRelease({ heading, content }: Pick<Article, "heading" | "content">): boolean {
  return (
    /\bBULLETIN\s{1,5}TYPE\s{0,5}[:|]/i.test(content) &&
    /\bTSX[ -]?V(?:enture)?\b|\bNEX\b/i.test(`${heading}\n${content}`)
  );
}

/** A block about a consolidation. */
interface SplitBlock extends VentureBulletin {
  readonly consolidation: Consolidation;
}

/** Kinds of blocks in the order in which they determine the kind of the release. */
const KINDS: readonly (readonly [Consolidation["kind"], ReleaseKind])[] = [
  ["announced", "reverse_split"],
  ["postponed", "postponed"],
  ["cancelled", "cancelled"],
];

/**
 * Facts of a collective release: a split for each block that announces one; if none does, for each that postpones or cancels
 * one. The publisher and the companies of other blocks aren't mentioned.
 * @param text Heading and content; the heading of a single pasted bulletin is the line with its symbol.
 */
export function extractCollectiveFacts(text: string, published: Day | null): ArticleFacts {
  const bulletins = readVentureBulletins(decodeMarkup(text));
  const blocks = bulletins.filter(isSplitBlock);
  const [blockKind, kind = "other"] =
    KINDS.find(([of]) => blocks.some(({ consolidation }) => consolidation.kind === of)) ?? [];
  const reported = blocks.filter(({ consolidation }) => consolidation.kind === blockKind);
  const splits = reported.map(toSplit);
  const [first, ...others] = reported;
  const [split] = splits;
  const isOne = split !== undefined && others.length === 0;
  return {
    kind,
    mentions: reported.flatMap(({ tickers }) => tickers.map((ticker) => ({ ticker, exchange: TSXV, tagged: true }))),
    security: isOne
      ? { ticker: split.ticker, exchange: split.exchange, company: split.company }
      : { ticker: null, exchange: null, company: null },
    fraction: null,
    announced: first?.issuedOn ?? published,
    splits,
    contradictions: [],
    evidence: first?.consolidation.evidence ?? {},
  };
}

function isSplitBlock(bulletin: VentureBulletin): bulletin is SplitBlock {
  return bulletin.consolidation !== null && bulletin.tickers.length > 0;
}

/** The former symbol is that of the shares until the first trading day. */
function toSplit({ tickers, company, consolidation }: SplitBlock): SplitFacts {
  const { ratio, exDate, newCusip, evidence } = consolidation;
  const [ticker = null] = tickers;
  return { ticker, exchange: TSXV, company, ratio, exDate, newCusip, evidence };
}
