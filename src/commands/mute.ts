import type { Destination } from "../domain/alert/destination.ts";
import { mutedCard, noChannelCard, notMutedCard, unmutedCard } from "../messages/answers/settings-answer.ts";
import type { Card } from "../messages/message.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { withDeliveryNote } from "./delivery-note.ts";
import { destinationOfScope, SCOPE } from "./destination-state.ts";
import type { OptionSpecs } from "./parser/option-kinds.ts";
import { writeLine } from "./parser/options.ts";
import { readSettingsView, scopeWord, undoLine } from "./settings.ts";

const MUTE_OPTIONS = {
  for: { kind: "duration", required: true, summary: "For how long" },
  scope: SCOPE,
} as const satisfies OptionSpecs;
const UNMUTE_OPTIONS = { scope: SCOPE } as const satisfies OptionSpecs;

export const mute = defineCommand({
  name: "mute",
  summary: "Hold alerts for a while; they are delivered together afterward, and none is lost",
  example: "mute for:2h",
  options: MUTE_OPTIONS,
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  stores: true,
  async run({ for: durationMs, scope }, call, context) {
    const destination = destinationOfScope(scope, call);
    if (destination === null) return [noChannelCard(muteLine(durationMs))];
    const now = context.clock.now();
    const until = now + durationMs;
    const { before } = await context.store.destinationSettings.change(destination, { mutedUntil: until });
    const remainingMs = (before.mutedUntil ?? now) - now;
    const undo = remainingMs > 0 ? muteLine(remainingMs, destination) : unmuteLine(destination);
    return [mutedCard(await readSettingsView(destination, context), until, undoLine(undo))];
  },
});

export const unmute = defineCommand({
  name: "unmute",
  summary: "Resume alerts and deliver those that were held",
  example: "unmute",
  options: UNMUTE_OPTIONS,
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  async run({ scope }, call, context) {
    const destination = destinationOfScope(scope, call);
    if (destination === null) return [noChannelCard("unmute")];
    return [await withDeliveryNote(await unmuteAt(destination, context), destination, context)];
  },
});

async function unmuteAt(destination: Destination, context: CommandContext): Promise<Card> {
  const { destinationSettings } = context.store;
  const now = context.clock.now();
  const remainingMs = ((await destinationSettings.of(destination)).mutedUntil ?? now) - now;
  if (remainingMs <= 0) return notMutedCard(await readSettingsView(destination, context));
  // The mute is ended, not removed (null), so that alerts that arrived during it still count as held by it.
  await destinationSettings.change(destination, { mutedUntil: now });
  return unmutedCard(await readSettingsView(destination, context), undoLine(muteLine(remainingMs, destination)));
}

function muteLine(ms: number, destination?: Destination): string {
  const scope = destination && scopeWord(destination);
  return writeLine({ name: "mute", options: MUTE_OPTIONS }, { for: ms, scope });
}

function unmuteLine(destination: Destination): string {
  return writeLine({ name: "unmute", options: UNMUTE_OPTIONS }, { scope: scopeWord(destination) });
}
