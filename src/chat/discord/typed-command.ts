import type { APICommandAutocompleteInteractionResponseCallbackData } from "discord.js";
import type { Command, OptionSpec } from "../../commands/command.ts";
import type { Suggestion } from "../../commands/index.ts";
import { plainText as plainWords } from "../../commands/parser/words.ts";
import { parseKnownExchange } from "../../domain/split/exchange.ts";
import { MAX_CHOICES, MENTION_OPTION } from "./slash-command.ts";
import { cutTo, plainText } from "./text.ts";

/** Value of an option as Discord delivers it. */
export interface TypedOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Kinds whose text is a single value, even with several words. */
const ONE_VALUE: ReadonlySet<OptionSpec["kind"]> = new Set([
  "ratio",
  "exactRatio",
  "shares",
  "duration",
  "timezone",
  "hours",
  "file",
  "text",
]);

/** Most words of one value, such as `Nasdaq Capital Market`. */
const MAX_WORDS = 4;

/** Command text for typed options. A value cannot name another option: `mention:x` typed into `exclude` is excluded text. */
export function commandTextOf(
  { name, options }: Pick<Command, "name" | "options">,
  typed: readonly TypedOption[],
): string {
  const pasted = typed.find(({ name: option }) => options[option]?.kind === "pasted");
  const parts = typed
    .filter((option) => option !== pasted)
    .map(({ name: option, value }) => {
      const text = option === MENTION_OPTION ? `<@&${value}>` : String(value);
      return `${option}:${valuesIn(text, options[option]).map(quoted).join(",")}`;
    });
  // Pasted text comes last and unchanged: everything after its name belongs to it.
  const last = pasted === undefined ? [] : [`${pasted.name}:${pasted.value}`];
  return [name, ...parts, ...last].join(" ");
}

/** Words between values that carry no meaning. */
const FILLERS: ReadonlySet<string> = new Set(["", "and", "&", "+"]);

/** Separates values. A comma between digits belongs to the number: 1:2,400. */
const SEPARATOR = /[;()[\]{}\r\n]|(?<!\d),|,(?!\d{3}(?!\d))/;

function valuesIn(text: string, spec: OptionSpec | undefined): readonly string[] {
  return plainWords(text)
    .replace(/["']/g, " ")
    .split(SEPARATOR)
    .flatMap((part) =>
      valuesOf(
        part.split(/\s+/).filter((word) => !FILLERS.has(word.toLowerCase())),
        spec,
      ),
    );
}

/** Joins consecutive words that form one value; every other word is a value. */
function valuesOf(words: readonly string[], spec: OptionSpec | undefined): readonly string[] {
  if (words.length === 0) return [];
  if (spec === undefined || ONE_VALUE.has(spec.kind)) return [words.join(" ")];
  const values: string[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(MAX_WORDS, words.length - at);
    while (length > 1 && !isOneValue(words.slice(at, at + length).join(" "), spec)) length -= 1;
    const value = words.slice(at, at + length).join(" ");
    values.push(takesTickers(spec) ? withoutExchange(value) : value);
    at += length;
  }
  return values.filter((value) => value !== "");
}

function isOneValue(text: string, { kind, choices = [], aliases = {} }: OptionSpec): boolean {
  if (kind === "exchanges" || kind === "names") return parseKnownExchange(text) !== undefined;
  const bare = bareWord(text);
  return choices.some((choice) => bareWord(choice) === bare) || Object.hasOwn(aliases, bare);
}

function takesTickers({ kind }: OptionSpec): boolean {
  return kind === "ticker" || kind === "tickers" || kind === "looseTickers";
}

/** Ticker of `NASDAQ:ACME`, the form used in press releases. */
function withoutExchange(word: string): string {
  const [, tag, ticker] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  return tag !== undefined && ticker !== undefined && parseKnownExchange(tag) !== undefined ? ticker : word;
}

function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Quoted words are never read as the name of an option. */
function quoted(value: string): string {
  return `"${value}"`;
}

const MAX_CHOICE_LENGTH = 100;

/** Command text to complete for what is typed so far. Values are separated by commas; a time zone is one value. */
export function completionText(command: string, option: string, typed: string, kind?: OptionSpec["kind"]): string {
  const text = typed.trimStart();
  const value = kind === "timezone" ? text.replace(/\s+/g, "_") : text.replace(/\s*[,;]\s*|\s+/g, ",");
  return `${command} ${option}:${value}`;
}

/** Discord replaces the whole option with the choice, so each choice repeats the values before the completed one. */
export function choicesOf(
  command: string,
  option: string,
  suggestions: readonly Suggestion[],
): APICommandAutocompleteInteractionResponseCallbackData {
  const start = `${command} ${option}:`;
  const choices = suggestions
    .filter(({ line }) => line.startsWith(start))
    .map(({ line, hint }) => ({ value: line.slice(start.length).trim(), hint }))
    .filter(({ value }) => value !== "" && value.length <= MAX_CHOICE_LENGTH)
    .slice(0, MAX_CHOICES)
    .map(({ value, hint }) => ({ name: choiceName(value.replaceAll(",", ", "), hint), value }));
  return { choices };
}

function choiceName(value: string, hint: string): string {
  return cutTo(plainText(hint === "" ? value : `${value} · ${hint}`).replace(/\s+/g, " "), MAX_CHOICE_LENGTH);
}
