import { confirmForgetCard, forgottenCard, type StoredPersonData } from "../messages/answers/forget-answer.ts";
import { button } from "../messages/message.ts";
import { type Call, defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";

export const forget = defineCommand({
  name: "forget",
  summary: "Delete everything stored about you, after a confirmation",
  example: "forget",
  options: {
    confirm: { kind: "choice", choices: ["yes"], summary: "Skips the confirmation", hidden: true },
  },
  async run({ confirm }, call, context) {
    const { person } = call;
    if (confirm === undefined) {
      return [
        confirmForgetCard(await storedDataOf(call, context), button("Delete it all", "forget confirm:yes", "danger")),
      ];
    }
    // Waits for deliveries in progress, so that none of them is recorded after the purge.
    await context.deliveries.whileNotSending(person, () => context.store.purgePerson(person));
    return [forgottenCard()];
  },
});

async function storedDataOf({ person }: Call, { store }: CommandContext): Promise<StoredPersonData> {
  const [tickers, rules, channelRules, waiting] = await Promise.all([
    store.watchlists.of(person),
    store.rules.at(person),
    store.rules.countCreatedBy(person),
    store.outbox.waitingCount(person),
  ]);
  return {
    tickers: tickers.length,
    rules: rules.length,
    waiting,
    channelRules,
  };
}
