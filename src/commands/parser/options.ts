import { problemText } from "../../messages/answers/problem-answer.ts";
import { truncate } from "../../messages/format.ts";
import { expectedText, nothingMoreText, onlyOneValueText } from "../../messages/option-text.ts";
import type { OptionSpec, OptionSpecs, OptionsOf } from "../command.ts";
import { findOption, groupWords, type OptionsOwner } from "./option-groups.ts";
import { OPTION_KINDS, type OptionKind, type Unit, type Vocabulary } from "./option-kinds.ts";
import type { Word } from "./words.ts";

/** The options of a command line, as far as they could be read. */
export interface ReadOptions {
  readonly options: OptionsOf<OptionSpecs>;
  /** In sentences, each naming the option, what was got and what is expected. */
  readonly problems: readonly string[];
  /** `exchange NASDAQ` */
  readonly understood: readonly string[];
}

interface Option {
  readonly name: string;
  readonly spec: OptionSpec;
  readonly kind: OptionKind;
}

/** What has been read of one command line so far. */
interface Sheet {
  readonly options: readonly Option[];
  readonly vocabulary: Vocabulary;
  readonly problems: string[];
  readonly taken: Map<string, { readonly values: readonly unknown[]; readonly typed: readonly string[] }>;
}

/** Between two values they say nothing. */
const FILLERS: ReadonlySet<string> = new Set(["and", "&", "+"]);

/**
 * Reads options by name (`exchange:NYSE American`), and the words without a name by what they mean. Everything that is
 * wrong is told at once.
 */
export function readOptions(owner: OptionsOwner, words: readonly Word[], vocabulary: Vocabulary): ReadOptions {
  const options = Object.entries(owner.options).map(([name, spec]) => ({ name, spec, kind: OPTION_KINDS[spec.kind] }));
  const telling = words.filter((word) => !isFiller(word));
  const { groups, problems } = groupWords(owner, withoutUnits(telling, options, vocabulary));
  const sheet: Sheet = { options, vocabulary, problems: [...problems], taken: new Map() };
  for (const group of groups) {
    const option = options.find(({ name }) => name === group.name);
    if (option && group.words.length === 0) sheet.problems.push(missing(option));
    readUnnamed(sheet, owner, option ? readNamed(sheet, option, group.words) : group.words);
  }
  return finish(sheet);
}

/** Gives back the words that are not the option's: those after a blank that it cannot read or another one claims. */
function readNamed(sheet: Sheet, option: Option, words: readonly Word[]): readonly Word[] {
  let at = 0;
  let goesOn = true;
  for (let word = words[at]; word; word = words[at]) {
    const unit = option.kind.read({ words, at, spec: option.spec, vocabulary: sheet.vocabulary });
    const joined = at === 0 || word.apart;
    if (!joined && (!unit || !goesOn || isClaimed(sheet, option, words, at))) return words.slice(at);
    if (unit) take(sheet, option, unit, words.slice(at, at + unit.used));
    else sheet.problems.push(refused(option, word));
    goesOn = option.kind.many && unit !== null;
    at += unit?.used ?? 1;
  }
  return [];
}

/** `tickers:ACME NASDAQ`: an exchange among tickers is an exchange. What is excluded stays excluded. */
function isClaimed(sheet: Sheet, { name, kind }: Option, words: readonly Word[], at: number): boolean {
  const ownRank = kind.rank ?? -1;
  return sheet.options.some(
    (other) =>
      other.name !== name &&
      other.kind.rank !== null &&
      other.kind.rank < ownRank &&
      other.kind.readUnnamed({ words, at, spec: other.spec, vocabulary: sheet.vocabulary }) !== null,
  );
}

function readUnnamed(sheet: Sheet, owner: OptionsOwner, words: readonly Word[]): void {
  let at = 0;
  for (let word = words[at]; word; word = words[at]) {
    const found = meaningOf(sheet, words, at);
    if (found) take(sheet, found.option, found.unit, words.slice(at, at + found.unit.used));
    else sheet.problems.push(notUnderstood(sheet, owner, word));
    at += found?.unit.used ?? 1;
  }
}

/** The first option that knows the word and still wants a value; else one that had its value already, and will say so. */
function meaningOf(
  sheet: Sheet,
  words: readonly Word[],
  at: number,
): { readonly option: Option; readonly unit: Unit<unknown> } | null {
  const readings = unnamedOptions(sheet).flatMap((option) => {
    const unit = option.kind.readUnnamed({ words, at, spec: option.spec, vocabulary: sheet.vocabulary });
    return unit ? [{ option, unit }] : [];
  });
  const open = readings.find(({ option }) => option.kind.many || !sheet.taken.has(option.name));
  return open ?? readings[0] ?? null;
}

function unnamedOptions({ options }: Sheet): readonly Option[] {
  if (options.length === 1) return options;
  return options.filter(({ kind }) => kind.rank !== null).toSorted((a, b) => (a.kind.rank ?? 0) - (b.kind.rank ?? 0));
}

function take(sheet: Sheet, { name, kind }: Option, unit: Unit<unknown>, words: readonly Word[]): void {
  const { values, typed } = sheet.taken.get(name) ?? { values: [], typed: [] };
  const text = words.map((word) => word.text).join(" ");
  if (values.length > 0 && !kind.many && values[0] !== unit.value) {
    const expected = onlyOneValueText(typed.join(", "));
    sheet.problems.push(problemText({ option: name, got: text, expected }));
    return;
  }
  sheet.taken.set(name, { values: [...values, unit.value], typed: [...typed, text] });
}

function finish(sheet: Sheet): ReadOptions {
  const { problems } = sheet;
  const values: Record<string, unknown> = {};
  const understood: string[] = [];
  for (const option of sheet.options) {
    const taken = sheet.taken.get(option.name);
    const value = taken && option.kind.gather(taken.values);
    if (taken && value !== undefined) {
      values[option.name] = value;
      understood.push(`${option.name} ${truncate(taken.typed.join(", "), 60)}`);
    } else if (taken) {
      problems.push(
        problemText({ option: option.name, got: taken.typed.join(", "), expected: expectedText(option.spec) }),
      );
    } else if (option.spec.required && problems.length === 0) problems.push(missing(option));
  }
  return { options: values as OptionsOf<OptionSpecs>, problems, understood };
}

function missing(option: Option): string {
  return problemText({ option: option.name, got: null, expected: expectedText(option.spec) });
}

function refused(option: Option, { text }: Word): string {
  const near = option.kind.near(text, option.spec);
  return problemText({ option: option.name, got: text, expected: expectedText(option.spec), near });
}

/** An option's name that nothing follows is a value that was left out, unless it means something by itself. */
function notUnderstood(sheet: Sheet, { name, options: specs }: OptionsOwner, { text }: Word): string {
  const named = findOption(specs, text);
  const bare = sheet.options.find((option) => option.name === named && option.spec.hidden !== true);
  if (bare) return missing(bare);
  const options = unnamedOptions(sheet).filter(({ spec }) => spec.hidden !== true);
  const near = options.map(({ kind, spec }) => kind.near(text, spec)).find((word) => word !== undefined);
  const wanted = options.slice(0, 3).map(({ spec }) => expectedText(spec));
  return problemText({
    option: null,
    got: text,
    expected: wanted.length === 0 ? nothingMoreText(name) : wanted.join("; or "),
    near,
  });
}

function isFiller(word: Word): boolean {
  return word.kind === "bare" && FILLERS.has(word.text.toLowerCase());
}

/** `150 shares of ACME` is `150 ACME`; in `shares 150` the same word names the option. */
function withoutUnits(words: readonly Word[], options: readonly Option[], vocabulary: Vocabulary): readonly Word[] {
  const left: Word[] = [];
  let measured: Option | undefined;
  for (const [at, word] of words.entries()) {
    const isUnit = word.kind === "bare" && measured?.spec.units?.includes(word.text.toLowerCase()) === true;
    if (isUnit) continue;
    left.push(word);
    measured = options.find(({ spec, kind }) => spec.units && kind.read({ words, at, spec, vocabulary }) !== null);
  }
  return left;
}
