import { destinationKey } from "../domain/alert/destination.ts";
import { confirmForgetCard, forgottenCard, type StoredPersonData } from "../messages/answers/forget-answer.ts";
import { button } from "../messages/message.ts";
import { type Call, defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";

export const forget = defineCommand({
  name: "forget",
  summary: "Delete all that is stored about you, after a confirmation",
  example: "forget",
  options: {
    confirm: { kind: "choice", choices: ["yes"], summary: "Does it without asking again", hidden: true },
  },
  async run({ confirm }, call, context) {
    const { person } = call;
    if (confirm === undefined) {
      return [confirmForgetCard(await keptOf(call, context), button("Delete it all", "forget confirm:yes", "danger"))];
    }
    // What is on its way to them is settled first: nothing is written of it afterwards.
    await context.pauseDeliveryDuring(person, () => context.store.purgePerson(person));
    return [forgottenCard()];
  },
});

async function keptOf({ person }: Call, { store }: CommandContext): Promise<StoredPersonData> {
  const key = destinationKey(person);
  const [tickers, rules, waiting] = await Promise.all([
    store.watchlists.of(person),
    store.rules.all(),
    store.outbox.waitingAt(person),
  ]);
  return {
    tickers: tickers.length,
    rules: rules.filter(({ destination }) => destinationKey(destination) === key).length,
    waiting: waiting.length,
    channelRules: rules.filter(
      ({ destination, createdBy }) => destination.kind === "channel" && destinationKey(createdBy) === key,
    ).length,
  };
}
