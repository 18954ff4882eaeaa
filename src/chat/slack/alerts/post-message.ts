import { z } from "zod";
import type { Attempt, MessageRef } from "../../../domain/alert/delivery.ts";
import { DeliveryError } from "../../../ports/chat-platform.ts";
import { refusalCode, type WebApi } from "../web-api.ts";
import { type MessageLocation, messageLink, messageRefId, parseDestination, parseMessageRefId } from "../workspace.ts";
import type { ConnectedWorkspace } from "../workspaces.ts";
import { isSlackBody, type SlackBody } from "./render.ts";

const posted = z.object({ channel: z.string(), ts: z.string() });
const anything = z.unknown();

/** The message that was to be answered is not there any more, or cannot be answered. */
const NO_SUCH_THREAD = new Set([
  "thread_not_found",
  "message_not_found",
  "cannot_reply_to_message",
  "invalid_thread_ts",
]);

interface Target {
  readonly channel: string;
  readonly threadTs: string | null;
}

/** Posts a message as it was rendered. Whatever it does first, it posts once: each other try follows a refusal. */
export async function postMessage({ api, workspace }: ConnectedWorkspace, attempt: Attempt): Promise<MessageRef> {
  const { body } = attempt;
  const target = targetOf(attempt);
  if (!isSlackBody(body) || target === null) {
    throw new DeliveryError("malformed", "what is stored of this message is not Slack's");
  }
  const [at, threadTs] = await postSomehow(api, target, body);
  return { id: messageRefId(at), link: messageLink(workspace, at, threadTs) };
}

/** The channel, or for a direct message the person; in the thread of the message that is answered. Null: it is none of Slack's. */
export function targetOf({ to, replyTo }: Pick<Attempt, "to" | "replyTo">): Target | null {
  const parts = parseDestination(to);
  if (parts === null) return null;
  const answered = replyTo === null ? null : parseMessageRefId(replyTo.id);
  return answered === null
    ? { channel: parts.localId, threadTs: null }
    : { channel: answered.channel, threadTs: answered.ts };
}

async function postSomehow(
  api: WebApi,
  target: Target,
  body: SlackBody,
): Promise<readonly [MessageLocation, string | null]> {
  let { threadTs } = target;
  let joined = false;
  for (;;) {
    try {
      return [await postOnce(api, { ...target, threadTs }, body), threadTs];
    } catch (error) {
      const code = refusalCode(error);
      if (code === "not_in_channel" && !joined && (await joinChannel(api, target.channel))) joined = true;
      else if (threadTs !== null && NO_SUCH_THREAD.has(code)) threadTs = null;
      else throw error;
    }
  }
}

function postOnce(api: WebApi, { channel, threadTs }: Target, body: SlackBody): Promise<MessageLocation> {
  const { text, blocks, metadata, broadcast } = body;
  const inThread = threadTs === null ? {} : { thread_ts: threadTs, reply_broadcast: broadcast };
  const quiet = { unfurl_links: false, unfurl_media: false };
  return api.call("chat.postMessage", { channel, text, blocks, metadata, ...quiet, ...inThread }, posted);
}

/** A public channel can be joined, where the app may. */
export async function joinChannel(api: WebApi, channel: string): Promise<boolean> {
  return api.call("conversations.join", { channel }, anything).then(
    () => true,
    () => false,
  );
}
