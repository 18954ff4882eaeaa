import { ChannelType } from "discord.js";
import type { Json, Message } from "./model.ts";
import type { Account, Channel, Guild, Role, World } from "./world.ts";

/** Objects of the world as the API and the gateway represent them. */

export function userPayload({ id, name, bot }: Account): Json {
  return { id, username: name, global_name: name, discriminator: "0", avatar: null, bot, public_flags: 0, flags: 0 };
}

export function rolePayload({ id, name, permissions, mentionable }: Role, position: number): Json {
  const looks = { color: 0, colors: { primary_color: 0, secondary_color: null, tertiary_color: null }, hoist: false };
  return { id, name, permissions: permissions.toString(), mentionable, position, managed: false, flags: 0, ...looks };
}

export function memberPayload(guild: Guild, account: Account): Json {
  return {
    user: userPayload(account),
    roles: [...(guild.members.get(account.id) ?? [])],
    nick: null,
    avatar: null,
    joined_at: "2026-01-05T12:00:00.000000+00:00",
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
  };
}

export function channelPayload(channel: Channel): Json {
  const { id, name, type, guild, parent, recipient } = channel;
  if (recipient) return { id, type, last_message_id: null, flags: 0, recipients: [userPayload(recipient)] };
  const denied = [...channel.denied].map(([target, deny]) => ({
    id: target,
    type: guild?.roles.has(target) ? 0 : 1,
    allow: "0",
    deny: deny.toString(),
  }));
  const common = { id, name, type, guild_id: guild?.id, parent_id: parent?.id ?? null, flags: 0, nsfw: false };
  const position = { position: 0, permission_overwrites: denied, topic: null, rate_limit_per_user: 0 };
  if (!parent) return { ...common, ...position, ...(type === ChannelType.GuildForum ? { available_tags: [] } : {}) };
  const thread_metadata = {
    archived: false,
    auto_archive_duration: 1_440,
    archive_timestamp: "2026-01-05T12:00:00.000000+00:00",
    locked: channel.locked,
  };
  return { ...common, owner_id: id, thread_metadata, message_count: 0, member_count: 1, total_message_sent: 0 };
}

export function guildPayload(world: World, guild: Guild): Json {
  const channels = [...world.channels.values()].filter((channel) => channel.guild === guild);
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    owner_id: "1",
    roles: [...guild.roles.values()].map(rolePayload),
    emojis: [],
    stickers: [],
    features: [],
    afk_timeout: 300,
    afk_channel_id: null,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    premium_tier: 0,
    premium_progress_bar_enabled: false,
    preferred_locale: "en-US",
    vanity_url_code: null,
    joined_at: "2026-01-05T12:00:00.000000+00:00",
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: guild.members.has(world.bot.id) ? [memberPayload(guild, world.bot)] : [],
    channels: channels.filter(({ parent }) => parent === null).map(channelPayload),
    threads: channels.filter(({ parent }) => parent !== null).map(channelPayload),
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function messagePayload(world: World, message: Message): Json {
  const { id, channelId, authorId, content, embeds, components, flags, replyTo, at } = message;
  const author = world.accounts.get(authorId) ?? world.bot;
  const reference = { type: 0, message_id: replyTo, channel_id: channelId };
  return {
    id,
    channel_id: channelId,
    author: userPayload(author),
    ...(author.bot ? { application_id: author.id } : {}),
    content,
    timestamp: new Date(at).toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: embeds.map((embed) => ({ type: "rich", ...embed })),
    components,
    pinned: false,
    type: replyTo === null ? 0 : 19,
    flags,
    ...(replyTo === null ? {} : { message_reference: reference }),
  };
}
