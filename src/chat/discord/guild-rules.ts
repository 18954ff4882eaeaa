import type { Destination } from "../../domain/alert/destination.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { guildOf } from "./destinations.ts";

/** Shown where the bot was removed from a server. */
export const LEFT_REASON = "splitwatch was removed from this server; alerts go on when it is invited again";

export interface GuildRulesParts {
  readonly store: Pick<Store, "rules" | "outbox">;
  readonly clock: Clock;
  readonly log: Log;
  /** What was held back may go out. */
  wake(): void;
}

/** Pauses what the channels of a server asked for while the bot is not in it. */
export interface GuildRules {
  /** The servers of one shard, as they are now: it may have been removed or invited while nobody listened. */
  sync(guildIds: readonly string[], shard: readonly [number, number]): void;
  left(guildId: string): void;
  joined(guildId: string): void;
  idle(): Promise<void>;
}

export function createGuildRules(parts: GuildRulesParts): GuildRules {
  const { store, clock, log } = parts;
  const inTurn = createMutex();

  /** One after the other: a server that was left and joined at once is joined in the end. */
  function change(work: (channels: readonly Destination[]) => Promise<void>): void {
    inTurn(async () => work(await subscribedChannels(store))).catch((error: unknown) =>
      log.error("discord rule pause failed", { error }),
    );
  }

  async function pause(channels: readonly Destination[]): Promise<void> {
    for (const to of channels)
      if ((await store.outbox.pauseReason(to)) !== LEFT_REASON) await store.outbox.pause(to, LEFT_REASON, clock.now());
  }

  async function resume(channels: readonly Destination[], isOver: (reason: string) => boolean): Promise<void> {
    for (const to of channels) {
      const reason = await store.outbox.pauseReason(to);
      if (reason !== null && isOver(reason)) await store.outbox.resume(to);
    }
    parts.wake();
  }

  return {
    sync: (guildIds, shard) =>
      change(async (channels) => {
        const there = new Set(guildIds);
        const ours = channels.filter((to) => isOnShard(guildOf(to), shard));
        await pause(ours.filter((to) => !there.has(guildOf(to) ?? "")));
        await resume(
          ours.filter((to) => there.has(guildOf(to) ?? "")),
          (reason) => reason === LEFT_REASON,
        );
      }),
    left: (guildId) => change((channels) => pause(channels.filter((to) => guildOf(to) === guildId))),
    // Whatever stood in the way before may have been put right with the invitation.
    joined: (guildId) =>
      change((channels) =>
        resume(
          channels.filter((to) => guildOf(to) === guildId),
          () => true,
        ),
      ),
    idle: () => inTurn(async () => undefined),
  };
}

async function subscribedChannels(store: Pick<Store, "rules">): Promise<readonly Destination[]> {
  const channels = (await store.rules.all()).map(({ destination }) => destination).filter((to) => guildOf(to) !== null);
  return [...new Map(channels.map((to) => [to.id, to])).values()];
}

/** https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
function isOnShard(guildId: string | null, [shard, count]: readonly [number, number]): boolean {
  if (guildId === null || !/^\d+$/.test(guildId)) return false;
  return (BigInt(guildId) >> 22n) % BigInt(count) === BigInt(shard);
}
