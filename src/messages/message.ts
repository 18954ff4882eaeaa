/**
 * Platform-neutral message. All texts are plain text and may contain external input: renderers escape them, truncate them at the
 * platform's limits, and never let them mention anyone.
 */
export interface Card {
  readonly tone: Tone;
  /** Labels beside the title: SAMPLE, TEST, LATE. */
  readonly badges: readonly string[];
  /** One-line summary; a notification may show nothing else. */
  readonly title: string;
  readonly link: string | null;
  /** Sentences under the title. */
  readonly lines: readonly string[];
  readonly facts: readonly Fact[];
  /** Entries of a list. */
  readonly rows: readonly Row[];
  /** Verbatim quotes from releases. */
  readonly quotes: readonly Quote[];
  /** Data warnings. */
  readonly warnings: readonly string[];
  readonly buttons: readonly Button[];
  readonly footer: string | null;
  /** Only in answers; stored messages have no picture. */
  readonly picture?: Picture;
  readonly files?: readonly CardFile[];
  /** Only in answers: numbers of the rules shown, for platforms that can edit rules in a form. */
  readonly editableRules?: readonly number[];
}

/** Generated picture. A platform shows the SVG, renders it as a PNG, or omits it; the card repeats its content. */
export interface Picture {
  /** File name without extension: `upcoming-splits`. */
  readonly name: string;
  readonly svg: string;
  /** Alternative text. */
  readonly alt: string;
  /** Public address of the PNG; null: none. */
  readonly link: string | null;
  /** True: only for platforms that show the SVG. Rendering a PNG for each answer would block the process. */
  readonly isSvgOnly?: true;
}

/** File attached to a card on platforms that support files. */
export interface CardFile {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  /** Path of the same file on this server, such as `/calendar/all.ics`; null: none. */
  readonly path: string | null;
}

/** Tone of a card, shown as its color. */
export type Tone = "new" | "change" | "warning" | "due" | "good" | "bad" | "plain";

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Previous value, shown as old → new. */
  readonly was?: string;
  readonly link?: string;
  /** True if `link` is the address of a press release. */
  readonly isRelease?: true;
  /** True if the value is a person's id on the platform, which platforms show as a name. */
  readonly isPersonId?: boolean;
}

export interface Row {
  readonly title: string;
  readonly detail: string;
  readonly link?: string;
  /** True if `link` is the address of a press release. */
  readonly isRelease?: true;
  /** Ticker of the split that the row is about; absent for other rows. */
  readonly ticker?: string;
  readonly badges?: readonly string[];
}

export interface Quote {
  readonly text: string;
  readonly source: string;
  readonly link: string;
}

/** Button that runs `command` (without `/splits`). It needs no stored state, so it works after a restart. */
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

/** Creates a card; omitted parts are empty. */
export function card(parts: Partial<Card> & Pick<Card, "title">): Card {
  return { ...EMPTY_CARD, ...parts };
}

/** Longest command line that fits into a button on every platform. */
export const MAX_BUTTON_LINE_LENGTH = 95;

export function button(label: string, command: string, style: Button["style"] = "normal"): Button {
  return { label, command, style };
}

/** One page of a longer answer. `number` starts at 1. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly number: number;
  readonly pageCount: number;
  /** Requested page if it is after the last page; otherwise null. */
  readonly outOfRangePage: number | null;
}

/** `Page 2 of 3`, or a note that the requested page does not exist; null for a valid request if there is only one page. */
export function pageLine({ number, pageCount, outOfRangePage }: Page<unknown>): string | null {
  if (outOfRangePage !== null)
    return `There's no page ${outOfRangePage}. This is the last page, ${number} of ${pageCount}.`;
  return pageCount > 1 ? `Page ${number} of ${pageCount}` : null;
}

/** Buttons for the neighboring pages; `commandOf` returns the command that shows a page. */
export function pageButtons(
  { number, pageCount }: Page<unknown>,
  commandOf: (page: number) => string,
): readonly Button[] {
  return [
    ...(number > 1 ? [button("Previous", commandOf(number - 1))] : []),
    ...(number < pageCount ? [button("Next", commandOf(number + 1))] : []),
  ];
}
