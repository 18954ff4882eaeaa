import { closestWord } from "../../lib/closest-word.ts";

const SHORTEST_BEGINNING = 3;

/** The known word that was probably meant: one that begins like it, or that is a few letters away. */
export function nearMiss(typed: string, known: readonly string[]): string | undefined {
  const start = typed.toLowerCase();
  const begun = known.find((word) => start.length >= SHORTEST_BEGINNING && word.toLowerCase().startsWith(start));
  return begun ?? closestWord(typed, known);
}
