import { z } from "zod";
import type { Attempt, MessageRef } from "../../../domain/alert/delivery.ts";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import { refusalCode, type WebApi } from "../web-api.ts";
import { messageLink, messageRefId, type Workspace } from "../workspace.ts";
import type { ConnectedWorkspace } from "../workspaces.ts";
import { targetOf } from "./post-message.ts";
import { METADATA_EVENT_TYPE } from "./render.ts";

const page = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .looseObject({ event_type: z.string(), event_payload: z.looseObject({ message_id: z.unknown() }) })
        .optional()
        // Messages of other apps may hold anything; they are not ours.
        .catch(undefined),
    }),
  ),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

const opened = z.object({ channel: z.object({ id: z.string() }) });

/** Slack's clock and ours may differ by so much. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS;
const PAGE_SIZE = 200;

/** Beyond these a channel is too lively to be searched. */
const MAX_PAGES = 50;

/** Looks for a message of ours where it would stand: in its thread, then in the channel. */
export async function findMessage(
  { api, workspace }: ConnectedWorkspace,
  attempt: Attempt,
): Promise<MessageRef | "not-found" | "cannot-search"> {
  const target = targetOf(attempt);
  if (target === null) return "not-found";
  const { threadTs } = target;
  try {
    const channel = await conversationOf(api, target.channel);
    const oldest = (Math.max(attempt.createdAt - MAX_CLOCK_SKEW_MS, 0) / 1_000).toFixed(6);
    const search = { api, messageId: attempt.messageId, channel, oldest };
    const inThread = threadTs === null ? null : await searchThread(search, threadTs);
    if (inThread !== null) return refTo(workspace, channel, inThread, threadTs);
    const inChannel = await searchPages(search, "conversations.history", {});
    return inChannel === null ? "not-found" : refTo(workspace, channel, inChannel, null);
  } catch (error) {
    if (error === TOO_LIVELY || mayNotLook(error)) return "cannot-search";
    throw error;
  }
}

function refTo(workspace: Workspace, channel: string, ts: string, threadTs: string | null): MessageRef {
  return { id: messageRefId({ channel, ts }), link: messageLink(workspace, { channel, ts }, threadTs) };
}

/** Messages to a person stand in a channel of their own. */
async function conversationOf(api: WebApi, target: string): Promise<string> {
  if (!/^[UW]/.test(target)) return target;
  return (await api.call("conversations.open", { users: target }, opened)).channel.id;
}

interface Search {
  readonly api: WebApi;
  readonly messageId: string;
  readonly channel: string;
  readonly oldest: string;
}

async function searchThread(search: Search, threadTs: string): Promise<string | null> {
  try {
    return await searchPages(search, "conversations.replies", { ts: threadTs });
  } catch (error) {
    if (refusalCode(error) === "thread_not_found") return null;
    throw error;
  }
}

const TOO_LIVELY = new Error("the channel has too many messages to be searched");

/** The time stamp of the message; null where it is not there. */
async function searchPages(
  { api, messageId, channel, oldest }: Search,
  method: "conversations.history" | "conversations.replies",
  thread: { readonly ts?: string },
): Promise<string | null> {
  let cursor = "";
  for (let read = 0; read < MAX_PAGES; read++) {
    const asked = { channel, ...thread, oldest, include_all_metadata: true, limit: PAGE_SIZE };
    const { messages, response_metadata: next } = await api.call(
      method,
      cursor === "" ? asked : { ...asked, cursor },
      page,
    );
    const found = messages.find(
      ({ metadata }) => metadata?.event_type === METADATA_EVENT_TYPE && metadata.event_payload.message_id === messageId,
    );
    if (found) return found.ts;
    cursor = next?.next_cursor ?? "";
    if (cursor === "") return null;
  }
  throw TOO_LIVELY;
}

/** Slack says that looking is not for us. Whether posting is, posting will show. */
const MAY_NOT_LOOK = new Set([
  "missing_scope",
  "not_in_channel",
  "channel_not_found",
  "no_permission",
  "access_denied",
  "not_allowed_token_type",
  "method_not_supported_for_channel_type",
  "user_not_found",
  "users_not_found",
  "user_disabled",
  "cannot_dm_bot",
  "is_archived",
  "ekm_access_denied",
  "team_access_not_granted",
]);

function mayNotLook(error: unknown): boolean {
  return MAY_NOT_LOOK.has(refusalCode(error));
}
