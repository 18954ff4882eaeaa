import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeStore } from "../../../../test/contract/store-contract.ts";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import { openSqliteStore } from "./open.ts";

describeStore("SQLite", async () => {
  const dir = await mkdtemp(join(tmpdir(), "sqlite-store-"));
  const clock = new ManualClock();
  const open = (configuredRules: readonly Rule[] = []): Promise<Store> =>
    openSqliteStore({ dir, clock, log: SILENT_LOG, roles: ["poll", "deliver"], configuredRules });
  let store = await open();
  return {
    store,
    clock,
    reopen: async (configuredRules) => {
      await store.close();
      store = await open(configuredRules);
      return store;
    },
    dispose: async () => {
      await store.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
});
