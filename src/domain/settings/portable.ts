import { parseTicker, type Ticker } from "../split/ticker.ts";
import type { DestinationSettings } from "./destination-settings.ts";
import { type LocatedJson, readLocatedJson } from "./located-json.ts";
import { type IsKnownExchange, type PortableRule, readRule, writeRule, wrong } from "./portable-rule.ts";
import { type PortableSettings, readSettings, writeSettings } from "./portable-settings.ts";
import { type LineProblem, readTickerList, TICKER_FORM } from "./ticker-list.ts";

/** What somebody takes along from one place to another, on whatever platform: no ids, no addresses. */
export interface Portable {
  readonly watchlist: readonly Ticker[];
  readonly rules: readonly PortableRule[];
  readonly settings: DestinationSettings | null;
}

/** What an import found. Entries with a problem are left out; the others stand. */
export interface ReadPortable {
  readonly kind: "read";
  readonly watchlist: readonly Ticker[];
  readonly rules: readonly PortableRule[];
  readonly settings: PortableSettings;
  readonly problems: readonly LineProblem[];
}

/** Why a text is not read at all. */
export type Unreadable =
  | { readonly kind: "empty" }
  | { readonly kind: "markup" }
  | { readonly kind: "too-long"; readonly characters: number }
  | { readonly kind: "too-many-lines"; readonly lines: number }
  | { readonly kind: "other-version"; readonly line: number; readonly got: string }
  | ({ readonly kind: "broken" } & LineProblem);

/** The largest file, in bytes; a text has no more characters than that. */
export const MAX_PORTABLE_BYTES = 1024 * 1024;
export const MAX_PORTABLE_LINES = 10_000;

const VERSION = 1;
const FIELDS = ["splitwatch", "watchlist", "rules", "settings"];

const LINE_END = /\r\n|\r|\n/;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** A ticker and a rule on a line of their own each: a file that people can read and change. */
export function writePortable({ watchlist, rules, settings }: Portable): string {
  const lines = [
    `  "splitwatch": ${VERSION}`,
    `  "watchlist": ${writeList(watchlist.map((ticker) => JSON.stringify(ticker)))}`,
    `  "rules": ${writeList(rules.map((rule) => JSON.stringify(writeRule(rule))))}`,
    ...(settings === null ? [] : [`  "settings": ${JSON.stringify(writeSettings(settings))}`]),
  ];
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** The tickers alone, one on a line: other programs read it too. */
export function writeTickerList(watchlist: readonly Ticker[]): string {
  return watchlist.map((ticker) => `${ticker}\n`).join("");
}

function writeList(entries: readonly string[]): string {
  return entries.length === 0 ? "[]" : `[\n${entries.map((entry) => `    ${entry}`).join(",\n")}\n  ]`;
}

/** Reads what `writePortable` wrote, a bare JSON list of tickers, or a list of tickers in any usual form. */
export function readPortable(text: string, knowsExchange: IsKnownExchange): ReadPortable | Unreadable {
  if (text.length > MAX_PORTABLE_BYTES) return { kind: "too-long", characters: text.length };
  const bare = withoutFence(text.replace(BYTE_ORDER_MARK, ""));
  const start = bare.trimStart().slice(0, 1);
  if (start === "") return { kind: "empty" };
  if (start === "<") return { kind: "markup" };
  const lines = bare.trimEnd().split(LINE_END);
  if (lines.length > MAX_PORTABLE_LINES) return { kind: "too-many-lines", lines: lines.length };
  if (start === "{" || start === "[") return readJson(bare, knowsExchange);
  const { tickers, problems } = readTickerList(lines);
  return { kind: "read", watchlist: tickers, rules: [], settings: {}, problems };
}

/** People paste what a chat showed them as code. The lines keep their numbers. */
function withoutFence(text: string): string {
  return text.replace(/^\s*```(?:json)?(?=\s)/, (fence) => fence.replace(/[^\r\n]/g, "")).replace(/```\s*$/, "");
}

function readJson(text: string, knowsExchange: IsKnownExchange): ReadPortable | Unreadable {
  const read = readLocatedJson(text);
  if (read.kind === "broken") return { kind: "broken", ...read.at };
  const { value } = read;
  if (value.kind === "object") return readFields(value.entries, value.line, knowsExchange);
  return { kind: "read", ...readWatchlist(value), rules: [], settings: {} };
}

function readFields(
  entries: ReadonlyMap<string, LocatedJson>,
  line: number,
  knowsExchange: IsKnownExchange,
): ReadPortable | Unreadable {
  const version = entries.get("splitwatch");
  if (version === undefined || version.kind !== "number" || version.value !== VERSION)
    return { kind: "other-version", line: version?.line ?? line, got: versionWord(version) };
  const unknown = [...entries].filter(([key]) => !FIELDS.includes(key));
  const { watchlist, problems: ofWatchlist } = readWatchlist(entries.get("watchlist"));
  const { rules, problems: ofRules } = readRules(entries.get("rules"), knowsExchange);
  const asked = entries.get("settings");
  const { settings, problems: ofSettings } = asked ? readSettings(asked) : { settings: {}, problems: [] };
  const problems = [
    ...unknown.map(([key, value]) => ({ line: value.line, got: key, expected: `one of ${FIELDS.join(", ")}` })),
    ...ofWatchlist,
    ...ofRules,
    ...ofSettings,
  ];
  return { kind: "read", watchlist, rules, settings, problems: problems.toSorted((a, b) => a.line - b.line) };
}

function versionWord(version: LocatedJson | undefined): string {
  if (version === undefined) return "nothing";
  return version.kind === "number" || version.kind === "text" ? JSON.stringify(version.value) : version.kind;
}

function readWatchlist(json: LocatedJson | undefined): Pick<ReadPortable, "watchlist" | "problems"> {
  if (json === undefined) return { watchlist: [], problems: [] };
  if (json.kind !== "list") return { watchlist: [], problems: [wrong(json, "watchlist", "a list of tickers")] };
  const tickers = new Set<Ticker>();
  const problems: LineProblem[] = [];
  for (const value of json.values) {
    const ticker = value.kind === "text" ? parseTicker(value.value) : undefined;
    if (ticker === undefined) problems.push(wrong(value, "watchlist", TICKER_FORM));
    else tickers.add(ticker);
  }
  return { watchlist: [...tickers], problems };
}

function readRules(
  json: LocatedJson | undefined,
  knowsExchange: IsKnownExchange,
): { readonly rules: readonly PortableRule[]; readonly problems: readonly LineProblem[] } {
  if (json === undefined) return { rules: [], problems: [] };
  if (json.kind !== "list") return { rules: [], problems: [wrong(json, "rules", "a list of rules")] };
  const rules: PortableRule[] = [];
  const problems: LineProblem[] = [];
  for (const [index, value] of json.values.entries()) {
    const read = readRule(value, `rules[${index + 1}]`, knowsExchange);
    if (read.kind === "rule") rules.push(read.rule);
    else problems.push(...read.problems);
  }
  return { rules, problems };
}
