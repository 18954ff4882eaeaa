import { KEEP_MENTION, writeExcluded, writeMinRatio, writeTickers } from "../../../commands/parser/rule-line.ts";
import { EVENT_KINDS, type EventKind } from "../../../domain/alert/event.ts";
import { TREATMENTS, WIRES } from "../../../domain/article/article.ts";
import { DEFAULT_FILTER, type Rule, type RuleFilter } from "../../../domain/settings/rule.ts";
import { type Exchange, exchangeName } from "../../../domain/split/exchange.ts";
import { A_TICKER } from "../../../messages/example-tickers.ts";
import { capitalize, treatmentText, wireName } from "../../../messages/format.ts";
import { LIMITS, type PlainText, plain } from "../block-kit/blocks.ts";
import { plainText } from "../block-kit/text.ts";
import { initialOptions, type Option, option, type ViewBlock, type ViewElement } from "../home/view-blocks.ts";

/** The inputs of a rule's form, by the options of `subscribe` that they stand for. `more` belongs to `events`. */
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

/** What the form of a rule shows. `userId`: whoever opens it. */
export interface FieldsOf {
  readonly rule: Rule | null;
  readonly exchanges: readonly Exchange[];
  readonly userId: string;
}

/** Null where the rule holds more than an input of Slack. */
export function ruleFields({ rule, exchanges, userId }: FieldsOf): readonly ViewBlock[] | null {
  const filter: RuleFilter = rule ?? DEFAULT_FILTER;
  const [tickers, excluded] = [spaced(writeTickers(filter.tickers)), spaced(writeExcluded(filter))];
  const isLong = tickers.length > LIMITS.inputText || excluded.length > LIMITS.inputText;
  if (isLong || filter.exchanges.length > LIMITS.options) return null;
  return [
    field("events", "Tell when a split is", events(SPLIT_EVENTS, "events", filter.events)),
    field("more", "And also", events(OTHER_EVENTS, "more", filter.events)),
    field("exchange", "Only on these exchanges", exchangePicker(exchanges, filter.exchanges)),
    field(
      "minratio",
      "Only as steep as this, or steeper",
      input("minratio", writeMinRatio(filter.minRatio) ?? "", "20"),
      OLD_FOR_NEW,
    ),
    field("tickers", "Only these tickers", input("tickers", tickers, `${A_TICKER}, BRK.B`)),
    field("exclude", "None of these tickers and exchanges", input("exclude", excluded, `${A_TICKER}, OTC`)),
    field(
      "fractional",
      "Only where fractional shares are",
      picker("fractional", treatmentOptions(), filter.fractional),
    ),
    field("sources", "Only press releases of", picker("sources", wireOptions(), filter.sources), OF_RELEASES),
    field("mention", "Call somebody with each alert", mentionPicker(rule, userId), A_GROUP),
    ...(rule === null ? [] : [field("remove", "Not wanted any more?", removeBox(rule))]),
  ];
}

const OLD_FOR_NEW = "How many old shares make a new one: 20 stands for 1-for-20.";
const OF_RELEASES = "Narrows press releases, and approvals or ranges of ratios, where those are asked for.";
const A_GROUP = "A user group: /splits subscribe mention: and the group, picked after the @.";

/** Completes "when a split is". */
const SPLIT_EVENTS: Partial<Readonly<Record<EventKind, string>>> = {
  announced: "announced",
  changed: "changed: its ratio, ex date or exchange",
  postponed: "postponed",
  cancelled: "cancelled",
  missing: "no longer listed, and nothing says why",
  returned: "listed again",
  effective: "in effect, on its ex date",
};

const OTHER_EVENTS: Partial<Readonly<Record<EventKind, string>>> = {
  reminder: "reminders before the ex date",
  article: "press releases",
  early: "approvals and ranges of ratios: not yet a split",
  stale: "the data growing old, and being fresh again",
};

function field(name: Field, label: string, element: ViewElement, hint?: string): ViewBlock {
  const words = hint === undefined ? {} : { hint: plain(hint) };
  return { type: "input", block_id: name, label: plain(label), element, optional: true, ...words };
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

/** Commas alone would make one endless word. */
function spaced(words: string): string {
  return words.replace(/,\s?/g, ", ");
}

function events(
  known: Partial<Readonly<Record<EventKind, string>>>,
  name: Field,
  asked: readonly EventKind[],
): ViewElement {
  const options = EVENT_KINDS.flatMap((kind) => (known[kind] === undefined ? [] : [option(kind, known[kind])]));
  return { type: "checkboxes", action_id: name, options, ...initialOptions(options, asked) };
}

function exchangePicker(exchanges: readonly Exchange[], asked: readonly Exchange[]): ViewElement {
  const options = exchanges.slice(0, LIMITS.options).map((code) => option(code, exchangeName(code)));
  return picker("exchange", options, asked);
}

function picker(name: Field, options: readonly Option[], asked: readonly string[]): ViewElement {
  return {
    type: "multi_static_select",
    action_id: name,
    placeholder: ANY_PLACE[name] ?? plain("Any"),
    options,
    ...initialOptions(options, asked),
  };
}

const ANY_PLACE: Partial<Readonly<Record<Field, PlainText>>> = {
  exchange: plain("All exchanges"),
  sources: plain("All wires"),
  fractional: plain("Treated in any way, or not stated"),
};

function treatmentOptions(): readonly Option[] {
  return TREATMENTS.map((treatment) => option(treatment, capitalize(treatmentText(treatment))));
}

function wireOptions(): readonly Option[] {
  return WIRES.map((wire) => option(wire, wireName(wire)));
}

function mentionPicker(rule: Rule | null, userId: string): ViewElement {
  const called = rule?.mention ?? null;
  const isOther = called !== null && called !== `<@${userId}>`;
  const nobody = option(MENTION.nobody, "Nobody");
  const me = option(MENTION.me, "Me");
  const keep = option(MENTION.keep, called?.startsWith("<!") ? "The user group, as it is" : "Whoever it calls now");
  const own = called === null ? nobody : me;
  return {
    type: "static_select",
    action_id: "mention",
    placeholder: plain("Nobody"),
    options: isOther ? [nobody, me, keep] : [nobody, me],
    initial_option: isOther ? keep : own,
  };
}

function removeBox({ number }: Rule): ViewElement {
  const remove = option("remove", `Remove rule ${number}`, "What stands above is not looked at then");
  return { type: "checkboxes", action_id: "remove", options: [remove] };
}

/** For an error at an input: one that Slack shows in full. */
export function errorText(text: string): string {
  return plainText(capitalize(text), 300);
}
