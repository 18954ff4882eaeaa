import { closestWords } from "../../lib/closest-word.ts";
import { MAX_PATTERN_LENGTH, textPieces } from "../../lib/text-pieces.ts";

/** One word of a command line. A `key` is followed by a colon or an equals sign and names the option of the next words. */
export interface Word {
  readonly kind: "key" | "bare" | "quoted";
  readonly text: string;
  /** True after a comma, semicolon, bracket or line break: the word doesn't continue the previous word. */
  readonly isSeparated: boolean;
  /** True for a key that stands before a symbol like an exchange. */
  readonly isTag?: boolean;
}

export interface CommandLine {
  /** The subcommand in lower case; empty for an empty line. */
  readonly name: string;
  /** The subcommand as typed. */
  readonly typedName: string;
  readonly words: readonly Word[];
  /** Everything after `/splits`, normalized by `normalizeInput`. */
  readonly text: string;
  /** Everything after the name, normalized by `normalizeInput`. */
  readonly rest: string;
}

/** Splits a command line into words, with or without `/splits`, in any quoting and spacing. */
export function readCommandLine(line: string): CommandLine {
  const plain = normalizeInput(line).replace(/^\s*\/?splits?(?=\s|$)/i, "");
  const [first, ...words] = readWords(plain);
  const text = plain.trim();
  const rest = text.replace(/^\S+/, "").trim();
  const typedName = first?.text ?? "";
  return { name: typedName.toLowerCase().replace(/^\/+/, ""), typedName, words, text, rest };
}

/** Removes formatting that chat clients add: links around words, curly quotes, invisible characters. */
export function normalizeInput(text: string): string {
  return text.length > MAX_PATTERN_LENGTH ? textPieces(text).map(normalizePiece).join("") : normalizePiece(text);
}

function normalizePiece(text: string): string {
  return (
    text
      .replace(/[\p{Cf}\p{Cs}]/gu, "")
      .replace(/<(?:https?|mailto|tel):[^<>|\s]*\|([^<>]*)>/gi, "$1")
      .replace(/<((?:https?|mailto|tel):[^<>|\s]*)>/gi, "$1")
      .replace(/[“”„‟«»″＂]/g, '"')
      .replace(/[‘’‚‛′`]/g, "'")
      .replace(/[‐-―−]/g, "-")
      .replace(/[，、]/g, ",")
      .replace(/；/g, ";")
      .replace(/：/g, ":")
      .replace(/＝/g, "=")
      .replace(/＄/g, "$")
      // Leaves single spaces alone: replacing each of them takes most of the time for a large text.
      .replace(/[^\S\r\n]{2,}|[^\S\r\n ]/g, " ")
  );
}

/** A key, a quoted value, a word (which keeps commas between digits: `1:2,400`), a separator, or one skipped character. */
const TOKEN =
  /([a-z][a-z_-]*)[:=]|"([^"]*)"|'([^']*)'(?=[\s,;]|$)|((?:\d,(?=\d{3}(?!\d))|[^\s,;"()[\]{}])+)|([,;\r\n()[\]{}])|./gisy;

/**
 * Splits a text into words. Spaces around a colon are ignored where it joins two words: `1 : 20`, `exchange : NYSE`; and so are the hyphens
 * of `--exchange NYSE`.
 */
export function readWords(text: string): readonly Word[] {
  const joined = text
    .replace(/(\d) ?: ?(?=\d)/g, "$1:")
    .replace(/([a-z]) ([:=])/gi, "$1$2")
    .replace(/(^|\s)--(?=[a-z])/gi, "$1");
  const words: Word[] = [];
  let isSeparated = false;
  for (const [, key, double, single, bare, separator] of joined.matchAll(TOKEN)) {
    const quoted = double ?? single;
    const size = words.length;
    if (key !== undefined) words.push({ kind: "key", text: key, isSeparated });
    if (quoted !== undefined) words.push({ kind: "quoted", text: quoted.trim(), isSeparated });
    if (bare !== undefined) words.push({ kind: "bare", text: bare, isSeparated });
    if (words.length > size) isSeparated = false;
    if (separator !== undefined) isSeparated = true;
  }
  return words;
}

const MIN_PREFIX_LENGTH = 3;

/** Returns the first word of `similarWords`. */
export function suggestWord(input: string, words: readonly string[]): string | undefined {
  return similarWords(input, words)[0];
}

/** Returns the known words that start with the typed text, else those that differ from it by the fewest letters, which are few. */
export function similarWords(input: string, words: readonly string[]): readonly string[] {
  const prefix = input.toLowerCase();
  const matches =
    prefix.length < MIN_PREFIX_LENGTH ? [] : words.filter((word) => word.toLowerCase().startsWith(prefix));
  return matches.length > 0 ? matches : closestWords(input, words);
}
