import { OAuth2Scopes, OverwriteType, PermissionFlagsBits, Routes } from "discord.js";
import { z } from "zod";
import { storableName } from "../../ports/state-records.ts";
import type { Api } from "./api.ts";

/** Permissions that alerts need, with their names in Discord's settings. */
const REQUIRED_PERMISSIONS: readonly (readonly [name: string, flag: bigint])[] = [
  ["View Channel", PermissionFlagsBits.ViewChannel],
  ["Send Messages", PermissionFlagsBits.SendMessages],
  ["Send Messages in Threads", PermissionFlagsBits.SendMessagesInThreads],
  ["Embed Links", PermissionFlagsBits.EmbedLinks],
  ["Read Message History", PermissionFlagsBits.ReadMessageHistory],
];

/** Bit field of the permissions in an invite link. */
export function requiredPermissions(): bigint {
  let all = 0n;
  for (const [, flag] of REQUIRED_PERMISSIONS) all |= flag;
  return all;
}

/** Address that adds the bot to a server with exactly the required permissions. */
export function inviteLink(applicationId: string): string {
  const scope = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" ");
  const permissions = String(requiredPermissions());
  const query = new URLSearchParams({ client_id: applicationId, scope, permissions });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
}

/** Returns the names of missing permissions. In a thread, Send Messages in Threads replaces Send Messages. */
export function missingPermissions(granted: bigint, isThread: boolean): readonly string[] {
  const irrelevant = isThread ? PermissionFlagsBits.SendMessages : PermissionFlagsBits.SendMessagesInThreads;
  return REQUIRED_PERMISSIONS.filter(([, flag]) => flag !== irrelevant && (granted & flag) === 0n).map(
    ([name]) => name,
  );
}

const ROLE_OVERWRITE: number = OverwriteType.Role;
const MEMBER_OVERWRITE: number = OverwriteType.Member;

const bits = z.string().transform((text) => BigInt(text));
const roleSchema = z.object({ id: z.string(), permissions: bits });
const overwriteSchema = z.object({ id: z.string(), type: z.number(), allow: bits, deny: bits });

const guildSchema = z.object({ id: z.string(), owner_id: z.string(), roles: z.array(roleSchema) });
const memberSchema = z.object({ user: z.object({ id: z.string() }), roles: z.array(z.string()) });
const channelSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  thread_metadata: z.object({}).optional(),
  permission_overwrites: z.array(overwriteSchema).default([]),
});

export type Guild = z.infer<typeof guildSchema>;
export type Member = z.infer<typeof memberSchema>;
type Channel = z.infer<typeof channelSchema>;

/** A channel and the bot's permissions in it. */
export interface ChannelAccess {
  readonly channel: string;
  readonly isThread: boolean;
  readonly permissions: bigint;
}

export interface AccessReader {
  /** Reads the bot's permissions in a channel. Rejects with Discord's error if the bot cannot see the channel. */
  read(of: { readonly guildId: string; readonly channelId: string; readonly botId: string }): Promise<ChannelAccess>;
}

/** The server and the bot's membership are read once for channels that are read at the same time. */
export function createAccessReader(api: Api): AccessReader {
  const reading = new Map<string, Promise<readonly [Guild, Member]>>();

  async function readMembership(guildId: string, botId: string): Promise<readonly [Guild, Member]> {
    const guild = guildSchema.parse(await api.call("get", Routes.guild(guildId)));
    return [guild, memberSchema.parse(await api.call("get", Routes.guildMember(guildId, botId)))];
  }

  function membershipOf(guildId: string, botId: string): Promise<readonly [Guild, Member]> {
    const current = reading.get(guildId) ?? readMembership(guildId, botId).finally(() => reading.delete(guildId));
    reading.set(guildId, current);
    return current;
  }

  return {
    async read({ guildId, channelId, botId }) {
      const [guild, member] = await membershipOf(guildId, botId);
      const channel = await readChannel(api, channelId);
      const isThread = channel.thread_metadata !== undefined;
      // Threads inherit the permissions of their parent channel.
      const permissionChannel = isThread && channel.parent_id ? await readChannel(api, channel.parent_id) : channel;
      const permissions = permissionsIn(guild, member, permissionChannel);
      return { channel: storableName(channel.name ?? channelId), isThread, permissions };
    },
  };
}

async function readChannel(api: Api, channelId: string): Promise<Channel> {
  return channelSchema.parse(await api.call("get", Routes.channel(channelId)));
}

/** Computes a member's permissions in a channel: https://docs.discord.com/developers/topics/permissions#permission-overwrites */
export function permissionsIn(
  guild: Guild,
  member: Member,
  { permission_overwrites: overwrites }: Pick<Channel, "permission_overwrites">,
): bigint {
  // The role @everyone has the ID of the server.
  const everyoneId = guild.id;
  const roleIds = new Set([everyoneId, ...member.roles]);
  let granted = 0n;
  for (const { id, permissions } of guild.roles) if (roleIds.has(id)) granted |= permissions;
  if (guild.owner_id === member.user.id || (granted & PermissionFlagsBits.Administrator) !== 0n) return ~0n;
  const layers = [
    overwrites.filter(({ id }) => id === everyoneId),
    overwrites.filter(({ id, type }) => id !== everyoneId && type === ROLE_OVERWRITE && roleIds.has(id)),
    overwrites.filter(({ id, type }) => type === MEMBER_OVERWRITE && id === member.user.id),
  ];
  for (const layer of layers) {
    for (const { deny } of layer) granted &= ~deny;
    for (const { allow } of layer) granted |= allow;
  }
  return granted;
}
