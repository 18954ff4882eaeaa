import { type Destination, destinationKey, type Person } from "../../domain/alert/destination.ts";
import type { RateLimit } from "../../ports/chat-platform.ts";

export const PLATFORM = "discord";

/** Placeholder for the server ID of direct messages. */
const NO_GUILD = "@me";

export function personOf(userId: string): Person {
  return { platform: PLATFORM, kind: "person", id: userId };
}

/** A channel, thread or forum post is identified by its server ID and its own ID. */
export function channelOf(guildId: string | null, channelId: string): Destination {
  return { platform: PLATFORM, kind: "channel", id: channelPrefix(guildId ?? NO_GUILD) + channelId };
}

/** Start of the ids of a server's channels, and of no others. */
export function channelPrefix(guildId: string): string {
  return `${guildId}/`;
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
export function messageLink(destination: Destination, channelId: string, messageId: string): string {
  return `https://discord.com/channels/${guildOf(destination) ?? NO_GUILD}/${channelId}/${messageId}`;
}

/** Discord documents 50 requests per second and token. Two are left for logins of the gateway; 5 ms allow for inexact clocks. */
export const TOKEN_WINDOW = { max: 48, windowMs: 1_005 } as const;

/** Requests of all processes per window. One more is left for requests that the network delays. */
const MAX_SHARED_REQUESTS = 47;

/** Rate limit of the requests of several processes together, evenly spaced. */
export const SHARED_LIMIT: RateLimit = {
  key: "discord:requests",
  everyMs: TOKEN_WINDOW.windowMs / MAX_SHARED_REQUESTS,
  burst: 1,
  isShared: true,
};

/** Rate limit of all messages. It is above the rate of TOKEN_WINDOW, so that a stored message is ready when a slot becomes free. */
export const TOKEN_LIMIT: RateLimit = { key: "discord:token", everyMs: 1_000 / 55, burst: 1, isShared: true };

/**
 * Messages that may be stored as being sent and wait for a slot of TOKEN_WINDOW, the last of them about 0.6 s: each needs a search if
 * the process is killed.
 */
const MAX_WAITING = 30;

/** Rate limit of one channel: observed, not documented. Discord's 429 responses state differing limits. */
const CHANNEL_BURST = 5;
const CHANNEL_EVERY_MS = 1_000;

export function channelLimit(destination: Destination): RateLimit {
  return {
    key: `discord:${destinationKey(destination)}`,
    everyMs: CHANNEL_EVERY_MS,
    burst: CHANNEL_BURST,
    isShared: false,
  };
}

/** Rate limit of edits. Discord documents none; so few of them leave the limit of all requests to alerts. */
export const EDIT_LIMIT: RateLimit = { key: "discord:edits", everyMs: 1_300, burst: 1, isShared: true };

/** Rate limits of a message to the destination. `slotsInUse`: number of requests that have a slot of TOKEN_WINDOW. */
export function limitsOf(destination: Destination, slotsInUse: number): readonly RateLimit[] {
  return [{ ...TOKEN_LIMIT, maxInFlight: slotsInUse + MAX_WAITING }, channelLimit(destination)];
}
