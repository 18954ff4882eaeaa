import { EVENT_KINDS } from "../alert/event.ts";
import { TREATMENTS, WIRES } from "../article/article.ts";
import { type Exchange, parseExchange } from "../split/exchange.ts";
import { parseTicker, type Ticker } from "../split/ticker.ts";
import type { LocatedJson } from "./located-json.ts";
import { DEFAULT_FILTER, type RuleFilter } from "./rule.ts";
import { type LineProblem, TICKER_FORM } from "./ticker-list.ts";

/** A rule without its place, its number and the people it names: what it asks for, and whether it called somebody. */
export interface PortableRule {
  readonly filter: RuleFilter;
  /** It called somebody where it stood; whom, means nothing elsewhere. */
  readonly called: boolean;
}

export type IsKnownExchange = (exchange: Exchange) => boolean;

export type ReadRule =
  | { readonly kind: "rule"; readonly rule: PortableRule }
  | { readonly kind: "wrong"; readonly problems: readonly LineProblem[] };

/** As many as the longest command line could name. */
const MOST_NAMES = 6_000;

const FIELDS = [...Object.keys(DEFAULT_FILTER), "called"];

/** What `subscribe` writes of a rule; every field is there, so that a reader sees what there is. */
export function writeRule({ filter, called }: PortableRule): Readonly<Record<string, unknown>> {
  const { exchanges, tickers, excludeExchanges, excludeTickers, events, sources, fractional, minRatio } = filter;
  const asked = { exchanges, tickers, excludeExchanges, excludeTickers, events, sources, fractional, minRatio };
  return called ? { ...asked, called } : asked;
}

/** A rule with anything wrong in it is no rule: half of it would ask for more, or for less, than was meant. */
export function readRule(json: LocatedJson, name: string, knowsExchange: IsKnownExchange): ReadRule {
  if (json.kind !== "object") return { kind: "wrong", problems: [wrong(json, name, "a rule in braces")] };
  const { entries } = json;
  const problems = unknownFields(entries, name);
  const filter = readFilter(entries, { name, knowsExchange, problems });
  if (problems.length === 0) problems.push(...contradictions(filter, json, name));
  if (problems.length > 0) return { kind: "wrong", problems };
  return { kind: "rule", rule: { filter, called: callsSomebody(entries) } };
}

type Entries = ReadonlyMap<string, LocatedJson>;

/** People who write a rule themselves may name whom it calls. */
function unknownFields(entries: Entries, name: string): LineProblem[] {
  return [...entries]
    .filter(([key]) => !FIELDS.includes(key) && key !== "mention")
    .map(([key, { line }]) => ({ line, got: `${name}.${key}`, expected: `one of ${FIELDS.join(", ")}` }));
}

interface Reading {
  readonly name: string;
  readonly knowsExchange: IsKnownExchange;
  readonly problems: LineProblem[];
}

const EXCHANGE_FORM = "an exchange such as NASDAQ, NYSE or OTC";

function readFilter(entries: Entries, { name, knowsExchange, problems }: Reading): RuleFilter {
  const list = <V extends string>(field: string, read: (text: string) => V | undefined, form: string): readonly V[] => {
    const found = readNames(entries.get(field), { name: `${name}.${field}`, read, form });
    problems.push(...found.problems);
    return found.names;
  };
  const choices = <V extends string>(field: string, known: readonly V[]): readonly V[] =>
    list(field, (text) => known.find((one) => one === text.trim().toLowerCase()), `one of ${known.join(", ")}`);
  const exchange = (text: string): Exchange | undefined => knownExchange(text, knowsExchange);
  return {
    exchanges: list("exchanges", exchange, EXCHANGE_FORM),
    tickers: list("tickers", parseTicker, TICKER_FORM),
    excludeExchanges: list("excludeExchanges", exchange, EXCHANGE_FORM),
    excludeTickers: list("excludeTickers", parseTicker, TICKER_FORM),
    events: entries.has("events") ? choices("events", EVENT_KINDS) : DEFAULT_FILTER.events,
    sources: choices("sources", WIRES),
    fractional: choices("fractional", TREATMENTS),
    minRatio: readMinRatio(entries.get("minRatio"), name, problems),
  };
}

interface NamesForm<V> {
  readonly name: string;
  readonly read: (text: string) => V | undefined;
  readonly form: string;
}

function readNames<V extends string>(
  json: LocatedJson | undefined,
  { name, read, form }: NamesForm<V>,
): { readonly names: readonly V[]; readonly problems: readonly LineProblem[] } {
  if (json === undefined) return { names: [], problems: [] };
  if (json.kind !== "list") return { names: [], problems: [wrong(json, name, "a list in brackets")] };
  const tooMany = `at most ${MOST_NAMES} entries`;
  if (json.values.length > MOST_NAMES) return { names: [], problems: [wrong(json, name, tooMany)] };
  const names = new Set<V>();
  const problems: LineProblem[] = [];
  for (const value of json.values) {
    const known = value.kind === "text" ? read(value.value) : undefined;
    if (known === undefined) problems.push(wrong(value, name, form));
    else names.add(known);
  }
  return { names: [...names], problems };
}

function knownExchange(text: string, knowsExchange: IsKnownExchange): Exchange | undefined {
  const exchange = parseExchange(text);
  return exchange !== undefined && knowsExchange(exchange) ? exchange : undefined;
}

function readMinRatio(json: LocatedJson | undefined, name: string, problems: LineProblem[]): number | null {
  if (json === undefined || (json.kind === "word" && json.value === null)) return null;
  if (json.kind === "number" && json.value > 1 && Number.isFinite(json.value)) return json.value;
  problems.push(wrong(json, `${name}.minRatio`, "how many old shares make one new, more than 1, or null"));
  return null;
}

/** Options that together leave nothing to tell. */
function contradictions(filter: RuleFilter, { line }: LocatedJson, name: string): readonly LineProblem[] {
  const problem = (got: string, expected: string): LineProblem => ({ line, got: `${name}: ${got}`, expected });
  const { tickers, excludeTickers, exchanges, excludeExchanges, events, sources } = filter;
  const ofReleases = events.includes("article") || events.includes("early");
  return [
    ...(events.length === 0 ? [problem("no events", "at least one")] : []),
    ...(leavesNothing<Ticker>(tickers, excludeTickers) ? [problem("all of its tickers excluded", "one left")] : []),
    ...(leavesNothing(exchanges, excludeExchanges) ? [problem("all of its exchanges excluded", "one left")] : []),
    ...(sources.length > 0 && !ofReleases ? [problem("sources", "article or early among its events")] : []),
  ];
}

function leavesNothing<V>(wanted: readonly V[], excluded: readonly V[]): boolean {
  return wanted.length > 0 && wanted.every((one) => excluded.includes(one));
}

/** Files that people wrote themselves may name somebody. */
function callsSomebody(entries: Entries): boolean {
  return [entries.get("called"), entries.get("mention")].some(
    (value) => value !== undefined && !(value.kind === "word" && value.value !== true),
  );
}

export function wrong(json: LocatedJson, name: string, expected: string): LineProblem {
  return { line: json.line, got: `${name} ${shown(json)}`, expected };
}

function shown(json: LocatedJson): string {
  switch (json.kind) {
    case "text":
      return JSON.stringify(json.value.slice(0, 40));
    case "number":
    case "word":
      return String(json.value);
    case "list":
      return `with a list of ${json.values.length}`;
    case "object":
      return "with braces";
  }
}
