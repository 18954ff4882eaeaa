import { parseKnownExchange } from "../../domain/split/exchange.ts";
import { unknownOptionText } from "../../messages/answers/problem-answer.ts";
import type { Command, OptionSpecs } from "../command.ts";
import { suggestWord } from "./suggest-word.ts";
import type { Word } from "./words.ts";

/** What an option is called and what it takes: all of a command that reading its options needs. */
export type OptionsOwner = Pick<Command, "name" | "options">;

/** The words of one option, `name:` before them; null: words that must speak for themselves. */
export interface Group {
  readonly name: string | null;
  readonly words: readonly Word[];
}

export interface Grouped {
  readonly groups: readonly Group[];
  /** About options that the command does not have. */
  readonly problems: readonly string[];
}

/** Other names that people give to options. */
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

/** The option of this command that `typed` names, forgiving case, plural and hyphens. */
export function findOption(specs: OptionSpecs, typed: string): string | undefined {
  const bare = singular(typed.replace(/[-_]/g, ""));
  const meant = Object.hasOwn(OPTION_ALIASES, bare) ? OPTION_ALIASES[bare] : bare;
  return Object.keys(specs).find((name) => singular(name) === meant || singular(name) === bare);
}

/** The options that people may know of. */
export function optionNames(specs: OptionSpecs): readonly string[] {
  return Object.keys(specs).filter((name) => specs[name]?.hidden !== true);
}

/** Puts each word to the option that is named before it. */
export function groupWords(owner: OptionsOwner, words: readonly Word[]): Grouped {
  const problems: string[] = [];
  const groups: { name: string | null; words: Word[] }[] = [{ name: null, words: [] }];
  let belongsToUnknown = false;
  for (const [index, word] of words.entries()) {
    const option = optionNamedAt(owner.options, words, index);
    const unknown = option === undefined && word.kind === "key" && !isExchangeTag(word);
    if (unknown) problems.push(unknownOption(owner, word.text));
    if (option !== undefined || unknown) groups.push({ name: option ?? null, words: [] });
    else if (word.kind !== "key" && !belongsToUnknown) groups.at(-1)?.words.push(word);
    belongsToUnknown = unknown;
  }
  return { groups: groups.filter(({ name, words: inside }) => name !== null || inside.length > 0), problems };
}

function unknownOption({ name, options }: OptionsOwner, typed: string): string {
  const names = optionNames(options);
  return unknownOptionText(typed, name, names, suggestWord(typed, names));
}

/** `exchange:NYSE` names an option, and so does `exchange NYSE`. */
function optionNamedAt(specs: OptionSpecs, words: readonly Word[], index: number): string | undefined {
  const word = words[index];
  if (!word || word.kind === "quoted") return undefined;
  if (word.kind === "key") return findOption(specs, word.text);
  const next = words[index + 1];
  if (!next || next.kind === "key" || next.apart) return undefined;
  return Object.keys(specs).find((name) => singular(name) === singular(word.text));
}

/** `NASDAQ: ACME`, as releases write it: a place, not an option. */
function isExchangeTag(word: Word): boolean {
  return parseKnownExchange(word.text) !== undefined;
}

function singular(word: string): string {
  return word.toLowerCase().replace(/s$/, "");
}
