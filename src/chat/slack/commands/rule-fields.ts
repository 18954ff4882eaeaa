import { type OptionSpec, optionKind } from "../../../commands/parser/option-kinds.ts";
import { KEEP_MENTION, SUBSCRIBE_OPTIONS } from "../../../commands/rule-options.ts";
import { EVENT_KINDS, type EventKind } from "../../../domain/alert/event.ts";
import { DEFAULT_FILTER, type Rule } from "../../../domain/settings/rule.ts";
import { optionsFromFilter, type RuleOption } from "../../../domain/settings/rule-filters.ts";
import type { Exchange } from "../../../domain/split/exchange.ts";
import { EVENT_KIND_TEXT } from "../../../messages/event-text.ts";
import { capitalize } from "../../../messages/format.ts";
import { RULE_OPTION_TEXT } from "../../../messages/rule-text.ts";
import { initialOptions, LIMITS, option, plain, type ViewBlock, type ViewElement } from "../block-kit/blocks.ts";
import { plainText } from "../block-kit/text.ts";

/** Rule options with an input of their kind; those of `events` are two groups of checkboxes. */
export const FILTER_FIELDS = (Object.keys(SUBSCRIBE_OPTIONS) as (keyof typeof SUBSCRIBE_OPTIONS)[]).filter(
  (name) => name !== "events" && name !== "mention" && name !== "rule",
);

/** Inputs of a rule's form, by option of `subscribe`. `more` belongs to `events`. */
export type Field = RuleOption | "more" | "mention" | "remove";

export const MENTION = { nobody: "nobody", me: "me", keep: KEEP_MENTION } as const;

/** Contents of a rule's form. `userId`: the person who opens it. */
export interface FieldsOf {
  readonly rule: Rule | null;
  readonly exchanges: readonly Exchange[];
  readonly userId: string;
}

/** Null: the rule holds more than Slack's inputs can. */
export function ruleFields({ rule, exchanges, userId }: FieldsOf): readonly ViewBlock[] | null {
  const filter = rule ?? DEFAULT_FILTER;
  const elementOf = (name: RuleOption): ViewElement | null =>
    optionElement(name, optionsFromFilter(filter)[name], exchanges);
  const elements = FILTER_FIELDS.map((name) => ({ name, element: elementOf(name) }));
  if (elements.some(({ element }) => element === null)) return null;
  return [
    field("events", RULE_OPTION_TEXT.events.label, eventBoxes("events", SPLIT_EVENTS, filter.events)),
    field("more", "Also alert about", eventBoxes("more", OTHER_EVENTS, filter.events)),
    ...elements.flatMap(({ name, element }) => {
      const { label, hint } = RULE_OPTION_TEXT[name];
      return element === null ? [] : [field(name, label, element, hint)];
    }),
    field("mention", "Mention with each alert", mentionPicker(rule, userId), MENTION_HINT),
    ...(rule === null ? [] : [field("remove", "Remove this rule", removeBox(rule))]),
  ];
}

const MENTION_HINT = "For a user group, type /splits subscribe mention: and pick the group after the @.";

const SPLIT_EVENTS = EVENT_KINDS.filter((kind) => EVENT_KIND_TEXT[kind].form === "state");
const OTHER_EVENTS = EVENT_KINDS.filter((kind) => EVENT_KIND_TEXT[kind].form === "topic");

function field(name: Field, label: string, element: ViewElement, hint?: string): ViewBlock {
  const words = hint === undefined ? {} : { hint: plain(hint) };
  return { type: "input", block_id: name, label: plain(label), element, optional: true, ...words };
}

/** Input of one rule option, made from its kind; null: the value doesn't fit into it. */
function optionElement(name: RuleOption, value: unknown, exchanges: readonly Exchange[]): ViewElement | null {
  const spec: OptionSpec = SUBSCRIBE_OPTIONS[name];
  const { input, write } = optionKind(spec);
  const placeholder = plain(RULE_OPTION_TEXT[name].placeholder);
  if (input.type !== "choices") {
    // Slack does not wrap at commas alone.
    const text = value === undefined ? "" : write(value).replace(/,\s?/g, ", ");
    if (text.length > LIMITS.inputText) return null;
    const initial = text === "" ? {} : { initial_value: text };
    return { type: "plain_text_input", action_id: name, max_length: LIMITS.inputText, placeholder, ...initial };
  }
  const chosen = (value ?? []) as readonly string[];
  if (chosen.length > LIMITS.options) return null;
  const options = input
    .choices(spec, { exchanges })
    .slice(0, LIMITS.options)
    .map((choice) => option(choice, input.label(choice)));
  return { type: "multi_static_select", action_id: name, placeholder, options, ...initialOptions(options, chosen) };
}

function eventBoxes(name: Field, kinds: readonly EventKind[], chosen: readonly EventKind[]): ViewElement {
  const options = kinds.map((kind) => option(kind, EVENT_KIND_TEXT[kind].inForm));
  return { type: "checkboxes", action_id: name, options, ...initialOptions(options, chosen) };
}

function mentionPicker(rule: Rule | null, userId: string): ViewElement {
  const current = rule?.mention ?? null;
  const isOther = current !== null && current !== `<@${userId}>`;
  const nobody = option(MENTION.nobody, "Nobody");
  const me = option(MENTION.me, "Me");
  const keep = option(MENTION.keep, current?.startsWith("<!") ? "The current user group" : "The current mention");
  const own = current === null ? nobody : me;
  return {
    type: "static_select",
    action_id: "mention",
    placeholder: plain("Nobody"),
    options: isOther ? [nobody, me, keep] : [nobody, me],
    initial_option: isOther ? keep : own,
  };
}

function removeBox({ number }: Rule): ViewElement {
  const remove = option("remove", `Remove rule ${number}`, "The fields above are then ignored");
  return { type: "checkboxes", action_id: "remove", options: [remove] };
}

/** Error text for an input, short enough to be shown in full. */
export function errorText(text: string): string {
  return plainText(capitalize(text), 300);
}
