import { closestWord } from "../../lib/closest-word.ts";

const MIN_PREFIX_LENGTH = 3;

/** The known word that was probably meant: one that begins like it, or that is a few letters away. */
export function suggestWord(typed: string, known: readonly string[]): string | undefined {
  const start = typed.toLowerCase();
  const begun = known.find((word) => start.length >= MIN_PREFIX_LENGTH && word.toLowerCase().startsWith(start));
  return begun ?? closestWord(typed, known);
}
