import { z } from "zod";
import { destinationSchema, personSchema } from "../alert/destination.ts";
import { EVENT_KIND_TRAITS, EVENT_KINDS, type EventKind, eventKindSchema } from "../alert/event.ts";
import { treatmentSchema } from "../article/article.ts";
import { wireSchema } from "../article/wire.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { exchangeSchema } from "../split/exchange.ts";
import { tickerSchema } from "../split/ticker.ts";
import { instantSchema } from "../time/day.ts";

export const ruleFilterSchema = z.object({
  exchanges: z.array(exchangeSchema),
  tickers: z.array(tickerSchema),
  excludeExchanges: z.array(exchangeSchema),
  excludeTickers: z.array(tickerSchema),
  events: z.array(eventKindSchema),
  /** Wires, for `article` and `early` events. */
  sources: z.array(wireSchema),
  fractional: z.array(treatmentSchema),
  /** Minimum number of old shares per new share; null for any. */
  minRatio: z.number().nullable(),
});

/** Selects the events that a destination receives. An empty list matches every value of its field. */
export type RuleFilter = Infer<typeof ruleFilterSchema>;

export const RULE_FIELDS = Object.keys(ruleFilterSchema.shape) as readonly (keyof RuleFilter)[];

/** Creator of the rules that the configuration contains. No platform's ids contain parentheses. */
export const CONFIGURATION_ID = "(configuration)";

export const ruleSchema = ruleFilterSchema.extend({
  /** Number at the destination, counted from 1; never reused. */
  number: countSchema,
  destination: destinationSchema,
  createdBy: personSchema,
  /** 0 for the rules of the configuration, whose time isn't known. */
  createdAt: instantSchema,
  /** The mention that precedes each message, in the platform's syntax; null if there is none. */
  mention: z.string().nullable(),
});

export type Rule = Infer<typeof ruleSchema>;

/** True for the rules of the configuration, which are not part of the state. */
export function isConfiguredRule({ createdBy }: Rule): boolean {
  return createdBy.id === CONFIGURATION_ID;
}

/** A rule before the store assigns its number. */
export type RuleDraft = Omit<Rule, "number">;

/** Events that `events:all` selects; alerts about outdated data must be selected by name. */
export const SPLIT_AND_RELEASE_EVENTS: readonly EventKind[] = EVENT_KINDS.filter(
  (kind) => EVENT_KIND_TRAITS[kind].subject !== "data",
);

export const DEFAULT_CHANNEL_EVENTS: readonly EventKind[] = EVENT_KINDS.filter(
  (kind) => EVENT_KIND_TRAITS[kind].inDefaultRule,
);

export const WATCHLIST_EVENTS: readonly EventKind[] = EVENT_KINDS.filter(
  (kind) => EVENT_KIND_TRAITS[kind].inWatchlists,
);

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

type RuleContent = RuleFilter & Pick<Rule, "mention">;

/** True if two rules match the same events and mention the same people, ignoring order. */
export function isEquivalentRule(a: RuleContent, b: RuleContent): boolean {
  return a.mention === b.mention && RULE_FIELDS.every((field) => isSameValue(a[field], b[field]));
}

function isSameValue(a: RuleFilter[keyof RuleFilter], b: RuleFilter[keyof RuleFilter]): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  return isSameSet(a, b);
}

/** True if two lists without duplicates have the same entries, in any order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word) => b.includes(word));
}
