import { MAX_PATTERN_LENGTH } from "../../lib/text-pieces.ts";
import type { Call, Command } from "../command.ts";
import { BARE_COMMAND, findCommand } from "../command.ts";
import type { AnswerContext } from "../context.ts";
import { readCurrentData } from "../current-data.ts";
import { readIssuers } from "../issuers.ts";
import { MAX_NAME_WORDS } from "./issuer-words.ts";
import { optionKind } from "./option-kinds.ts";
import { findOption, optionNames } from "./options.ts";
import type { SuggestedWord } from "./suggestions.ts";
import { normalizeInput, readWords, suggestWord } from "./words.ts";

/** Continuation of a command line. */
export interface Suggestion {
  /** Complete line, without `/splits`. */
  readonly line: string;
  readonly label: string;
  readonly hint: string;
}

/** Suggestion for the text typed into one option. */
export interface ValueSuggestion {
  /** The option's complete text, including the values before the last. */
  readonly value: string;
  readonly hint: string;
}

/** Text typed into one option. */
export interface PartialOption {
  readonly command: string;
  readonly option: string;
  readonly text: string;
}

export interface CompletionContext {
  readonly commands: readonly Command[];
  readonly call: Call;
  readonly context: AnswerContext;
}

const MAX_SUGGESTIONS = 20;

/** Maximum total length of the suggested lines in characters: a long line has fewer suggestions. */
const MAX_TOTAL_LENGTH = 20_000;

/** Returns no suggestions for a line that is too long for a command. */
export async function complete(input: string, completion: CompletionContext): Promise<readonly Suggestion[]> {
  if (input.length > MAX_PATTERN_LENGTH) return [];
  const line = normalizeInput(input)
    .trimStart()
    .replace(/^\/?splits?(?=\s|$)\s*/i, "");
  const [, first = "", rest] = /^\/?(\S*)(\s.*)?$/s.exec(line) ?? [];
  const command = rest === undefined ? undefined : findCommand(completion.commands, first);
  if (command !== undefined) return completeOptions(command, line, completion);
  const names = rest === undefined ? completeName(first, completion.commands) : [];
  return [...names, ...(await completeBare(line, completion))];
}

/** Shorter words are more likely the beginning of a command. */
const MIN_BARE_LENGTH = 2;

const MAX_BARE_SUGGESTIONS = 5;

/** Completes a ticker or company name without a command. */
async function completeBare(text: string, completion: CompletionContext): Promise<readonly Suggestion[]> {
  const command = findCommand(completion.commands, BARE_COMMAND);
  const option = command && mainOption(command);
  if (command === undefined || option === undefined || text.trim().length < MIN_BARE_LENGTH) return [];
  const values = await valuesOf(command, option, { ...completion, typed: text.trim() });
  const partial = { before: `${command.name} `, fragment: text.trim(), given: "" };
  return suggest(partial, values).slice(0, MAX_BARE_SUGGESTIONS);
}

/** Completes the last value of the text typed into one option. */
export async function completeValue(
  { command: name, option, text }: PartialOption,
  completion: CompletionContext,
): Promise<readonly ValueSuggestion[]> {
  const command = findCommand(completion.commands, name);
  const spec = command?.options[option];
  if (command === undefined || spec === undefined || text.length > MAX_PATTERN_LENGTH) return [];
  const named = await completeNames({ command, option, line: text.trimStart() }, completion);
  if (named.length > 0) return named.map(({ line, hint }) => ({ value: line, hint }));
  const words = text.trimStart().split(/[\s,;]+/);
  // The words of a single value are joined: `new york` completes the time zone `New_York`.
  const fragment = optionKind(spec).isMultiple ? (words.pop() ?? "") : words.splice(0).filter(Boolean).join("_");
  const before = words.map((word) => `${word},`).join("");
  const values = await valuesOf(command, option, { ...completion, typed: fragment });
  const suggestions = suggest({ before, fragment, given: before }, values);
  return suggestions.map(({ line, hint }) => ({ value: line, hint }));
}

function completeName(input: string, commands: readonly Command[]): readonly Suggestion[] {
  const start = input.toLowerCase();
  const starting = commands.filter(({ name }) => name.startsWith(start));
  const suggestion = suggestWord(
    start,
    commands.map(({ name }) => name),
  );
  const found = starting.length > 0 ? starting : commands.filter(({ name }) => name === suggestion);
  return found.map(({ name, summary, options }) => {
    const needsOptions = Object.values(options).some(({ required }) => required);
    return { line: needsOptions ? `${name} ` : name, label: name, hint: summary };
  });
}

/** Last piece of the line, which is still being typed, and the text before it. */
interface PartialLine {
  readonly before: string;
  readonly fragment: string;
  /** Text that contains the values already entered. They are not offered again. */
  readonly given: string;
}

async function completeOptions(
  command: Command,
  line: string,
  completion: CompletionContext,
): Promise<readonly Suggestion[]> {
  const fragment = line.slice(lastBlank(line) + 1);
  const before = line.slice(0, line.length - fragment.length);
  const [, key = "", value = ""] = /^([a-z_-]+)[:=](.*)$/is.exec(fragment) ?? [];
  const option = findOption(command.options, key);
  const main = mainOption(command);
  const named = await completeNames({ command, option: lastOption(command, before) ?? main, line }, completion);
  if (named.length > 0) return named;
  if (option !== undefined) {
    const start = /^(.*[,;])?/s.exec(value)?.[0] ?? "";
    const partial = { before: `${before}${option}:${start}`, fragment: value.slice(start.length), given: start };
    return suggest(partial, await valuesOf(command, option, { ...completion, typed: partial.fragment }));
  }
  const names = remainingNames(command, before);
  const values = main === undefined ? [] : await valuesOf(command, main, { ...completion, typed: fragment });
  const ordered = main === undefined ? names : [...values, ...names];
  return suggest({ before, fragment, given: before }, ordered);
}

/** A line or an option's text that may end with several words of a company's name. */
interface NamedEnd {
  readonly command: Command;
  readonly option: string | undefined;
  readonly line: string;
}

/** Completes a company name of several words, such as `zorvane rob`, to its ticker. Empty if the line doesn't end with one. */
async function completeNames(
  { command, option, line }: NamedEnd,
  completion: CompletionContext,
): Promise<readonly Suggestion[]> {
  const spec = option === undefined ? undefined : command.options[option];
  if (option === undefined || spec === undefined || !optionKind(spec).readsIssuers) return [];
  const starts = wordStarts(line).slice(-MAX_NAME_WORDS, -1);
  if (starts.length === 0) return [];
  const { snapshot } = await readCurrentData(completion.context);
  const issuers = await readIssuers(snapshot, completion.context);
  for (const start of starts) {
    const typed = line.slice(start);
    // Values are read from the store.
    if (issuers.find(typed, true).length === 0) continue;
    const values = await valuesOf(command, option, { ...completion, typed });
    const named = values.filter(({ isNamed }) => isNamed);
    if (named.length > 0)
      return suggest({ before: line.slice(0, start), fragment: typed, given: line.slice(0, start) }, named);
  }
  return [];
}

/** Indexes of the last words of a line that no comma, colon or the like separates. */
function wordStarts(line: string): readonly number[] {
  const starts: number[] = [];
  let isStart = false;
  for (let index = line.length - 1; index >= 0 && starts.length <= MAX_NAME_WORDS; index -= 1) {
    const character = line.charAt(index);
    const isBlank = /\s/.test(character);
    const isEnd = /[,;:="']/.test(character);
    if ((isBlank || isEnd) && isStart) starts.unshift(index + 1);
    if (isEnd) return starts;
    isStart = !isBlank;
  }
  return isStart ? [0, ...starts] : starts;
}

/** Option that the last key of the text names. */
function lastOption({ options }: Command, before: string): string | undefined {
  const key = readWords(before).findLast(({ kind }) => kind === "key");
  return key && findOption(options, key.text);
}

/** Index of the last white space, or -1. Uses a loop: a pattern anchored at the end is quadratic on long words. */
function lastBlank(line: string): number {
  for (let index = line.length - 1; index >= 0; index -= 1) if (/\s/.test(line.charAt(index))) return index;
  return -1;
}

/** Option whose values complete unnamed words. */
function mainOption({ options }: Command): string | undefined {
  const names = optionNames(options);
  const leading = names.find((name) => options[name]?.isPrimary) ?? names.find((name) => options[name]?.required);
  return leading ?? (names.length === 1 ? names[0] : undefined);
}

function remainingNames({ options }: Command, before: string): readonly SuggestedWord[] {
  const given = readWords(before).flatMap(({ kind, text }) =>
    kind === "key" ? (findOption(options, text) ?? []) : [],
  );
  return optionNames(options)
    .filter((name) => !given.includes(name))
    .map((name) => ({ word: `${name}:`, hint: () => options[name]?.summary ?? "" }));
}

function suggest(
  { before, fragment, given }: PartialLine,
  candidates: readonly SuggestedWord[],
): readonly Suggestion[] {
  const start = fragment.toLowerCase().replace(/^[$#]/, "");
  const taken = new Set(given.toLowerCase().split(/[\s,;:=]+/));
  return (
    candidates
      .filter(
        ({ word, alternative, isNamed }) =>
          isNamed === true || word.toLowerCase().startsWith(start) || alternative?.startsWith(start) === true,
      )
      // A ticker can be a candidate twice: as a word, and by its company's name.
      .filter(({ word }) => !taken.has(word.toLowerCase()) && taken.add(word.toLowerCase()))
      .slice(0, Math.min(MAX_SUGGESTIONS, Math.floor(MAX_TOTAL_LENGTH / (before.length + 1))))
      .map((found) => ({ line: `${before}${found.word}`, label: found.word, hint: found.hint() }))
  );
}

function valuesOf(
  command: Command,
  option: string,
  { call, context, commands, typed }: CompletionContext & { readonly typed: string },
): Promise<readonly SuggestedWord[]> {
  const spec = command.options[option];
  const suggestValues = spec && optionKind(spec).suggest;
  if (!suggestValues) return Promise.resolve([]);
  return suggestValues({ person: call.person, destination: call.destination, typed, context, commands, spec });
}
