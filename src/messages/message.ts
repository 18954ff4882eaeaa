/**
 * What splitwatch says, before any platform renders it. Every text in here is plain text, much of it from outside:
 * a renderer escapes all of it, cuts it at its platform's limits, and lets none of it call anybody.
 */
export interface Card {
  readonly tone: Tone;
  /** Small words above or beside the title: SAMPLE, TEST, LATE. */
  readonly badges: readonly string[];
  /** The essentials in one line: it alone may be what the notification shows. */
  readonly title: string;
  readonly link: string | null;
  /** Sentences under the title. */
  readonly lines: readonly string[];
  readonly facts: readonly Fact[];
  /** The entries of a list answer. */
  readonly rows: readonly Row[];
  /** What a release says, word for word. */
  readonly quotes: readonly Quote[];
  /** What is odd about the data. */
  readonly warnings: readonly string[];
  readonly buttons: readonly Button[];
  readonly footer: string | null;
  /** In answers alone: what is kept and sent again carries none. */
  readonly picture?: Picture;
  readonly files?: readonly CardFile[];
  /** The numbers of the rules that it shows, in answers alone: a platform with forms offers to change them there. */
  readonly editableRules?: readonly number[];
}

/** Drawn by ourselves. A platform shows it as it is, makes pixels of it, or leaves it to the card's own words. */
export interface Picture {
  /** Without an ending: `upcoming-splits`. */
  readonly name: string;
  readonly svg: string;
  /** All that it says, for those who do not see it. */
  readonly alt: string;
  /** Where everybody can see it as a PNG; null: nowhere. */
  readonly link: string | null;
}

/** Goes along with a card where the platform takes files. */
export interface CardFile {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  /** Where our own server gives the same: `/calendar/all.ics`; null: nowhere. */
  readonly path: string | null;
}

/** Decides the colour. */
export type Tone = "new" | "change" | "warning" | "due" | "good" | "bad" | "plain";

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** What it was before: shown as old → new. */
  readonly was?: string;
  readonly link?: string;
}

export interface Row {
  readonly title: string;
  readonly detail: string;
  readonly link?: string;
  readonly badges?: readonly string[];
}

export interface Quote {
  readonly text: string;
  readonly source: string;
  readonly link: string;
}

/** `command` is a command line without `/splits`: a button does what its presser could have typed, also after a restart. */
export interface Button {
  readonly label: string;
  readonly command: string;
  readonly style: "normal" | "primary" | "danger";
}

const EMPTY_CARD: Card = {
  tone: "plain",
  badges: [],
  title: "",
  link: null,
  lines: [],
  facts: [],
  rows: [],
  quotes: [],
  warnings: [],
  buttons: [],
  footer: null,
};

/** A card of the parts given; the others are empty. */
export function card(parts: Partial<Card> & Pick<Card, "title">): Card {
  return { ...EMPTY_CARD, ...parts };
}

export function button(label: string, command: string, style: Button["style"] = "normal"): Button {
  return { label, command, style };
}

/** One page of a longer answer. People count pages from 1. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly number: number;
  readonly of: number;
  /** The page that was asked for, where it lies beyond the last one. */
  readonly beyond: number | null;
}

/** Null where everything is on one page. */
export function pageLine({ number, of, beyond }: Page<unknown>): string | null {
  if (beyond !== null) return `There's no page ${beyond}. This is the last page, ${number} of ${of}.`;
  return of > 1 ? `Page ${number} of ${of}` : null;
}

/** `lineOf` gives the command line that shows a page. */
export function pageButtons({ number, of }: Page<unknown>, lineOf: (page: number) => string): readonly Button[] {
  return [
    ...(number > 1 ? [button("Previous", lineOf(number - 1))] : []),
    ...(number < of ? [button("Next", lineOf(number + 1))] : []),
  ];
}
