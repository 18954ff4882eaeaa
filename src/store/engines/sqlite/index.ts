import type { StateKind, StateRecord } from "../../../ports/state-records.ts";
import type { StoreDefinition } from "../../store-definition.ts";

/** Store in a database file under DATA_DIR, for a single process. */
export const sqlite: StoreDefinition = {
  name: "sqlite",
  variables: [],
  select: ({ dataDir: dir }) => ({
    location: dir,
    isShared: false,
    open: async (options) => (await import("./open.ts")).openSqliteStore({ dir, ...options }),
    readState: (kinds) => readState(dir, kinds),
    restore: async (records, options) => (await import("./state.ts")).restoreFolder(dir, records, options),
    apiKeys: async () => (await import("./api-keys.ts")).apiKeysIn(dir),
    check: async () => (await import("./check.ts")).checkFolder(dir),
  }),
};

async function* readState(dir: string, kinds?: readonly StateKind[]): AsyncGenerator<StateRecord> {
  yield* (await import("./state.ts")).readFolder(dir, kinds);
}
