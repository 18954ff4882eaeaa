import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { contentOf, openIn, readFiles, StoreFolders } from "../../../test/support/store-folder.ts";
import { renameFields } from "../../domain/renamed-fields.ts";
import { STATE_SCHEMAS, type StateRecord } from "../../ports/state-records.ts";
import { readState } from "./read-state.ts";

/** Written by the last version that used schema 1: the files of a data folder, and the state records in them. */
const FIXTURE = join(import.meta.dirname, "../../../test/fixtures/schema-1");

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

async function readJsonLines<T>(name: string): Promise<readonly T[]> {
  const text = await readFile(join(FIXTURE, name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

async function makeOldFolder(): Promise<string> {
  const files = await readJsonLines<{ readonly name: string; readonly text: string }>("files.jsonl");
  return folders.holding(new Map(files.map(({ name, text }) => [name, Buffer.from(text)])));
}

async function recordsIn(dir: string): Promise<readonly StateRecord[]> {
  return [...((await readState(dir)) ?? [])];
}

/** Person whose purge was incomplete in the folder. */
function isOfCarol(record: StateRecord): boolean {
  return JSON.stringify(record).includes('"carol"');
}

describe("a data folder of schema 1", () => {
  it("is read completely, with the current names of all fields", async () => {
    const records = await recordsIn(await makeOldFolder());

    expect(records).toEqual((await readJsonLines<unknown>("records.jsonl")).map((record) => renameFields(record)));
    for (const { kind, value } of records)
      expect(STATE_SCHEMAS[kind].safeParse(value).error, `${kind}: ${JSON.stringify(value)}`).toBeUndefined();
  });

  it("keeps everything when it is opened, and its logs are rewritten with the current schema", async () => {
    const dir = await makeOldFolder();
    const before = await recordsIn(dir);
    const store = await openIn(dir);
    const carol = { platform: "web", kind: "person", id: "carol" } as const;
    expect(await store.directChannels.of(carol)).toBeNull();
    await store.close();

    expect(before.filter(isOfCarol).map(({ kind }) => kind)).toEqual(["forgetting", "direct-channel"]);
    expect(await recordsIn(dir)).toEqual(before.filter((record) => !isOfCarol(record)));
    const logs = [...(await readFiles(dir))].filter(([name]) => name.endsWith(".log"));
    expect(logs.map(([, bytes]) => bytes.toString("utf8", 9, 20))).toEqual(logs.map(() => '{"schema":2'));
    expect(await contentOf(dir)).toMatchObject({ directChannel: "dm-1" });
  });
});
