import { z } from "zod";
import type { Attempt, MessageRef } from "../../../domain/alert/delivery.ts";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import { BoundedMap } from "../../../lib/collections.ts";
import { refusalCode, type WebApi } from "../web-api.ts";
import { type ConnectedWorkspace, messageLink, messageRefId, type Workspace } from "../workspace.ts";
import { METADATA_EVENT_TYPE } from "./render.ts";
import { joinChannel, targetOf } from "./target.ts";

const historyPage = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .looseObject({ event_type: z.string(), event_payload: z.looseObject({ message_id: z.unknown() }) })
        .optional()
        // Other apps' messages may have metadata of any shape.
        .catch(undefined),
    }),
  ),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

const openedConversation = z.object({ channel: z.object({ id: z.string() }) });

/** Maximum difference between the local clock and Slack's that the search assumes. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS;
const PAGE_SIZE = 200;
/**
 * Largest page for apps that are distributed but not in the Marketplace, which may read one page a minute:
 * docs.slack.dev/apis/web-api/rate-limits.
 */
export const LIMITED_PAGE_SIZE = 15;
/** Minimum number of messages to search, even if they are older than the attempt: the local clock may be wrong by hours. */
const MIN_MESSAGES = 2 * PAGE_SIZE;
/** Maximum number of pages. If a channel has more messages since the attempt, the result is `cannot-search`. */
const MAX_PAGES = 50;
/** The same for apps with the smaller page. */
export const MAX_LIMITED_PAGES = 10;
/** Searches whose positions are kept. Beyond it, the one that was interrupted longest ago starts again. */
const MAX_SEARCHES = 10_000;

/** What remains of the search of a thread or a channel. */
interface Position {
  readonly cursor: string;
  readonly pages: number;
  readonly messages: number;
  /** True if Slack returned no more than the page of a limited app. */
  readonly isLimited: boolean;
  /** True if only messages of the attempt's period are read. */
  readonly isInPeriod: boolean;
}

const START: Position = { cursor: "", pages: 0, messages: 0, isLimited: false, isInPeriod: false };

const METHODS = ["conversations.history", "conversations.replies"] as const;

type Method = (typeof METHODS)[number];

interface Search {
  readonly api: WebApi;
  readonly messageId: string;
  readonly channel: string;
  /** Earliest time at which the message may have been posted, by the local clock. */
  readonly since: Instant;
}

/** Searches threads and channels for messages, by the ids in their metadata. A search that a rate limit interrupts is continued. */
export class MessageSearches {
  /** Where interrupted searches continue, by message id and method; null for one that has ended. */
  readonly #positions = new BoundedMap<string, Position | null>(MAX_SEARCHES);

  /**
   * Searches the thread and then the channel for the attempt's message. If the bot was removed from a public channel, it joins the
   * channel again to search it: a resend would also join, and could post the message twice. Throws CallErrors.
   */
  async find(
    { api, workspace }: ConnectedWorkspace,
    attempt: Attempt,
    now: Instant,
    mayJoin = true,
  ): Promise<MessageRef | "not-found" | "cannot-search"> {
    const target = targetOf(attempt);
    if (target === null) return "not-found";
    try {
      const channel = await openConversation(api, target.channel);
      // `createdAt` is in the future if the system clock was set back.
      const since = Math.min(attempt.createdAt, now) - MAX_CLOCK_SKEW_MS;
      const found = await this.#search({ api, messageId: attempt.messageId, channel, since }, target.threadTs);
      this.#forget(attempt);
      return found === null ? "not-found" : toRef(workspace, channel, found);
    } catch (error) {
      const code = refusalCode(error);
      if (mayJoin && code === "not_in_channel" && (await joinChannel(api, target.channel)))
        return this.find({ api, workspace }, attempt, now, false);
      if (error !== TOO_MANY_MESSAGES && !SEARCH_REFUSALS.has(code)) throw error;
      this.#forget(attempt);
      return "cannot-search";
    }
  }

  async #search(search: Search, threadTs: string | null): Promise<Found | null> {
    const inThread = threadTs === null ? null : await this.#searchThread(search, threadTs);
    if (inThread !== null) return { ts: inThread, threadTs };
    const inChannel = await this.#searchPages(search, "conversations.history", {});
    return inChannel === null ? null : { ts: inChannel, threadTs: null };
  }

  async #searchThread(search: Search, threadTs: string): Promise<string | null> {
    try {
      return await this.#searchPages(search, "conversations.replies", { ts: threadTs });
    } catch (error) {
      if (refusalCode(error) === "thread_not_found") return null;
      throw error;
    }
  }

  /** Returns the message's timestamp, or null if it was not found. A channel is read from its newest message to older ones. */
  async #searchPages(search: Search, method: Method, thread: { readonly ts?: string }): Promise<string | null> {
    const key = keyOf(search.messageId, method);
    let position = this.#positions.has(key) ? (this.#positions.get(key) ?? null) : START;
    while (position !== null) {
      const page = await this.#readPage(search, method, thread, position);
      const match = page.messages.find(
        ({ metadata }) =>
          metadata?.event_type === METADATA_EVENT_TYPE && metadata.event_payload.message_id === search.messageId,
      );
      if (match) return match.ts;
      position = nextPosition(position, page, thread.ts === undefined ? search.since : null);
      this.#positions.set(key, position);
    }
    return null;
  }

  async #readPage(
    { api, channel, since, messageId }: Search,
    method: Method,
    thread: { readonly ts?: string },
    { cursor, isLimited, isInPeriod }: Position,
  ): Promise<Page> {
    const args = {
      channel,
      ...thread,
      include_all_metadata: true,
      limit: isLimited ? LIMITED_PAGE_SIZE : PAGE_SIZE,
      ...(isInPeriod && { oldest: String(since / 1_000) }),
      ...(cursor !== "" && { cursor }),
    };
    try {
      return await api.call(method, args, historyPage);
    } catch (error) {
      // The search starts again.
      if (refusalCode(error) === "invalid_cursor") this.#positions.delete(keyOf(messageId, method));
      throw error;
    }
  }

  /** The next search for the message reads all pages again. */
  #forget({ messageId }: Attempt): void {
    for (const method of METHODS) this.#positions.delete(keyOf(messageId, method));
  }
}

type Page = z.infer<typeof historyPage>;

interface Found {
  readonly ts: string;
  /** Null if it was found in the channel. */
  readonly threadTs: string | null;
}

function keyOf(messageId: string, method: Method): string {
  return `${messageId} ${method}`;
}

function toRef(workspace: Workspace, channel: string, { ts, threadTs }: Found): MessageRef {
  return { id: messageRefId({ channel, ts }), link: messageLink(workspace, { channel, ts }, threadTs) };
}

/** Returns the id of the channel to search. For a person, it is the channel of the direct message, which has an id of its own. */
async function openConversation(api: WebApi, target: string): Promise<string> {
  if (!/^[UW]/.test(target)) return target;
  return (await api.call("conversations.open", { users: target }, openedConversation)).channel.id;
}

const TOO_MANY_MESSAGES = new Error("the channel has too many messages to be searched");

/** Null at the end of the search. `until`: earliest time to search a channel for; null in a thread, whose pages begin with its oldest. */
function nextPosition(before: Position, page: Page, until: Instant | null): Position | null {
  const cursor = page.response_metadata?.next_cursor ?? "";
  const isLimited = page.messages.length <= LIMITED_PAGE_SIZE;
  const position = {
    ...before,
    cursor,
    isLimited,
    pages: before.pages + 1,
    messages: before.messages + page.messages.length,
  };
  if (cursor === "" || coversPeriod(position, page, until)) return null;
  if (position.pages >= (isLimited ? MAX_LIMITED_PAGES : MAX_PAGES)) throw TOO_MANY_MESSAGES;
  // The replies of the period are read without the pages before them.
  const isLongThread = until === null && isLimited && !before.isInPeriod;
  return isLongThread ? { ...position, cursor: "", isInPeriod: true } : position;
}

function coversPeriod({ isLimited, messages }: Position, page: Page, until: Instant | null): boolean {
  if (until === null || Number(page.messages.at(-1)?.ts) * 1_000 >= until) return false;
  return isLimited || messages >= MIN_MESSAGES;
}

/**
 * Codes with which Slack denies access to a conversation's history although posting may be allowed. After any other refusal
 * a resend would fail too, so the outcome stays unknown until the conversation can be searched.
 */
const SEARCH_REFUSALS = new Set([
  "missing_scope",
  "no_permission",
  "restricted_action",
  "access_denied",
  "method_not_supported_for_channel_type",
  "is_archived",
  "ekm_access_denied",
]);
