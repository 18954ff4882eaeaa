import type { Destination } from "../domain/alert/destination.ts";
import { formatMuteDuration } from "../domain/settings/destination-settings.ts";
import { mutedCard, noChannelCard, notMutedCard, unmutedCard } from "../messages/answers/settings-answer.ts";
import type { Card } from "../messages/message.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { destinationIn, SCOPE } from "./destination-state.ts";
import { writeCommandLine } from "./parser/words.ts";
import { readSettingsView, scopeWord, undoLine } from "./settings.ts";

export const mute = defineCommand({
  name: "mute",
  summary: "Hold alerts for a while: they are told after, together, and none is lost",
  example: "mute for:2h",
  options: {
    for: { kind: "duration", required: true, summary: "For how long" },
    scope: SCOPE,
  },
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  async run({ for: length, scope }, call, context) {
    const destination = destinationIn(scope, call);
    if (destination === null) return [noChannelCard(writeCommandLine("mute", { for: formatMuteDuration(length) }))];
    const now = context.clock.now();
    const until = now + length;
    const { before } = await context.store.destinationSettings.change(destination, { mutedUntil: until });
    const left = (before.mutedUntil ?? now) - now;
    const undo = left > 0 ? muteLine(left, destination) : writeCommandLine("unmute", { scope: scopeWord(destination) });
    return [mutedCard(await readSettingsView(destination, context), until, undoLine(undo))];
  },
});

export const unmute = defineCommand({
  name: "unmute",
  summary: "Tell alerts again, and what was held meanwhile",
  example: "unmute",
  options: { scope: SCOPE },
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  async run({ scope }, call, context) {
    const destination = destinationIn(scope, call);
    return [destination === null ? noChannelCard("unmute") : await unmuteAt(destination, context)];
  },
});

async function unmuteAt(destination: Destination, context: CommandContext): Promise<Card> {
  const { destinationSettings } = context.store;
  const now = context.clock.now();
  const left = ((await destinationSettings.of(destination)).mutedUntil ?? now) - now;
  if (left <= 0) return notMutedCard(await readSettingsView(destination, context));
  // Not forgotten: what came until now was held for it.
  await destinationSettings.change(destination, { mutedUntil: now });
  return unmutedCard(await readSettingsView(destination, context), undoLine(muteLine(left, destination)));
}

function muteLine(ms: number, destination: Destination): string {
  return writeCommandLine("mute", { for: formatMuteDuration(ms), scope: scopeWord(destination) });
}
