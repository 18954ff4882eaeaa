import { closestWord } from "../../lib/closest-word.ts";

/** One word of a command line. A `key` is followed by a colon or an equals sign: it names the option of what comes next. */
export interface Word {
  readonly kind: "key" | "bare" | "quoted";
  readonly text: string;
  /** A comma, semicolon, bracket or line break stands before it: it is no second half of the word before. */
  readonly apart: boolean;
}

export interface CommandLine {
  /** The subcommand as typed, in lower case; empty for an empty line. */
  readonly name: string;
  readonly words: readonly Word[];
  /** All behind the name, as typed. */
  readonly rest: string;
}

/** Reads what somebody typed after or with `/splits`, however it is quoted, spaced or decorated. */
export function readCommandLine(line: string): CommandLine {
  const plain = plainText(line).replace(/^\s*\/?splits?(?=\s|$)/i, "");
  const [first, ...words] = readWords(plain);
  const rest = plain.trim().replace(/^\S+/, "").trim();
  return { name: (first?.text ?? "").toLowerCase().replace(/^\/+/, ""), words, rest };
}

/** The text without what chat clients put into it: links around words, curly quotes, invisible characters. */
export function plainText(text: string): string {
  return text
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
    .replace(/[^\S\r\n]+/g, " ");
}

/** A key, a quoted value, a word (a comma between digits belongs to it: 1:2,400), a separator, or one character to skip. */
const TOKEN =
  /([a-z][a-z_-]*)[:=]|"([^"]*)"|'([^']*)'(?=[\s,;]|$)|((?:\d,(?=\d{3}(?!\d))|[^\s,;"()[\]{}])+)|([,;\r\n()[\]{}])|./gisy;

export function readWords(text: string): readonly Word[] {
  const joined = text.replace(/(\d) ?: ?(?=\d)/g, "$1:").replace(/([a-z]) ([:=])/gi, "$1$2");
  const words: Word[] = [];
  let apart = false;
  for (const [, key, double, single, bare, separator] of joined.matchAll(TOKEN)) {
    const quoted = double ?? single;
    const size = words.length;
    if (key !== undefined) words.push({ kind: "key", text: key, apart });
    if (quoted !== undefined) words.push({ kind: "quoted", text: quoted.trim(), apart });
    if (bare !== undefined) words.push({ kind: "bare", text: bare, apart });
    if (words.length > size) apart = false;
    if (separator !== undefined) apart = true;
  }
  return words;
}

/** The longest command line that a button can carry on every platform. */
export const MAX_BUTTON_LINE_LENGTH = 95;

const MIN_PREFIX_LENGTH = 3;

/** Known word that was probably meant: one with this beginning, or a few letters away. */
export function suggestWord(typed: string, known: readonly string[]): string | undefined {
  const start = typed.toLowerCase();
  const begun = known.find((word) => start.length >= MIN_PREFIX_LENGTH && word.toLowerCase().startsWith(start));
  return begun ?? closestWord(typed, known);
}
