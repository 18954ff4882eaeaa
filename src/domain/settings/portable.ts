import { z } from "zod";
import { quoteValue } from "../../lib/error-text.ts";
import { hasMoreValues, isJsonObject } from "../../lib/json.ts";
import type { Ticker } from "../split/ticker.ts";
import { tickerHint } from "../split/ticker-hint.ts";
import {
  type DestinationSettings,
  PORTABLE_SETTING_NAMES,
  type PortableSettingName,
  type PortableSettings,
} from "./destination-settings.ts";
import { type IsKnownExchange, TICKER_FORM, tickerField } from "./import-field.ts";
import { type Path, parseJsonWithLines } from "./json-with-lines.ts";
import { DEFAULT_FILTER, RULE_FIELDS, type RuleFilter } from "./rule.ts";
import { contradictionText, findContradictions, IMPORTED_FIELDS } from "./rule-filters.ts";
import { SETTING_DEFINITIONS } from "./setting-definitions.ts";
import { type LineProblem, readTickerList } from "./ticker-list.ts";

/** A rule without its destination, its number and its mention. */
export interface PortableRule {
  readonly filter: RuleFilter;
  /** True if the rule had a mention, whose id has no meaning at other destinations. */
  readonly hadMention: boolean;
}

/** Data that can be exported from one destination and imported into another, on any platform. Contains no ids. */
export interface Portable {
  readonly watchlist: readonly Ticker[];
  readonly rules: readonly PortableRule[];
  readonly settings: DestinationSettings | null;
}

/** The valid entries of an import, and the problems of the invalid entries. */
export interface ParsedPortable {
  readonly kind: "read";
  readonly watchlist: readonly Ticker[];
  readonly rules: readonly PortableRule[];
  readonly settings: PortableSettings;
  readonly problems: readonly LineProblem[];
}

/** Reason why nothing in a text can be imported. */
export type Unreadable =
  | { readonly kind: "empty" }
  | { readonly kind: "markup" }
  | { readonly kind: "too-long"; readonly characters: number }
  | { readonly kind: "too-many-lines"; readonly lines: number }
  | { readonly kind: "too-many-values" }
  | { readonly kind: "too-many-problems" }
  | { readonly kind: "other-version"; readonly line: number; readonly got: string }
  | ({ readonly kind: "broken" } & LineProblem);

/** Maximum file size; also the maximum number of characters. */
export const MAX_IMPORT_BYTES = 1024 * 1024;
export const MAX_IMPORT_LINES = 10_000;
/** Maximum number of words in a list, or of values in JSON: twice as many as 25 rules for 1,000 tickers each. */
export const MAX_IMPORT_VALUES = 50_000;
export const MAX_IMPORT_RULES = 1_000;
/** Maximum number of invalid entries. A text with more of them is not a list of tickers. */
export const MAX_IMPORT_PROBLEMS = 1_000;

const TICKERS_PER_PAUSE = 500;

const VERSION = 1;
const FIELDS = ["splitwatch", "watchlist", "rules", "settings"];
const EXPORTED_RULE_FIELDS = [...RULE_FIELDS, "hadMention"];

const BYTE_ORDER_MARK = "\uFEFF";

/** Exports one ticker or rule per line, so that people can read and edit the file. */
export function writePortable({ watchlist, rules, settings }: Portable): string {
  const lines = [
    `  "splitwatch": ${VERSION}`,
    `  "watchlist": ${writeList(watchlist.map((ticker) => JSON.stringify(ticker)))}`,
    `  "rules": ${writeList(rules.map((rule) => JSON.stringify(writeRule(rule))))}`,
    ...(settings === null ? [] : [`  "settings": ${JSON.stringify(writeSettings(settings))}`]),
  ];
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** Exports every field, so that people see which fields exist. */
function writeRule({ filter, hadMention }: PortableRule): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(RULE_FIELDS.map((field) => [field, filter[field]])),
    ...(hadMention ? { hadMention } : {}),
  };
}

function writeSettings(settings: DestinationSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(PORTABLE_SETTING_NAMES.map((name) => [name, exportedValue(name, settings[name])]));
}

function exportedValue(name: PortableSettingName, value: unknown): unknown {
  const { exported }: { readonly exported?: (value: never) => unknown } = SETTING_DEFINITIONS[name].option;
  return exported === undefined ? value : exported(value as never);
}

/** Exports one ticker per line, for other programs. */
export function writeTickerList(watchlist: readonly Ticker[]): string {
  return watchlist.map((ticker) => `${ticker}\n`).join("");
}

function writeList(entries: readonly string[]): string {
  return entries.length === 0 ? "[]" : `[\n${entries.map((entry) => `    ${entry}`).join(",\n")}\n  ]`;
}

/** Lets other work run, if it is time. Awaited between parts of the work that each take a few milliseconds at most. */
export type Pause = () => Promise<void>;

/** Reads an export, a JSON list of tickers, or a plain-text list of tickers in any common format. */
export async function readPortable(
  text: string,
  isKnownExchange: IsKnownExchange,
  pause: Pause,
): Promise<ParsedPortable | Unreadable> {
  if (text.length > MAX_IMPORT_BYTES) return { kind: "too-long", characters: text.length };
  const content = withoutFence(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  const start = content.trimStart().slice(0, 1);
  if (start === "") return { kind: "empty" };
  if (start === "<") return { kind: "markup" };
  const lines = content.trimEnd().replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  if (lines.length > MAX_IMPORT_LINES) return { kind: "too-many-lines", lines: lines.length };
  const isJson = start === "{" || start === "[";
  return isJson ? readBoundedJson(content, isKnownExchange, pause) : readList(lines, pause);
}

async function readList(lines: readonly string[], pause: Pause): Promise<ParsedPortable | Unreadable> {
  const limits = { maxWords: MAX_IMPORT_VALUES, maxProblems: MAX_IMPORT_PROBLEMS };
  const { isTooLong, tickers, problems } = await readTickerList(lines, limits, pause);
  if (isTooLong) return { kind: "too-many-values" };
  if (problems.length > MAX_IMPORT_PROBLEMS) return { kind: "too-many-problems" };
  return { kind: "read", watchlist: tickers, rules: [], settings: {}, problems };
}

class TooManyProblems extends Error {}

async function readBoundedJson(
  text: string,
  isKnownExchange: IsKnownExchange,
  pause: Pause,
): Promise<ParsedPortable | Unreadable> {
  if (hasMoreValues(text, MAX_IMPORT_VALUES)) return { kind: "too-many-values" };
  await pause();
  try {
    return await readJson(text, isKnownExchange, pause);
  } catch (error) {
    if (error instanceof TooManyProblems) return { kind: "too-many-problems" };
    throw error;
  }
}

/** Removes a Markdown code fence. Line numbers stay the same. */
function withoutFence(text: string): string {
  const opened = text.trimStart();
  const fence = /^```(?:json)?(?=\s)/.exec(opened.slice(0, 10))?.[0] ?? "";
  const start = text.length - opened.length;
  const content = `${text.slice(0, start)}${opened.slice(fence.length)}`;
  const closed = content.trimEnd();
  return closed.endsWith("```") ? closed.slice(0, -3) : content;
}

async function readJson(
  text: string,
  isKnownExchange: IsKnownExchange,
  pause: Pause,
): Promise<ParsedPortable | Unreadable> {
  const json = parseJsonWithLines(text);
  if (json.kind === "broken") return json;
  await pause();
  const reader = new Reader(json.lineOf, pause);
  if (!isJsonObject(json.value)) {
    const watchlist = await reader.watchlist(json.value, []);
    return { kind: "read", watchlist, rules: [], settings: {}, problems: reader.problems };
  }
  const { splitwatch: version, watchlist, rules, settings } = json.value;
  if (version !== VERSION) {
    const got = describeValue(version);
    return { kind: "other-version", line: json.lineOf(["splitwatch"]), got };
  }
  for (const key of Object.keys(json.value))
    if (!FIELDS.includes(key)) reader.report([key], key, `one of ${FIELDS.join(", ")}`);
  const entries = {
    watchlist: watchlist === undefined ? [] : await reader.watchlist(watchlist, ["watchlist"]),
    rules: rules === undefined ? [] : await reader.rules(rules, ruleSchema(isKnownExchange)),
    settings: settings === undefined ? {} : reader.settings(settings),
  };
  return { kind: "read", ...entries, problems: reader.problems.toSorted((a, b) => a.line - b.line) };
}

/**
 * Schema of an imported rule. Omitted fields have their defaults. `called` is a former name of `hadMention`; `mention` is accepted
 * in hand-written files.
 */
function ruleSchema(isKnown: IsKnownExchange): z.ZodType<PortableRule> {
  const fields = RULE_FIELDS.map((field) => [field, importedField(field, isKnown)] as const);
  const shape = Object.fromEntries(fields) as { readonly [F in keyof RuleFilter]: z.ZodType<RuleFilter[F]> };
  return z
    .strictObject(
      {
        ...shape,
        hadMention: z.unknown().optional(),
        called: z.unknown().optional(),
        mention: z.unknown().optional(),
      },
      { error: (issue) => (issue.code === "invalid_type" ? "a rule in braces" : undefined) },
    )
    .transform(({ hadMention, called, mention, ...filter }) => ({
      filter,
      hadMention: [hadMention, called, mention].some(isSet),
    }));
}

function importedField(field: keyof RuleFilter, isKnown: IsKnownExchange): z.ZodType {
  const schema: z.ZodType = IMPORTED_FIELDS[field](isKnown);
  return schema.default(DEFAULT_FILTER[field]);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** Reads the entries of an import one by one and collects the problems of invalid entries. */
class Reader {
  readonly problems: LineProblem[] = [];
  readonly #lineOf: (path: Path) => number;
  readonly #pause: Pause;

  constructor(lineOf: (path: Path) => number, pause: Pause) {
    this.#lineOf = lineOf;
    this.#pause = pause;
  }

  report(path: Path, got: string, expected: string, hint?: string): void {
    if (this.problems.length === MAX_IMPORT_PROBLEMS) throw new TooManyProblems();
    this.problems.push({ line: this.#lineOf(path), got, expected, ...(hint !== undefined && { hint }) });
  }

  async watchlist(value: unknown, path: Path): Promise<readonly Ticker[]> {
    const tickers = new Set<Ticker>();
    for (const [index, entry] of this.#list(value, path, {
      name: "watchlist",
      expected: "a list of tickers",
    }).entries()) {
      if (index % TICKERS_PER_PAUSE === 0) await this.#pause();
      for (const ticker of this.#parse(tickerField, entry, [...path, index], "watchlist")) tickers.add(ticker);
    }
    return [...tickers];
  }

  /** Skips invalid rules as a whole, because a part of a rule could match unintended events. */
  async rules(value: unknown, schema: z.ZodType<PortableRule>): Promise<readonly PortableRule[]> {
    const entries = this.#list(value, ["rules"], { name: "rules", expected: "a list of rules" });
    if (entries.length > MAX_IMPORT_RULES) {
      this.report(["rules"], `rules ${describeValue(entries)}`, `at most ${MAX_IMPORT_RULES} rules`);
      return [];
    }
    const rules: PortableRule[] = [];
    for (const [index, entry] of entries.entries()) {
      await this.#pause();
      rules.push(...this.#rule(entry, index, schema));
    }
    return rules;
  }

  /** Returns a list that contains the rule; empty if it is invalid. */
  #rule(entry: unknown, index: number, schema: z.ZodType<PortableRule>): readonly PortableRule[] {
    const [path, name] = [["rules", index], `rules[${index + 1}]`];
    const [rule] = this.#parse(schema, entry, path, name);
    if (rule === undefined) return [];
    const contradictions = findContradictions(rule.filter);
    for (const { got, expected } of contradictions.map(contradictionText))
      this.report(path, `${name}: ${got}`, expected);
    return contradictions.length > 0 ? [] : [rule];
  }

  settings(value: unknown): PortableSettings {
    if (!isJsonObject(value)) {
      this.report(["settings"], `settings ${describeValue(value)}`, "settings in braces");
      return {};
    }
    const fields = Object.entries(value).flatMap(([key, field]) => {
      const path = ["settings", key];
      if (!isPortableSetting(key)) {
        this.report(path, `settings.${key} ${describeValue(field)}`, `one of ${PORTABLE_SETTING_NAMES.join(", ")}`);
        return [];
      }
      const { imported } = SETTING_DEFINITIONS[key].option;
      return this.#parse<unknown>(imported, field, path, `settings.${key}`).map((parsed) => [key, parsed]);
    });
    return Object.fromEntries(fields);
  }

  #list(
    value: unknown,
    path: Path,
    { name, expected }: { readonly name: string; readonly expected: string },
  ): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.report(path, `${name} ${describeValue(value)}`, expected);
    return [];
  }

  /** Returns a list that contains the parsed value; empty if it is invalid. Issues within a list are reported under the list's name. */
  #parse<T>(schema: z.ZodType<T>, value: unknown, path: Path, name: string): readonly T[] {
    const parsed = schema.safeParse(value);
    if (parsed.success) return [parsed.data];
    for (const issue of parsed.error.issues) {
      const issuePath = [...path, ...issue.path];
      const field = [name, ...issue.path.filter((step) => typeof step === "string")].join(".");
      if (issue.code === "unrecognized_keys")
        for (const key of issue.keys)
          this.report([...issuePath, key], `${field}.${key}`, `one of ${EXPORTED_RULE_FIELDS.join(", ")}`);
      else {
        const got = valueAt(value, issue.path);
        const hint = issue.message === TICKER_FORM && typeof got === "string" ? tickerHint(got) : undefined;
        this.report(issuePath, `${field} ${describeValue(got)}`, issue.message, hint);
      }
    }
    return [];
  }
}

function isPortableSetting(key: string): key is PortableSettingName {
  return PORTABLE_SETTING_NAMES.some((name) => name === key);
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const key of path) current = (current as Readonly<Record<PropertyKey, unknown>>)[key];
  return current;
}

/** Quotes a value for a message. Lists and objects can be long, so only their type is stated. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `(a list of ${value.length})`;
  return isJsonObject(value) ? "(an object)" : quoteValue(value);
}
