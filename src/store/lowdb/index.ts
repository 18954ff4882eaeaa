import type { ApiKeys } from "../../ports/api-keys.ts";
import { chunksOf, type StateChunk } from "../state-chunks.ts";
import type { StoreDefinition } from "../store-definition.ts";

/** Store in files under DATA_DIR, for a single process. */
export const lowdb: StoreDefinition = {
  name: "lowdb",
  variables: [],
  select: ({ dataDir: dir }) => ({
    location: dir,
    isShared: false,
    open: async (options) => (await import("./open.ts")).openLowdbStore({ dir, ...options }),
    readState: () => readState(dir),
    restore: async (records, options) => (await import("./restore-folder.ts")).restoreFolder(dir, records, options),
    apiKeys: () => apiKeysIn(dir),
    check: async () => (await import("./check.ts")).checkFolder(dir),
  }),
};

async function* readState(dir: string): AsyncGenerator<StateChunk> {
  yield* (await import("./read-state.ts")).readState(dir);
  yield* chunksOf("api-key", await (await apiKeysIn(dir)).read());
}

async function apiKeysIn(dir: string): Promise<ApiKeys> {
  const { FileApiKeys } = await import("./api-keys.ts");
  return new FileApiKeys(dir);
}
