import { lowdb } from "./lowdb/index.ts";
import type { StoreAccess, StoreKind, StoreSettings } from "./store-kind.ts";

/** Every kind of store, one line per folder. The first one that the settings select is used. */
export const STORES: readonly StoreKind[] = [
  lowdb, //
];

/** Returns access to the state that the settings select; nothing is opened yet. */
export function configuredStore(settings: StoreSettings, kinds: readonly StoreKind[] = STORES): StoreAccess {
  for (const kind of kinds) {
    const access = kind.select(settings);
    if (access) return access;
  }
  throw new Error("no kind of store matches the settings");
}
