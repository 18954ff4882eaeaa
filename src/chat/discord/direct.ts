import { Routes } from "discord.js";
import { z } from "zod";
import type { Person } from "../../domain/alert/destination.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { Api } from "./api.ts";
import { toDeliveryError } from "./delivery-errors.ts";

/** The channels in which people are written to. */
export interface Direct {
  /** Known already, or opened now. */
  channelOf(person: Person): Promise<string>;
  /** Asks Discord for it, whether it is known or not. */
  open(person: Person): Promise<string>;
  /** Sees to it that it is known one day, when Discord allows it, one person after the other. */
  prepare(person: Person): void;
  idle(): Promise<void>;
}

export interface DirectParts {
  readonly api: Api;
  readonly store: Pick<Store, "directChannels" | "watchlists">;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const LEAST_WAIT_MS = 1_000;

const openedSchema = z.object({ id: z.string() });

export function createDirect(parts: DirectParts): Direct {
  const { api, store, clock, log, signal } = parts;
  const underWay = new Map<string, Promise<string>>();
  let line: Promise<void> = Promise.resolve();

  async function ask(person: Person): Promise<string> {
    const body = { recipient_id: person.id };
    const { id } = openedSchema.parse(await api.call("post", Routes.userChannels(), { body }));
    await store.directChannels.save(person, id);
    return id;
  }

  function open(person: Person): Promise<string> {
    const known = underWay.get(person.id);
    if (known) return known;
    const opening = ask(person).finally(() => underWay.delete(person.id));
    underWay.set(person.id, opening);
    return opening;
  }

  async function channelOf(person: Person): Promise<string> {
    return (await store.directChannels.of(person)) ?? open(person);
  }

  /** How long to wait before it is tried again; null: it is known, or is opened when the first alert goes there. */
  async function tryToOpen(person: Person): Promise<number | null> {
    try {
      // Whoever watches nothing any more, perhaps because they wanted to be forgotten, is left alone.
      if ((await store.watchlists.of(person)).length > 0) await channelOf(person);
      return null;
    } catch (error) {
      const { failure, retryAfterMs, message } = toDeliveryError(error, person);
      if (failure === "retry") return Math.max(retryAfterMs ?? 0, LEAST_WAIT_MS);
      log.warn("discord conversation open failed", { reason: message });
      return null;
    }
  }

  async function openPatiently(person: Person): Promise<void> {
    let wait = signal.aborted ? null : await tryToOpen(person);
    while (wait !== null) {
      await clock.sleep(wait, signal);
      wait = signal.aborted ? null : await tryToOpen(person);
    }
  }

  return {
    open,
    channelOf,
    prepare: (person) => {
      line = line.then(() => openPatiently(person));
    },
    idle: () => line,
  };
}
