import { PermissionFlagsBits as Bits, ChannelType } from "discord.js";
import { refusals } from "./api-error.ts";
import type { Message } from "./model.ts";
import { createSnowflakes } from "./snowflake.ts";

/** An account: a person, or the bot. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly bot: boolean;
  /** True if the person accepts no direct messages from bots. */
  dmsClosed: boolean;
  /** Deleted accounts are unknown. */
  deleted: boolean;
  /** True if the app is installed for the account, which makes its commands available everywhere. */
  installedApp: boolean;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  permissions: bigint;
  mentionable: boolean;
}

export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly everyone: Role;
  readonly roles: Map<string, Role>;
  /** Roles of each member, possibly including the bot, by account id. */
  readonly members: Map<string, Set<string>>;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: ChannelType;
  readonly guild: Guild | null;
  /** Parent channel of a thread. */
  readonly parent: Channel | null;
  /** Person of a direct conversation. */
  readonly recipient: Account | null;
  /** Permissions denied in this channel, by account id. */
  readonly denied: Map<string, bigint>;
  readonly messages: Message[];
  /** True for a thread in which only moderators may write. */
  locked: boolean;
}

/** Relevant default permissions of a new guild. */
const USUAL =
  Bits.ViewChannel |
  Bits.SendMessages |
  Bits.SendMessagesInThreads |
  Bits.EmbedLinks |
  Bits.ReadMessageHistory |
  Bits.UseApplicationCommands;

const EVERYTHING = (1n << 53n) - 1n;

/** Guilds, channels and people, without the API. */
export class World {
  readonly guilds = new Map<string, Guild>();
  readonly channels = new Map<string, Channel>();
  readonly accounts = new Map<string, Account>();
  readonly bot: Account;
  readonly nextId: () => string;

  constructor(now: () => number) {
    this.nextId = createSnowflakes(now);
    this.bot = this.addAccount("splitwatch", true);
  }

  addAccount(name: string, bot = false): Account {
    const account = { id: this.nextId(), name, bot, dmsClosed: false, deleted: false, installedApp: false };
    this.accounts.set(account.id, account);
    return account;
  }

  addGuild(name: string): Guild {
    const id = this.nextId();
    const everyone = { id, name: "@everyone", permissions: USUAL, mentionable: false };
    const guild = { id, name, everyone, roles: new Map([[id, everyone]]), members: new Map() };
    this.guilds.set(id, guild);
    return guild;
  }

  addRole(guild: Guild, name: string, parts: Partial<Pick<Role, "permissions" | "mentionable">> = {}): Role {
    const role = { id: this.nextId(), name, permissions: 0n, mentionable: false, ...parts };
    guild.roles.set(role.id, role);
    return role;
  }

  addChannel(parts: Partial<Omit<Channel, "id">> & Pick<Channel, "name">): Channel {
    const channel: Channel = {
      id: this.nextId(),
      type: ChannelType.GuildText,
      guild: null,
      parent: null,
      recipient: null,
      denied: new Map(),
      messages: [],
      locked: false,
      ...parts,
    };
    this.channels.set(channel.id, channel);
    return channel;
  }

  /** The direct conversation between the bot and a person. */
  directChannel(recipient: Account): Channel {
    const known = [...this.channels.values()].find((channel) => channel.recipient === recipient);
    return known ?? this.addChannel({ name: recipient.name, type: ChannelType.DM, recipient });
  }

  shareGuild(account: Account): boolean {
    return [...this.guilds.values()].some((guild) => guild.members.has(this.bot.id) && guild.members.has(account.id));
  }

  /** Permissions of the account in the guild or one of its channels; 0 if it is not a member. */
  permissionsOf(account: Account, guild: Guild, channel: Channel | null = null): bigint {
    const roles = guild.members.get(account.id);
    if (!roles) return 0n;
    let granted = guild.everyone.permissions;
    for (const id of roles) granted |= guild.roles.get(id)?.permissions ?? 0n;
    if ((granted & Bits.Administrator) !== 0n) return EVERYTHING;
    const permissionChannel = channel?.parent ?? channel;
    for (const id of [guild.id, ...roles, account.id]) granted &= ~(permissionChannel?.denied.get(id) ?? 0n);
    return granted;
  }

  /** Returns the channel if the bot may read it. */
  readable(id: string): Channel {
    const channel = this.channels.get(id);
    if (!channel) throw refusals.unknownChannel();
    if (channel.guild && !this.botMay(channel, Bits.ViewChannel)) throw refusals.missingAccess();
    return channel;
  }

  /** Returns the channel if the bot may post there, with embeds if `embeds` is set. */
  writable(id: string, embeds: boolean): Channel {
    const channel = this.readable(id);
    if (channel.recipient) return this.#writableDirectly(channel, channel.recipient);
    if (channel.type === ChannelType.GuildForum) throw refusals.notTextChannel();
    const write = channel.parent ? Bits.SendMessagesInThreads : Bits.SendMessages;
    const needed = write | (embeds ? Bits.EmbedLinks : 0n);
    if (!this.botMay(channel, needed)) throw refusals.missingPermissions();
    if (channel.locked) throw refusals.lockedThread();
    return channel;
  }

  botMay(channel: Channel, permissions: bigint): boolean {
    if (!channel.guild) return true;
    return (this.permissionsOf(this.bot, channel.guild, channel) & permissions) === permissions;
  }

  #writableDirectly(channel: Channel, person: Account): Channel {
    const reached = person.installedApp || this.shareGuild(person);
    if (person.deleted || person.dmsClosed || !reached) throw refusals.closedToUs();
    return channel;
  }
}
