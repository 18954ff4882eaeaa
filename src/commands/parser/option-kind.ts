import { someOf } from "../../messages/option-text.ts";
import type { Suggest } from "./suggestions.ts";
import { suggestWords } from "./suggestions.ts";
import { type Cursor, readChoice, type Unit, type Vocabulary, type WordSet } from "./values.ts";
import { suggestWord } from "./words.ts";

/** Control that enters a value on a platform with typed options or forms. */
export type OptionInput =
  | { readonly type: "text"; readonly maxLength?: number }
  | {
      readonly type: "choices";
      readonly isMultiple: boolean;
      choices(spec: WordSet, vocabulary: Pick<Vocabulary, "exchanges">): readonly string[];
      label(choice: string): string;
    }
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "mention" }
  | { readonly type: "file" };

/** The only declaration of an option kind: every platform's parsing, completion, forms, help and export derive from it. */
export interface OptionKind<V = unknown> {
  /** Takes more than one value. */
  readonly isMultiple: boolean;
  /** Order in which unnamed words are offered to options; null: the option must be named. */
  readonly rank: number | null;
  /** Takes its text as it is, whatever it holds. */
  readonly isVerbatim: boolean;
  /** Depends on the exchanges of the listed splits. */
  readonly readsExchanges: boolean;
  /** Reads one value after `option:`; null where the word is none. */
  readonly read: (cursor: Cursor) => Unit<unknown> | null;
  /** Reads one value from unnamed words, in its unmistakable form only. */
  readonly readUnnamed: (cursor: Cursor) => Unit<unknown> | null;
  /** Option value of the read values; undefined where they make none. */
  readonly gather: (values: readonly unknown[]) => V | undefined;
  /** Text that reads back as the value. */
  readonly write: (value: V) => string;
  /** Known word that a refused one resembles. */
  readonly near: (text: string, spec: WordSet) => string | undefined;
  /** Completes "expected …". */
  readonly expected: (spec: WordSet) => string;
  /** Values to complete with; absent: none are offered. */
  readonly suggest?: Suggest;
  readonly input: OptionInput;
}

interface KindParts<U, V> {
  readonly rank?: number;
  readonly isMultiple?: boolean;
  readonly isVerbatim?: boolean;
  readonly readsExchanges?: boolean;
  readonly read: (cursor: Cursor) => Unit<U> | null;
  readonly readUnnamed?: (cursor: Cursor) => Unit<U> | null;
  readonly gather?: (values: readonly U[]) => V | undefined;
  readonly write?: (value: V) => string;
  readonly near?: (text: string, spec: WordSet) => string | undefined;
  readonly expected: string | ((spec: WordSet) => string);
  readonly suggest?: Suggest;
  readonly input?: OptionInput;
}

export function kind<U, V = U>(parts: KindParts<U, V>): OptionKind<V> {
  const { read, expected, isMultiple = false, isVerbatim = false, readsExchanges = false, rank = null } = parts;
  return {
    isMultiple,
    isVerbatim,
    readsExchanges,
    rank,
    read,
    readUnnamed: parts.readUnnamed ?? read,
    gather: (values) => (parts.gather ? parts.gather(values as readonly U[]) : (values[0] as V)),
    write: parts.write ?? String,
    near: parts.near ?? (() => undefined),
    expected: typeof expected === "string" ? () => expected : expected,
    ...(parts.suggest && { suggest: parts.suggest }),
    input: parts.input ?? { type: "text" },
  };
}

/** Several values, each once. */
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

/** Several words of a fixed set, in the order of the set. A shortcut stands for several of them. */
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
    gather: (typed) => {
      const chosen = new Set(typed.flatMap((word) => shortcuts[word] ?? [word as W]));
      return words.filter((word) => chosen.has(word));
    },
    write: write ?? writeList,
    near: (text) => suggestWord(text, choices),
    expected: someOf(choices),
    suggest: suggestWords(...choices),
    input: { type: "choices", isMultiple: true, choices: () => words, label: (word) => label(word as W) },
  });
}

/** Order in which unnamed words are offered to the kinds of options. */
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
