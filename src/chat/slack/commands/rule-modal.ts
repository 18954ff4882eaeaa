import { z } from "zod";
import { plainText as asTyped, readWords, writeCommandLine } from "../../../commands/parser/words.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { parseKnownExchange } from "../../../domain/split/exchange.ts";
import { destinationText } from "../../../messages/answers/rules-answer.ts";
import { describeRule } from "../../../messages/rule-text.ts";
import type { Modal } from "../block-kit/blocks.ts";
import { context, mrkdwn, plain } from "../block-kit/blocks.ts";
import { inert } from "../block-kit/text.ts";
import { selectedValues, stateOf, type ViewState } from "./payloads.ts";
import { errorText, FIELDS, type Field, type FieldsOf, MENTION, ruleFields } from "./rule-fields.ts";

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

/** The input as a command line, or an error text per input. */
export type Submission =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "wrong"; readonly errors: FormErrors };

export type FormErrors = Partial<Readonly<Record<Field, string>>>;

export function readSubmission(state: ViewState, number: number | null): Submission {
  const picked = (name: Field): readonly string[] => selectedValues(stateOf(state, name));
  const typed = (name: Field): string => asTyped(stateOf(state, name)?.value ?? "").trim();
  if (number !== null && picked("remove").length > 0) return { kind: "line", line: `unsubscribe ${number}` };
  const errors = wrongTexts(typed);
  const events = [...picked("events"), ...picked("more")];
  if (events.length === 0) errors.events = "Select at least one, here or below.";
  if (Object.keys(errors).length > 0) return { kind: "wrong", errors };
  const mention = picked("mention")[0];
  const ratio = typed("minratio").replaceAll('"', "");
  const line = writeCommandLine("subscribe", {
    rule: number ?? undefined,
    exchange: picked("exchange").join(","),
    tickers: wordsIn(typed("tickers")).join(", "),
    exclude: namesIn(typed("exclude")).join(", "),
    events: events.join(","),
    sources: picked("sources").join(","),
    fractional: picked("fractional").join(","),
    minratio: ratio === "" ? undefined : `"${ratio}"`,
    mention: mention === MENTION.nobody ? undefined : mention,
  });
  return { kind: "line", line };
}

/** Rejects `word:`, which the parser would read as another option. Exchange tags such as `NASDAQ: ACME` are allowed. */
function wrongTexts(typed: (name: Field) => string): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {};
  for (const name of ["tickers", "exclude", "minratio"] as const) {
    const keys = readWords(typed(name)).filter(
      ({ kind, text }) => kind === "key" && parseKnownExchange(text) === undefined,
    );
    const [key] = keys;
    if (key !== undefined) errors[name] = errorText(`got "${key.text}:", which is not allowed in this field.`);
  }
  return errors;
}

function wordsIn(text: string): readonly string[] {
  return readWords(text).flatMap(({ kind, text: word }) => (kind === "key" || word === "" ? [] : [word]));
}

/** Splits at commas first: `NYSE American` is one name. */
function namesIn(text: string): readonly string[] {
  return text.split(/[,;\n]/).flatMap((part) => {
    const exchange = parseKnownExchange(part);
    return exchange === undefined ? wordsIn(part) : [exchange];
  });
}

/** Assigns problems of the command line to the inputs named by their first word. */
export function errorsOf(problems: readonly string[]): FormErrors {
  const errors: Partial<Record<Field, string>> = {};
  for (const problem of problems) {
    const [, name, words = ""] = /^(\w+): (.*)$/s.exec(problem) ?? [];
    const field = FIELDS.find((known) => known === name);
    const text = errorText(field === undefined ? problem : words);
    const before = errors[field ?? "events"];
    errors[field ?? "events"] = before === undefined ? text : errorText(`${before} ${text}`);
  }
  return errors;
}
