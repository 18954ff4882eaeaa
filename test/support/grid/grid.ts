import { type Random, randomOf, randomSplit } from "./facts.ts";
import type { Choice, GridText, TextKind } from "./texts.ts";

/** A text of the grid with the slot values that it combines. */
export interface Cell extends GridText {
  readonly kind: string;
  readonly choice: Choice;
}

const CANDIDATES = 6;

/** Texts of one kind that together combine as many pairs of slot values as possible. */
export function cellsOf(kind: TextKind, count: number, seed: number): readonly Cell[] {
  const random = randomOf(seed);
  const names = Object.keys(kind.slots);
  const decks = new Map(names.map((name) => [name, deckOf(kind.slots[name] ?? [], random)]));
  const covered = new Set<string>();
  return Array.from({ length: count }, () => {
    const drawn = names.map((name) => [name, decks.get(name)?.() ?? ""] as const);
    const candidates = Array.from({ length: CANDIDATES }, (_, index) =>
      // Each slot takes its own next value; other candidates exchange a third of them for random ones.
      Object.fromEntries(
        drawn.map(([name, value]) => {
          const values = kind.slots[name] ?? [];
          return [name, index > 0 && random(3) === 0 ? (values[random(values.length)] ?? value) : value];
        }),
      ),
    );
    const best = candidates.toSorted((a, b) => newPairs(b, covered).length - newPairs(a, covered).length)[0] ?? {};
    for (const pair of newPairs(best, covered)) covered.add(pair);
    const choice = kind.repair?.(best) ?? best;
    return { kind: kind.name, choice, ...kind.write(choice, randomSplit(random), random) };
  });
}

function newPairs(choice: Choice, covered: ReadonlySet<string>): readonly string[] {
  const values = Object.entries(choice).map(([name, value]) => `${name}=${value}`);
  return values.flatMap((first, index) =>
    values.slice(index + 1).flatMap((second) => {
      const pair = `${first}|${second}`;
      return covered.has(pair) ? [] : [pair];
    }),
  );
}

/** Draws the values in random order, all of them before one repeats. */
function deckOf(values: readonly string[], random: Random): () => string {
  let deck: string[] = [];
  return () => {
    if (deck.length === 0) deck = [...values];
    return deck.splice(random(deck.length), 1)[0] ?? "";
  };
}
