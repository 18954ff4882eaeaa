import { z } from "zod";
import type { TypedCommand } from "../../../commands/command.ts";
import type { TypedValue } from "../../../commands/parser/options.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { problemText } from "../../../messages/answers/problem-answer.ts";
import { destinationText } from "../../../messages/answers/rules-answer.ts";
import type { Problem } from "../../../messages/option-text.ts";
import { describeRule } from "../../../messages/rule-text.ts";
import type { Modal } from "../block-kit/blocks.ts";
import { context, mrkdwn, plain } from "../block-kit/blocks.ts";
import { inert } from "../block-kit/text.ts";
import { type ElementState, selectedValues, stateOf, type ViewState } from "./payloads.ts";
import { errorText, FILTER_FIELDS, type Field, type FieldsOf, MENTION, ruleFields } from "./rule-fields.ts";

/** Callback id of the submitted form. */
export const RULE_FORM = "rule";

/** Where the form was opened; stored in its private metadata. */
export const formOrigin = z.object({
  /** Null: a new rule. */
  number: z.number().nullable(),
  /** Null: the home tab. */
  channelId: z.string().nullable(),
  /** URL for the answer; null: it is shown in the home tab. */
  responseUrl: z.string().nullable(),
  threadTs: z.string().nullable(),
  openedAt: z.number(),
});

export type FormOrigin = z.infer<typeof formOrigin>;

/** Returns null if the rule exceeds the form's limits. */
export function ruleModal(form: FieldsOf, origin: FormOrigin): Modal | null {
  const fields = ruleFields(form);
  if (fields === null) return null;
  return {
    type: "modal",
    callback_id: RULE_FORM,
    private_metadata: JSON.stringify(origin),
    title: plain(form.rule === null ? "New rule" : `Rule ${form.rule.number}`),
    submit: plain("Save"),
    close: plain("Cancel"),
    blocks: [...context([mrkdwn(introText(form.rule))]), ...fields],
  };
}

function introText(rule: Rule | null): string {
  if (rule === null) return `A rule for yourself: its alerts arrive as direct messages.\n${EMPTY}`;
  const description = inert(describeRule({ ...rule, mention: null }), 1_500);
  return `Current rule for ${destinationText(rule.destination)}: ${description}\n${EMPTY}`;
}

const EMPTY = "Empty fields don't limit the rule.";

/** Entered values as a command. */
export interface Submission {
  readonly command: TypedCommand;
  /** Problems that only the form has, by input. */
  readonly errors: FormErrors;
}

export type FormErrors = Partial<Readonly<Record<Field, string>>>;

export function readSubmission(state: ViewState, number: number | null): Submission {
  const picked = (name: Field): readonly string[] => selectedValues(stateOf(state, name));
  if (number !== null && picked("remove").length > 0)
    return { command: { name: "unsubscribe", values: { rule: number } }, errors: {} };
  const events = [...picked("events"), ...picked("more")];
  const mention = picked("mention")[0];
  const values = {
    ...Object.fromEntries(FILTER_FIELDS.map((name) => [name, enteredIn(stateOf(state, name))])),
    events,
    mention: mention === MENTION.nobody ? undefined : mention,
    rule: number ?? undefined,
  };
  return {
    command: { name: "subscribe", values: withoutEmpty(values) },
    errors: events.length === 0 ? { events: "Select at least one, here or below." } : {},
  };
}

function enteredIn(entry: ElementState | undefined): TypedValue {
  const text = entry?.value?.trim() ?? "";
  return text === "" ? selectedValues(entry) : text;
}

function withoutEmpty(values: Readonly<Record<string, TypedValue | undefined>>): TypedCommand["values"] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && String(value) !== "");
  return Object.fromEntries(given) as TypedCommand["values"];
}

/** Problems by input; those of no input at the first one. */
export function errorsOf(problems: readonly Problem[]): FormErrors {
  const errors: Partial<Record<Field, string>> = {};
  for (const problem of problems) {
    const shown = SHOWN_FIELDS.find((known) => known === problem.option);
    const at = shown ?? "events";
    const text = errorText(shown === undefined ? problemText(problem) : problem.text);
    errors[at] = errors[at] === undefined ? text : errorText(`${errors[at]} ${text}`);
  }
  return errors;
}

const SHOWN_FIELDS: readonly Field[] = [...FILTER_FIELDS, "events", "mention"];
