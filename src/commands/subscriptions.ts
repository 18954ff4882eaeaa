import { destinationKey } from "../core/destination.ts";
import { rulesCard } from "../messages/rules-answer.ts";
import { defineCommand } from "./command.ts";

export const subscriptions = defineCommand({
  name: "subscriptions",
  summary: "The rules that stand here, in plain words",
  example: "subscriptions",
  options: {},
  async run(_options, { place }, { store }) {
    const [rules, summary] = await Promise.all([store.rules.at(place), store.outbox.summary()]);
    const paused = summary.paused.find(({ to }) => destinationKey(to) === destinationKey(place));
    return { cards: [rulesCard(place, rules, paused?.reason ?? null)], shareable: true };
  },
});
