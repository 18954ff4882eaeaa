import { foldName } from "../domain/article/company-name.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { compareText } from "../lib/collections.ts";
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

/** Maximum number of entries that one search compares. Of further ones with the same beginning, the first in the alphabet are found. */
const MAX_COMPARED = 1_000;

/** A name from one of its words on. */
interface Entry {
  readonly words: string;
  readonly isStart: boolean;
  readonly named: NamedTicker;
  /** Place of the name in the list. */
  readonly place: number;
}

const RANKS = ["whole", "start", "inside"] as const;

/** Builds the index in slices of a few milliseconds. Of two equal matches, the first in the list is preferred. */
export async function indexNames(all: Iterable<NamedTicker>): Promise<NameIndex> {
  const byStart = new Map<string, Entry[]>();
  const slice = new TimeSlice();
  let place = 0;
  for (const named of all) {
    addName(byStart, named, place);
    place += 1;
    await slice.next();
  }
  for (const entries of byStart.values()) {
    entries.sort((a, b) => compareText(a.words, b.words));
    await slice.next();
  }
  return {
    find(text, isPartial = false) {
      const words = text.length > MAX_TEXT_LENGTH ? "" : foldName(text).join(" ");
      if (words.length < KEY_LENGTH) return [];
      const entries = byStart.get(words.slice(0, KEY_LENGTH)) ?? [];
      const inListOrder = entriesFrom(entries, words).toSorted((a, b) => a.place - b.place);
      return bestFirst(inListOrder.flatMap((entry) => matchOf(entry, words, isPartial) ?? []));
    },
  };
}

/** The first entries that begin with the text. `entries`: sorted by their words, so that whole words precede their continuations. */
function entriesFrom(entries: readonly Entry[], text: string): readonly Entry[] {
  let [start, end] = [0, entries.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if ((entries[middle]?.words ?? "") < text) start = middle + 1;
    else end = middle;
  }
  const candidates = entries.slice(start, start + MAX_COMPARED);
  const firstOther = candidates.findIndex(({ words }) => !words.startsWith(text));
  return firstOther < 0 ? candidates : candidates.slice(0, firstOther);
}

function addName(byStart: Map<string, Entry[]>, named: NamedTicker, place: number): void {
  const name = foldName(named.company);
  for (let index = 0; index < Math.min(name.length, MAX_INDEXED_WORDS); index += 1) {
    const words = name.slice(index).join(" ");
    const key = words.slice(0, KEY_LENGTH);
    const entry = { words, isStart: index === 0, named, place };
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
