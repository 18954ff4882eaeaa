import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { packagePath } from "../../../../src/lib/package.ts";
import type { SlackTeam } from "./team.ts";
import type { Json, SlackChannel, Workspace } from "./workspace.ts";

let eventCount = 0;

/** Payload of an event that the app subscribes to. */
export function eventCallback(event: Json, { team, bot }: Workspace, at: number): Json {
  eventCount += 1;
  return {
    token: "no-longer-used",
    team_id: team.id,
    api_app_id: bot.appId,
    event,
    type: "event_callback",
    event_id: `Ev${eventCount}`,
    event_time: Math.floor(at / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: bot.userId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
  };
}

const manifest = parse(readFileSync(packagePath("config/slack-manifest.yaml"), "utf8"));

/** Events of the manifest. */
const SUBSCRIBED: ReadonlySet<string> = new Set(manifest.settings.event_subscriptions.bot_events);

/** Scopes of events by the kind of their channel. Other events need none. */
const EVENT_SCOPES: Readonly<Record<string, Partial<Record<SlackChannel["kind"], string>>>> = {
  app_mention: { public: "app_mentions:read", private: "app_mentions:read", direct: "app_mentions:read" },
  message: { public: "channels:history", private: "groups:history", direct: "im:history" },
  member_joined_channel: { public: "channels:read", private: "groups:read" },
  channel_unarchive: { public: "channels:read" },
  group_unarchive: { private: "groups:read" },
};

/** Whether Slack sends the event: the manifest subscribes to it, and its scope is granted. */
export function isSent(event: Json, { workspace, scopes }: Pick<SlackTeam, "workspace" | "scopes">): boolean {
  const type = String(event.type);
  const kind = workspace.channels.get(String(event.channel))?.kind ?? "direct";
  const subscription =
    type === "message" ? { public: "message.channels", private: "message.groups", direct: "message.im" }[kind] : type;
  const needed = EVENT_SCOPES[type];
  const scope = needed?.[kind];
  return SUBSCRIBED.has(subscription) && (needed === undefined || (scope !== undefined && scopes.has(scope)));
}

/** Somebody invites the app to a channel. Returns the event. */
export function inviteApp({ team, bot, people }: Workspace, channel: SlackChannel): Json {
  channel.botIsMember = true;
  return {
    type: "member_joined_channel",
    user: bot.userId,
    channel: channel.id,
    channel_type: channel.kind === "private" ? "G" : "C",
    team: team.id,
    inviter: [...people.keys()][0],
  };
}

/** Somebody unarchives a channel. Returns the event. */
export function unarchive(channel: SlackChannel): Json {
  channel.archived = false;
  return channel.kind === "private"
    ? { type: "group_unarchive", channel: channel.id, actor_id: "U0001Q" }
    : { type: "channel_unarchive", channel: channel.id, user: "U0001Q" };
}
