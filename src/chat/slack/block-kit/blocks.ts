/** The parts of Block Kit that our messages are made of, and their documented limits. */
export type Block =
  | { readonly type: "header"; readonly text: PlainText }
  | { readonly type: "section"; readonly text: PlainText | Mrkdwn }
  | { readonly type: "context"; readonly elements: readonly (PlainText | Mrkdwn)[] }
  | { readonly type: "actions"; readonly elements: readonly ButtonElement[] }
  | { readonly type: "image"; readonly image_url: string; readonly alt_text: string }
  | { readonly type: "divider" };

export interface PlainText {
  readonly type: "plain_text";
  readonly text: string;
  readonly emoji: false;
}

export interface Mrkdwn {
  readonly type: "mrkdwn";
  readonly text: string;
  /** Slack is not to make links, channels and mentions of plain words. */
  readonly verbatim: true;
}

export interface ButtonElement {
  readonly type: "button";
  readonly text: PlainText;
  readonly action_id: string;
  /** A command line; of a button that opens a form, what the form is about. */
  readonly value: string;
  readonly style?: "primary" | "danger";
}

export const LIMITS = {
  blocks: 50,
  header: 150,
  section: 3_000,
  contextElements: 10,
  contextElement: 2_000,
  /** Of a picture: what stands in its place. Slack takes 2,000, of the message's own room. */
  alt: 1_000,
  buttons: 25,
  buttonText: 75,
  buttonValue: 2_000,
  /** All blocks as JSON. Slack refuses from about 13,200 on, which it documents nowhere. */
  json: 12_500,
  /** Of a modal, or of somebody's home. */
  viewBlocks: 100,
  modalTitle: 24,
  optionText: 75,
  options: 100,
  inputText: 3_000,
  /** The notification line. Slack advises 4,000. */
  text: 3_000,
} as const;

export function plain(text: string): PlainText {
  return { type: "plain_text", text, emoji: false };
}

export function mrkdwn(text: string): Mrkdwn {
  return { type: "mrkdwn", text, verbatim: true };
}

export function header(text: string): Block {
  return { type: "header", text: plain(text) };
}

export function section(text: PlainText | Mrkdwn): Block {
  return { type: "section", text };
}

export function context(elements: readonly (PlainText | Mrkdwn)[]): readonly Block[] {
  return elements.length === 0 ? [] : [{ type: "context", elements: elements.slice(0, LIMITS.contextElements) }];
}

/** As few sections as hold these lines of mrkdwn, none of which is longer than a section may be. */
export function sections(lines: readonly string[]): readonly Block[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    const joined = last === undefined ? line : `${last}\n${line}`;
    if (last !== undefined && joined.length <= LIMITS.section) texts[texts.length - 1] = joined;
    else texts.push(line);
  }
  return texts.map((text) => section(mrkdwn(text)));
}
