import type { Call, Command } from "../command.ts";
import { findCommand } from "../command.ts";
import type { AnswerContext } from "../context.ts";
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

export async function complete(input: string, completion: CompletionContext): Promise<readonly Suggestion[]> {
  const line = normalizeInput(input)
    .trimStart()
    .replace(/^\/?splits?(?=\s|$)\s*/i, "");
  const [, first = "", rest] = /^\/?(\S*)(\s.*)?$/s.exec(line) ?? [];
  if (rest === undefined) return completeName(first, completion.commands);
  const command = findCommand(completion.commands, first);
  return command ? await completeOptions(command, line, completion) : [];
}

/** Completes the last value of the text typed into one option. */
export async function completeValue(
  { command: name, option, text }: PartialOption,
  completion: CompletionContext,
): Promise<readonly ValueSuggestion[]> {
  const command = findCommand(completion.commands, name);
  const spec = command?.options[option];
  if (command === undefined || spec === undefined) return [];
  const words = text.trimStart().split(/[\s,;]+/);
  // The words of a single value are joined: `new york` completes the time zone `New_York`.
  const fragment = optionKind(spec).isMultiple ? (words.pop() ?? "") : words.splice(0).filter(Boolean).join("_");
  const before = words.map((word) => `${word},`).join("");
  const suggestions = suggest({ before, fragment, given: before }, await valuesOf(command, option, completion));
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
  if (option !== undefined) {
    const start = /^(.*[,;])?/s.exec(value)?.[0] ?? "";
    const partial = { before: `${before}${option}:${start}`, fragment: value.slice(start.length), given: start };
    return suggest(partial, await valuesOf(command, option, completion));
  }
  const names = remainingNames(command, before);
  const main = mainOption(command);
  const values = main === undefined ? [] : await valuesOf(command, main, completion);
  const ordered = main === undefined ? names : [...values, ...names];
  return suggest({ before, fragment, given: before }, ordered);
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
  return candidates
    .filter(({ word, alternative }) => word.toLowerCase().startsWith(start) || alternative?.startsWith(start) === true)
    .filter(({ word }) => !taken.has(word.toLowerCase()))
    .slice(0, MAX_SUGGESTIONS)
    .map((found) => ({ line: `${before}${found.word}`, label: found.word, hint: found.hint() }));
}

function valuesOf(command: Command, option: string, completion: CompletionContext): Promise<readonly SuggestedWord[]> {
  const { call, context, commands } = completion;
  const spec = command.options[option];
  const suggestValues = spec && optionKind(spec).suggest;
  if (!suggestValues) return Promise.resolve([]);
  return suggestValues({ person: call.person, destination: call.destination, context, commands, spec });
}
