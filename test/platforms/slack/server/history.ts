import { describeMessage, isTrue } from "./shapes.ts";
import type { Json, SlackChannel, SlackMessage, Workspace } from "./workspace.ts";

/** `conversations.history`: messages shown in the channel, newest first. */
export function readHistory(args: Json, channel: SlackChannel, workspace: Workspace): Json {
  const messages = workspace.messages.filter(
    (message) =>
      message.channel === channel.id && message.onlyFor === null && (message.threadTs === null || message.broadcast),
  );
  return page(args, messages.toReversed(), workspace);
}

/** `conversations.replies`: the thread including its first message, oldest first. */
export function readReplies(args: Json, channel: SlackChannel, workspace: Workspace): Json {
  const root = String(args.ts);
  const messages = workspace.messages.filter(
    ({ channel: at, onlyFor, ts, threadTs }) =>
      at === channel.id && onlyFor === null && (ts === root || threadTs === root),
  );
  if (messages[0]?.ts !== root) return { ok: false, error: "thread_not_found" };
  return page(args, messages, workspace);
}

/** Always includes the first message of a thread, as Slack does regardless of `oldest`. */
function page(args: Json, all: readonly SlackMessage[], workspace: Workspace): Json {
  const oldest = Number(args.oldest ?? 0);
  const latest = Number(args.latest ?? Number.POSITIVE_INFINITY);
  const inclusive = isTrue(args.inclusive);
  const within = all.filter(({ ts }) => {
    const at = Number(ts);
    return (at > oldest && at < latest) || (inclusive && (at === oldest || at === latest)) || ts === args.ts;
  });
  const limit = Math.min(Number(args.limit ?? 100), 1_000);
  const start = Number(args.cursor === undefined || args.cursor === "" ? 0 : args.cursor);
  const hasMore = start + limit < within.length;
  const allMetadata = isTrue(args.include_all_metadata);
  return {
    ok: true,
    messages: within.slice(start, start + limit).map((message) => describeMessage(message, workspace, allMetadata)),
    has_more: hasMore,
    ...(hasMore ? { response_metadata: { next_cursor: String(start + limit) } } : {}),
  };
}
