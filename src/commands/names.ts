import { type Destination, type DestinationKey, destinationKey, isPerson } from "../domain/alert/destination.ts";
import { BoundedMap } from "../lib/collections.ts";
import type { Log } from "../ports/log.ts";
import { type DestinationName, storableName } from "../ports/state-records.ts";
import type { Store } from "../ports/store.ts";
import type { Call, CallNames } from "./command.ts";

/** Destinations whose names this process doesn't read again. A name that changes later is stored after the next start. */
const MAX_SAVED = 20_000;

export interface NamesParts {
  readonly store: Pick<Store, "names" | "rules" | "watchlists">;
  readonly log: Log;
}

/** Stores the names of the people and channels that receive alerts. */
export interface NameKeeper {
  /** Stores the names of a call's person and channel after the command. Never rejects. */
  keep(call: Call, command: string | undefined): Promise<void>;
}

export function createNameKeeper({ store, log }: NamesParts): NameKeeper {
  const saved = new BoundedMap<DestinationKey, true>(MAX_SAVED);

  async function receivesAlerts(to: Destination): Promise<boolean> {
    if ((await store.rules.at(to)).length > 0) return true;
    return isPerson(to) && (await store.watchlists.of(to)).length > 0;
  }

  async function save(to: Destination, read: () => Promise<CallNames>): Promise<void> {
    const key = destinationKey(to);
    if (saved.has(key) || !(await receivesAlerts(to))) return;
    const names = await read();
    const name = storableName((isPerson(to) ? names.person : names.channel) ?? "");
    if (name !== "") await store.names.put({ to, name, place: storableName(names.place ?? "") || null });
    saved.set(key, true);
  }

  return {
    async keep({ person, destination, readNames: read }, command) {
      // It has deleted the name.
      if (command === "forget") saved.delete(destinationKey(person));
      if (!read) return;
      try {
        await save(person, read);
        if (!isPerson(destination)) await save(destination, read);
      } catch (error) {
        log.debug("names not saved", { error });
      }
    },
  };
}

/** Reads the names of destinations, once for each. Returns null for one without a name. */
export async function readNames(
  { names }: Pick<Store, "names">,
  destinations: readonly Destination[],
): Promise<(to: Destination) => DestinationName | null> {
  const keys = [...new Set(destinations.map(destinationKey))];
  const found = new Map(await Promise.all(keys.map(async (key) => [key, await names.find(key)] as const)));
  return (to) => found.get(destinationKey(to)) ?? null;
}
