import type { Destination } from "../domain/alert/destination.ts";
import { writeMuteLength } from "../domain/settings/destination-settings.ts";
import { mutedCard, noChannelCard, notMutedCard, unmutedCard } from "../messages/answers/settings-answer.ts";
import type { Card } from "../messages/message.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { placeIn, SCOPE } from "./held-destinations.ts";
import { writeCommandLine } from "./parser/words.ts";
import { scopeOf, viewOf, wayBack } from "./settings.ts";

export const mute = defineCommand({
  name: "mute",
  summary: "Hold alerts for a while: they are told after, together, and none is lost",
  example: "mute for:2h",
  options: {
    for: { kind: "duration", required: true, summary: "For how long" },
    scope: SCOPE,
  },
  managesChannel: true,
  managesWith: ({ scope }) => scope === "channel",
  async run({ for: length, scope }, call, context) {
    const place = placeIn(scope, call);
    if (place === null) return [noChannelCard(writeCommandLine("mute", { for: writeMuteLength(length) }))];
    const now = context.clock.now();
    const until = now + length;
    const { before } = await context.store.placeSettings.change(place, { mutedUntil: until });
    const left = (before.mutedUntil ?? now) - now;
    const undo = left > 0 ? muteLine(left, place) : writeCommandLine("unmute", { scope: scopeOf(place) });
    return [mutedCard(await viewOf(place, context), until, wayBack(undo))];
  },
});

export const unmute = defineCommand({
  name: "unmute",
  summary: "Tell alerts again, and what was held meanwhile",
  example: "unmute",
  options: { scope: SCOPE },
  managesChannel: true,
  managesWith: ({ scope }) => scope === "channel",
  async run({ scope }, call, context) {
    const place = placeIn(scope, call);
    return [place === null ? noChannelCard("unmute") : await unmuteAt(place, context)];
  },
});

async function unmuteAt(place: Destination, context: CommandContext): Promise<Card> {
  const { placeSettings } = context.store;
  const now = context.clock.now();
  const left = ((await placeSettings.of(place)).mutedUntil ?? now) - now;
  if (left <= 0) return notMutedCard(await viewOf(place, context));
  // Not forgotten: what came until now was held for it.
  await placeSettings.change(place, { mutedUntil: now });
  return unmutedCard(await viewOf(place, context), wayBack(muteLine(left, place)));
}

function muteLine(ms: number, place: Destination): string {
  return writeCommandLine("mute", { for: writeMuteLength(ms), scope: scopeOf(place) });
}
