import type { Destination, Person } from "../alert/destination.ts";
import { EVENT_KINDS, type EventKind } from "../alert/event.ts";
import type { Treatment, Wire } from "../article/article.ts";
import type { Exchange } from "../split/exchange.ts";
import type { Ticker } from "../split/ticker.ts";
import type { Instant } from "../time/day.ts";

/** What a destination wants to hear. An empty list asks for everything of its kind. */
export interface RuleFilter {
  readonly exchanges: readonly Exchange[];
  readonly tickers: readonly Ticker[];
  readonly excludeExchanges: readonly Exchange[];
  readonly excludeTickers: readonly Ticker[];
  readonly events: readonly EventKind[];
  /** Wires of `article` and `early` events. */
  readonly sources: readonly Wire[];
  readonly fractional: readonly Treatment[];
  /** At least this many old shares for one new; null: any. */
  readonly minRatio: number | null;
}

export interface Rule extends RuleFilter {
  /** Counted per destination from 1; a number is never given twice. */
  readonly number: number;
  readonly destination: Destination;
  readonly createdBy: Person;
  readonly createdAt: Instant;
  /** What the platform puts before the message to call somebody; null: nobody. */
  readonly mention: string | null;
}

/** The number is the store's to give. */
export type RuleDraft = Omit<Rule, "number">;

/** What people mean by all: the news of splits and releases. How old the data is has to be asked for by name. */
export const SPLIT_AND_RELEASE_EVENTS: readonly EventKind[] = EVENT_KINDS.filter((kind) => kind !== "stale");

export const DEFAULT_CHANNEL_EVENTS: readonly EventKind[] = SPLIT_AND_RELEASE_EVENTS.filter(
  (kind) => !["reminder", "article", "early"].includes(kind),
);

/** A watchlist hears of everything about its tickers but `early`. */
export const WATCHLIST_EVENTS: readonly EventKind[] = SPLIT_AND_RELEASE_EVENTS.filter((kind) => kind !== "early");

export const DEFAULT_FILTER: RuleFilter = {
  exchanges: [],
  tickers: [],
  excludeExchanges: [],
  excludeTickers: [],
  events: DEFAULT_CHANNEL_EVENTS,
  sources: [],
  fractional: [],
  minRatio: null,
};

type SayingRule = RuleFilter & Pick<Rule, "mention">;

/** Two rules that tell the same and call the same, in whatever order their words stand. */
export function isEquivalentRule(a: SayingRule, b: SayingRule): boolean {
  return (
    a.minRatio === b.minRatio &&
    a.mention === b.mention &&
    isSameSet(a.exchanges, b.exchanges) &&
    isSameSet(a.tickers, b.tickers) &&
    isSameSet(a.excludeExchanges, b.excludeExchanges) &&
    isSameSet(a.excludeTickers, b.excludeTickers) &&
    isSameSet(a.events, b.events) &&
    isSameSet(a.sources, b.sources) &&
    isSameSet(a.fractional, b.fractional)
  );
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word) => b.includes(word));
}
