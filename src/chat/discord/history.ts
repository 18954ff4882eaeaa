import { DiscordAPIError, PermissionFlagsBits, Routes } from "discord.js";
import { z } from "zod";
import type { Destination } from "../../domain/alert/destination.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { Api } from "./api.ts";
import { guildOf } from "./destinations.ts";
import { footerHolds } from "./embed.ts";
import { readChannelAccess } from "./permissions.ts";

export const UNKNOWN_CHANNEL = 10_003;
const MISSING_ACCESS = 50_001;
const MISSING_PERMISSIONS = 50_013;
const UNREADABLE = [UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS];

const DISCORD_EPOCH_MS = Date.UTC(2015, 0, 1);
const PAGE = 100;
const MOST_PAGES = 20;

const messagesSchema = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    nonce: z.union([z.string(), z.number()]).optional(),
    embeds: z.array(z.object({ footer: z.object({ text: z.string() }).optional() })).default([]),
  }),
);

type HistoryMessage = z.infer<typeof messagesSchema>[number];

export interface Search {
  readonly to: Destination;
  readonly channelId: string;
  /** The account that posted it. */
  readonly author: string;
  readonly messageId: string;
  /** It was not posted before. */
  readonly since: Instant;
}

/** Discord's id of the message. Beyond 2,000 messages nobody can say whether it is there. */
export type Found = { readonly id: string } | "not-found" | "cannot-search";

export async function findInHistory(api: Api, search: Search): Promise<Found> {
  try {
    return await searchPages(api, search);
  } catch (error) {
    // What keeps us from reading for good keeps us from posting too, or is said when we post.
    const passes = search.to.kind === "person" && isRefusal(error, MISSING_ACCESS);
    if (!passes && UNREADABLE.some((code) => isRefusal(error, code))) return "cannot-search";
    throw error;
  }
}

async function searchPages(api: Api, search: Search): Promise<Found> {
  let after = snowflakeAt(search.since);
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ after, limit: String(PAGE) });
    const answer = await api.call("get", Routes.channelMessages(search.channelId), { query });
    const messages = messagesSchema.parse(answer);
    const found = messages.find((message) => carries(message, search));
    if (found) return { id: found.id };
    if (messages.length < PAGE)
      return messages.length > 0 || (await mayRead(api, search)) ? "not-found" : "cannot-search";
    after = newestOf(messages, after);
  }
  return "cannot-search";
}

/** Discord shows an empty history to those who may not read it. */
async function mayRead(api: Api, { to, channelId, author }: Search): Promise<boolean> {
  const guildId = guildOf(to);
  if (guildId === null) return true;
  const { permissions } = await readChannelAccess(api, { guildId, channelId, botId: author });
  return (permissions & PermissionFlagsBits.ReadMessageHistory) !== 0n;
}

function carries({ author, nonce, embeds }: HistoryMessage, search: Search): boolean {
  if (author.id !== search.author) return false;
  return nonce === search.messageId || embeds.some(({ footer }) => footerHolds(footer?.text, search.messageId));
}

function newestOf(messages: readonly HistoryMessage[], after: string): string {
  let newest = BigInt(after);
  for (const { id } of messages) if (BigInt(id) > newest) newest = BigInt(id);
  return String(newest);
}

/** The id that a message of this moment would have. */
function snowflakeAt(at: Instant): string {
  return String(BigInt(Math.max(0, Math.floor(at) - DISCORD_EPOCH_MS)) << 22n);
}

export function isRefusal(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}
