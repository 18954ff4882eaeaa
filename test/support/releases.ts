import type { Release } from "../../src/catalog/release.ts";
import type { TickerMention } from "../../src/domain/article/article.ts";
import { parseRatio } from "../../src/domain/split/ratio.ts";
import type { ArticleFacts, SplitFacts } from "../../src/extraction/extract.ts";
import { day, exchange, ticker } from "./builders.ts";

export interface SplitParts {
  readonly ticker?: string | null;
  readonly exchange?: string | null;
  readonly company?: string | null;
  readonly ratio?: string | null;
  readonly exDate?: string | null;
  readonly exDateBasis?: SplitFacts["exDateBasis"];
}

/** Facts of one split. Omitted parts have defaults. */
function splitFacts(parts: SplitParts = {}): SplitFacts {
  const {
    ticker: symbol = "ACME",
    exchange: market = "NASDAQ",
    company = "Acme Robotics Inc.",
    ratio = "1:20",
    exDate = "2026-03-10",
  } = parts;
  return {
    ticker: symbol === null ? null : ticker(symbol),
    exchange: market === null ? null : exchange(market),
    company,
    ratio: ratio === null ? null : (parseRatio(ratio) ?? null),
    exDate: exDate === null ? null : day(exDate),
    exDateBasis: parts.exDateBasis,
    newCusip: null,
    evidence: {},
  };
}

export interface FactParts {
  readonly kind?: ArticleFacts["kind"];
  /** Evidence of the kind. */
  readonly kindSentence?: string;
  readonly announced?: string | null;
  readonly splits?: readonly SplitParts[];
  /** Exchange tags such as `NASDAQ: ACME`. */
  readonly tags?: readonly string[];
  /** The company that speaks. Default: not stated, as in facts of earlier versions. */
  readonly subject?: string | null;
}

function factsOf(parts: FactParts = {}): ArticleFacts {
  const { kind = "reverse_split", kindSentence, announced = null, splits = [{}], tags = [] } = parts;
  return {
    kind,
    mentions: tags.map((tag) => ({ ...mention(tag), tagged: true })),
    security: { ticker: null, exchange: null, company: null },
    subject: parts.subject,
    fraction: null,
    announced: announced === null ? null : day(announced),
    splits: splits.map(splitFacts),
    contradictions: [],
    evidence: kindSentence === undefined ? {} : { kind: kindSentence },
  };
}

/** Parses `NASDAQ: ACME`, or `ACME` without an exchange. */
export function mention(tag: string): TickerMention {
  const [symbol = "", market] = tag.split(": ").toReversed();
  return { ticker: ticker(symbol), exchange: market === undefined ? null : exchange(market) };
}

/** A release whose page was read, published at noon in New York on the day `published`. */
export function aRelease(
  parts: Partial<Omit<Release, "published" | "facts">> & {
    readonly published?: string;
    readonly facts?: FactParts;
  } = {},
): Release {
  const { published = "2026-03-02", facts = {}, ...others } = parts;
  const publishedAt = Date.parse(`${published}T17:00:00Z`);
  return {
    url: "https://wire.example/acme-1",
    source: "globenewswire",
    heading: "Acme Robotics Announces Reverse Stock Split",
    teaser: "",
    tickers: [],
    publishedAt,
    foundAt: publishedAt + 60_000,
    version: "1",
    readVersion: "1",
    readAt: publishedAt + 61_000,
    reads: 1,
    text: "Acme Robotics Inc. (NASDAQ: ACME) will combine every twenty shares into one.",
    tries: 0,
    problem: null,
    notBefore: 0,
    ...others,
    published: day(published),
    facts: factsOf(facts),
  };
}
