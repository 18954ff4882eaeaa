import type { Destination } from "../domain/alert/destination.ts";
import type { Rule } from "../domain/settings/rule.ts";
import {
  noRulesCard,
  noSuchRuleCard,
  rulesCard,
  rulesRemovedCard,
  whichRuleCard,
} from "../messages/answers/rules-answer.ts";
import { dryRunCount } from "../messages/dry-run-text.ts";
import { type Card, MAX_BUTTON_LINE_LENGTH } from "../messages/message.ts";
import { undoButton } from "../messages/split-text.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { withDeliveryNote } from "./delivery-note.ts";
import { dryRun } from "./dry-run.ts";
import { writeRuleLine } from "./subscribe.ts";

export const subscriptions = defineCommand({
  name: "subscriptions",
  aboutSplits: true,
  summary: "This channel's rules in plain words",
  example: "subscriptions",
  options: {},
  shareable: true,
  async run(_options, { destination }, context) {
    const rules = await context.store.rules.at(destination);
    if (rules.length === 0) return [noRulesCard(destination)];
    const counted = (await dryRun(rules, context)).map(({ rule, run }) => ({ rule, count: dryRunCount(run) }));
    return [await withDeliveryNote(rulesCard(destination, counted), destination, context)];
  },
});

export const unsubscribe = defineCommand({
  name: "unsubscribe",
  summary: "Remove rules from this channel; in a direct message, your own",
  example: "unsubscribe 1",
  options: {
    rule: { kind: "ruleNumbers", summary: "Numbers of the rules, or `all`" },
  },
  managesChannel: true,
  async run({ rule: requested }, { destination }, { store }) {
    const rules = await store.rules.at(destination);
    return [await removeRules(requested, rules, destination, store)];
  },
});

async function removeRules(
  requested: readonly number[] | "all" | undefined,
  rules: readonly Rule[],
  destination: Destination,
  store: CommandContext["store"],
): Promise<Card> {
  if (rules.length === 0) return noRulesCard(destination);
  // Without a number, the command removes the only rule; with several rules, it asks for the number.
  if (requested === undefined && rules.length > 1) return whichRuleCard(rules);
  const allNumbers = rules.map(({ number }) => number);
  const numbers = requested === undefined || requested === "all" ? allNumbers : requested;
  const removedRules = await store.rules.remove(destination, numbers);
  if (removedRules.length === 0) return noSuchRuleCard(numbers, rules);
  const unknownNumbers = numbers.filter((number) => !removedRules.some((rule) => rule.number === number));
  return rulesRemovedCard(removedRules, unknownNumbers, undoOf(removedRules));
}

/** Undo button for a single rule whose command line fits; otherwise command lines to copy. */
function undoOf(removed: readonly Rule[]): Parameters<typeof rulesRemovedCard>[2] {
  const lines = removed.map(writeRuleLine).filter((line) => line !== null);
  const [firstLine, ...otherLines] = lines;
  if (firstLine === undefined || otherLines.length > 0 || firstLine.length > MAX_BUTTON_LINE_LENGTH)
    return { undo: null, lines };
  return { undo: undoButton(firstLine), lines: [] };
}
