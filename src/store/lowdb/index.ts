import type { StoreKind } from "../store-kind.ts";
import { checkFolder } from "./check.ts";
import { openLowdbStore } from "./open.ts";
import { readState } from "./read-state.ts";
import { restoreFolder } from "./restore.ts";

/** The state in files under DATA_DIR, for one process. */
export const lowdb: StoreKind = {
  name: "lowdb",
  select: ({ dataDir: dir }) => ({
    open: (options) => openLowdbStore({ dir, ...options }),
    readState: () => readState(dir),
    restore: (records, options) => restoreFolder(dir, records, options),
    check: () => checkFolder(dir),
  }),
};
