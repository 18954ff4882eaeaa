import type { CatalogSplit } from "../../catalog/catalog-split.ts";
import { findName, foldName, foldText } from "../../domain/article/company-name.ts";
import type { Day } from "../../domain/time/day.ts";
import { REVERSE_SPLIT } from "../../extraction/split-patterns.ts";
import type { FeedItem } from "./newswire.ts";

/** A word in a heading or teaser that a release on a reverse split may be known by. A test holds each to its example. */
export interface GateRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly example: string;
}

/**
 * Generous: a page too many costs one request, a page too few a split. What says no more than `consolidated results` or
 * `reverse takeover` is left out.
 */
export const GATE_RULES: readonly GateRule[] = [
  { name: "a split", pattern: /\bsplits?\b|splitting/i, example: "1-for-20 Stock Split" },
  { name: "a reverse split, damaged", pattern: /reverse ?-?(?:stock|share|unit|ads)/i, example: "ReverseStock Split" },
  { name: "a consolidation", pattern: /consolidat(?:i?on|ing|e)(?!d)\b/i, example: "Share Consolidation" },
  { name: "a rollback", pattern: /\broll-?\s?back/i, example: "10:1 roll-back" },
  {
    name: "a ratio",
    pattern: /\b(?:1|one|\d+) ?[-‐-―]? ?(?:for|to) ?[-‐-―]? ?\w+ (?:basis|reverse|ratio)|\bratio\b/i,
    example: "Change in Ratio",
  },
  { name: "depositary shares", pattern: /\bADSs?\b|\bADRs?\b|depositary/i, example: "Plan to Change its ADS Ratio" },
  {
    name: "the share capital",
    pattern: /recapitali[sz]|capital (?:re(?:organi[sz]ation|structuring|duction)|structure)|share capital/i,
    example: "Capital Reorganization",
  },
  {
    name: "a symbol or number that changes",
    pattern:
      /\bCUSIP\b|\bISIN\b|(?:name|symbol|ticker)s? change|change of (?:name|symbol)|new (?:\w+ )?(?:symbol|ticker)/i,
    example: "Announces Name Change and New Trading Symbol",
  },
  {
    name: "the price that a listing asks for",
    pattern:
      /minimum bid|bid price|listing (?:rule|requirement|standard|qualification)|delist|deficien|non-?compliance|(?:regain|compliance with|meets?) .{0,40}(?:nasdaq|nyse|listing|compliance)/i,
    example: "Regains Compliance with Nasdaq",
  },
  {
    name: "a vote",
    pattern:
      /(?:special|extraordinary|general|annual) (?:general )?meeting|(?:stock|share|unit)holders? (?:approv|vote)|\bEGM\b/i,
    example: "Results of Special Meeting",
  },
  { name: "a split, in French", pattern: /regroupement|fractionnement/i, example: "Regroupement d'actions" },
];

/** Whether the page may tell of a reverse split, as far as the feed's own words show. */
export function mayTellOfSplit({ heading, teaser }: Pick<FeedItem, "heading" | "teaser">): boolean {
  const words = `${heading}\n${teaser}`;
  return GATE_RULES.some(({ pattern }) => pattern.test(words));
}

/** The words name a reverse split. */
export function namesSplit(text: string): boolean {
  // A pattern that looks for all places remembers where it stopped.
  REVERSE_SPLIT.lastIndex = 0;
  return REVERSE_SPLIT.test(text);
}

/** Whether it is news of a company whose split is still to come: the next release may call it off under any heading. */
export function concernsSplitToCome(item: FeedItem, splits: readonly CatalogSplit[], today: Day): boolean {
  const words = foldText(`${item.heading}\n${item.teaser}`);
  return splits
    .filter(({ status, exDate }) => status === "postponed" || (status === "announced" && (exDate ?? today) >= today))
    .some(({ listings, company }) => {
      const tickers = new Set(listings.map(({ ticker }) => ticker));
      return (
        item.tickers.some(({ ticker }) => tickers.has(ticker)) ||
        (company !== null && findName(foldName(company), words))
      );
    });
}
