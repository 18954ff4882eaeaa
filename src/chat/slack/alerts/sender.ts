import { z } from "zod";
import type { Attempt, Body, MessageRef } from "../../../domain/alert/delivery.ts";
import type { Destination } from "../../../domain/alert/destination.ts";
import { DeliveryError, type EditingPlatform } from "../../../ports/chat-platform.ts";
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
  type Workspaces,
} from "../workspace.ts";
import {
  asCallError,
  type ErrorContext,
  isBrokenToken,
  MAX_PROCESSING_MS,
  toDeliveryError,
} from "./delivery-errors.ts";
import { createLimitScope } from "./rate-limits.ts";
import { isSlackBody, type SlackBody } from "./render.ts";
import { MessageSearches } from "./search.ts";
import { joinChannel, type Target, targetOf } from "./target.ts";

type Sender = Required<Pick<EditingPlatform, "maxProcessingMs" | "send" | "edit" | "find">>;

/** Sends, edits and finds alerts. Rejects with DeliveryErrors. */
export function createSender(workspaces: Workspaces, clock: Clock): Sender {
  const limitScope = createLimitScope(clock);
  const searches = new MessageSearches();

  async function withWorkspace<T>(
    to: Destination,
    work: (connected: ConnectedWorkspace) => Promise<T>,
    limitKey: ErrorContext["limitKey"],
  ): Promise<T> {
    const connected = await workspaces.forDelivery(parseDestination(to)?.teamId ?? "").catch(toWithheld);
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
    maxProcessingMs: MAX_PROCESSING_MS,
    send: (attempt) =>
      withWorkspace(
        attempt.to,
        (connected) => postMessage(connected, attempt),
        (failure) => limitScope.limitKey(attempt.to, failure),
      ),
    // The method has a separate limit, which doesn't delay messages.
    edit: ({ to, ref, body }) =>
      withWorkspace(
        to,
        (connected) => editMessage(connected, ref, body),
        () => null,
      ),
    // Read methods have separate limits, which don't delay messages.
    find: (attempt) =>
      withWorkspace(
        attempt.to,
        (connected) => searches.find(connected, attempt, clock.now()),
        () => null,
      ),
  };
}

/** The store is used before a call, or after a refused one: nothing was posted. */
function toWithheld(error: unknown): never {
  throw error instanceof StoreError ? new DeliveryError("retry", WITHHELD, { cause: error }) : error;
}

const postResponse = z.object({ channel: z.string(), ts: z.string() });

/** Codes that mean that the thread's first message was deleted or doesn't accept replies, unlike the destination. */
const THREAD_ERRORS = new Set([
  "restricted_action_non_threadable_channel",
  "restricted_action_thread_locked",
  "thread_not_found",
  "message_not_found",
  "cannot_reply_to_message",
  "invalid_thread_ts",
  "channel_not_found",
]);

/** Replaces the content of a message. Repeating it has no effect. */
async function editMessage({ api }: ConnectedWorkspace, ref: MessageRef, body: Body): Promise<void> {
  const location = parseMessageRefId(ref.id);
  if (!isSlackBody(body) || location === null) throw new DeliveryError("refused", WRONG_FORMAT);
  const { text, blocks, metadata } = body;
  // The default for edits is `client`, unlike for new messages: foreign text could become links.
  await api.call("chat.update", { ...location, text, blocks, metadata, parse: "none" }, z.unknown());
}

const WRONG_FORMAT = "the stored message is not in Slack's format";

/** Posts a rendered message. Repeats the request only after Slack refused it. */
async function postMessage({ api, workspace }: ConnectedWorkspace, attempt: Attempt): Promise<MessageRef> {
  const { body } = attempt;
  const [inThread, unthreaded] = [targetOf(attempt), targetOf({ ...attempt, replyTo: null })];
  if (!isSlackBody(body) || inThread === null || unthreaded === null) throw new DeliveryError("refused", WRONG_FORMAT);
  const [location, threadTs] = await postWithFallbacks(api, { inThread, unthreaded }, body);
  return { id: messageRefId(location), link: messageLink(workspace, location, threadTs) };
}

/**
 * Joins a public channel if needed, and posts outside the thread if the thread no longer exists. The conversation of a thread may be
 * unknown, although the person isn't: direct messages with a replaced app have another one.
 */
async function postWithFallbacks(
  api: WebApi,
  { inThread, unthreaded }: { readonly inThread: Target; readonly unthreaded: Target },
  body: SlackBody,
): Promise<readonly [MessageLocation, string | null]> {
  let target = inThread;
  let hasJoined = false;
  for (;;) {
    try {
      return [await postOnce(api, target, body), target.threadTs];
    } catch (error) {
      const code = refusalCode(error);
      if (code === "not_in_channel" && !hasJoined && (await joinChannel(api, target.channel))) hasJoined = true;
      else if (target.threadTs !== null && THREAD_ERRORS.has(code)) target = unthreaded;
      else throw error;
    }
  }
}

function postOnce(api: WebApi, { channel, threadTs }: Target, body: SlackBody): Promise<MessageLocation> {
  const { text, blocks, metadata, broadcast } = body;
  const thread = threadTs === null ? {} : { thread_ts: threadTs, reply_broadcast: broadcast };
  const noUnfurling = { unfurl_links: false, unfurl_media: false };
  const content = { text, ...(blocks.length > 0 && { blocks }), metadata };
  return api.call("chat.postMessage", { channel, ...content, ...noUnfurling, ...thread }, postResponse);
}
