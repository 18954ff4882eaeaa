import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, it, vi } from "vitest";
import { announced, deliveryOf, T0 } from "../../../../test/contract/store-builders.ts";
import { ALICE } from "../../../../test/support/builders.ts";
import { channel, contentOf, openIn, readAll, STORY, StoreFolders } from "../../../../test/support/store-folder.ts";
import { DAY_MS } from "../../../domain/time/day.ts";
import { DATABASE_FILE } from "./folder.ts";

const folders = new StoreFolders();

afterEach(() => {
  vi.restoreAllMocks();
  return folders.removeAll();
});

/** Tables that stay small however many people, rules and alerts there are. */
const SMALL_TABLES =
  /^(?:sqlite_master|migrations|jobs|locks|snapshot|posting_number|purge_key|purged_people|sessions)$/;

/** Statements that read a whole table because all of it is wanted. */
const WHOLE_TABLES = [
  // At the start.
  'update "queues" set "release_due" = ?, "release_delay" = ? where "release_due" is not null',
  'select "destination", "value" from "destination_settings"',
  // Once a day.
  'delete from "snapshot_rows" where "value" is null',
];

/** Does what the program does often, or for one person or event. */
async function useStore(dir: string): Promise<void> {
  const store = await openIn(dir);
  for (const step of STORY) await step(store);
  await readAll(store);
  await store.watchlists.count();
  await store.history.messagesWith(channel("c1"), [deliveryOf(announced("s1"), channel("c1")).id]);
  await store.purgePerson(ALICE);
  await store.prune(T0 + DAY_MS);
  await store.close();
  await contentOf(dir);
}

/** Statements on tables, as they were prepared. */
async function statementsOf(work: () => Promise<void>): Promise<readonly string[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  await work();
  const texts = new Set(prepare.mock.calls.map(([text]) => text));
  return [...texts].filter((text) => /^\s*(?:select|insert|update|delete|with)\b/i.test(text));
}

it("finds rows of large tables through indexes", async () => {
  const dir = await folders.make();
  const texts = await statementsOf(() => useStore(dir));
  const database = new DatabaseSync(join(dir, DATABASE_FILE), { readOnly: true });
  const planOf = (text: string): readonly string[] =>
    database
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => String(detail));
  const reading = texts.filter((text) => {
    const scanned = planOf(text).flatMap((step) => /^SCAN (\w+)$/.exec(step)?.[1] ?? []);
    return scanned.some((table) => !SMALL_TABLES.test(table) && text.includes(`"${table}"`));
  });
  // A destination can have many messages, and each is JSON.
  const byPlatformId = texts.filter((text) => text.includes("->> 'id' in"));
  expect(byPlatformId.map(planOf)).toEqual([
    expect.arrayContaining(["SEARCH messages USING INDEX messages_ref (queue_key=? AND <expr>=?)"]),
  ]);
  database.close();
  expect(texts.length).toBeGreaterThan(100);
  expect(reading.toSorted()).toEqual(WHOLE_TABLES.toSorted());
});
