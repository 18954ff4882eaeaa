import { PermissionFlagsBits } from "discord.js";
import type { FakeDiscord } from "./server.ts";
import type { DiscordUser } from "./user.ts";
import type { Channel, Guild } from "./world.ts";

/** A server with a channel for alerts. Ada may manage it, Bird may not. */
export interface Traders {
  readonly guild: Guild;
  readonly alerts: Channel;
  readonly ada: DiscordUser;
  readonly bird: DiscordUser;
}

export function traders(discord: FakeDiscord, name = "Traders"): Traders {
  const guild = discord.addGuild(name);
  const alerts = discord.addChannel(guild, "alerts");
  const [ada, bird] = [discord.addUser("ada", guild), discord.addUser("bird", guild)];
  const managers = discord.world.addRole(guild, "managers", { permissions: PermissionFlagsBits.ManageGuild });
  guild.members.set(ada.id, new Set([managers.id]));
  return { guild, alerts, ada, bird };
}
