import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeStore } from "../../../test/contract/store-contract.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { openLowdbStore } from "./open.ts";

function underTest(checkpointAboveBytes: number): () => ReturnType<Parameters<typeof describeStore>[1]> {
  return async () => {
    const dir = await mkdtemp(join(tmpdir(), "lowdb-store-"));
    const clock = new ManualClock();
    const open = (): ReturnType<typeof openLowdbStore> =>
      openLowdbStore({ dir, clock, log: SILENT_LOG, checkpointAboveBytes, roles: ["poll", "deliver"] });
    let store = await open();
    return {
      store,
      clock,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
      dispose: async () => {
        await store.close();
        await rm(dir, { recursive: true, force: true });
      },
    };
  };
}

describeStore("the file store", underTest(16 * 1024 * 1024));

describeStore("the file store when it compacts its journal with nearly every write", underTest(1));
