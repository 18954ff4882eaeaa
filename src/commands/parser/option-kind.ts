import type { Ticker } from "../../domain/split/ticker.ts";
import { someOf } from "../../messages/option-text.ts";
import { type Cursor, type ParseContext, type ReadValue, readChoice, type WordSet } from "./option-values.ts";
import type { Suggest } from "./suggestions.ts";
import { suggestWords } from "./suggestions.ts";
import { suggestWord } from "./words.ts";

/** Input control for a value on a platform with option fields or forms. */
export type OptionInput =
  | { readonly type: "text"; readonly maxLength?: number }
  | {
      readonly type: "choices";
      readonly isMultiple: boolean;
      choices(spec: WordSet, parseContext: Pick<ParseContext, "exchanges">): readonly string[];
      label(choice: string): string;
    }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "mention" }
  | { readonly type: "file" };

/** The only declaration of an option kind: every platform's parsing, completion, forms, help and export derive from it. */
export interface OptionKind<V = unknown> {
  /** Accepts more than one value. */
  readonly isMultiple: boolean;
  /** Precedence for unnamed words: the accepting option with the smallest rank reads the word. Null: the option must be named. */
  readonly rank: number | null;
  /** The value is free text, used as typed. */
  readonly isVerbatim: boolean;
  /** Reading requires the exchanges of the listed splits. */
  readonly readsExchanges: boolean;
  /** Reading requires the tickers and names of the issuers; its values are tickers. */
  readonly readsIssuers: boolean;
  /** One value as `read` returns it, for a kind that reads issuers. */
  readonly ofTicker: (ticker: Ticker) => unknown;
  /** Reads one value after `option:`; null if the word is invalid. */
  readonly read: (cursor: Cursor) => ReadValue<unknown> | null;
  /** Reads one value from unnamed words. Can accept fewer forms than `read`, to avoid confusion with other options. */
  readonly readUnnamed: (cursor: Cursor) => ReadValue<unknown> | null;
  /** Combines the values that were read into the value of the option; undefined if they are all invalid. */
  readonly gather: (values: readonly unknown[]) => V | undefined;
  /** Text that reads back as the value. */
  readonly write: (value: V) => string;
  /** Returns the valid word that is closest to an invalid one. */
  readonly closest: (text: string, spec: WordSet) => string | undefined;
  /** Returns a sentence on an invalid word that has a meaning of its own. */
  readonly note: (text: string) => string | undefined;
  /** Returns the text after "expected" in an error message. */
  readonly expected: (spec: WordSet) => string;
  /** Returns the values that completion offers. Absent: none. */
  readonly suggest?: Suggest;
  readonly input: OptionInput;
}

/** Declaration of a kind. `U`: one value as it is read; `V`: the value of the option. `kind` fills in omitted parts. */
interface KindParts<U, V>
  extends Partial<Omit<OptionKind<V>, "rank" | "read" | "readUnnamed" | "gather" | "expected">> {
  readonly rank?: number;
  readonly read: (cursor: Cursor) => ReadValue<U> | null;
  readonly readUnnamed?: (cursor: Cursor) => ReadValue<U> | null;
  readonly gather?: (values: readonly U[]) => V | undefined;
  readonly expected: string | ((spec: WordSet) => string);
}

const DEFAULTS = {
  isMultiple: false,
  rank: null,
  isVerbatim: false,
  readsExchanges: false,
  readsIssuers: false,
  ofTicker: (ticker: Ticker): unknown => ticker,
  write: String,
  closest: () => undefined,
  note: () => undefined,
  input: { type: "text" },
} as const;

/** Adds the defaults to a declaration. By default, the value of the option is the first value that was read. */
export function kind<U, V = U>({ gather, expected, ...parts }: KindParts<U, V>): OptionKind<V> {
  return {
    ...DEFAULTS,
    readUnnamed: parts.read,
    ...parts,
    gather: (values) => (gather ? gather(values as readonly U[]) : (values[0] as V)),
    expected: typeof expected === "string" ? () => expected : expected,
  };
}

/** Kind of a list without duplicates. */
export function listKind<U>(parts: KindParts<U, readonly U[]>): OptionKind<readonly U[]> {
  return kind<U, readonly U[]>({ gather: unique, write: writeList, ...parts, isMultiple: true });
}

interface WordListParts<W extends string> {
  readonly words: readonly W[];
  readonly shortcuts?: Readonly<Record<string, readonly W[]>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly label: (word: NoInfer<W>) => string;
  readonly write?: (values: readonly NoInfer<W>[]) => string;
}

/** Kind of a list of words from a fixed set, in the order of the set. A shortcut selects several of them. */
export function wordListKind<W extends string>({
  words,
  shortcuts = {},
  aliases,
  label,
  write,
}: WordListParts<W>): OptionKind<readonly W[]> {
  const choices: readonly string[] = [...words, ...Object.keys(shortcuts)];
  return kind<string, readonly W[]>({
    rank: RANK.choice,
    isMultiple: true,
    read: (cursor) => readChoice(cursor, { choices, aliases }),
    readUnnamed: (cursor) => readChoice(cursor, { choices }),
    gather: (given) => {
      const chosen = new Set(given.flatMap((word) => shortcuts[word] ?? [word as W]));
      return words.filter((word) => chosen.has(word));
    },
    write: write ?? writeList,
    closest: (text) => suggestWord(text, choices),
    expected: someOf(choices),
    suggest: suggestWords(...choices),
    input: { type: "choices", isMultiple: true, choices: () => words, label: (word) => label(word as W) },
  });
}

/** An unnamed word is offered to the options in the order of these ranks. */
export const RANK = { choice: 0, exchange: 1, day: 2, number: 3, ticker: 4 } as const;

export function choicesInput(choices: (spec: WordSet) => readonly string[]): OptionInput {
  return { type: "choices", isMultiple: false, choices, label: (choice) => choice };
}

export function writeList(values: readonly unknown[]): string {
  return values.join(",");
}

export function unique<V>(values: readonly V[]): readonly V[] {
  return [...new Set(values)];
}
