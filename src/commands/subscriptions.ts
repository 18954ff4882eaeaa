import { rulesCard } from "../messages/answers/rules-answer.ts";
import { defineCommand } from "./command.ts";

export const subscriptions = defineCommand({
  name: "subscriptions",
  summary: "The rules that stand here, in plain words",
  example: "subscriptions",
  options: {},
  shareable: true,
  async run(_options, { destination }, { store }) {
    const [rules, paused] = await Promise.all([store.rules.at(destination), store.outbox.pauseReason(destination)]);
    return [rulesCard(destination, rules, paused)];
  },
});
