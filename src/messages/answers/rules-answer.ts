import type { Destination } from "../../domain/alert/destination.ts";
import type { Rule } from "../../domain/settings/rule.ts";
import { formatCount, joinList } from "../format.ts";
import { type Button, button, type Card, card, type Row } from "../message.ts";
import { describeRule } from "../rule-text.ts";
import { undoButton } from "../split-text.ts";
import type { UndoCommand } from "./settings-answer.ts";

/** `this channel` or `you`, in answers to the person who manages the rule. */
export function destinationText(destination: Destination): string {
  return destination.kind === "channel" ? "this channel" : "you";
}

export function ruleAddedCard(rule: Rule, dryRun: string): Card {
  return card({
    tone: "good",
    title: `Rule ${rule.number} is set for ${destinationText(rule.destination)}`,
    lines: [describeRule(rule), dryRun],
    buttons: [undoButton(`unsubscribe ${rule.number}`), button("Send a test card", "test")],
    editableRules: [rule.number],
  });
}

/** A rule that was replaced. */
export interface ChangedRule {
  readonly before: Rule;
  readonly rule: Rule;
  /** Null if no command can restore the rule. */
  readonly undo: UndoCommand | null;
  /** What the rule would have sent. */
  readonly dryRun: string;
}

export function ruleChangedCard({ before, rule, undo, dryRun }: ChangedRule): Card {
  return card({
    tone: "good",
    title: `Rule ${rule.number} was changed for ${destinationText(rule.destination)}`,
    lines: [
      `Now: ${describeRule(rule)}`,
      dryRun,
      `Before: ${describeRule(before)}`,
      ...(undo === null ? ["This can't be undone with a button because the previous rule had a mention."] : []),
      ...(undo === null || undo.fitsButton ? [] : [`To undo this: /splits ${undo.line}`]),
    ],
    buttons: [...(undo?.fitsButton ? [undoButton(undo.line)] : []), button("All rules", "subscriptions")],
    editableRules: [rule.number],
  });
}

/** `unchanged`: number of the rule that the user tried to change into an equal one; null if the user tried to add a rule. */
export function ruleKnownCard(rule: Rule, unchanged: number | null = null): Card {
  const isAnother = unchanged !== null && unchanged !== rule.number;
  return card({
    title: `Rule ${rule.number} is already set like this`,
    lines: [
      describeRule(rule),
      isAnother ? `Rule ${unchanged} wasn't changed: a second identical rule would have no effect.` : UNCHANGED,
    ],
    buttons: [button("All rules", "subscriptions")],
    editableRules: isAnother ? [rule.number, unchanged] : [rule.number],
  });
}

const UNCHANGED = "Nothing was changed.";

export function tooManyRulesCard(destination: Destination, limit: number): Card {
  return card({
    tone: "bad",
    title: `At most ${formatCount(limit, "rule")} can be set for ${destinationText(destination)}`,
    lines: ["Nothing was changed. Remove one first: /splits unsubscribe 1"],
    buttons: [button("All rules", "subscriptions")],
  });
}

/** `restore`: commands that set the removed rules again, in order. */
export function rulesRemovedCard(
  removed: readonly Rule[],
  unknown: readonly number[],
  restore: { readonly undo: Button | null; readonly lines: readonly string[] },
): Card {
  const numbers = removed.map((rule) => String(rule.number));
  return card({
    tone: "good",
    title: `${removed.length === 1 ? `Rule ${joinList(numbers)} was` : `Rules ${joinList(numbers)} were`} removed`,
    lines: [
      ...(unknown.length > 0 ? [`There was no rule ${joinList(unknown.map(String), "or")} here.`] : []),
      ...undoLines(restore.lines),
    ],
    rows: removed.map(ruleRow),
    buttons: restore.undo ? [restore.undo] : [],
  });
}

function undoLines(lines: readonly string[]): readonly string[] {
  const [only, ...others] = lines.map((line) => `/splits ${line}`);
  if (only === undefined) return [];
  return others.length === 0
    ? [`To set it again: ${only}`]
    : ["To set them again, run each of these:", only, ...others];
}

export function noSuchRuleCard(wanted: readonly number[], rules: readonly Rule[]): Card {
  return card({
    tone: "bad",
    title: `There is no rule ${joinList(wanted.map(String), "or")} here`,
    lines: ["Nothing was changed. These rules are set here:"],
    rows: rules.map(ruleRow),
    buttons: removeButtons(rules),
  });
}

export function whichRuleCard(rules: readonly Rule[]): Card {
  return card({
    title: "Which rule?",
    lines: ["Nothing has changed yet. For example: /splits unsubscribe 1", "All rules: /splits unsubscribe all"],
    rows: rules.map(ruleRow),
    buttons: removeButtons(rules),
  });
}

function subject(destination: Destination): string {
  return destination.kind === "channel" ? "This channel has" : "You have";
}

/** A rule with the number of alerts that it would have sent, such as `12 alerts in the last 30 days`. */
interface CountedRule {
  readonly rule: Rule;
  readonly count: string;
}

export function rulesCard(destination: Destination, counted: readonly CountedRule[]): Card {
  const rules = counted.map(({ rule }) => rule);
  return card({
    title: `${subject(destination)} ${formatCount(rules.length, "rule")}`,
    rows: counted.map(({ rule, count }) => ({ ...ruleRow(rule), title: `Rule ${rule.number}: ${count}` })),
    buttons: removeButtons(rules),
    editableRules: rules.map(({ number }) => number),
  });
}

export function noRulesCard(destination: Destination): Card {
  return card({
    title: `${subject(destination)} no rules`,
    lines: [
      destination.kind === "channel"
        ? "It gets no alerts. To set the default rule: /splits subscribe"
        : "You only get alerts for your watchlist. To get more, set a rule: /splits subscribe exchange:NASDAQ",
    ],
    buttons: [button("Set the default rule", "subscribe")],
  });
}

function ruleRow(rule: Rule): Row {
  return { title: `Rule ${rule.number}`, detail: describeRule(rule) };
}

function removeButtons(rules: readonly Rule[]): readonly Button[] {
  return rules.map(({ number }) => button(`Remove rule ${number}`, `unsubscribe ${number}`, "danger"));
}

export const NO_MENTIONS = "Mentions aren't available on this platform.";

/** `number`: the rule that the user tried to change; null if the user tried to add a rule. */
export function mentionRefusedCard(reason: string, number: number | null = null): Card {
  return card({
    tone: "bad",
    title: `${number === null ? "No rule was set" : `Rule ${number} was not changed`}: this mention isn't possible`,
    lines: [reason, 'The same command works without the option "mention".'],
  });
}
