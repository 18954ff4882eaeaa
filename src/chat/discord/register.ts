import { DiscordAPIError, type RouteLike, Routes } from "discord.js";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Api } from "./api.ts";
import type { commandPayloads } from "./commands.ts";

const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 10 * 60_000;

export interface Registration {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly applicationId: string;
  readonly commands: ReturnType<typeof commandPayloads>;
  readonly signal: AbortSignal;
}

/** Makes Discord offer these commands everywhere. What it offers already is left alone: it limits how often that may change. */
export async function registerCommands({ api, clock, log, ...registration }: Registration): Promise<void> {
  const { applicationId, commands, signal } = registration;
  const route = Routes.applicationCommands(applicationId);
  for (let pause = FIRST_RETRY_MS; !signal.aborted && !api.refused; pause = Math.min(pause * 2, LAST_RETRY_MS)) {
    try {
      if (isSame(await readRegistered(api, route), commands)) return;
      await api.call("put", route, { body: commands });
      log.info("discord commands registered", { commands: commands.length });
      return;
    } catch (error) {
      log.warn("discord command registration failed", { error, againInMs: pause });
      await clock.sleep(pause, signal);
    }
  }
}

/** Null where something between us and Discord does not know how to ask. */
async function readRegistered(api: Api, route: RouteLike): Promise<unknown> {
  try {
    return await api.call("get", route);
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 404) return null;
    throw error;
  }
}

/** Discord leaves out what is usual, adds ids and versions, and keeps lists in an order of its own. */
export function isSame(there: unknown, wanted: unknown): boolean {
  return JSON.stringify(essence(there)) === JSON.stringify(essence(wanted));
}

/** What we say of a command; each key is compared, whether it was said or left to what is usual. */
const USUAL = {
  type: 1,
  name: "",
  description: "",
  required: false,
  autocomplete: false,
  nsfw: false,
  default_member_permissions: null,
  min_value: null,
  max_value: null,
  value: null,
} as const;

function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (!isObject(value)) return value;
  const { contexts, integration_types: types, options, choices } = value;
  const plain = Object.entries(USUAL).map(([key, usual]) => [key, value[key] ?? usual] as const);
  return {
    ...Object.fromEntries(plain),
    contexts: sorted(contexts),
    types: sorted(types),
    options: essence(options ?? []),
    choices: essence(choices ?? []),
  };
}

function sorted(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.map(String).toSorted() : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
