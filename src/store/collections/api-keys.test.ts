import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeApiKeys } from "../../../test/contract/api-keys-contract.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { addressOf, emptyDatabase } from "../../../test/support/postgres.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { keyConnections as postgresKeys } from "../engines/postgres/key-connections.ts";
import { keyConnections as sqliteKeys } from "../engines/sqlite/key-connections.ts";
import { type KeyConnections, SqlApiKeys } from "./api-keys.ts";

const ENGINES: Readonly<Record<string, () => Promise<KeyConnections>>> = {
  async SQLite() {
    const dir = await mkdtemp(join(tmpdir(), "api-keys-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    return sqliteKeys(join(dir, "data"));
  },
  PostgreSQL: async () => postgresKeys(addressOf(await emptyDatabase())),
};

for (const [engine, open] of Object.entries(ENGINES)) {
  describeApiKeys(engine, async () => {
    const connections = await open();
    return [new SqlApiKeys(connections), new SqlApiKeys(connections)];
  });

  describe(`API keys of a store that does not exist yet: ${engine}`, () => {
    it("are none, and are followed from the first change", async () => {
      const keys = new SqlApiKeys(await open());
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
