import type { Destination } from "../../domain/alert/destination.ts";
import { createMutex } from "../../lib/mutex.ts";
import { untilSaved } from "../../lib/until-saved.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { readPauseReasons } from "../pause-reasons.ts";
import { channelPrefix, guildOf, PLATFORM } from "./destinations.ts";

/**
 * Pause reason of channels in a server that the bot has left. The store contains this text: if it changed, channels that are paused
 * with the old text would stay paused.
 */
export const LEFT_REASON = "splitwatch was removed from this server; alerts go on when it is invited again";

export interface GuildMembershipParts {
  readonly store: Pick<Store, "rules" | "pauses">;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes the deliverer recheck its queue. */
  readonly wake: () => void;
  readonly signal: AbortSignal;
  /** Ends the retries of changes that the store couldn't save. */
  readonly endRetries: AbortSignal;
}

/** Delay after a permission update. Updates come in bursts, for example one per moved role; a burst causes only one retry. */
const PERMISSION_SETTLE_MS = 2_000;

/** Pauses deliveries to a server's channels while the bot is not a member of the server. */
export interface GuildMembership {
  /** Applies the current server memberships of one shard, which may have changed while the bot was offline. */
  sync(guildIds: readonly string[], shard: readonly [number, number]): void;
  left(guildId: string): void;
  joined(guildId: string): void;
  /** Retries the server's paused channels. */
  permissionsChanged(guildId: string): void;
  /** Resolves when all changes are applied. */
  idle(): Promise<void>;
}

export function createGuildMembership(parts: GuildMembershipParts): GuildMembership {
  const { store, clock, log, wake, signal, endRetries } = parts;
  const exclusively = createMutex();

  /**
   * Runs changes one at a time, so that leaving and rejoining end in the right state. While the store fails, a change is repeated: Discord
   * reports it once, and a channel whose change isn't saved would stay paused for up to a day.
   */
  function change(guildId: string | null, work: (channels: SubscribedChannels) => Promise<void>): void {
    exclusively(() =>
      untilSaved(async () => work(await subscribedChannels(store, guildId)), {
        clock,
        log,
        signal: endRetries,
        delayed: "discord membership change delayed",
      }),
    ).catch((error: unknown) => log.error("discord membership change failed", { error }));
  }

  async function pause({ channels, reasonOf }: SubscribedChannels): Promise<void> {
    for (const channel of channels)
      if (reasonOf(channel) !== LEFT_REASON) await store.pauses.pause(channel, LEFT_REASON, clock.now(), "gone");
  }

  async function resume(channels: readonly Destination[]): Promise<void> {
    for (const channel of channels) await store.pauses.resume(channel);
    wake();
  }

  async function retry(channels: readonly Destination[]): Promise<void> {
    for (const channel of channels) await store.pauses.retry(channel, clock.now());
    wake();
  }

  const changedGuilds = new Set<string>();

  async function retryAfterBurst(guildId: string): Promise<void> {
    if (changedGuilds.has(guildId)) return;
    changedGuilds.add(guildId);
    await clock.sleep(PERMISSION_SETTLE_MS, signal);
    changedGuilds.delete(guildId);
    if (!signal.aborted) change(guildId, ({ channels }) => retry(channels));
  }

  return {
    sync: (guildIds, shard) =>
      change(null, async ({ channels, reasonOf }) => {
        const joinedGuilds = new Set(guildIds);
        const channelsOfShard = channels.filter((channel) => isOnShard(guildOf(channel), shard));
        const isMember = (channel: Destination): boolean => joinedGuilds.has(guildOf(channel) ?? "");
        await pause({ channels: channelsOfShard.filter((channel) => !isMember(channel)), reasonOf });
        const joined = channelsOfShard.filter(isMember);
        await resume(joined.filter((channel) => reasonOf(channel) === LEFT_REASON));
        // Permissions may have changed while the bot was offline.
        await retry(joined.filter((channel) => ![null, LEFT_REASON].includes(reasonOf(channel))));
      }),
    left: (guildId) => change(guildId, pause),
    // Ends every pause, whatever its reason: the new invitation may have fixed another cause too. Also resumes channels that aren't
    // paused: if a request from before the bot's return is still refused, the channel is then due again immediately.
    joined: (guildId) => change(guildId, ({ channels }) => resume(channels)),
    permissionsChanged: (guildId) => void retryAfterBurst(guildId),
    idle: () => exclusively(async () => undefined),
  };
}

/** Channels with rules in one server or all, each with the reason of its pause; null if it isn't paused. */
interface SubscribedChannels {
  readonly channels: readonly Destination[];
  readonly reasonOf: (channel: Destination) => string | null;
}

/** `guildId`: null for all servers. */
async function subscribedChannels(
  store: GuildMembershipParts["store"],
  guildId: string | null,
): Promise<SubscribedChannels> {
  const prefix = guildId === null ? "" : channelPrefix(guildId);
  const destinations = await store.rules.destinations(PLATFORM, prefix);
  return {
    channels: destinations.filter((channel) => guildOf(channel) !== null),
    reasonOf: await readPauseReasons(store, PLATFORM, prefix),
  };
}

/** Whether a shard receives a server's events: https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
function isOnShard(guildId: string | null, [shard, count]: readonly [number, number]): boolean {
  if (guildId === null || !/^\d+$/.test(guildId)) return false;
  return (BigInt(guildId) >> 22n) % BigInt(count) === BigInt(shard);
}
