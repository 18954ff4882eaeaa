import { PermissionFlagsBits } from "discord.js";
import type { Upstream } from "../../support/upstream.ts";
import { type AppOnDiscord, type DiscordStage, stage } from "./discord-app.ts";
import { NO_LIMITS } from "./rate-limits.ts";
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

/** The running app with traders, without rate limits. */
export interface TradersApp extends DiscordStage, Traders {
  readonly app: AppOnDiscord;
}

/** Starts the app with the traders. `listed` replaces the single split of the data service. */
export async function startTraders(listed: Partial<Pick<Upstream, "splits" | "articles">> = {}): Promise<TradersApp> {
  const started = await stage({ limits: NO_LIMITS });
  const people = traders(started.discord);
  Object.assign(started.upstream, listed);
  return { ...started, ...people, app: await started.start() };
}
