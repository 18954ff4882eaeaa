import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
} from "discord.js";
import type { Call, Mention } from "../../commands/command.ts";
import { channelOf, personOf } from "./destinations.ts";

/** What people do that we answer. */
export type UserInteraction =
  | APIChatInputApplicationCommandInteraction
  | APIApplicationCommandAutocompleteInteraction
  | APIMessageComponentInteraction;

const NOT_ADDED =
  "splitwatch answers you here because you added it to your account, but it is not in this server: it could post no alerts. Ask somebody who may manage the server to add it.";
const NOT_OURS = "splitwatch is not part of this conversation: it could post no alerts here.";
const NOT_MANAGER = "Changing what a channel hears needs the permission Manage Server.";
const NOT_A_ROLE = "Pick a role: nobody else can be called.";
const NOT_EVERYONE = "A rule cannot call everyone.";
const NOT_MENTIONABLE =
  "You may not mention this role: it must be one that anybody may mention, or you need the permission Mention Everyone.";

/** Who asks, where, and what they may do there at this moment. */
export function callOf(asked: UserInteraction): Call {
  const person = personOf(userIdOf(asked));
  const mention = { resolveMention: async (text: string) => resolveMention(text, asked) };
  if (isOwnConversation(asked)) return { person, destination: person, mayManage: true, ...mention };
  const place = channelOf(asked.guild_id ?? null, asked.channel?.id ?? "");
  return { person, destination: place, mayManage: mayManage(asked), ...mention };
}

export function userIdOf({ member, user }: UserInteraction): string {
  return (member?.user ?? user)?.id ?? "";
}

/** A direct conversation with the bot itself. */
export function isOwnConversation({ guild_id, context }: UserInteraction): boolean {
  return guild_id === undefined && context !== InteractionContextType.PrivateChannel;
}

function mayManage({ guild_id, member, authorizing_integration_owners: owners }: UserInteraction): true | string {
  if (guild_id === undefined) return NOT_OURS;
  const { GuildInstall, UserInstall } = ApplicationIntegrationType;
  if (owners[GuildInstall] === undefined && owners[UserInstall] !== undefined) return NOT_ADDED;
  return has(member?.permissions, PermissionFlagsBits.ManageGuild) || NOT_MANAGER;
}

function resolveMention(text: string, asked: UserInteraction): Mention {
  const [, id] = /^<@&(\d{1,20})>$/.exec(text.trim()) ?? [];
  if (id === undefined) return { kind: "refused", reason: NOT_A_ROLE };
  // The role that all have goes by the server's own id.
  if (id === asked.guild_id) return { kind: "refused", reason: NOT_EVERYONE };
  const role = "resolved" in asked.data ? rolesIn(asked.data.resolved)[id] : undefined;
  if (!role) return { kind: "refused", reason: NOT_A_ROLE };
  const may = role.mentionable || has(asked.member?.permissions, PermissionFlagsBits.MentionEveryone);
  return may ? { kind: "allowed", mention: `<@&${id}>` } : { kind: "refused", reason: NOT_MENTIONABLE };
}

function rolesIn(
  resolved: object | undefined,
): Readonly<Record<string, { readonly mentionable: boolean } | undefined>> {
  const roles: unknown = resolved !== undefined && "roles" in resolved ? resolved.roles : {};
  return (roles ?? {}) as Readonly<Record<string, { readonly mentionable: boolean }>>;
}

function has(permissions: string | undefined, flag: bigint): boolean {
  const held = BigInt(permissions ?? "0");
  return (held & (flag | PermissionFlagsBits.Administrator)) !== 0n;
}
