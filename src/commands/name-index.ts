import { foldName } from "../domain/article/company-name.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { TimeSlice } from "../lib/slices.ts";

/** A ticker and the name of its company. */
export interface NamedTicker {
  readonly ticker: Ticker;
  readonly company: string;
}

/** A ticker whose company is named by a text. */
export interface NameMatch extends NamedTicker {
  /** How much of the name the text is, without its legal form. `start`: its first words. `inside`: later words. */
  readonly match: "whole" | "start" | "inside";
}

/** Companies by the words of their names. */
export interface NameIndex {
  /**
   * Companies whose names contain the words of the text in order, best matches first, at most `MAX_MATCHES`. With `isPartial`, the
   * last word can be incomplete.
   */
  find(text: string, isPartial?: boolean): readonly NameMatch[];
}

export const MAX_MATCHES = 20;

/** Longer texts name no company. */
const MAX_TEXT_LENGTH = 120;

/** Words of a name under which it can be found. */
const MAX_INDEXED_WORDS = 8;

const KEY_LENGTH = 2;

/** A name from one of its words on. */
interface Entry {
  readonly words: string;
  readonly isStart: boolean;
  readonly named: NamedTicker;
}

const RANKS = ["whole", "start", "inside"] as const;

/** Builds the index in slices of a few milliseconds. Of two equal matches, the first in the list is preferred. */
export async function indexNames(all: Iterable<NamedTicker>): Promise<NameIndex> {
  const byStart = new Map<string, Entry[]>();
  const slice = new TimeSlice();
  for (const named of all) {
    addName(byStart, named);
    await slice.next();
  }
  return {
    find(text, isPartial = false) {
      const words = text.length > MAX_TEXT_LENGTH ? "" : foldName(text).join(" ");
      if (words.length < KEY_LENGTH) return [];
      const entries = byStart.get(words.slice(0, KEY_LENGTH)) ?? [];
      const beginning = entries.filter((entry) => entry.words.startsWith(words));
      return bestFirst(beginning.flatMap((entry) => matchOf(entry, words, isPartial) ?? []));
    },
  };
}

function addName(byStart: Map<string, Entry[]>, named: NamedTicker): void {
  const name = foldName(named.company);
  for (let index = 0; index < Math.min(name.length, MAX_INDEXED_WORDS); index += 1) {
    const words = name.slice(index).join(" ");
    const key = words.slice(0, KEY_LENGTH);
    const entry = { words, isStart: index === 0, named };
    const entries = byStart.get(key);
    if (entries) entries.push(entry);
    else byStart.set(key, [entry]);
  }
}

/** The match of an entry that begins with the text; null if the text ends within a word, and must not. */
function matchOf({ words, isStart, named }: Entry, text: string, isPartial: boolean): NameMatch | null {
  const { ticker, company } = named;
  if (isStart && words.length === text.length) return { ticker, company, match: "whole" };
  const endsWord = words.length === text.length || words[text.length] === " ";
  if (!endsWord && !isPartial) return null;
  return { ticker, company, match: isStart ? "start" : "inside" };
}

function bestFirst(matches: readonly NameMatch[]): readonly NameMatch[] {
  const best = new Map<Ticker, NameMatch>();
  for (const rank of RANKS)
    for (const found of matches) if (found.match === rank && !best.has(found.ticker)) best.set(found.ticker, found);
  return [...best.values()].slice(0, MAX_MATCHES);
}
