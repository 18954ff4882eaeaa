import type { Destination } from "../domain/alert/destination.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { noRulesCard, noSuchRuleCard, rulesRemovedCard, whichRuleCard } from "../messages/answers/rules-answer.ts";
import type { Card } from "../messages/message.ts";
import { undoButton } from "../messages/split-text.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { writeRuleLine } from "./parser/rule-line.ts";
import { MAX_BUTTON_LINE_LENGTH } from "./parser/words.ts";

export const unsubscribe = defineCommand({
  name: "unsubscribe",
  summary: "Take rules off this channel; in a direct message, your own",
  example: "unsubscribe 1",
  options: {
    rule: { kind: "numbers", summary: "Which rules, by number" },
  },
  managesChannel: true,
  async run({ rule: asked }, { destination }, { store }) {
    const standing = await store.rules.at(destination);
    return [await answer(asked, standing, destination, store)];
  },
});

async function answer(
  asked: readonly number[] | "all" | undefined,
  standing: readonly Rule[],
  destination: Destination,
  store: CommandContext["store"],
): Promise<Card> {
  if (standing.length === 0) return noRulesCard(destination);
  // Without a number a single rule is meant; among several nothing is guessed.
  if (asked === undefined && standing.length > 1) return whichRuleCard(standing);
  const all = standing.map(({ number }) => number);
  const wanted = asked === undefined || asked === "all" ? all : asked;
  const removed = await store.rules.remove(destination, wanted);
  if (removed.length === 0) return noSuchRuleCard(wanted, standing);
  const unknown = wanted.filter((number) => !removed.some((rule) => rule.number === number));
  return rulesRemovedCard(removed, unknown, waysBack(removed));
}

/** One rule that fits into a button is undone by it; any other is set again by its line. */
function waysBack(removed: readonly Rule[]): Parameters<typeof rulesRemovedCard>[2] {
  const lines = removed.map(writeRuleLine).filter((line) => line !== null);
  const [only, ...others] = lines;
  if (only === undefined || others.length > 0 || only.length > MAX_BUTTON_LINE_LENGTH) return { undo: null, lines };
  return { undo: undoButton(only), lines: [] };
}
