import { MAX_PORTABLE_BYTES } from "../../domain/settings/portable.ts";
import type { Command, OptionSpec, OptionSpecs } from "../command.ts";
import { findCommand } from "../find-command.ts";
import { findOption } from "./option-groups.ts";
import { type CommandLine, plainText, readCommandLine } from "./words.ts";

/** What a line with a text to be taken as it is may have before that. */
const MAX_HEAD_LENGTH = 1_000;

/** In characters. */
export const MAX_PASTED_LINE_LENGTH = MAX_PORTABLE_BYTES + MAX_HEAD_LENGTH;

/** The line of a command that takes a text; null: it is the line of another command. */
export function readPastedLine(typed: string, commands: readonly Command[]): CommandLine | null {
  const start = readCommandLine(typed.slice(0, MAX_HEAD_LENGTH));
  const command = findCommand(commands, start.name);
  if (command === undefined || pastedOption(command.options) === undefined) return null;
  const plain = plainText(typed).replace(/^\s*\/?splits?(?=\s)/i, "");
  const { words, pasted } = partPasted(plain.trim().replace(/^\S+/, "").trim(), command.options);
  return { name: start.name, words: readCommandLine(`${start.name} ${words}`).words, rest: pasted };
}

/** The option that takes what is behind all others. */
export function pastedOption(specs: OptionSpecs): string | undefined {
  return Object.keys(specs).find((name) => specs[name]?.kind === "pasted");
}

/** `scope:me`, `scope me`, `file:"my list.txt"` */
const OPTION = /\s*([a-z]+)(?:\s?[:=]\s?|(\s))("[^"]*"|[^\s"]*)/iy;

/** What stands before the text, and the text. It begins where no option is named any more, or behind its own name. */
function partPasted(rest: string, specs: OptionSpecs): { readonly words: string; readonly pasted: string } {
  let at = 0;
  for (let option = optionAt(rest, at, specs); option !== null; option = optionAt(rest, at, specs)) {
    if (option.spec.kind === "pasted") return { words: rest.slice(0, at), pasted: rest.slice(option.valueAt).trim() };
    at = option.end;
  }
  return { words: rest.slice(0, at), pasted: rest.slice(at).trim() };
}

interface NamedOption {
  readonly spec: OptionSpec;
  readonly valueAt: number;
  readonly end: number;
}

function optionAt(rest: string, at: number, specs: OptionSpecs): NamedOption | null {
  OPTION.lastIndex = at;
  const [whole, key = "", blank, value = ""] = OPTION.exec(rest) ?? [];
  const spec = whole === undefined ? undefined : specs[findOption(specs, key) ?? ""];
  if (whole === undefined || spec === undefined) return null;
  // Without a colon a word is an option only where a word of its own follows.
  if (blank !== undefined && spec.choices?.includes(value.toLowerCase()) !== true) return null;
  const end = at + whole.length;
  return { spec, valueAt: end - value.length, end };
}
