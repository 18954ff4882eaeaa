import type { Destination, Person } from "../../domain/alert/destination.ts";

export const PLATFORM = "discord";

/** Placeholder for the server ID of direct messages. */
const NO_GUILD = "@me";

export function personOf(userId: string): Person {
  return { platform: PLATFORM, kind: "person", id: userId };
}

/** A channel, thread or forum post is identified by its server ID and its own ID. */
export function channelOf(guildId: string | null, channelId: string): Destination {
  return { platform: PLATFORM, kind: "channel", id: `${guildId ?? NO_GUILD}/${channelId}` };
}

/** Server of a channel; null for people, other platforms and direct messages. */
export function guildOf({ platform, kind, id }: Destination): string | null {
  const [guildId = NO_GUILD] = id.split("/", 1);
  return platform === PLATFORM && kind === "channel" && guildId !== NO_GUILD ? guildId : null;
}

export function channelIdOf({ id }: Destination): string {
  return id.slice(id.indexOf("/") + 1);
}

/** Link that opens the message in the app or in a browser. */
export function messageLink(to: Destination, channelId: string, messageId: string): string {
  return `https://discord.com/channels/${guildOf(to) ?? NO_GUILD}/${channelId}/${messageId}`;
}
