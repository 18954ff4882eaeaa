import type { ApiKeys } from "../../../ports/api-keys.ts";
import type { StateChunk } from "../../state-chunks.ts";
import type { StoreDefinition } from "../../store-definition.ts";

/** Store in a database file under DATA_DIR, for a single process. */
export const sqlite: StoreDefinition = {
  name: "sqlite",
  variables: [],
  select: ({ dataDir: dir }) => ({
    location: dir,
    isShared: false,
    open: async (options) => (await import("./open.ts")).openSqliteStore({ dir, ...options }),
    readState: () => readState(dir),
    restore: async (records, options) => (await import("./state.ts")).restoreFolder(dir, records, options),
    apiKeys: () => apiKeysIn(dir),
    check: async () => (await import("./check.ts")).checkFolder(dir),
  }),
};

async function* readState(dir: string): AsyncGenerator<StateChunk> {
  yield* (await import("./state.ts")).readFolder(dir);
}

async function apiKeysIn(dir: string): Promise<ApiKeys> {
  const { SqlApiKeys } = await import("../../collections/api-keys.ts");
  const { keyConnections } = await import("./key-connections.ts");
  return new SqlApiKeys(keyConnections(dir));
}
