import type { Destination } from "../../domain/alert/destination.ts";
import type { Rule } from "../../domain/settings/rule.ts";
import { formatCount, joinList } from "../format.ts";
import { type Button, button, type Card, card, type Row } from "../message.ts";
import { describeRule } from "../rule-text.ts";
import { undoButton } from "../split-text.ts";
import type { UndoCommand } from "./settings-answer.ts";

/** The place of a rule, as its reader would say it. */
export function destinationText(place: Destination): string {
  return place.kind === "channel" ? "this channel" : "you";
}

export function ruleAddedCard(rule: Rule): Card {
  return card({
    tone: "good",
    title: `Rule ${rule.number} is set for ${destinationText(rule.destination)}`,
    lines: [describeRule(rule)],
    buttons: [undoButton(`unsubscribe ${rule.number}`), button("Send a test card", "test")],
    editableRules: [rule.number],
  });
}

/** `before` is the same rule a moment ago, whoever set it; `back`: null where no line brings it back. */
export function ruleChangedCard(before: Rule, rule: Rule, back: UndoCommand | null): Card {
  return card({
    tone: "good",
    title: `Rule ${rule.number} is changed for ${destinationText(rule.destination)}`,
    lines: [
      `Now: ${describeRule(rule)}`,
      `Before: ${describeRule(before)}`,
      ...(back === null ? ["Whom it called before cannot be brought back by a button."] : []),
      ...(back === null || back.fits ? [] : [`To undo this: /splits ${back.line}`]),
    ],
    buttons: [...(back?.fits ? [undoButton(back.line)] : []), button("All rules here", "subscriptions")],
    editableRules: [rule.number],
  });
}

/** `left`: the rule that was to say it too, and stays as it was; null: none was to. */
export function ruleKnownCard(rule: Rule, left: number | null = null): Card {
  const isAnother = left !== null && left !== rule.number;
  return card({
    title: `Rule ${rule.number} says exactly that already`,
    lines: [
      describeRule(rule),
      isAnother ? `Rule ${left} was left as it is: two rules that say the same would tell nothing more.` : UNCHANGED,
    ],
    buttons: [button("All rules here", "subscriptions")],
    editableRules: isAnother ? [rule.number, left] : [rule.number],
  });
}

const UNCHANGED = "Nothing was changed.";

export function tooManyRulesCard(place: Destination, limit: number): Card {
  return card({
    tone: "bad",
    title: `No more than ${formatCount(limit, "rule")} can stand for ${destinationText(place)}`,
    lines: ["Nothing was changed. Take one off first: /splits unsubscribe 1"],
    buttons: [button("All rules here", "subscriptions")],
  });
}

/** `again`: the command lines that would set the rules once more, in their order. */
export function rulesRemovedCard(
  removed: readonly Rule[],
  unknown: readonly number[],
  again: { readonly undo: Button | null; readonly lines: readonly string[] },
): Card {
  const numbers = removed.map((rule) => String(rule.number));
  return card({
    tone: "good",
    title: `${removed.length === 1 ? "Rule" : "Rules"} ${joinList(numbers)} removed`,
    lines: [
      ...(unknown.length > 0 ? [`There was no rule ${joinList(unknown.map(String), "or")} here.`] : []),
      ...wayBackWords(again.lines),
    ],
    rows: removed.map(ruleRow),
    buttons: again.undo ? [again.undo] : [],
  });
}

function wayBackWords(lines: readonly string[]): readonly string[] {
  const [only, ...others] = lines.map((line) => `/splits ${line}`);
  if (only === undefined) return [];
  return others.length === 0 ? [`To set it again: ${only}`] : ["To set them again, a line each:", only, ...others];
}

export function noSuchRuleCard(wanted: readonly number[], rules: readonly Rule[]): Card {
  return card({
    tone: "bad",
    title: `There is no rule ${joinList(wanted.map(String), "or")} here`,
    lines: ["Nothing was changed. These are the rules here:"],
    rows: rules.map(ruleRow),
    buttons: removeButtons(rules),
  });
}

export function whichRuleCard(rules: readonly Rule[]): Card {
  return card({
    title: "Which rule?",
    lines: ["Nothing was changed yet. For example: /splits unsubscribe 1, or /splits unsubscribe all"],
    rows: rules.map(ruleRow),
    buttons: removeButtons(rules),
  });
}

/** `paused`: why nothing is sent to this place at the moment. */
export function rulesCard(place: Destination, rules: readonly Rule[], paused: string | null): Card {
  if (rules.length === 0) return noRulesCard(place);
  return card({
    tone: paused === null ? "plain" : "warning",
    title: `${formatCount(rules.length, "rule stands", "rules stand")} for ${destinationText(place)}`,
    lines: paused === null ? [] : [`Nothing is sent at the moment: ${paused}. /splits test tries again.`],
    rows: rules.map(ruleRow),
    buttons: removeButtons(rules),
    editableRules: rules.map(({ number }) => number),
  });
}

export function noRulesCard(place: Destination): Card {
  return card({
    title: `No rule stands for ${destinationText(place)}`,
    lines: [
      place.kind === "channel"
        ? "This channel gets no alerts. Set the usual rule: /splits subscribe"
        : "You get alerts for your watchlist alone. A rule can bring more: /splits subscribe exchange:NASDAQ",
    ],
    buttons: [button("Set the usual rule", "subscribe")],
  });
}

function ruleRow(rule: Rule): Row {
  return { title: `Rule ${rule.number}`, detail: describeRule(rule) };
}

function removeButtons(rules: readonly Rule[]): readonly Button[] {
  return rules.map(({ number }) => button(`Remove ${number}`, `unsubscribe ${number}`, "danger"));
}

export const NO_MENTIONS = "Nobody can be mentioned on this platform.";

/** `number`: the rule that was to be changed; null: a new one was to be set. */
export function mentionRefusedCard(reason: string, number: number | null = null): Card {
  return card({
    tone: "bad",
    title: `${number === null ? "No rule was set" : `Rule ${number} was not changed`}: that mention is not possible`,
    lines: [reason, "The same line without mention works."],
  });
}
