import { Routes } from "discord.js";
import { z } from "zod";
import { destinationKey, type Person } from "../../domain/alert/destination.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { Api } from "./api.ts";
import { toDeliveryError } from "./delivery-errors.ts";

/** Opens direct message channels. */
export interface DirectChannelOpener {
  /** Returns the ID of the stored channel, or opens one. */
  channelOf(person: Person): Promise<string>;
  /** Opens the channel even if one is stored. */
  open(person: Person): Promise<string>;
  /** Opens the channel in the background, one person at a time, and retries after temporary failures. */
  openLater(person: Person): void;
  /** Resolves when the background work is done. */
  idle(): Promise<void>;
}

export interface DirectChannelOpenerParts {
  readonly api: Api;
  readonly store: Pick<Store, "directChannels" | "watchlists">;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const MIN_RETRY_MS = 1_000;

const channelSchema = z.object({ id: z.string() });

export function createDirectChannelOpener({
  api,
  store,
  clock,
  log,
  signal,
}: DirectChannelOpenerParts): DirectChannelOpener {
  const pendingChannels = new Map<string, Promise<string>>();
  const background = createMutex();

  async function request(person: Person): Promise<string> {
    const body = { recipient_id: person.id };
    const { id } = channelSchema.parse(await api.call("post", Routes.userChannels(), { body }));
    await store.directChannels.put({ person, channelId: id });
    return id;
  }

  function open(person: Person): Promise<string> {
    const pending = pendingChannels.get(person.id);
    if (pending) return pending;
    const channelId = request(person).finally(() => pendingChannels.delete(person.id));
    pendingChannels.set(person.id, channelId);
    return channelId;
  }

  async function channelOf(person: Person): Promise<string> {
    return (await store.directChannels.find(destinationKey(person)))?.channelId ?? open(person);
  }

  /**
   * Returns the delay before the next attempt; null after success, after a permanent failure, or if the watchlist is empty. After a
   * permanent failure, the first alert makes another attempt.
   */
  async function tryToOpen(person: Person): Promise<number | null> {
    try {
      // The person may have emptied the watchlist since `openLater` was called.
      if ((await store.watchlists.of(person)).length > 0) await channelOf(person);
      return null;
    } catch (error) {
      const { failure, retryAfterMs, message } = toDeliveryError(error, person);
      if (failure === "retry") return Math.max(retryAfterMs ?? 0, MIN_RETRY_MS);
      log.warn("discord direct message open failed", { reason: message });
      return null;
    }
  }

  async function openWithRetries(person: Person): Promise<void> {
    for (let retryMs: number | null = 0; retryMs !== null && !signal.aborted; ) {
      retryMs = await tryToOpen(person);
      if (retryMs !== null) await clock.sleep(retryMs, signal);
    }
  }

  return {
    open,
    channelOf,
    openLater: (person) => void background(() => openWithRetries(person)),
    idle: () => background(async () => undefined),
  };
}
