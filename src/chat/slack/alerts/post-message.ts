import { z } from "zod";
import type { Attempt, MessageRef } from "../../../domain/alert/delivery.ts";
import { DeliveryError } from "../../../ports/chat-platform.ts";
import { refusalCode, type WebApi } from "../web-api.ts";
import {
  type ConnectedWorkspace,
  type MessageLocation,
  messageLink,
  messageRefId,
  parseDestination,
  parseMessageRefId,
} from "../workspace.ts";
import { isSlackBody, type SlackBody } from "./render.ts";

const posted = z.object({ channel: z.string(), ts: z.string() });

/** The thread's first message was deleted, or can't be replied to. */
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

/** Posts a rendered message once: it is only repeated after Slack refused it. */
export async function postMessage({ api, workspace }: ConnectedWorkspace, attempt: Attempt): Promise<MessageRef> {
  const { body } = attempt;
  const target = targetOf(attempt);
  if (!isSlackBody(body) || target === null) {
    throw new DeliveryError("malformed", "the stored message is not in Slack's format");
  }
  const [location, threadTs] = await postWithFallbacks(api, target, body);
  return { id: messageRefId(location), link: messageLink(workspace, location, threadTs) };
}

/** The channel, or the person for a direct message, and the thread to reply in; null if the id is not in Slack's form. */
export function targetOf({ to, replyTo }: Pick<Attempt, "to" | "replyTo">): Target | null {
  const parts = parseDestination(to);
  if (parts === null) return null;
  const parent = replyTo === null ? null : parseMessageRefId(replyTo.id);
  return parent === null
    ? { channel: parts.localId, threadTs: null }
    : { channel: parent.channel, threadTs: parent.ts };
}

/** Joins a public channel if needed, and posts outside the thread if it is gone. */
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
  return api.call("chat.postMessage", { channel, text, blocks, metadata, ...noUnfurling, ...thread }, posted);
}

/** Joins a public channel; returns whether that worked. */
export async function joinChannel(api: WebApi, channel: string): Promise<boolean> {
  return api.call("conversations.join", { channel }, z.unknown()).then(
    () => true,
    () => false,
  );
}
