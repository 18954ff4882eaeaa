import { isExchangePrefix, parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { cutText } from "../../lib/external-text.ts";
import { invalidValue, unknownOption, whichTickerProblem } from "../../messages/answers/problem-answer.ts";
import { type CommandProblem, nothingMoreText, onlyOneValueText } from "../../messages/option-text.ts";
import { isInCapitals } from "./issuer-words.ts";
import type { OptionKind } from "./option-kind.ts";
import { type OptionSpec, type OptionSpecs, type OptionsOf, optionKind } from "./option-kinds.ts";
import { type Cursor, isQuestion, type ParseContext, type ReadValue, type TickerQuestion } from "./option-values.ts";
import { normalizeInput, readWords, suggestWord, type Word } from "./words.ts";

/** Valid options of a command, and the problems of the invalid ones. */
export interface ParsedOptions {
  readonly options: OptionsOf<OptionSpecs>;
  readonly problems: readonly CommandProblem[];
  /** Valid options as typed: `exchange NASDAQ`. */
  readonly understood: readonly string[];
}

/** Value of one option from a form field or command option of a platform; each entry of a list is one value. */
export type FieldValue = string | number | boolean | readonly string[];

export type FieldValues = Readonly<Record<string, FieldValue>>;

/** The parts of a command that are needed to read its options. */
export interface OptionsOwner {
  readonly name: string;
  readonly options: OptionSpecs;
}

interface Option {
  readonly name: string;
  readonly spec: OptionSpec;
  readonly kind: OptionKind;
}

/** State of reading one command. */
interface ParseState {
  readonly owner: OptionsOwner;
  readonly options: readonly Option[];
  /** Options that accept unnamed words, in the order in which they are tried. */
  readonly unnamedOptions: readonly Option[];
  /** What an unnamed word can be. */
  readonly expectedUnnamed: string;
  readonly parseContext: ParseContext;
  readonly problems: CommandProblem[];
  readonly questions: OptionQuestion[];
  readonly values: Map<string, { readonly values: unknown[]; readonly texts: string[] }>;
}

/** Words of an option that may name an issuer. */
interface OptionQuestion {
  readonly option: Option;
  readonly question: TickerQuestion;
}

/** Words that are ignored between two values. */
const FILLERS: ReadonlySet<string> = new Set(["and", "&", "+"]);

/** Words that are ignored before the first value: `subscribe to ACME`. */
const LEADING_FILLERS: ReadonlySet<string> = new Set(["to", "for", "about", "the", "me"]);

const MAX_ECHO_LENGTH = 60;

/** Maximum number of problems for which a similar word is searched. An answer shows fewer problems. */
const MAX_HINTS = 10;

/**
 * Reads options that are named (`exchange:NYSE American`). Assigns each unnamed word to an option that accepts it.
 * Reports all problems together, but a missing required option only if there is no other problem.
 */
export function readOptions(owner: OptionsOwner, words: readonly Word[], parseContext: ParseContext): ParsedOptions {
  const state = start(owner, parseContext);
  const tagged = withExchanges(withTags(state, words.filter(isMeaningful)));
  const meaningfulWords = withoutLeadingFillers(state, tagged);
  for (const group of groupWords(state, withoutUnits(state, meaningfulWords))) {
    const option = state.options.find(({ name }) => name === group.name);
    if (option && group.words.length === 0) state.problems.push(missingProblem(option));
    readUnnamed(state, option ? readNamed(state, option, group.words) : group.words);
  }
  return finish(state);
}

/** Reads values from a platform's form fields or command options. A value never sets another option. */
export function readFieldOptions(owner: OptionsOwner, values: FieldValues, parseContext: ParseContext): ParsedOptions {
  const state = start(owner, parseContext);
  for (const [name, value] of Object.entries(values)) {
    const option = state.options.find((one) => one.name === name);
    if (option) readFieldValue(state, option, value);
    else state.problems.push(unknownOptionProblem(state, name));
  }
  return finish(state);
}

/** Writes a command as text without `/splits`. Reading the text returns the same options. */
export function writeLine<S extends OptionSpecs>(
  { name, options }: { readonly name: string; readonly options: S },
  values: { readonly [K in keyof OptionsOf<S>]?: OptionsOf<S>[K] | undefined },
): string {
  const written = Object.entries(options).flatMap(([option, spec]) => {
    const value: unknown = values[option as keyof OptionsOf<S>];
    const text = value === undefined ? "" : optionKind(spec).write(value);
    return text === "" ? [] : [{ text: `${option}:${text}`, isLast: spec.kind === "pastedText" }];
  });
  const ordered = written.toSorted((a, b) => Number(a.isLast) - Number(b.isLast));
  return [name, ...ordered.map(({ text }) => text)].join(" ");
}

function start(owner: OptionsOwner, parseContext: ParseContext): ParseState {
  const options = Object.entries(owner.options).map(([name, spec]) => ({ name, spec, kind: optionKind(spec) }));
  const unnamedOptions = unnamedOptionsOf(options);
  const expectedUnnamed = expectedUnnamedOf(owner, unnamedOptions);
  return {
    owner,
    options,
    unnamedOptions,
    expectedUnnamed,
    parseContext,
    problems: [],
    questions: [],
    values: new Map(),
  };
}

function readFieldValue(state: ParseState, option: Option, value: FieldValue): void {
  const words = option.kind.isVerbatim ? verbatimWord(String(value)) : withoutUnits(state, fieldWords(value));
  if (words.length === 0) state.problems.push(missingProblem(option));
  for (let position = 0; position < words.length; ) {
    const word = words[position];
    const result = word?.kind === "key" ? null : option.kind.read(cursorAt(state, option, words, position));
    if (result) addResult(state, option, result, words.slice(position, position + result.wordCount));
    else if (word && !isExchangeTag(word)) state.problems.push(invalidProblem(state, option, word));
    position += result?.wordCount ?? 1;
  }
}

function verbatimWord(value: string): readonly Word[] {
  const text = value.trim();
  return text === "" ? [] : [{ kind: "quoted", text, isSeparated: true }];
}

function fieldWords(value: FieldValue): readonly Word[] {
  if (typeof value === "object") return value.flatMap(verbatimWord);
  const text = normalizeInput(String(value)).replace(/["']/g, " ");
  return withExchanges(readWords(text).filter(isMeaningful));
}

function cursorAt({ parseContext }: ParseState, { spec }: Option, words: readonly Word[], position: number): Cursor {
  return { words, position, spec, context: parseContext };
}

/** Words after `name:`. The name is null for words before the first name and after an unknown one. */
interface Group {
  readonly name: string | null;
  readonly words: Word[];
}

/** Assigns each word to the option named before it. Skips the word after an unknown name, which is probably a value for it. */
function groupWords(state: ParseState, words: readonly Word[]): readonly Group[] {
  const { owner, problems } = state;
  const groups: Group[] = [{ name: null, words: [] }];
  let followsUnknown = false;
  for (const [index, word] of words.entries()) {
    const option = optionNamedAt(owner.options, words, index);
    const isUnknown = option === undefined && word.kind === "key" && !isExchangeTag(word);
    if (isUnknown) problems.push(unknownOptionProblem(state, word.text));
    if (option !== undefined || isUnknown) groups.push({ name: option ?? null, words: [] });
    else if (word.kind !== "key" && !followsUnknown) groups.at(-1)?.words.push(word);
    followsUnknown = isUnknown;
  }
  return groups.filter(({ name, words: inside }) => name !== null || inside.length > 0);
}

/**
 * Reads the values of a named option. The first word, and each word after a separator, always belong to the option. Any other
 * word belongs to it only if it is a further valid value that no other option claims. Returns the remaining words.
 */
function readNamed(state: ParseState, option: Option, words: readonly Word[]): readonly Word[] {
  let position = 0;
  let acceptsMore = true;
  for (let word = words[position]; word; word = words[position]) {
    const result = option.kind.read(cursorAt(state, option, words, position));
    const isOwn = position === 0 || word.isSeparated;
    if (!isOwn && (!result || !acceptsMore || isClaimed(state, option, words, position))) return words.slice(position);
    if (result) addResult(state, option, result, words.slice(position, position + result.wordCount));
    else state.problems.push(invalidProblem(state, option, word));
    acceptsMore = option.kind.isMultiple && result !== null;
    position += result?.wordCount ?? 1;
  }
  return [];
}

/** True if an option with precedence (a smaller `rank`) accepts the word: in `tickers:ACME NASDAQ`, `exchange` claims NASDAQ. */
function isClaimed(state: ParseState, { name, kind }: Option, words: readonly Word[], position: number): boolean {
  const ownRank = kind.rank ?? -1;
  return state.options.some(
    (other) =>
      other.name !== name &&
      other.kind.rank !== null &&
      other.kind.rank < ownRank &&
      other.kind.readUnnamed(cursorAt(state, other, words, position)) !== null,
  );
}

function readUnnamed(state: ParseState, words: readonly Word[]): void {
  let position = 0;
  for (let word = words[position]; word; word = words[position]) {
    const found = optionFor(state, words, position);
    if (found) addResult(state, found.option, found.result, words.slice(position, position + found.result.wordCount));
    else state.problems.push(unreadableProblem(state, word));
    position += found?.result.wordCount ?? 1;
  }
}

/** First option that accepts the word and can take another value, else the first that accepts the word. */
function optionFor(
  state: ParseState,
  words: readonly Word[],
  position: number,
): { readonly option: Option; readonly result: ReadValue<unknown> } | null {
  let firstCandidate: { readonly option: Option; readonly result: ReadValue<unknown> } | null = null;
  for (const option of state.unnamedOptions) {
    const result = option.kind.readUnnamed(cursorAt(state, option, words, position));
    if (!result) continue;
    if (option.kind.isMultiple || !state.values.has(option.name)) return { option, result };
    firstCandidate ??= { option, result };
  }
  return firstCandidate;
}

function unnamedOptionsOf(options: readonly Option[]): readonly Option[] {
  if (options.length === 1) return options;
  return options.filter(({ kind }) => kind.rank !== null).toSorted((a, b) => (a.kind.rank ?? 0) - (b.kind.rank ?? 0));
}

function addResult(state: ParseState, option: Option, result: ReadValue<unknown>, words: readonly Word[]): void {
  if (isQuestion(result)) state.questions.push({ option, question: result });
  else addValue(state, option, result.value, words);
}

function addValue(state: ParseState, { name, kind }: Option, value: unknown, words: readonly Word[]): void {
  const text = words.map((word) => word.text).join(" ");
  const entry = state.values.get(name) ?? { values: [], texts: [] };
  if (entry.values.length > 0 && !kind.isMultiple && entry.values[0] !== value) {
    const expected = onlyOneValueText(entry.texts.join(", "));
    state.problems.push(invalidValue({ option: name, got: text, expected }));
    return;
  }
  entry.values.push(value);
  entry.texts.push(text);
  state.values.set(name, entry);
}

function finish(state: ParseState): ParsedOptions {
  const { options, problems, questions, values: all } = state;
  const read: Record<string, unknown> = {};
  const understood: string[] = [];
  for (const { name, kind, spec } of options) {
    const entry = all.get(name);
    const value = entry && kind.gather(entry.values);
    const got = entry?.texts.join(", ") ?? "";
    if (value !== undefined) {
      read[name] = value;
      understood.push(`${name} ${cutText(got, MAX_ECHO_LENGTH)}`);
    } else if (questions.some(({ option }) => option.name === name)) continue;
    else if (entry) {
      const note = entry.texts.map(kind.note).find((sentence) => sentence !== undefined);
      problems.push(invalidValue({ option: name, got, expected: kind.expected(spec), note }));
    } else if (spec.required && problems.length + questions.length === 0)
      problems.push(missingProblem({ name, kind, spec }));
  }
  const known = read as OptionsOf<OptionSpecs>;
  return { options: known, problems: [...problems, ...questionProblems(state, known)], understood };
}

/** The questions as problems. The only question has buttons that run the command with each of its answers. */
function questionProblems(
  { owner, problems, questions, values }: ParseState,
  known: OptionsOf<OptionSpecs>,
): readonly CommandProblem[] {
  const isOnlyQuestion = problems.length === 0 && questions.length === 1;
  return questions.map(({ option: { name, kind }, question }) => {
    const others = values.get(name)?.values ?? [];
    const lineWith = (ticker: Ticker): string =>
      writeLine(owner, { ...known, [name]: kind.gather([...others, kind.ofTicker(ticker)]) } as OptionsOf<OptionSpecs>);
    return whichTickerProblem({
      option: name,
      command: owner.name,
      ...question,
      lineWith: isOnlyQuestion ? lineWith : null,
    });
  });
}

function missingProblem({ name, kind, spec }: Option): CommandProblem {
  return invalidValue({ option: name, got: null, expected: kind.expected(spec) });
}

function invalidProblem(state: ParseState, { name, kind, spec }: Option, word: Word): CommandProblem {
  const { text } = word;
  const got = word.kind === "key" ? `${text}:` : text;
  const suggestion = hint(state, () => kind.closest(text, spec));
  return invalidValue({ option: name, got, expected: kind.expected(spec), suggestion, note: kind.note(text) });
}

/** Finds a similar word for the first problems only, so that the cost of a line is bounded. */
function hint({ problems }: ParseState, find: () => string | undefined): string | undefined {
  return problems.length < MAX_HINTS ? find() : undefined;
}

/** Problem of a word that no option accepts. If the word is an option's name, the problem is the missing value. */
function unreadableProblem(state: ParseState, { text }: Word): CommandProblem {
  const { owner, options } = state;
  const named = findOption(owner.options, text);
  const optionWithoutValue = options.find((option) => option.name === named && option.spec.hidden !== true);
  if (optionWithoutValue) return missingProblem(optionWithoutValue);
  const suggestion = hint(state, () =>
    visibleOptions(state.unnamedOptions)
      .map(({ kind, spec }) => kind.closest(text, spec))
      .find((word) => word !== undefined),
  );
  const note = visibleOptions(state.unnamedOptions)
    .map(({ kind }) => kind.note(text))
    .find((sentence) => sentence !== undefined);
  return invalidValue({ option: null, got: text, expected: state.expectedUnnamed, suggestion, note });
}

function expectedUnnamedOf({ name }: OptionsOwner, unnamedOptions: readonly Option[]): string {
  const wanted = new Set(visibleOptions(unnamedOptions).map(({ kind, spec }) => kind.expected(spec)));
  return wanted.size === 0 ? nothingMoreText(name) : [...wanted].slice(0, 3).join("; or ");
}

function visibleOptions(options: readonly Option[]): readonly Option[] {
  return options.filter(({ spec }) => spec.hidden !== true);
}

function unknownOptionProblem(state: ParseState, input: string): CommandProblem {
  const { name, options } = state.owner;
  const names = optionNames(options);
  const suggestion = hint(state, () => suggestWord(input, names));
  return unknownOption(input, name, names, suggestion);
}

function isMeaningful(word: Word): boolean {
  return word.kind !== "bare" || !FILLERS.has(word.text.toLowerCase());
}

/** Removes fillers before the first value, unless an option's name or one of its words is meant. */
function withoutLeadingFillers(state: ParseState, words: readonly Word[]): readonly Word[] {
  const firstValue = words.findIndex((word, position) => {
    const next = words[position + 1];
    if (word.kind !== "bare" || !LEADING_FILLERS.has(word.text) || next === undefined || next.kind === "key")
      return true;
    return optionNamedAt(state.owner.options, words, position) !== undefined || isWordOfOption(state, words, position);
  });
  return words.slice(firstValue);
}

function isWordOfOption(state: ParseState, words: readonly Word[], position: number): boolean {
  const others = state.unnamedOptions.filter(({ kind }) => !kind.readsIssuers);
  return others.some((option) => option.kind.readUnnamed(cursorAt(state, option, words, position)) !== null);
}

/** Removes units after a value: `150 shares of ACME` becomes `150 ACME`. Keeps the option name in `shares 150`. */
function withoutUnits(state: ParseState, words: readonly Word[]): readonly Word[] {
  const withUnits = state.options.filter(({ spec }) => spec.units);
  const remaining: Word[] = [];
  let precedingOption: Option | undefined;
  for (const [position, word] of words.entries()) {
    if (word.kind === "bare" && precedingOption?.spec.units?.includes(word.text.toLowerCase())) continue;
    remaining.push(word);
    precedingOption = withUnits.find((option) => option.kind.read(cursorAt(state, option, words, position)) !== null);
  }
  return remaining;
}

/** Alternative option names. */
const OPTION_ALIASES: Readonly<Record<string, string>> = {
  symbol: "ticker",
  wire: "source",
  except: "exclude",
  ratio: "minratio",
  fraction: "fractional",
  number: "rule",
  since: "from",
  until: "to",
  zone: "timezone",
  tz: "timezone",
  length: "for",
};

/** Finds an option name, ignoring case, plural and hyphens. */
export function findOption(specs: OptionSpecs, input: string): string | undefined {
  const bare = singular(input.replace(/[-_]/g, ""));
  const meant = Object.hasOwn(OPTION_ALIASES, bare) ? OPTION_ALIASES[bare] : bare;
  return Object.keys(specs).find((name) => singular(name) === meant || singular(name) === bare);
}

/** Names of the options that users see. */
export function optionNames(specs: OptionSpecs): readonly string[] {
  return Object.keys(specs).filter((name) => specs[name]?.hidden !== true);
}

/** Option named by the word: `exchange:NYSE` or `exchange NYSE`. */
function optionNamedAt(specs: OptionSpecs, words: readonly Word[], index: number): string | undefined {
  const word = words[index];
  if (!word || word.kind === "quoted") return undefined;
  if (word.kind === "key") return findOption(specs, word.text);
  const next = words[index + 1];
  if (!next || next.kind === "key" || next.isSeparated) return undefined;
  return Object.keys(specs).find((name) => singular(name) === singular(word.text));
}

/** True for `NASDAQ:` in `NASDAQ: ACME`, the notation of press releases. Such a key is not the name of an option. */
function isExchangeTag(word: Word): boolean {
  return word.kind === "key" && (word.isTag === true || isExchangePrefix(word.text));
}

/** Marks unknown names in capitals before a symbol as exchanges, `XYZ:` in `watch XYZ:ABC`, unless they resemble an option's name. */
function withTags(state: ParseState, words: readonly Word[]): readonly Word[] {
  const { options } = state.owner;
  if (!state.options.some(({ kind }) => kind.readsIssuers)) return words;
  return words.map((word, position) => {
    const next = words[position + 1];
    const isName =
      word.kind === "key" && /^[A-Z]{2,12}$/.test(word.text) && next?.kind === "bare" && isInCapitals(next.text);
    if (!isName || isExchangeTag(word) || parseTicker(next.text) === undefined) return word;
    const isOption = findOption(options, word.text) !== undefined || suggestWord(word.text, optionNames(options));
    return isOption ? word : { ...word, isTag: true };
  });
}

/** Joins a symbol with the exchange before it, unless the symbol means the same without it: `TSX: OAKR` becomes `TSX:OAKR`. */
function withExchanges(words: readonly Word[]): readonly Word[] {
  return words.map((word, position) => {
    const before = words[position - 1];
    if (before === undefined || !isExchangeTag(before) || word.kind === "key") return word;
    const [tagged, alone] = [`${before.text}:${word.text}`, parseTicker(word.text)];
    const isJoined = alone === undefined ? /^\d+$/.test(word.text) : parseTicker(tagged) !== alone;
    return isJoined ? { ...word, text: tagged.toUpperCase() } : word;
  });
}

function singular(word: string): string {
  return word.toLowerCase().replace(/s$/, "");
}
