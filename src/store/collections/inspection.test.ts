import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import type { DestinationKey } from "../../domain/alert/destination.ts";
import { inPages } from "../../lib/collections.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { json } from "../database.ts";
import { onlyProcess } from "../engines/sqlite/only-process.ts";
import { openDatabase } from "../engines/sqlite/open.ts";
import { SqlInspection } from "./inspection.ts";

const ALL = { destination: null, ticker: null, after: null, limit: 2, failedOnly: false };

/** Messages at the times 0 to `count - 1`, every `every`th of them at the channel `wanted`. */
async function inspectionOf(count: number, every: number): Promise<SqlInspection> {
  const database = await openDatabase(join(await temporaryFolder(), "db"), SILENT_LOG);
  onTestFinished(() => database.close());
  const rows = Array.from({ length: count }, (_, at) => ({
    message_id: `m${at}`,
    queue_key: `web:channel:${at % every === 0 ? "Wanted" : "other"}` as DestinationKey,
    at,
    deliveries: json([]),
    result: json({ kind: "failed", reason: "refused" } as const),
    has_failed: true,
  }));
  await database.transaction(async (transaction) => {
    for (const page of inPages(rows, 1_000)) await transaction.insertInto("messages").values(page).execute();
  });
  return new SqlInspection({
    database,
    membership: onlyProcess({ holder: "test", roles: null }),
    configuredRules: new Map(),
  });
}

it("finds rare messages of a destination among many", async () => {
  const inspection = await inspectionOf(3_500, 1_000);
  const first = await inspection.messages({ ...ALL, destination: "wanted" });
  expect(first.items.map(({ at }) => at)).toEqual([3_000, 2_000]);
  const second = await inspection.messages({ ...ALL, destination: "wanted", after: first.next });
  expect(second).toMatchObject({ items: [{ at: 1_000 }, { at: 0 }], next: null });
});

it("searches 20,000 messages for a page, and continues after them", async () => {
  const inspection = await inspectionOf(20_001, 30_000);
  const first = await inspection.messages({ ...ALL, destination: "wanted" });
  expect(first.items).toEqual([]);
  const second = await inspection.messages({ ...ALL, destination: "wanted", after: first.next });
  expect(second).toMatchObject({ items: [{ at: 0 }], next: null });
});
