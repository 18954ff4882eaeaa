import type { Command, OptionSpec } from "../../commands/command.ts";
import { plainText } from "../../commands/parser/words.ts";
import { parseKnownExchange } from "../../domain/split/exchange.ts";
import { MENTION_OPTION } from "./commands.ts";

/** An option as Discord hands it over. */
export interface TypedOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Takes one value, however many words it has. */
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

/** The most words of one value: `Nasdaq Capital Market`. */
const LONGEST_VALUE = 4;

/**
 * The line that says what was typed into options. What stands in an option stays in it: `exclude` filled with `mention:x`
 * remains a word to exclude.
 */
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
  // It stands last and as it is: all behind its name is its own.
  const last = pasted === undefined ? [] : [`${pasted.name}:${pasted.value}`];
  return [name, ...parts, ...last].join(" ");
}

/** Between two values they say nothing. */
const FILLERS: ReadonlySet<string> = new Set(["", "and", "&", "+"]);

/** What parts one value from the next; a comma between digits belongs to its number: 1:2,400. */
const SEPARATOR = /[;()[\]{}\r\n]|(?<!\d),|,(?!\d{3}(?!\d))/;

function valuesIn(text: string, spec: OptionSpec | undefined): readonly string[] {
  return plainText(text)
    .replace(/["']/g, " ")
    .split(SEPARATOR)
    .flatMap((part) =>
      valuesOf(
        part.split(/\s+/).filter((word) => !FILLERS.has(word.toLowerCase())),
        spec,
      ),
    );
}

/** Words in a row that are one value together; each of the others is a value of its own. */
function valuesOf(words: readonly string[], spec: OptionSpec | undefined): readonly string[] {
  if (words.length === 0) return [];
  if (spec === undefined || ONE_VALUE.has(spec.kind)) return [words.join(" ")];
  const values: string[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(LONGEST_VALUE, words.length - at);
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

/** `NASDAQ:ACME`, as releases write it. */
function withoutExchange(word: string): string {
  const [, tag, ticker] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  return tag !== undefined && ticker !== undefined && parseKnownExchange(tag) !== undefined ? ticker : word;
}

function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Within quotation marks, words name no option. */
function quoted(value: string): string {
  return `"${value}"`;
}
