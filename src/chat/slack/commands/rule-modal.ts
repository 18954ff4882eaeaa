import { z } from "zod";
import type { StructuredCommand } from "../../../commands/command.ts";
import { type OptionSpec, optionKind } from "../../../commands/parser/option-kinds.ts";
import type { FieldValue } from "../../../commands/parser/options.ts";
import { KEEP_MENTION, SUBSCRIBE_OPTIONS } from "../../../commands/subscribe.ts";
import { EVENT_KINDS, type EventKind } from "../../../domain/alert/event.ts";
import { DEFAULT_FILTER, type Rule } from "../../../domain/settings/rule.ts";
import { optionsFromFilter, type RuleOption } from "../../../domain/settings/rule-filters.ts";
import type { Exchange } from "../../../domain/split/exchange.ts";
import { problemText } from "../../../messages/answers/problem-answer.ts";
import { destinationText } from "../../../messages/answers/rules-answer.ts";
import { DRY_RUN_DAYS } from "../../../messages/dry-run-text.ts";
import { EVENT_KIND_TEXT } from "../../../messages/event-text.ts";
import { capitalize, inQuotes, joinList } from "../../../messages/format.ts";
import type { CommandProblem } from "../../../messages/option-text.ts";
import { describeRule, RULE_OPTION_TEXT } from "../../../messages/rule-text.ts";
import {
  context,
  initialOptions,
  LIMITS,
  type Modal,
  mrkdwn,
  option,
  plain,
  type ViewBlock,
  type ViewElement,
} from "../block-kit/blocks.ts";
import { toMrkdwn, toPlainText } from "../block-kit/mrkdwn.ts";
import { type ElementState, selectedValues, stateOf, type ViewState } from "./payloads.ts";

/** Callback id of the submitted form. */
export const RULE_FORM = "rule";

/** Origin of the form, stored in its private metadata. */
export const formContextSchema = z.object({
  /** Number of the edited rule; null for a new rule. */
  number: z.number().nullable(),
  /** Channel in which the form was opened; null for the home tab. */
  channelId: z.string().nullable(),
  /** URL for the answer; null if the home tab shows it. */
  responseUrl: z.string().nullable(),
  threadTs: z.string().nullable(),
  openedAt: z.number(),
});

export type FormContext = z.infer<typeof formContextSchema>;

/** Rule options whose input is derived from the option's kind. The others have special inputs, and `rule` has none. */
const FILTER_FIELDS = (Object.keys(SUBSCRIBE_OPTIONS) as (keyof typeof SUBSCRIBE_OPTIONS)[]).filter(
  (name) => name !== "events" && name !== "mention" && name !== "preview" && name !== "rule",
);

/** Inputs of the rule form, named after the options of `subscribe`; `more` is a second input for `events`. */
type Field = RuleOption | "more" | "mention" | "preview" | "remove";

const MENTION = { nobody: "nobody", me: "me", keep: KEEP_MENTION } as const;

/** Content of the rule form. `userId`: the user who opens it. */
export interface RuleFormContent {
  readonly rule: Rule | null;
  readonly exchanges: readonly Exchange[];
  /** What the current rule would have sent. */
  readonly dryRun: string | null;
  readonly userId: string;
}

/** Creates the rule form as a modal. Returns null if the rule exceeds the form's limits. */
export function ruleModal(form: RuleFormContent, formContext: FormContext): Modal | null {
  const fields = ruleFields(form);
  if (fields === null) return null;
  return {
    type: "modal",
    callback_id: RULE_FORM,
    private_metadata: JSON.stringify(formContext),
    title: plain(form.rule === null ? "New rule" : `Rule ${form.rule.number}`),
    submit: plain("Save"),
    close: plain("Cancel"),
    blocks: [...context([mrkdwn(introText(form))]), ...fields],
  };
}

function introText({ rule, dryRun }: RuleFormContent): string {
  if (rule === null) return `A rule for yourself: its alerts arrive as direct messages.\n${EMPTY_FIELDS_NOTE}`;
  const description = toMrkdwn(describeRule({ ...rule, mention: null }), 1_500);
  const lines = [
    `Current rule for ${destinationText(rule.destination)}: ${description}`,
    ...(dryRun === null ? [] : [toMrkdwn(dryRun, 500)]),
    EMPTY_FIELDS_NOTE,
  ];
  return lines.join("\n");
}

const EMPTY_FIELDS_NOTE = "Empty fields don't limit the rule.";

/** The submitted input as a command. */
export interface Submission {
  readonly command: StructuredCommand;
  /** Errors that only the form checks, by input. */
  readonly errors: FormErrors;
}

export type FormErrors = Partial<Readonly<Record<Field, string>>>;

export function readSubmission(state: ViewState, number: number | null): Submission {
  const selectedIn = (name: Field): readonly string[] => selectedValues(stateOf(state, name));
  if (number !== null && selectedIn("remove").length > 0)
    return { command: { name: "unsubscribe", values: { rule: number } }, errors: {} };
  const events = [...selectedIn("events"), ...selectedIn("more")];
  const mention = selectedIn("mention")[0];
  const values = {
    ...Object.fromEntries(FILTER_FIELDS.map((name) => [name, readEntry(stateOf(state, name))])),
    events,
    mention: mention === MENTION.nobody ? undefined : mention,
    preview: selectedIn("preview").length > 0 ? "on" : undefined,
    rule: number ?? undefined,
  };
  return {
    command: { name: "subscribe", values: withoutEmpty(values) },
    errors: events.length === 0 ? { events: "Select at least one, here or below." } : {},
  };
}

function readEntry(entry: ElementState | undefined): FieldValue {
  const text = entry?.value?.trim() ?? "";
  return text === "" ? selectedValues(entry) : text;
}

function withoutEmpty(values: Readonly<Record<string, FieldValue | undefined>>): StructuredCommand["values"] {
  const nonEmpty = Object.entries(values).filter(([, value]) => value !== undefined && String(value) !== "");
  return Object.fromEntries(nonEmpty) as StructuredCommand["values"];
}

/** Assigns each problem to the input that it names, or to the first input. */
export function toFormErrors(problems: readonly CommandProblem[]): FormErrors {
  const errors = ERROR_FIELDS.map((name) => {
    const problemsOfField = problems.filter((problem) => fieldOf(problem) === name);
    return [name, errorText(errorsOf(name, problemsOfField).join(" "))] as const;
  });
  return Object.fromEntries(errors.filter(([, text]) => text !== ""));
}

function fieldOf({ option: name }: CommandProblem): Field {
  return ERROR_FIELDS.find((candidate) => candidate === name) ?? "events";
}

/** States the invalid input and the expected input first, then other problems. */
function errorsOf(name: Field, problems: readonly CommandProblem[]): readonly string[] {
  const invalid = problems.flatMap((problem) => (problem.option === name ? (problem.invalid ?? []) : []));
  const otherProblems = problems.filter((problem) => problem.option !== name || problem.invalid === undefined);
  const got = joinList(invalid.map(({ got: text }) => inQuotes(text)));
  return [
    ...(invalid[0] === undefined ? [] : [`Got ${got}. Enter ${invalid[0].expected}.`]),
    ...otherProblems.map(
      (problem) => problem.inForm ?? capitalize(problem.option === name ? problem.text : problemText(problem)),
    ),
  ];
}

const ERROR_FIELDS: readonly Field[] = [...FILTER_FIELDS, "events", "mention"];

/** Creates the inputs of the form. Returns null if the rule exceeds the limits of Slack's inputs. */
function ruleFields({ rule, exchanges, userId }: RuleFormContent): readonly ViewBlock[] | null {
  const filter = rule ?? DEFAULT_FILTER;
  const elementOf = (name: RuleOption): ViewElement | null =>
    optionElement(name, optionsFromFilter(filter)[name], exchanges);
  const elements = FILTER_FIELDS.map((name) => ({ name, element: elementOf(name) }));
  if (elements.some(({ element }) => element === null)) return null;
  return [
    field("events", RULE_OPTION_TEXT.events.label, eventCheckboxes("events", SPLIT_EVENTS, filter.events)),
    field("more", "Also alert about", eventCheckboxes("more", OTHER_EVENTS, filter.events)),
    ...elements.flatMap(({ name, element }) => {
      const { label, hint } = RULE_OPTION_TEXT[name];
      return element === null ? [] : [field(name, label, element, hint)];
    }),
    field("mention", "Mention with each alert", mentionPicker(rule, userId), MENTION_HINT),
    field("preview", "Preview", PREVIEW_BOX),
    ...(rule === null ? [] : [field("remove", "Remove this rule", removeBox(rule))]),
  ];
}

const MENTION_HINT = "For a user group, type /splits subscribe mention: and pick the group after the @.";

const SPLIT_EVENTS = EVENT_KINDS.filter((kind) => EVENT_KIND_TEXT[kind].form === "state");
const OTHER_EVENTS = EVENT_KINDS.filter((kind) => EVENT_KIND_TEXT[kind].form === "topic");

function field(name: Field, label: string, element: ViewElement, hint?: string): ViewBlock {
  const withHint = hint === undefined ? {} : { hint: plain(hint) };
  return { type: "input", block_id: name, label: plain(label), element, optional: true, ...withHint };
}

/** Creates the input of a rule option from the option's kind. Returns null if the value exceeds the input's limits. */
function optionElement(name: RuleOption, value: unknown, exchanges: readonly Exchange[]): ViewElement | null {
  const spec: OptionSpec = SUBSCRIBE_OPTIONS[name];
  const { input, write } = optionKind(spec);
  const placeholder = plain(RULE_OPTION_TEXT[name].placeholder);
  if (input.type !== "choices") {
    // Slack wraps lines only at spaces.
    const text = value === undefined ? "" : write(value).replace(/,\s?/g, ", ");
    if (text.length > LIMITS.inputText) return null;
    const initial = text === "" ? {} : { initial_value: text };
    return { type: "plain_text_input", action_id: name, max_length: LIMITS.inputText, placeholder, ...initial };
  }
  const selected = (value ?? []) as readonly string[];
  if (selected.length > LIMITS.options) return null;
  const options = input
    .choices(spec, { exchanges })
    .slice(0, LIMITS.options)
    .map((choice) => option(choice, input.label(choice)));
  return { type: "multi_static_select", action_id: name, placeholder, options, ...initialOptions(options, selected) };
}

function eventCheckboxes(name: Field, kinds: readonly EventKind[], selected: readonly EventKind[]): ViewElement {
  const options = kinds.map((kind) => option(kind, EVENT_KIND_TEXT[kind].inForm));
  return { type: "checkboxes", action_id: name, options, ...initialOptions(options, selected) };
}

function mentionPicker(rule: Rule | null, userId: string): ViewElement {
  const current = rule?.mention ?? null;
  const isOther = current !== null && current !== `<@${userId}>`;
  const nobody = option(MENTION.nobody, "Nobody");
  const me = option(MENTION.me, "Me");
  const keep = option(MENTION.keep, current?.startsWith("<!") ? "The current user group" : "The current mention");
  const initialOption = current === null ? nobody : me;
  return {
    type: "static_select",
    action_id: "mention",
    placeholder: plain("Nobody"),
    options: isOther ? [nobody, me, keep] : [nobody, me],
    initial_option: isOther ? keep : initialOption,
  };
}

const PREVIEW_BOX: ViewElement = {
  type: "checkboxes",
  action_id: "preview",
  options: [option("preview", `Show what it would have sent in the last ${DRY_RUN_DAYS} days`, "Nothing is saved yet")],
};

function removeBox({ number }: Rule): ViewElement {
  const remove = option("remove", `Remove rule ${number}`, "The fields above are ignored");
  return { type: "checkboxes", action_id: "remove", options: [remove] };
}

/** Error text for an input, short enough to be shown in full. */
function errorText(text: string): string {
  return toPlainText(capitalize(text), 300);
}
