import { memoize } from "../../lib/collections.ts";
import { EVENT_KIND_TRAITS, EVENT_KINDS, type EventKind, isReleaseEvent, type MatchableEvent } from "../alert/event.ts";
import { TREATMENTS, type Treatment } from "../article/article.ts";
import { WIRES, type Wire } from "../article/wire.ts";
import { type Exchange, followsUsTradingDays } from "../split/exchange.ts";
import { oldPerNew, oldPerNewName, type Ratio } from "../split/ratio.ts";
import { selectorsOf, storedSpellings, type Ticker } from "../split/ticker.ts";
import { exchangesField, type ImportField, minRatioField, tickersField, wordsField } from "./import-field.ts";
import { DEFAULT_CHANNEL_EVENTS, isSameSet, type RuleFilter } from "./rule.ts";

/** Security that an event concerns, with the fields that rules filter by. */
export interface RuleSubject {
  /** The current symbol first. If the split was listed under others before, also those. */
  readonly tickers: readonly Ticker[];
  /** The current exchange first. If the listing moved, also the former one. */
  readonly exchanges: readonly Exchange[];
  readonly ratios: readonly (Ratio | null)[];
  /** Empty if none is stated. If the treatment changed, also the former one. */
  readonly treatments: readonly Treatment[];
}

/** Values of the options of `subscribe` that filter alerts. */
export interface RuleOptions {
  readonly events?: readonly EventKind[] | undefined;
  readonly sources?: readonly Wire[] | undefined;
  readonly exclude?: { readonly tickers: readonly Ticker[]; readonly exchanges: readonly Exchange[] } | undefined;
  readonly tickers?: readonly Ticker[] | undefined;
  readonly exchange?: readonly Exchange[] | undefined;
  readonly minratio?: number | undefined;
  readonly fractional?: readonly Treatment[] | undefined;
}

export type RuleOption = keyof RuleOptions;

type ImportedFields = { readonly [F in keyof RuleFilter]?: ImportField<RuleFilter[F]> };

/** One filter of a rule. Parsing, forms, command lines, import and matching derive from it; its texts are in messages/rule-text.ts. */
interface RuleFilterPart<K extends RuleOption> {
  /** Name of the option kind (see commands/parser/option-kinds.ts), which parses, completes and shows the value. */
  readonly kind: string;
  /** Fields of the rule that the options set. */
  readonly read: (options: RuleOptions) => Partial<RuleFilter>;
  /** Option value that sets these fields; undefined if the default sets them. */
  readonly write: (filter: RuleFilter) => RuleOptions[K];
  /** The same fields in an imported file. */
  readonly imported: ImportedFields;
  /** Returns why the filter rejects the whole event; null if it accepts the event. */
  readonly explainEvent?: (filter: RuleFilter, event: MatchableEvent) => string | null;
  /** Returns why the filter rejects a security of the event; null if it accepts the security. */
  readonly explainSubject?: (filter: RuleFilter, subject: RuleSubject) => string | null;
  /** True if the filter rejects a release that names no security. */
  readonly needsSubject?: (filter: RuleFilter) => boolean;
}

/** Filters of a rule. If several reject an event, the first one states the reason. */
export const RULE_FILTERS = {
  events: {
    kind: "events",
    // If only sources are set, the rule also receives their press releases.
    read: ({ events, sources }) => ({
      events: events ?? [...DEFAULT_CHANNEL_EVENTS, ...(sources === undefined ? [] : ["article" as const])],
    }),
    write: ({ events }) => (isSameSet(events, DEFAULT_CHANNEL_EVENTS) ? undefined : events),
    imported: { events: wordsField(EVENT_KINDS) },
    explainEvent: ({ events }, { kind }) => (events.includes(kind) ? null : `${kind} events aren't selected`),
  },
  sources: {
    kind: "sources",
    read: ({ sources = [] }) => ({ sources }),
    write: ({ sources }) => nonEmpty(sources),
    imported: { sources: wordsField(WIRES) },
    explainEvent: explainSource,
  },
  exclude: {
    kind: "tickersOrExchanges",
    read: ({ exclude = { tickers: [], exchanges: [] } }) => ({
      excludeTickers: exclude.tickers,
      excludeExchanges: exclude.exchanges,
    }),
    write: ({ excludeTickers: tickers, excludeExchanges: exchanges }) =>
      tickers.length + exchanges.length === 0 ? undefined : { tickers, exchanges },
    imported: { excludeTickers: tickersField, excludeExchanges: exchangesField },
    explainSubject: explainExcluded,
  },
  tickers: {
    kind: "tickers",
    read: ({ tickers = [] }) => ({ tickers }),
    write: ({ tickers }) => nonEmpty(tickers),
    imported: { tickers: tickersField },
    explainSubject: explainTickers,
    needsSubject: ({ tickers }) => tickers.length > 0,
  },
  exchange: {
    kind: "exchanges",
    read: ({ exchange = [] }) => ({ exchanges: exchange }),
    write: ({ exchanges }) => nonEmpty(exchanges),
    imported: { exchanges: exchangesField },
    explainSubject: explainExchange,
    needsSubject: ({ exchanges }) => exchanges.length > 0,
  },
  minratio: {
    kind: "minRatio",
    read: ({ minratio = null }) => ({ minRatio: minratio }),
    write: ({ minRatio }) => minRatio ?? undefined,
    imported: { minRatio: minRatioField },
    explainSubject: explainRatio,
    needsSubject: ({ minRatio }) => minRatio !== null,
  },
  fractional: {
    kind: "fractional",
    read: ({ fractional = [] }) => ({ fractional }),
    write: ({ fractional }) => nonEmpty(fractional),
    imported: { fractional: wordsField(TREATMENTS) },
    explainSubject: explainTreatment,
    needsSubject: ({ fractional }) => fractional.length > 0,
  },
} as const satisfies { readonly [K in RuleOption]-?: RuleFilterPart<K> };

const PARTS: readonly RuleFilterPart<RuleOption>[] = Object.values(RULE_FILTERS);

/** Fields of an imported rule. */
export const IMPORTED_FIELDS = Object.assign({}, ...PARTS.map(({ imported }) => imported)) as Required<ImportedFields>;

export function filterFromOptions(options: RuleOptions): RuleFilter {
  return Object.assign({}, ...PARTS.map(({ read }) => read(options))) as RuleFilter;
}

/** Returns the options that produce this filter, without options that equal their defaults. */
export function optionsFromFilter(filter: RuleFilter): RuleOptions {
  const options = Object.entries(RULE_FILTERS).map(([name, part]) => [name, part.write(filter)] as const);
  return Object.fromEntries(options.filter(([, value]) => value !== undefined));
}

const EVENT_FILTERS = PARTS.flatMap((part) => part.explainEvent ?? []);
const SUBJECT_FILTERS = PARTS.flatMap((part) => part.explainSubject ?? []);

export function explainEvent(filter: RuleFilter, event: MatchableEvent): string | null {
  return firstReason(EVENT_FILTERS, filter, event);
}

export function explainSubject(filter: RuleFilter, subject: RuleSubject): string | null {
  return firstReason(SUBJECT_FILTERS, filter, subject);
}

export function needsSubject(filter: RuleFilter): boolean {
  return PARTS.some((part) => part.needsSubject?.(filter) === true);
}

/** Combination of filters that matches nothing. */
export type Contradiction =
  | { readonly kind: "no-events" }
  | { readonly kind: "all-excluded"; readonly option: "tickers" | "exchange"; readonly excluded: readonly string[] }
  | { readonly kind: "sources-without-releases" };

export function findContradictions(filter: RuleFilter): readonly Contradiction[] {
  const { tickers, excludeTickers, exchanges, excludeExchanges, events, sources } = filter;
  const hasReleases = events.some((kind) => EVENT_KIND_TRAITS[kind].subject === "release");
  return [
    ...(events.length === 0 ? [{ kind: "no-events" as const }] : []),
    ...allExcluded("tickers", tickers, excludeTickers),
    ...allExcluded("exchange", exchanges, excludeExchanges),
    ...(sources.length > 0 && !hasReleases ? [{ kind: "sources-without-releases" as const }] : []),
  ];
}

/** What a rule with a contradiction contains, and what it should contain. */
export function contradictionText(contradiction: Contradiction): { readonly got: string; readonly expected: string } {
  switch (contradiction.kind) {
    case "no-events":
      return { got: "no events", expected: "at least one event" };
    case "all-excluded": {
      const name = contradiction.option === "tickers" ? "ticker" : "exchange";
      return { got: `all of its ${name}s excluded`, expected: `at least one ${name} that isn't excluded` };
    }
    case "sources-without-releases":
      return { got: '"sources"', expected: '"article" or "early" among its events' };
  }
}

function allExcluded(
  option: "tickers" | "exchange",
  selected: readonly string[],
  excluded: readonly string[],
): readonly Contradiction[] {
  const exclusions = new Set(excluded);
  const isEmpty = selected.length > 0 && selected.every((name) => exclusions.has(name));
  return isEmpty ? [{ kind: "all-excluded", option, excluded }] : [];
}

function explainSource({ sources }: RuleFilter, event: MatchableEvent): string | null {
  if (!isReleaseEvent(event) || sources.length === 0) return null;
  const { source } = event.article;
  if (sources.some((wire) => wire === source)) return null;
  return `the wire is ${source}, but the rule selects ${sources.join(", ")}`;
}

function explainTickers({ tickers: selected }: RuleFilter, subject: RuleSubject): string | null {
  const isSelected = selected.length === 0 || includesAny(selected, selectorsFor(subject));
  return isSelected ? null : `${subject.tickers[0] ?? "the ticker"} isn't selected`;
}

const selectorsFor = memoize(
  ({ tickers, exchanges }: RuleSubject): ReadonlySet<Ticker> =>
    new Set(tickers.flatMap((ticker) => selectorsOf(ticker, exchanges)).flatMap(storedSpellings)),
);

/** A ticker with a market, such as `OAKR.TO`, excludes only a security that is certainly listed there. */
const exclusionsFor = memoize((subject: RuleSubject): ReadonlySet<Ticker> => {
  const { tickers, exchanges } = subject;
  const isElsewhere = exchanges.length > 0 && !exchanges.some(followsUsTradingDays);
  return isElsewhere ? selectorsFor(subject) : new Set(tickers.flatMap(storedSpellings));
});

function includesAny(tickers: readonly Ticker[], selectors: ReadonlySet<Ticker>): boolean {
  return tickers.some((ticker) => selectors.has(ticker));
}

function explainExcluded({ excludeTickers, excludeExchanges }: RuleFilter, subject: RuleSubject): string | null {
  const { exchanges } = subject;
  const excluded = excludeTickers.find((ticker) => exclusionsFor(subject).has(ticker));
  if (excluded !== undefined) return `${excluded} is excluded`;
  const [current] = exchanges;
  const isExcluded = current !== undefined && exchanges.every((exchange) => excludeExchanges.includes(exchange));
  return isExcluded ? `${current} is excluded` : null;
}

function explainExchange({ exchanges: required }: RuleFilter, { exchanges }: RuleSubject): string | null {
  const [current] = exchanges;
  if (required.length === 0) return null;
  if (current === undefined) return "the exchange is not stated";
  if (exchanges.some((exchange) => required.includes(exchange))) return null;
  return `the exchange is ${current}, but the rule selects ${required.join(", ")}`;
}

function explainRatio({ minRatio }: RuleFilter, { ratios }: RuleSubject): string | null {
  if (minRatio === null) return null;
  const knownRatios = ratios.filter((ratio) => ratio !== null);
  if (knownRatios.length === 0) return "the ratio is not known";
  if (knownRatios.some((ratio) => oldPerNew(ratio) >= minRatio)) return null;
  return `the ratio is less steep than ${oldPerNewName(minRatio)}`;
}

function explainTreatment({ fractional }: RuleFilter, { treatments }: RuleSubject): string | null {
  if (fractional.length === 0) return null;
  if (treatments.length === 0) return "the treatment of fractional shares is not stated";
  if (treatments.some((treatment) => fractional.includes(treatment))) return null;
  return `fractional shares: ${treatments.join(", ")}, but the rule selects ${fractional.join(", ")}`;
}

function firstReason<T>(
  filters: readonly ((filter: RuleFilter, tested: T) => string | null)[],
  filter: RuleFilter,
  tested: T,
): string | null {
  for (const explain of filters) {
    const reason = explain(filter, tested);
    if (reason !== null) return reason;
  }
  return null;
}

function nonEmpty<V>(list: readonly V[]): readonly V[] | undefined {
  return list.length === 0 ? undefined : list;
}
