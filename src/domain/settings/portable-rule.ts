import { z } from "zod";
import { EVENT_KIND_TRAITS, EVENT_KINDS } from "../alert/event.ts";
import { TREATMENTS, WIRES } from "../article/article.ts";
import { type Exchange, parseExchange } from "../split/exchange.ts";
import { parseTicker } from "../split/ticker.ts";
import { DEFAULT_FILTER, type RuleFilter } from "./rule.ts";
import { TICKER_FORM } from "./ticker-list.ts";

/** A rule without its destination, its number and the people it mentions. */
export interface PortableRule {
  readonly filter: RuleFilter;
  /** Whether it mentioned somebody; whom has no meaning at other destinations. */
  readonly called: boolean;
}

export type IsKnownExchange = (exchange: Exchange) => boolean;

/** More names than the longest command line can hold. */
const MAX_NAMES = 6_000;

const EXCHANGE_FORM = "an exchange such as NASDAQ, NYSE or OTC";
const MIN_RATIO_FORM = "the number of old shares per new share, more than 1, or null";

/** The form of an exported rule: `mention` is accepted for hand-written files. */
export const PORTABLE_RULE_FIELDS = [...Object.keys(DEFAULT_FILTER), "called"];

/** Validates text with a parser that returns undefined for invalid text. */
export function parsedText<T>(parse: (text: string) => T | undefined, expected: string): z.ZodType<T> {
  return z.unknown().transform((input, context): T => {
    const value = typeof input === "string" ? parse(input) : undefined;
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });
}

function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z
    .array(z.unknown(), "a list in brackets")
    .max(MAX_NAMES, `at most ${MAX_NAMES} entries`)
    .pipe(z.array(item))
    .transform((items) => [...new Set(items)]);
}

function oneOf<T extends string>(words: readonly T[]): z.ZodType<T> {
  return parsedText((text) => words.find((word) => word === text.trim().toLowerCase()), `one of ${words.join(", ")}`);
}

/** Validates a rule of an import; issue messages say what was expected. */
export function portableRuleSchema(isKnown: IsKnownExchange): z.ZodType<PortableRule> {
  const exchange = parsedText((text) => {
    const parsed = parseExchange(text);
    return parsed !== undefined && isKnown(parsed) ? parsed : undefined;
  }, EXCHANGE_FORM);
  const exchanges = listOf(exchange).default([]);
  const tickers = listOf(parsedText(parseTicker, TICKER_FORM)).default([]);
  return z
    .strictObject(
      {
        exchanges,
        tickers,
        excludeExchanges: exchanges,
        excludeTickers: tickers,
        events: listOf(oneOf(EVENT_KINDS)).default(DEFAULT_FILTER.events),
        sources: listOf(oneOf(WIRES)).default([]),
        fractional: listOf(oneOf(TREATMENTS)).default([]),
        minRatio: z.number(MIN_RATIO_FORM).gt(1, MIN_RATIO_FORM).nullable().default(null),
        called: z.unknown().optional(),
        mention: z.unknown().optional(),
      },
      { error: (issue) => (issue.code === "invalid_type" ? "a rule in braces" : undefined) },
    )
    .transform(({ called, mention, ...filter }) => ({ filter, called: isSet(called) || isSet(mention) }));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** Exports every field, so that readers see what exists. */
export function writeRule({ filter, called }: PortableRule): Readonly<Record<string, unknown>> {
  const fields = Object.keys(DEFAULT_FILTER) as (keyof RuleFilter)[];
  return { ...Object.fromEntries(fields.map((field) => [field, filter[field]])), ...(called ? { called } : {}) };
}

/** Combinations of filters that match nothing. */
export function contradictionsIn(filter: RuleFilter): readonly { readonly got: string; readonly expected: string }[] {
  const { tickers, excludeTickers, exchanges, excludeExchanges, events, sources } = filter;
  const hasReleases = events.some((kind) => EVENT_KIND_TRAITS[kind].subject === "release");
  return [
    ...(events.length === 0 ? [{ got: "no events", expected: "at least one" }] : []),
    ...(excludesAll(tickers, excludeTickers) ? [{ got: "all of its tickers excluded", expected: "one left" }] : []),
    ...(excludesAll(exchanges, excludeExchanges)
      ? [{ got: "all of its exchanges excluded", expected: "one left" }]
      : []),
    ...(sources.length > 0 && !hasReleases ? [{ got: "sources", expected: "article or early among its events" }] : []),
  ];
}

function excludesAll<T>(selected: readonly T[], excluded: readonly T[]): boolean {
  return selected.length > 0 && selected.every((one) => excluded.includes(one));
}
