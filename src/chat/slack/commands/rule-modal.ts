import { z } from "zod";
import { plainText as asTyped, readWords, writeCommandLine } from "../../../commands/parser/words.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { parseKnownExchange } from "../../../domain/split/exchange.ts";
import { destinationText } from "../../../messages/answers/rules-answer.ts";
import { describeRule } from "../../../messages/rule-text.ts";
import { context, mrkdwn, plain } from "../block-kit/blocks.ts";
import { inert } from "../block-kit/text.ts";
import type { Modal } from "../home/view-blocks.ts";
import { errorText, FIELDS, type Field, type FieldsOf, MENTION, ruleFields } from "./rule-fields.ts";
import { entryOf, selectedValues, type ViewState } from "./view-state.ts";

/** Under which the form comes back. */
export const RULE_FORM = "rule";

/** What the form remembers of where it was opened. */
export const formOrigin = z.object({
  /** Null: a new rule. */
  number: z.number().nullable(),
  /** Null: the home. */
  channelId: z.string().nullable(),
  /** Where the answer is shown; null: at the top of the home. */
  responseUrl: z.string().nullable(),
  threadTs: z.string().nullable(),
  openedAt: z.number(),
});

export type FormOrigin = z.infer<typeof formOrigin>;

/** Null where the rule holds more than a form can show. */
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
    blocks: [...context([mrkdwn(headWords(form.rule))]), ...fields],
  };
}

function headWords(rule: Rule | null): string {
  if (rule === null) return `A rule for you alone: its alerts come as direct messages.\n${EMPTY}`;
  const said = inert(describeRule({ ...rule, mention: null }), 1_500);
  return `For ${destinationText(rule.destination)}, as it stands: ${said}\n${EMPTY}`;
}

const EMPTY = "What is left empty narrows nothing.";

/** What was entered, as a command line; or what is wrong with it, by the input at which it is shown. */
export type Submission =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "wrong"; readonly errors: FormErrors };

export type FormErrors = Partial<Readonly<Record<Field, string>>>;

export function readSubmission(state: ViewState, number: number | null): Submission {
  const picked = (name: Field): readonly string[] => selectedValues(entryOf(state, name));
  const typed = (name: Field): string => asTyped(entryOf(state, name)?.value ?? "").trim();
  if (number !== null && picked("remove").length > 0) return { kind: "line", line: `unsubscribe ${number}` };
  const errors = wrongTexts(typed);
  const events = [...picked("events"), ...picked("more")];
  if (events.length === 0) errors.events = "Choose at least one, here or below.";
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

/** A word and a colon would name another option: here each input is one. A tag such as `NASDAQ: ACME` names none. */
function wrongTexts(typed: (name: Field) => string): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {};
  for (const name of ["tickers", "exclude", "minratio"] as const) {
    const keys = readWords(typed(name)).filter(
      ({ kind, text }) => kind === "key" && parseKnownExchange(text) === undefined,
    );
    const [key] = keys;
    if (key !== undefined) errors[name] = errorText(`got "${key.text}:", which has no place in this field.`);
  }
  return errors;
}

function wordsIn(text: string): readonly string[] {
  return readWords(text).flatMap(({ kind, text: word }) => (kind === "key" || word === "" ? [] : [word]));
}

/** `NYSE American` is one name, between commas. */
function namesIn(text: string): readonly string[] {
  return text.split(/[,;\n]/).flatMap((part) => {
    const exchange = parseKnownExchange(part);
    return exchange === undefined ? wordsIn(part) : [exchange];
  });
}

/** What is wrong with a line that was made of the form, each at the input that its first word names. */
export function errorsOf(problems: readonly string[]): FormErrors {
  const errors: Partial<Record<Field, string>> = {};
  for (const problem of problems) {
    const [, name, words = ""] = /^(\w+): (.*)$/s.exec(problem) ?? [];
    const at = FIELDS.find((known) => known === name);
    const text = errorText(at === undefined ? problem : words);
    const before = errors[at ?? "events"];
    errors[at ?? "events"] = before === undefined ? text : errorText(`${before} ${text}`);
  }
  return errors;
}
