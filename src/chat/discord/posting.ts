import { PermissionFlagsBits, Routes } from "discord.js";
import { z } from "zod";
import type { Attempt, MessageRef } from "../../domain/alert/delivery.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { DeliveryError, type Edit } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Api } from "./api.ts";
import { isApiError, missingPermissionsError, toDeliveryError, toEditError } from "./delivery-errors.ts";
import { channelIdOf, guildOf, messageLink } from "./destinations.ts";
import type { DirectChannelOpener } from "./direct-channels.ts";
import { type AccessReader, createAccessReader, missingPermissions } from "./permissions.ts";
import { footerContains, textContains } from "./render.ts";

export interface MessageSenderParts {
  readonly api: Api;
  readonly directChannels: DirectChannelOpener;
  readonly clock: Clock;
}

/** Posts messages, and searches a channel's history for messages with an unknown outcome. */
export interface MessageSender {
  send(attempt: Attempt): Promise<MessageRef>;
  edit(change: Edit): Promise<void>;
  find(attempt: Attempt): Promise<MessageRef | "not-found" | "cannot-search">;
}

/** Discord documents that it recognizes a nonce for "the past few minutes", so one minute is safe. */
const NONCE_VALID_MS = MINUTE_MS;

/** Maximum difference between the local clock and Discord's that the search assumes. */
const MAX_CLOCK_SKEW_MS = 15 * MINUTE_MS;

const CANNOT_REPLY_WITHOUT_HISTORY = 160_002;
const UNKNOWN_CHANNEL = 10_003;
const MISSING_PERMISSIONS = 50_013;

const DISCORD_EPOCH_MS = Date.UTC(2015, 0, 1);
const PAGE_SIZE = 100;
/** Minimum number of pages to search, even if they are older than the attempt: the local clock may be wrong by hours. */
const MIN_PAGES = 3;
const MAX_PAGES = 20;

const idSchema = z.object({ id: z.string() });

const messagesSchema = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    nonce: z.union([z.string(), z.number()]).optional(),
    content: z.string().default(""),
    embeds: z.array(z.object({ footer: z.object({ text: z.string() }).optional() })).default([]),
  }),
);

type HistoryMessage = z.infer<typeof messagesSchema>[number];

export function createMessageSender({ api, directChannels, clock }: MessageSenderParts): MessageSender {
  const access = createAccessReader(api);
  const ownId = createOwnId(api);

  async function channelFor(destination: Destination): Promise<string> {
    return destination.kind === "person"
      ? directChannels.channelOf({ ...destination, kind: "person" })
      : channelIdOf(destination);
  }

  /** Returns an error that names the missing permissions, or the given error if they can't be read. */
  async function withMissingPermissions(to: Destination, channelId: string, error: unknown): Promise<unknown> {
    const guildId = guildOf(to);
    if (guildId === null || !isApiError(error, MISSING_PERMISSIONS)) return error;
    try {
      const { permissions, isThread } = await access.read({ guildId, channelId, botId: await ownId() });
      const missing = missingPermissions(permissions | PermissionFlagsBits.ReadMessageHistory, isThread);
      return missing.length === 0 ? error : missingPermissionsError(missing, error);
    } catch {
      return error;
    }
  }

  /** Calls `write` with the channel of the destination. */
  async function writeTo<T>(to: Destination, write: (channelId: string) => Promise<T>): Promise<T> {
    const channelId = await channelFor(to);
    try {
      return await write(channelId);
    } catch (error) {
      if (to.kind !== "person" || !isApiError(error, UNKNOWN_CHANNEL))
        throw await withMissingPermissions(to, channelId, error);
      await directChannels.open({ ...to, kind: "person" });
      throw new DeliveryError("retry", "the direct message had to be reopened", { cause: error });
    }
  }

  const send = (attempt: Attempt): Promise<MessageRef> =>
    writeTo(attempt.to, (channelId) => postOrReply(api, attempt, channelId));

  const edit = ({ to, ref, body }: Edit): Promise<void> =>
    writeTo(to, async (channelId) => {
      await api.call("patch", Routes.channelMessage(channelId, ref.id), { body });
    });

  /**
   * Searches the channel's history. If nothing is found, a recent attempt counts as not found, whether or not the history can be
   * read: a resend with the same nonce is safe, because Discord then returns the first message.
   */
  async function find({ to, messageId, createdAt }: Attempt): Promise<MessageRef | "not-found" | "cannot-search"> {
    const channelId = await channelFor(to);
    const authorId = await ownId();
    const ageMs = clock.now() - createdAt;
    // `createdAt` is in the future if the system clock was set back.
    const since = Math.min(createdAt, clock.now()) - MAX_CLOCK_SKEW_MS;
    const isRecent = ageMs >= 0 && ageMs < NONCE_VALID_MS;
    const result = await findInHistory({ api, access }, { to, channelId, authorId, messageId, since, isRecent });
    if (typeof result !== "string") return { ...result, link: messageLink(to, channelId, result.id) };
    return isRecent ? "not-found" : result;
  }

  return {
    send: (attempt) => withDeliveryErrors(attempt.to, send(attempt)),
    edit: (change) => withDeliveryErrors(change.to, edit(change), toEditError),
    find: (attempt) => withDeliveryErrors(attempt.to, find(attempt)),
  };
}

/** Posts a message, which replies to another one if Discord permits it: without Read Message History, it can't. */
async function postOrReply(api: Api, attempt: Attempt, channelId: string): Promise<MessageRef> {
  try {
    return await post(api, attempt, channelId);
  } catch (error) {
    if (!isApiError(error, CANNOT_REPLY_WITHOUT_HISTORY)) throw error;
    return post(api, { ...attempt, replyTo: null }, channelId);
  }
}

async function post(api: Api, attempt: Attempt, channelId: string): Promise<MessageRef> {
  const response = await api.call("post", Routes.channelMessages(channelId), { body: requestOf(attempt) });
  const { id } = idSchema.parse(response);
  return { id, link: messageLink(attempt.to, channelId, id) };
}

/** Returns a function that reads the bot's id once, however many messages are searched. */
function createOwnId(api: Api): () => Promise<string> {
  let id: Promise<string> | null = null;

  async function read(): Promise<string> {
    try {
      return idSchema.parse(await api.call("get", Routes.user())).id;
    } catch (error) {
      id = null;
      throw error;
    }
  }

  return () => {
    id ??= read();
    return id;
  };
}

function requestOf({ body, messageId, replyTo }: Attempt): Record<string, unknown> {
  return {
    ...(isBody(body) ? body : {}),
    nonce: messageId,
    enforce_nonce: true,
    ...(replyTo === null ? {} : { message_reference: { message_id: replyTo.id, fail_if_not_exists: false } }),
  };
}

function isBody(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null;
}

async function withDeliveryErrors<T>(to: Destination, work: Promise<T>, toError = toDeliveryError): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toError(error, to);
  }
}

interface Search {
  readonly to: Destination;
  readonly channelId: string;
  /** Account that posted the message. */
  readonly authorId: string;
  readonly messageId: string;
  /** Earliest time at which the message may have been posted, by the local clock. */
  readonly since: Instant;
  /** True if it doesn't matter whether the history can be read. */
  readonly isRecent: boolean;
}

type SearchResult = { readonly id: string } | "not-found" | "cannot-search";

interface HistoryReaders {
  readonly api: Api;
  readonly access: AccessReader;
}

async function findInHistory(readers: HistoryReaders, search: Search): Promise<SearchResult> {
  try {
    return await searchPages(readers, search);
  } catch (error) {
    // After `cannot-search`, the message is resent. After other errors, for example if the bot can't see the channel now, the
    // search is repeated later. Discord may have replaced the channel of a direct message, so it is never found again.
    if (isApiError(error, MISSING_PERMISSIONS)) return "cannot-search";
    if (isApiError(error, UNKNOWN_CHANNEL) && search.to.kind === "person") return "cannot-search";
    throw error;
  }
}

/** Reads at most 2,000 messages, the newest first. */
async function searchPages({ api, access }: HistoryReaders, search: Search): Promise<SearchResult> {
  let before: bigint | null = null;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const messages = await readPage(api, search.channelId, before);
    const match = messages.find((message) => matchesSearch(message, search));
    if (match) return { id: match.id };
    before = oldestOf(messages) ?? before;
    if (before === null) return (await canReadHistory(access, search)) ? "not-found" : "cannot-search";
    if (messages.length < PAGE_SIZE || coversPeriod(search, page, before)) return "not-found";
  }
  return "cannot-search";
}

/** Whether the pages that were read go back to the earliest time of the message. */
function coversPeriod({ since }: Search, pages: number, oldest: bigint): boolean {
  return pages >= MIN_PAGES && oldest < snowflakeAt(since);
}

async function readPage(api: Api, channelId: string, before: bigint | null): Promise<readonly HistoryMessage[]> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (before !== null) query.set("before", String(before));
  return messagesSchema.parse(await api.call("get", Routes.channelMessages(channelId), { query }));
}

/** Whether the bot may read the message history. If not, Discord returns an empty history instead of an error. True if it doesn't matter. */
async function canReadHistory(access: AccessReader, { to, channelId, authorId, isRecent }: Search): Promise<boolean> {
  const guildId = guildOf(to);
  if (guildId === null || isRecent) return true;
  const { permissions } = await access.read({ guildId, channelId, botId: authorId });
  return (permissions & PermissionFlagsBits.ReadMessageHistory) !== 0n;
}

function matchesSearch({ author, nonce, content, embeds }: HistoryMessage, { authorId, messageId }: Search): boolean {
  if (author.id !== authorId) return false;
  if (nonce === messageId || textContains(content, messageId)) return true;
  return embeds.some(({ footer }) => footerContains(footer?.text, messageId));
}

/** Returns the lowest id; null if there is no message. */
function oldestOf(messages: readonly HistoryMessage[]): bigint | null {
  let oldest: bigint | null = null;
  for (const message of messages) {
    const id = BigInt(message.id);
    if (oldest === null || id < oldest) oldest = id;
  }
  return oldest;
}

/** Returns the lowest ID of a message posted at this time. */
function snowflakeAt(at: Instant): bigint {
  return BigInt(Math.max(0, Math.floor(at) - DISCORD_EPOCH_MS)) << 22n;
}
