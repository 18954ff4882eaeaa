import type { StateChunk } from "../state-chunks.ts";
import type { StoreDefinition } from "../store-definition.ts";

/** Store in files under DATA_DIR, for a single process. */
export const lowdb: StoreDefinition = {
  name: "lowdb",
  variables: [],
  select: ({ dataDir: dir }) => ({
    open: async (options) => (await import("./open.ts")).openLowdbStore({ dir, ...options }),
    readState: () => readState(dir),
    restore: async (records, options) => (await import("./restore-folder.ts")).restoreFolder(dir, records, options),
    check: async () => (await import("./check.ts")).checkFolder(dir),
  }),
};

async function* readState(dir: string): AsyncGenerator<StateChunk> {
  yield* (await import("./read-state.ts")).readState(dir);
}
