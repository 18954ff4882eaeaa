import { KEEP_MENTION, writeExcluded, writeMinRatio, writeTickers } from "../../../commands/parser/rule-line.ts";
import { EVENT_KINDS, type EventKind } from "../../../domain/alert/event.ts";
import { TREATMENTS, WIRES } from "../../../domain/article/article.ts";
import { DEFAULT_FILTER, type Rule, type RuleFilter } from "../../../domain/settings/rule.ts";
import { type Exchange, exchangeName } from "../../../domain/split/exchange.ts";
import { EVENT_KIND_TEXT } from "../../../messages/event-text.ts";
import { A_TICKER } from "../../../messages/example-tickers.ts";
import { capitalize, treatmentText, wireName } from "../../../messages/format.ts";
import {
  initialOptions,
  LIMITS,
  type Option,
  option,
  type PlainText,
  plain,
  type ViewBlock,
  type ViewElement,
} from "../block-kit/blocks.ts";
import { plainText } from "../block-kit/text.ts";

/** Inputs of the rule form, named after the options of `subscribe`; `more` is a second input for `events`. */
export const FIELDS = [
  "events",
  "more",
  "exchange",
  "minratio",
  "tickers",
  "exclude",
  "fractional",
  "sources",
  "mention",
  "remove",
] as const;

export type Field = (typeof FIELDS)[number];

export const MENTION = { nobody: "nobody", me: "me", keep: KEEP_MENTION } as const;

/** Content of the rule form. `userId`: the user who opens it. */
export interface FieldsOf {
  readonly rule: Rule | null;
  readonly exchanges: readonly Exchange[];
  readonly userId: string;
}

/** Returns null if the rule exceeds the limits of Slack's inputs. */
export function ruleFields({ rule, exchanges, userId }: FieldsOf): readonly ViewBlock[] | null {
  const filter: RuleFilter = rule ?? DEFAULT_FILTER;
  const [tickers, excluded] = [spaced(writeTickers(filter.tickers)), spaced(writeExcluded(filter))];
  const isLong = tickers.length > LIMITS.inputText || excluded.length > LIMITS.inputText;
  if (isLong || filter.exchanges.length > LIMITS.options) return null;
  return [
    field("events", "Alert when a split is", events(SPLIT_EVENTS, "events", filter.events)),
    field("more", "Also alert about", events(OTHER_EVENTS, "more", filter.events)),
    field("exchange", "Only on these exchanges", exchangePicker(exchanges, filter.exchanges)),
    field("minratio", "Minimum split ratio", input("minratio", writeMinRatio(filter.minRatio) ?? "", "20"), RATIO_HINT),
    field("tickers", "Only these tickers", input("tickers", tickers, `${A_TICKER}, BRK.B`)),
    field("exclude", "Exclude these tickers and exchanges", input("exclude", excluded, `${A_TICKER}, OTC`)),
    field("fractional", "Only if fractional shares are", picker("fractional", treatmentOptions(), filter.fractional)),
    field("sources", "Only press releases from", picker("sources", wireOptions(), filter.sources), SOURCES_HINT),
    field("mention", "Mention with each alert", mentionPicker(rule, userId), MENTION_HINT),
    ...(rule === null ? [] : [field("remove", "Remove this rule", removeBox(rule))]),
  ];
}

const RATIO_HINT = "Old shares per new share: 20 means 1-for-20.";
const SOURCES_HINT = "Limits press releases, approvals and ratio ranges, if they are selected above.";
const MENTION_HINT = "For a user group, type /splits subscribe mention: and pick the group after the @.";

const SPLIT_EVENTS = labelsOf("state");
const OTHER_EVENTS = labelsOf("topic");

function labelsOf(form: "state" | "topic"): Partial<Readonly<Record<EventKind, string>>> {
  const kinds = EVENT_KINDS.filter((kind) => EVENT_KIND_TEXT[kind].form === form);
  return Object.fromEntries(kinds.map((kind) => [kind, EVENT_KIND_TEXT[kind].inForm]));
}

function field(name: Field, label: string, element: ViewElement, hint?: string): ViewBlock {
  const withHint = hint === undefined ? {} : { hint: plain(hint) };
  return { type: "input", block_id: name, label: plain(label), element, optional: true, ...withHint };
}

function input(name: Field, text: string, example: string): ViewElement {
  return {
    type: "plain_text_input",
    action_id: name,
    max_length: LIMITS.inputText,
    placeholder: plain(`such as ${example}`),
    ...(text === "" ? {} : { initial_value: text }),
  };
}

/** Adds a space after each comma, so that the text wraps. */
function spaced(list: string): string {
  return list.replace(/,\s?/g, ", ");
}

function events(
  known: Partial<Readonly<Record<EventKind, string>>>,
  name: Field,
  selected: readonly EventKind[],
): ViewElement {
  const options = EVENT_KINDS.flatMap((kind) => (known[kind] === undefined ? [] : [option(kind, known[kind])]));
  return { type: "checkboxes", action_id: name, options, ...initialOptions(options, selected) };
}

function exchangePicker(exchanges: readonly Exchange[], selected: readonly Exchange[]): ViewElement {
  const options = exchanges.slice(0, LIMITS.options).map((code) => option(code, exchangeName(code)));
  return picker("exchange", options, selected);
}

function picker(name: Field, options: readonly Option[], selected: readonly string[]): ViewElement {
  return {
    type: "multi_static_select",
    action_id: name,
    placeholder: PLACEHOLDERS[name] ?? plain("Any"),
    options,
    ...initialOptions(options, selected),
  };
}

const PLACEHOLDERS: Partial<Readonly<Record<Field, PlainText>>> = {
  exchange: plain("All exchanges"),
  sources: plain("All newswires"),
  fractional: plain("Any treatment, or not stated"),
};

function treatmentOptions(): readonly Option[] {
  return TREATMENTS.map((treatment) => option(treatment, capitalize(treatmentText(treatment))));
}

function wireOptions(): readonly Option[] {
  return WIRES.map((wire) => option(wire, wireName(wire)));
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
