import { type Block, type ButtonElement, LIMITS, type Mrkdwn, type PlainText, plain } from "../block-kit/blocks.ts";
import { plainText } from "../block-kit/text.ts";

/** What a modal or somebody's home is made of, besides what messages are made of. */
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
      /** What is entered is told at once, and not with the rest of a form. */
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
      /** `22:00` */
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
  const words = plain(plainText(text, LIMITS.optionText) || value);
  return description === ""
    ? { text: words, value }
    : { text: words, value, description: plain(plainText(description, LIMITS.optionText)) };
}

/** Those that are chosen to begin with; Slack takes no empty list of them. */
export function initialOptions(
  options: readonly Option[],
  values: readonly string[],
): { readonly initial_options?: readonly Option[] } {
  const initial = values.flatMap((value) => options.find((one) => one.value === value) ?? []);
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
