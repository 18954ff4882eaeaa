import { readHistory, readReplies } from "./history.ts";
import type { Limiter, ReadLimiter } from "./limits.ts";
import { checkMessage } from "./message-checks.ts";
import { describeChannel, describeMessage, isTrue, partsOf, threadOf } from "./shapes.ts";
import type { Uploads } from "./uploads.ts";
import type { Views } from "./views.ts";
import type { Json, SlackChannel, SlackMessage, Workspace } from "./workspace.ts";

/** A Web API call as the server received it. */
export interface Call {
  /** Milliseconds on the server's clock. */
  readonly at: number;
  readonly method: string;
  readonly args: Json;
  /** Workspace of the token; null if there is none. */
  readonly team: string | null;
  /** Response: `ok`, an error code, `429`, `500`, `reset` or `hang`; "" while the call is unanswered. */
  outcome: string;
}

export interface ApiParts {
  readonly workspace: Workspace;
  readonly limiter: Limiter;
  readonly readLimiter: ReadLimiter;
  readonly violations: string[];
  readonly uploads: Uploads;
  readonly views: Views;
  /** Scopes of the bot token. */
  readonly scopes: Set<string>;
  /** URL of a new Socket Mode connection; null if Socket Mode is off. */
  readonly openSocket: () => string | null;
}

/** `retryAfter`: seconds to wait after a rate limit. */
export type ApiAnswer = { readonly body: Json } | { readonly retryAfter: number };

type Method = (args: Json, parts: ApiParts) => Json;

const refused = (error: string, extra: Json = {}): Json => ({ ok: false, error, ...extra });

/** Required scope per method. The scope of `conversations` methods depends on the channel's kind. */
const SCOPES: Readonly<Record<string, string>> = {
  "chat.postMessage": "chat:write",
  "chat.postEphemeral": "chat:write",
  "chat.update": "chat:write",
  "chat.delete": "chat:write",
  "conversations.join": "channels:join",
  "conversations.open": "im:write",
  "files.getUploadURLExternal": "files:write",
  "files.completeUploadExternal": "files:write",
  "users.info": "users:read",
  "usergroups.list": "usergroups:read",
};

export const ALL_SCOPES = [
  ...new Set(Object.values(SCOPES)),
  "commands",
  "app_mentions:read",
  ...["channels", "groups", "im"].flatMap((kind) => [`${kind}:read`, `${kind}:history`]),
];

export function callApi(method: string, args: Json, parts: ApiParts): ApiAnswer {
  const run = METHODS[method];
  if (!run) {
    parts.violations.push(`${method}: unknown method`);
    return { body: refused("unknown_method") };
  }
  const needed = SCOPES[method] ?? scopeByChannel(method, parts.workspace.findChannel(String(args.channel)));
  if (needed !== null && !parts.scopes.has(needed))
    return { body: refused("missing_scope", { needed, provided: [...parts.scopes].join(",") }) };
  const retryAfter = acquireSlot(method, args, parts);
  if (retryAfter !== null) return { retryAfter };
  const isRead = READ_METHODS.has(method);
  const limited = isRead ? { ...args, limit: Math.min(Number(args.limit ?? 100), parts.readLimiter.maxObjects) } : args;
  return { body: run(limited, parts) };
}

const READ_METHODS = new Set(["conversations.history", "conversations.replies"]);

/** Returns as `Limiter.acquire` does. */
function acquireSlot(method: string, args: Json, { workspace, limiter, readLimiter }: ApiParts): number | null {
  if (READ_METHODS.has(method)) return readLimiter.acquire(method);
  if (method !== "chat.postMessage") return null;
  return limiter.acquire(workspace.findChannel(String(args.channel))?.id ?? String(args.channel));
}

function scopeByChannel(method: string, channel: SlackChannel | undefined): string | null {
  const family = { public: "channels", private: "groups", direct: "im" }[channel?.kind ?? "public"];
  if (READ_METHODS.has(method)) return `${family}:history`;
  if (method === "conversations.info" || method === "conversations.members") return `${family}:read`;
  return null;
}

const METHODS: Readonly<Record<string, Method>> = {
  "auth.test": (_, { workspace: { team, bot } }) => ({
    ok: true,
    url: `https://${team.domain}.slack.com/`,
    team: team.name,
    user: "splitwatch",
    team_id: team.id,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  }),
  "apps.connections.open": (_, { openSocket }) => {
    const url = openSocket();
    return url === null ? refused("internal_error") : { ok: true, url };
  },
  "chat.postMessage": postMessage,
  "chat.postEphemeral": postEphemeral,
  "chat.update": updateMessage,
  "chat.delete": (args, { workspace }) => {
    const message = findMessage(args, args.ts, workspace);
    if (!message) return refused("message_not_found");
    workspace.remove(message);
    return { ok: true, channel: message.channel, ts: message.ts };
  },
  "chat.getPermalink": (args, { workspace }) => {
    if (!workspace.channels.has(String(args.channel))) return refused("channel_not_found");
    const message = findMessage(args, args.message_ts, workspace);
    if (!message) return refused("message_not_found");
    return { ok: true, channel: message.channel, permalink: permalink(message, workspace) };
  },
  "conversations.history": (args, { workspace }) =>
    readChannel(args, workspace, (channel) => readHistory(args, channel, workspace)),
  "conversations.replies": (args, { workspace }) =>
    readChannel(args, workspace, (channel) => readReplies(args, channel, workspace)),
  "conversations.info": (args, { workspace }) => {
    const channel = workspace.channels.get(String(args.channel));
    if (!channel || (channel.kind === "private" && !channel.botIsMember)) return refused("channel_not_found");
    return { ok: true, channel: describeChannel(channel) };
  },
  "conversations.members": (args, { workspace, violations }) => {
    const channel = workspace.channels.get(String(args.channel));
    if (!channel || (channel.kind === "private" && !channel.botIsMember)) return refused("channel_not_found");
    const limit = Number(args.limit ?? 100);
    if (limit > 1_000) violations.push(`conversations.members: limit ${limit}, at most 1000`);
    const start = Number(args.cursor === undefined || args.cursor === "" ? 0 : args.cursor);
    const members = [...channel.members];
    const next = start + limit < members.length ? String(start + limit) : "";
    return { ok: true, members: members.slice(start, start + limit), response_metadata: { next_cursor: next } };
  },
  "conversations.join": (args, { workspace }) => {
    const channel = workspace.channels.get(String(args.channel));
    if (!channel || channel.kind === "private") return refused("channel_not_found");
    if (channel.kind === "direct") return refused("method_not_supported_for_channel_type");
    if (channel.archived) return refused("is_archived");
    const warning = channel.botIsMember ? { warning: "already_in_channel" } : {};
    channel.botIsMember = true;
    return { ok: true, channel: describeChannel(channel), ...warning };
  },
  "conversations.open": (args, { workspace }) => {
    const person = workspace.people.get(String(args.users));
    if (!person) return refused("user_not_found");
    if (person.deleted) return refused("user_disabled");
    return { ok: true, channel: { id: workspace.directChannel(person.id).id } };
  },
  "files.getUploadURLExternal": (args, { uploads }) => uploads.begin(args),
  "files.completeUploadExternal": (args, { uploads, workspace }) => uploads.complete(args, workspace),
  "views.open": (args, { views }) => views.open(args),
  "views.publish": (args, { views }) => views.publish(args),
  "users.info": (args, { workspace }) => {
    const person = workspace.people.get(String(args.user));
    if (!person) return refused("user_not_found");
    const { id, name, admin, deleted, homeTeam = workspace.team.id, organizationTeams: teams } = person;
    const user = { id, team_id: homeTeam, name, real_name: name, deleted, is_bot: false, tz: "Europe/Berlin" };
    const organization = teams === undefined ? {} : { enterprise_user: { id: user.id, enterprise_id: "E1", teams } };
    return { ok: true, user: { ...user, ...organization, is_admin: admin, is_owner: false, is_primary_owner: false } };
  },
  "usergroups.list": (_, { workspace: { groups, team } }) => ({
    ok: true,
    usergroups: groups.map((group) => ({ ...group, team_id: team.id, is_usergroup: true, date_delete: 0 })),
  }),
};

function postMessage(args: Json, { workspace, violations }: ApiParts): Json {
  violations.push(...checkMessage(args).map((problem) => `chat.postMessage ${problem}`));
  const channel = workspace.findChannel(String(args.channel));
  const refusal = postingRefusal(args, channel, workspace);
  if (!channel || refusal !== null) return refused(refusal ?? "channel_not_found");
  const threadTs = threadOf(args);
  if (threadTs !== null && !workspace.messages.some(({ ts, channel: at }) => ts === threadTs && at === channel.id))
    return refused("thread_not_found");
  const message = workspace.post({
    ...partsOf(args),
    channel: channel.id,
    threadTs,
    broadcast: threadTs !== null && isTrue(args.reply_broadcast),
    onlyFor: null,
  });
  return { ok: true, channel: channel.id, ts: message.ts, message: describeMessage(message, workspace, true) };
}

/** Replaces the content of one of the bot's messages. People are not notified. */
function updateMessage(args: Json, { workspace, violations }: ApiParts): Json {
  violations.push(...checkMessage(args).map((problem) => `chat.update ${problem}`));
  if (args.parse !== "none") violations.push("chat.update parse: not none, so names and links in text are read");
  const message = findMessage(args, args.ts, workspace);
  if (!message)
    return refused(workspace.channels.has(String(args.channel)) ? "message_not_found" : "channel_not_found");
  if (workspace.channels.get(message.channel)?.archived) return refused("is_inactive");
  const { text, blocks, attachments, original = { text, blocks, attachments, metadata: message.metadata } } = message;
  const { metadata, ...parts } = partsOf(args);
  workspace.replace(message, { ...parts, metadata: metadata ?? message.metadata, original });
  return { ok: true, channel: message.channel, ts: message.ts, text: message.text };
}

function postEphemeral(args: Json, { workspace, violations }: ApiParts): Json {
  violations.push(...checkMessage(args).map((problem) => `chat.postEphemeral ${problem}`));
  const channel = workspace.findChannel(String(args.channel));
  const refusal = postingRefusal(args, channel, workspace);
  if (!channel || refusal !== null) return refused(refusal ?? "channel_not_found");
  const person = String(args.user);
  if (!channel.members.has(person)) return refused("user_not_in_channel");
  const threadTs = threadOf(args);
  const { ts } = workspace.post({
    ...partsOf(args),
    channel: channel.id,
    threadTs,
    broadcast: false,
    onlyFor: person,
  });
  return { ok: true, message_ts: ts };
}

function postingRefusal(args: Json, channel: SlackChannel | undefined, workspace: Workspace): string | null {
  if (!channel) return "channel_not_found";
  if (channel.archived) return "is_archived";
  if (!channel.botIsMember) return channel.kind === "private" ? "channel_not_found" : "not_in_channel";
  if (workspace.people.get(String(args.channel))?.deleted) return "user_disabled";
  const parts = partsOf(args);
  if (parts.text === "" && parts.blocks.length === 0 && parts.attachments.length === 0) return "no_text";
  // Slack also posts text that is not escaped; only the test reports it.
  const serious = checkMessage(args).filter((problem) => /^(?:blocks|attachments)/.test(problem));
  return serious.some((problem) => !problem.includes("unescaped")) ? "invalid_blocks" : null;
}

function readChannel(args: Json, workspace: Workspace, read: (channel: SlackChannel) => Json): Json {
  const channel = workspace.channels.get(String(args.channel));
  if (!channel) return refused("channel_not_found");
  if (channel.botIsMember) return read(channel);
  return refused(channel.kind === "private" ? "channel_not_found" : "not_in_channel");
}

function findMessage(args: Json, ts: unknown, workspace: Workspace): SlackMessage | undefined {
  return workspace.messages.find((message) => message.channel === args.channel && message.ts === ts);
}

function permalink({ channel, ts, threadTs }: SlackMessage, { team }: Workspace): string {
  const thread = threadTs === null ? "" : `?thread_ts=${threadTs}&cid=${channel}`;
  return `https://${team.domain}.slack.com/archives/${channel}/p${ts.replace(".", "")}${thread}`;
}
