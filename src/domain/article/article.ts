import type { Exchange } from "../split/exchange.ts";
import type { Ratio } from "../split/ratio.ts";
import type { Ticker } from "../split/ticker.ts";
import type { Day, Instant } from "../time/day.ts";

/** The five news wires whose releases the data service serves. */
export const WIRES = ["prnewswire", "businesswire", "globenewswire", "accesswire", "newsfile"] as const;

export type Wire = (typeof WIRES)[number];

/** A press release as the data service serves it. */
export interface Article {
  readonly source: string;
  readonly heading: string;
  readonly url: string;
  readonly content: string;
  readonly published: Day;
}

/** What a text is about, in one word. */
export type ReleaseKind =
  | "reverse_split"
  | "ads_ratio_change"
  | "postponed"
  | "cancelled"
  | "approval_only"
  | "ratio_range"
  | "forward_split"
  | "completed_past"
  | "deficiency"
  | "other";

export const TREATMENTS = ["round_up", "round_nearest", "round_down", "cash_in_lieu"] as const;

/** What becomes of a fractional share. */
export type Treatment = (typeof TREATMENTS)[number];

/** What a release says about fractional shares, with the sentence that says it, word for word. */
export interface Fraction {
  readonly treatment: Treatment;
  /** Where it is rounded: per holder, or per participant of the clearing house. Null: not stated. */
  readonly level: "holder" | "participant" | null;
  readonly sentence: string;
}

/** A ticker that a text names, with the exchange of its tag where it has one. */
export interface TickerMention {
  readonly ticker: Ticker;
  readonly exchange: Exchange | null;
}

/** The terms of one split, as a release states them. What it does not say, or contradicts itself on, is null. */
export interface StatedTerms {
  readonly ticker: Ticker | null;
  readonly exchange: Exchange | null;
  /** The issuer's name, or the fund's where one release speaks of several. */
  readonly company: string | null;
  readonly ratio: Ratio | null;
  /** First trading day on the new basis. */
  readonly exDate: Day | null;
  /** Nine signs, without blanks. */
  readonly newCusip: string | null;
}

/** What we keep of an article that we have seen: all but its body. */
export interface KnownArticle {
  readonly url: string;
  readonly source: string;
  readonly heading: string;
  /** Of its text: another one when the wire has corrected the release under its address. */
  readonly version: string;
  readonly published: Day;
  readonly seenAt: Instant;
  readonly kind: ReleaseKind;
  /** The sentence that shows the kind, word for word; null where none does. */
  readonly kindSentence: string | null;
  readonly concerns: readonly TickerMention[];
  readonly fraction: Fraction | null;
  /** One for each split that it speaks of; none where it announces, moves or calls off none. */
  readonly terms: readonly StatedTerms[];
}
