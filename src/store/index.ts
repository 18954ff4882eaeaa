import type { EnvironmentReader } from "../config/environment.ts";
import { postgres } from "./engines/postgres/index.ts";
import { sqlite } from "./engines/sqlite/index.ts";
import type { StoreAccess, StoreDefinition, StoreSettings } from "./store-definition.ts";

/** The engines of the store, one line per folder. The first one that the settings select is used. */
export const STORES: readonly StoreDefinition[] = [
  postgres, //
  sqlite,
];

const NO_VARIABLES: EnvironmentReader = { variables: {}, problems: [], warnings: [], read: () => undefined };

/** Returns access to the configured store without opening it. */
export function configuredStore(
  { dataDir, env = NO_VARIABLES }: StoreSettings,
  stores: readonly StoreDefinition[] = STORES,
): StoreAccess {
  for (const store of stores) {
    const access = store.select({ dataDir, env });
    if (access) return access;
  }
  throw new Error("no store matches the settings");
}
