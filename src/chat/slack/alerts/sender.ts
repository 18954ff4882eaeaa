import { z } from "zod";
import type { Attempt, MessageRef } from "../../../domain/alert/delivery.ts";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import { type ChatPlatform, DeliveryError } from "../../../ports/chat-platform.ts";
import type { Clock } from "../../../ports/clock.ts";
import { StoreError } from "../../../ports/store.ts";
import { WITHHELD } from "../../withheld.ts";
import { refusalCode, type WebApi } from "../web-api.ts";
import {
  type ConnectedWorkspace,
  type MessageLocation,
  messageLink,
  messageRefId,
  parseDestination,
  parseMessageRefId,
  type Workspace,
  type Workspaces,
} from "../workspace.ts";
import { asCallError, type ErrorContext, isBrokenToken, toDeliveryError } from "./delivery-errors.ts";
import { createLimitScope } from "./rate-limits.ts";
import { isSlackBody, METADATA_EVENT_TYPE, type SlackBody } from "./render.ts";

/** Sends alerts and finds sent alerts. Rejects with DeliveryErrors. */
export function createSender(workspaces: Workspaces, clock: Clock): Pick<ChatPlatform, "send" | "find"> {
  const limitScope = createLimitScope(clock);

  async function withWorkspace<T>(
    attempt: Attempt,
    work: (connected: ConnectedWorkspace) => Promise<T>,
    limitKey: ErrorContext["limitKey"],
  ): Promise<T> {
    const connected = await workspaces.forDelivery(parseDestination(attempt.to)?.teamId ?? "").catch(toWithheld);
    try {
      return await work(connected);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const callError = asCallError(error);
      if (isBrokenToken(callError.failure))
        throw await workspaces.handleRefusedToken(connected, callError).catch(toWithheld);
      throw toDeliveryError(callError, { botName: connected.workspace.botName, limitKey });
    }
  }

  return {
    send: (attempt) =>
      withWorkspace(
        attempt,
        (connected) => postMessage(connected, attempt),
        (failure) => limitScope.limitKey(attempt.to, failure),
      ),
    // Read methods have separate limits, which don't delay messages.
    find: (attempt) =>
      withWorkspace(
        attempt,
        (connected) => findMessage(connected, attempt, clock.now()),
        () => null,
      ).catch(retryUnknownOutcome),
  };
}

/** The store is used before a call, or after a refused one: nothing was posted. */
function toWithheld(error: unknown): never {
  throw error instanceof StoreError ? new DeliveryError("retry", WITHHELD, { cause: error }) : error;
}

/** A search posts nothing, so it can be retried even if its outcome is unknown. */
function retryUnknownOutcome(error: unknown): never {
  if (error instanceof DeliveryError && error.failure === "unknown-outcome") {
    throw new DeliveryError("retry", error.message, { cause: error });
  }
  throw error;
}

const postResponse = z.object({ channel: z.string(), ts: z.string() });

/** Codes that mean that the thread's first message was deleted or doesn't accept replies. */
const THREAD_ERRORS = new Set([
  "thread_not_found",
  "message_not_found",
  "cannot_reply_to_message",
  "invalid_thread_ts",
]);

interface Target {
  readonly channel: string;
  readonly threadTs: string | null;
}

/** Posts a rendered message. Repeats the request only after Slack refused it. */
async function postMessage({ api, workspace }: ConnectedWorkspace, attempt: Attempt): Promise<MessageRef> {
  const { body } = attempt;
  const target = targetOf(attempt);
  if (!isSlackBody(body) || target === null) {
    throw new DeliveryError("malformed", "the stored message is not in Slack's format");
  }
  const [location, threadTs] = await postWithFallbacks(api, target, body);
  return { id: messageRefId(location), link: messageLink(workspace, location, threadTs) };
}

/** The channel, or the person for a direct message, and the thread to reply in; null if the id has an unknown format. */
function targetOf({ to, replyTo }: Pick<Attempt, "to" | "replyTo">): Target | null {
  const parts = parseDestination(to);
  if (parts === null) return null;
  const parent = replyTo === null ? null : parseMessageRefId(replyTo.id);
  return parent === null
    ? { channel: parts.localId, threadTs: null }
    : { channel: parent.channel, threadTs: parent.ts };
}

/** Joins a public channel if needed, and posts outside the thread if the thread no longer exists. */
async function postWithFallbacks(
  api: WebApi,
  target: Target,
  body: SlackBody,
): Promise<readonly [MessageLocation, string | null]> {
  let { threadTs } = target;
  let hasJoined = false;
  for (;;) {
    try {
      return [await postOnce(api, { ...target, threadTs }, body), threadTs];
    } catch (error) {
      const code = refusalCode(error);
      if (code === "not_in_channel" && !hasJoined && (await joinChannel(api, target.channel))) hasJoined = true;
      else if (threadTs !== null && THREAD_ERRORS.has(code)) threadTs = null;
      else throw error;
    }
  }
}

function postOnce(api: WebApi, { channel, threadTs }: Target, body: SlackBody): Promise<MessageLocation> {
  const { text, blocks, metadata, broadcast } = body;
  const thread = threadTs === null ? {} : { thread_ts: threadTs, reply_broadcast: broadcast };
  const noUnfurling = { unfurl_links: false, unfurl_media: false };
  return api.call("chat.postMessage", { channel, text, blocks, metadata, ...noUnfurling, ...thread }, postResponse);
}

/** Joins a public channel. Returns false if Slack refuses. */
export async function joinChannel(api: WebApi, channel: string): Promise<boolean> {
  return api.call("conversations.join", { channel }, z.unknown()).then(
    () => true,
    () => false,
  );
}

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
/** Minimum number of pages to search, even if they are older than the attempt: the local clock may be wrong by hours. */
const MIN_PAGES = 2;
/** Maximum number of pages. If a channel has more messages since the attempt, the result is `cannot-search`. */
const MAX_PAGES = 50;

/**
 * Searches the thread and then the channel for the attempt's message, by the id in its metadata. If the bot was removed from a
 * public channel, it joins the channel again to search it: a resend would also join, and could post the message twice.
 */
async function findMessage(
  { api, workspace }: ConnectedWorkspace,
  attempt: Attempt,
  now: Instant,
  mayJoin = true,
): Promise<MessageRef | "not-found" | "cannot-search"> {
  const target = targetOf(attempt);
  if (target === null) return "not-found";
  const { threadTs } = target;
  try {
    const channel = await openConversation(api, target.channel);
    // `createdAt` is in the future if the system clock was set back.
    const since = Math.min(attempt.createdAt, now) - MAX_CLOCK_SKEW_MS;
    const search = { api, messageId: attempt.messageId, channel, since };
    const inThread = threadTs === null ? null : await searchThread(search, threadTs);
    if (inThread !== null) return toRef(workspace, channel, inThread, threadTs);
    const inChannel = await searchPages(search, "conversations.history", {});
    return inChannel === null ? "not-found" : toRef(workspace, channel, inChannel, null);
  } catch (error) {
    if (mayJoin && refusalCode(error) === "not_in_channel" && (await joinChannel(api, target.channel)))
      return findMessage({ api, workspace }, attempt, now, false);
    if (error === TOO_MANY_MESSAGES || SEARCH_REFUSALS.has(refusalCode(error))) return "cannot-search";
    throw error;
  }
}

function toRef(workspace: Workspace, channel: string, ts: string, threadTs: string | null): MessageRef {
  return { id: messageRefId({ channel, ts }), link: messageLink(workspace, { channel, ts }, threadTs) };
}

/** Returns the id of the channel to search. For a person, it is the channel of the direct message, which has an id of its own. */
async function openConversation(api: WebApi, target: string): Promise<string> {
  if (!/^[UW]/.test(target)) return target;
  return (await api.call("conversations.open", { users: target }, openedConversation)).channel.id;
}

interface Search {
  readonly api: WebApi;
  readonly messageId: string;
  readonly channel: string;
  /** Earliest time at which the message may have been posted, by the local clock. */
  readonly since: Instant;
}

async function searchThread(search: Search, threadTs: string): Promise<string | null> {
  try {
    return await searchPages(search, "conversations.replies", { ts: threadTs });
  } catch (error) {
    if (refusalCode(error) === "thread_not_found") return null;
    throw error;
  }
}

const TOO_MANY_MESSAGES = new Error("the channel has too many messages to be searched");

/** Returns the message's timestamp, or null if it was not found. A channel is read from its newest message to older ones. */
async function searchPages(
  { api, messageId, channel, since }: Search,
  method: "conversations.history" | "conversations.replies",
  thread: { readonly ts?: string },
): Promise<string | null> {
  const args = { channel, ...thread, include_all_metadata: true, limit: PAGE_SIZE };
  const isThread = thread.ts !== undefined;
  let cursor = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const { messages, response_metadata: next } = await api.call(
      method,
      cursor === "" ? args : { ...args, cursor },
      historyPage,
    );
    const match = messages.find(
      ({ metadata }) => metadata?.event_type === METADATA_EVENT_TYPE && metadata.event_payload.message_id === messageId,
    );
    if (match) return match.ts;
    // Only a channel's pages are in descending order of time.
    const coversPeriod = !isThread && Number(messages.at(-1)?.ts) * 1_000 < since;
    cursor = next?.next_cursor ?? "";
    if (cursor === "" || (coversPeriod && page + 1 >= MIN_PAGES)) return null;
  }
  throw TOO_MANY_MESSAGES;
}

/**
 * Codes with which Slack denies access to a conversation's history although posting may be allowed. After any other refusal
 * a resend would fail too, so the outcome stays unknown until the conversation can be searched.
 */
const SEARCH_REFUSALS = new Set([
  "missing_scope",
  "no_permission",
  "access_denied",
  "method_not_supported_for_channel_type",
  "is_archived",
  "ekm_access_denied",
]);
