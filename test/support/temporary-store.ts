import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { openSqliteStore, type SqliteOptions } from "../../src/store/engines/sqlite/open.ts";
import { ManualClock } from "./manual-clock.ts";

/** Opens a store in a folder of its own; both are removed at the end of the test. */
export async function temporaryStore(options: Partial<SqliteOptions> = {}): Promise<Store> {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-store-"));
  const store = await openSqliteStore({ dir, clock: new ManualClock(), log: SILENT_LOG, ...options });
  onTestFinished(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return store;
}
