import type { Json, MessageParts, SlackChannel, SlackMessage, Workspace } from "./workspace.ts";

/** Message content of a Web API call, an acknowledgement or a response URL request. */
export function partsOf(args: Json): MessageParts {
  return {
    text: typeof args.text === "string" ? args.text : "",
    blocks: listOf(args.blocks),
    attachments: listOf(args.attachments),
    metadata: (args.metadata as Json | undefined) ?? null,
  };
}

export function describeMessage(message: SlackMessage, { bot, team }: Workspace, allMetadata: boolean): Json {
  const { text, ts, threadTs, blocks, attachments, metadata, broadcast } = message;
  return {
    type: "message",
    ...(broadcast ? { subtype: "thread_broadcast" } : {}),
    user: bot.userId,
    bot_id: bot.botId,
    app_id: bot.appId,
    team: team.id,
    text,
    ts,
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(metadata !== null && allMetadata ? { metadata } : {}),
  };
}

export function describeChannel({ id, name, kind, archived, botIsMember }: SlackChannel): Json {
  return {
    id,
    name,
    is_channel: kind === "public",
    is_group: kind === "private",
    is_im: kind === "direct",
    is_mpim: false,
    is_private: kind !== "public",
    is_archived: archived,
    is_member: botIsMember,
  };
}

export function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === "1";
}

export function threadOf({ thread_ts: threadTs }: Json): string | null {
  return typeof threadTs === "string" ? threadTs : null;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
