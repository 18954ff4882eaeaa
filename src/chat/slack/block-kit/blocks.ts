import { toPlainText } from "./mrkdwn.ts";

/** The Block Kit blocks used in messages. */
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
  /** Prevents Slack from converting words to links, channels and mentions. */
  readonly verbatim: true;
}

export interface ButtonElement {
  readonly type: "button";
  readonly text: PlainText;
  readonly action_id: string;
  /** A command line, or the rule number for a button that opens the rule form. */
  readonly value: string;
  readonly style?: "primary" | "danger";
}

/** Slack's documented limits unless a comment says otherwise. */
export const LIMITS = {
  blocks: 50,
  header: 150,
  section: 3_000,
  contextElements: 10,
  contextElement: 2_000,
  /** Alternative text of a picture. Slack allows 2,000, but it counts toward the message's size. */
  alt: 1_000,
  buttons: 25,
  buttonText: 75,
  buttonValue: 2_000,
  /** All blocks as JSON. Slack refuses about 13,200 and more, which is undocumented. */
  json: 12_500,
  /** Blocks of a modal or home tab. */
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

/** Packs lines of mrkdwn into as few sections as possible; no line may exceed a section's limit. */
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

/** Blocks of modals and home tabs. */
export type ViewBlock =
  | Block
  | {
      readonly type: "section";
      readonly block_id?: string;
      readonly text: PlainText | Mrkdwn;
      readonly accessory: ViewElement;
    }
  | { readonly type: "actions"; readonly block_id?: string; readonly elements: readonly ViewElement[] }
  | {
      readonly type: "input";
      readonly block_id: string;
      readonly label: PlainText;
      readonly element: ViewElement;
      readonly hint?: PlainText;
      readonly optional?: boolean;
      /** Sends the input when it is entered instead of with the form. */
      readonly dispatch_action?: boolean;
    };

export type ViewElement =
  | ButtonElement
  | {
      readonly type: "plain_text_input";
      readonly action_id: string;
      readonly max_length: number;
      readonly initial_value?: string;
      readonly placeholder?: PlainText;
      readonly dispatch_action_config?: { readonly trigger_actions_on: readonly ["on_enter_pressed"] };
    }
  | (SelectBase & { readonly type: "static_select"; readonly initial_option?: Option })
  | (SelectBase & { readonly type: "multi_static_select"; readonly initial_options?: readonly Option[] })
  | {
      readonly type: "checkboxes";
      readonly action_id: string;
      readonly options: readonly Option[];
      readonly initial_options?: readonly Option[];
    }
  | {
      readonly type: "external_select";
      readonly action_id: string;
      readonly placeholder: PlainText;
      readonly initial_option: Option;
      readonly min_query_length: number;
    }
  | {
      readonly type: "timepicker";
      readonly action_id: string;
      readonly placeholder: PlainText;
      /** Time such as `22:00`. */
      readonly initial_time?: string;
    };

interface SelectBase {
  readonly action_id: string;
  readonly placeholder: PlainText;
  readonly options: readonly Option[];
}

export interface Option {
  readonly text: PlainText;
  readonly value: string;
  readonly description?: PlainText;
}

export function option(value: string, text: string, description = ""): Option {
  const label = plain(toPlainText(text, LIMITS.optionText) || value);
  return description === ""
    ? { text: label, value }
    : { text: label, value, description: plain(toPlainText(description, LIMITS.optionText)) };
}

/** Returns the initially selected options. Slack refuses an empty list. */
export function initialOptions(
  options: readonly Option[],
  values: readonly string[],
): { readonly initial_options?: readonly Option[] } {
  const initial = values.flatMap((value) => options.find((candidate) => candidate.value === value) ?? []);
  return initial.length === 0 ? {} : { initial_options: initial };
}

export interface Modal {
  readonly type: "modal";
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly submit: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly ViewBlock[];
}

export interface HomeTab {
  readonly type: "home";
  readonly blocks: readonly ViewBlock[];
}
