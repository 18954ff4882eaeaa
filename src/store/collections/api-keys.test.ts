import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeApiKeys } from "../../../test/contract/api-keys-contract.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, emptyDatabase } from "../../../test/support/postgres.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import type { ApiKeys } from "../../ports/api-keys.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { apiKeysIn as keysInDatabase } from "../engines/postgres/api-keys.ts";
import { apiKeysIn as keysInFolder } from "../engines/sqlite/api-keys.ts";

/** Returns a function that accesses the keys of a new store. */
const ENGINES: Readonly<Record<string, () => Promise<() => ApiKeys>>> = {
  async SQLite() {
    const dir = await mkdtemp(join(tmpdir(), "api-keys-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    return () => keysInFolder(join(dir, "data"));
  },
  async PostgreSQL() {
    const address = addressOf(await emptyDatabase());
    return () => keysInDatabase(address);
  },
};

for (const [engine, open] of Object.entries(ENGINES)) {
  describeApiKeys(engine, async () => {
    const access = await open();
    return [access(), access()];
  });

  describe(`API keys of a store that does not exist yet: ${engine}`, () => {
    it("are none, and are followed from the first change", async () => {
      const keys = (await open())();
      const clock = new ManualClock();
      const followed = await keys.follow({ clock, log: SILENT_LOG });
      expect([await keys.read(), followed.current()]).toEqual([[], []]);
      const key = { name: "a", sha256: "0".repeat(64), created: "2026-03-02T14:00:00.000Z", revoked: null };
      await keys.change(() => [key]);
      await waitUntil("the key arrives", async () => {
        await clock.advance(250);
        return followed.current().length === 1;
      });
      await followed.close();
    });
  });
}
