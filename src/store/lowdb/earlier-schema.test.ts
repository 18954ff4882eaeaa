import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { anObservation } from "../../../test/support/observations.ts";
import { contentOf, openIn, readFiles, StoreFolders, steppingDisk } from "../../../test/support/store-folder.ts";
import { collect, compareText } from "../../lib/collections.ts";
import { STATE_SCHEMAS, type StateRecord } from "../../ports/state-records.ts";
import { renameFields } from "../renamed-fields.ts";
import { stateRecords } from "../state-chunks.ts";
import { EARLIER_FILE_NAMES } from "./earlier/earlier-files.ts";
import { realDisk } from "./files/disk.ts";
import { readState } from "./read-state.ts";

/**
 * The files of a data folder, written by the last version that used schema 1, and the state records in them. Those of schemas 2
 * to 5 are the same folder after the last version that used that schema opened it. Schema 6 has a folder of its own, with changes
 * of every kind in its logs.
 */
const FIXTURES = join(import.meta.dirname, "../../../test/fixtures");

/** Files with fixed names that later schemas added, and the log of changes, which gets another number. */
const ADDED_FILES = [
  { name: "changes.log", since: 8 },
  { name: "checkpoint.json", since: 6 },
];
/** A segment, which is added if the table has rows. */
const SEGMENT = /-\d{6}\.json$/;
const READS = { source: "nasdaq", firstReadAt: 1, lastReadAt: 3, filledAt: 2 };

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

async function readJsonLines<T>(name: string): Promise<readonly T[]> {
  const text = await readFile(join(FIXTURES, name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

async function filesOfSchema(schema: number): Promise<Map<string, Buffer>> {
  const files = await readJsonLines<{ readonly name: string; readonly text: string }>(`schema-${schema}/files.jsonl`);
  return new Map(files.map(({ name, text }) => [name, Buffer.from(text)]));
}

async function recordsOfSchema(schema: number): Promise<readonly StateRecord[]> {
  if (schema > 5) return withSortedAttempts(await readJsonLines(`schema-${schema}/records.jsonl`));
  const records = (await readJsonLines<StateRecord>("schema-1/records.jsonl")).map((record) => renameFields(record));
  return withSortedAttempts(records as StateRecord[]).filter((record) => !isOfCarol(record));
}

async function makeOldFolder(schema: number): Promise<string> {
  return folders.holding(await filesOfSchema(schema));
}

/** Attempts at different destinations have no order, so they are sorted here. */
async function recordsIn(dir: string): Promise<readonly StateRecord[]> {
  return withSortedAttempts(await collect(stateRecords(readState(dir))));
}

function withSortedAttempts(records: readonly StateRecord[]): readonly StateRecord[] {
  return records.toSorted((a, b) => compareText(attemptIdOf(a), attemptIdOf(b)));
}

function attemptIdOf(record: StateRecord): string {
  return record.kind === "attempt" ? record.value.messageId : "";
}

/** Person whose purge was incomplete in the folder of schema 1. */
function isOfCarol(record: unknown): boolean {
  return JSON.stringify(record).includes('"carol"');
}

describe("a data folder of schema 1", () => {
  it("is read completely, with the current names of all fields, without a person whose purge was pending", async () => {
    const files = await filesOfSchema(1);
    expect(files.get("people.json")?.includes("carol")).toBe(true);
    const records = await recordsIn(await makeOldFolder(1));

    expect(records).toEqual(await recordsOfSchema(1));
    for (const { kind, value } of records)
      expect(STATE_SCHEMAS[kind].safeParse(value).error, `${kind}: ${JSON.stringify(value)}`).toBeUndefined();
  });

  it("completes a purge that was pending", async () => {
    const dir = await makeOldFolder(1);
    await (await openIn(dir)).close();
    const named = [...(await readFiles(dir))].filter(([, bytes]) => bytes.includes("carol"));
    expect(named).toEqual([]);
  });
});

describe.each([2, 3, 4, 5, 6])("a data folder of schema %i", (schema) => {
  it("is read completely", async () => {
    expect(await recordsIn(await makeOldFolder(schema))).toEqual(await recordsOfSchema(schema));
  });
});

describe.each([1, 2, 3, 4, 5, 6])("a data folder of schema %i", (schema) => {
  it("keeps everything when it is opened, and its logs are rewritten with the current schema", async () => {
    const dir = await makeOldFolder(schema);
    const before = await recordsIn(dir);
    await (await openIn(dir)).close();

    expect(await recordsIn(dir)).toEqual(before);
    const logs = [...(await readFiles(dir))].filter(([name]) => name.endsWith(".log"));
    expect(logs.map(([, bytes]) => bytes.toString("utf8", 9, 20))).toEqual(logs.map(() => '{"schema":8'));
    expect(await contentOf(dir)).toMatchObject({ directChannel: "dm-1" });
  });

  it("gets the files that later schemas added, which later starts need", async () => {
    const before = await filesOfSchema(schema);
    const dir = await makeOldFolder(schema);
    const store = await openIn(dir);
    await store.observations.put([anObservation()]);
    await store.sourceReads.put([READS]);
    await store.close();
    expect(await contentOf(dir)).toMatchObject({
      observations: expect.arrayContaining([anObservation()]),
      sourceReads: expect.arrayContaining([READS]),
    });

    const added = [...(await readFiles(dir)).keys()].filter((name) => !before.has(name)).toSorted();
    const fixedNames = added.filter((name) => !SEGMENT.test(name));
    expect(fixedNames.map((name) => name.replace(/^changes-\d+/, "changes"))).toEqual(
      ADDED_FILES.filter(({ since }) => since > schema).map(({ name }) => name),
    );
    for (const name of added) {
      const files = await readFiles(dir);
      files.delete(name);
      await expect(openIn(await folders.holding(files))).rejects.toThrow(`${name} is missing`);
    }
  });

  it("is rejected if it lost another file", async () => {
    const files = await filesOfSchema(schema);
    files.delete("releases.log");
    await expect(openIn(await folders.holding(files))).rejects.toThrow(/releases\.log is missing/);
  });
});

describe.each([5, 6])("a data folder of schema %i", (schema) => {
  it("is read again after a crash at any moment of the migration, and its earlier files are removed in the end", async () => {
    const dir = await makeOldFolder(schema);
    const records = await recordsIn(dir);
    const copies: string[] = [];
    const disk = steppingDisk(realDisk, async () => {
      copies.push(await folders.copyOf(dir));
    });
    await (await openIn(dir, { disk })).close();

    expect(copies.length).toBeGreaterThan(20);
    for (const copy of [...copies, dir]) {
      expect(await recordsIn(copy)).toEqual(records);
      await (await openIn(copy)).close();
      expect(await recordsIn(copy)).toEqual(records);
      const names = [...(await readFiles(copy)).keys()];
      for (const name of EARLIER_FILE_NAMES) expect(names).not.toContain(name);
    }
  });
});

describe("rows of a data folder of schema 5", () => {
  it("are rejected with the name of a lost file", async () => {
    for (const name of ["rules.json", "watchlists.json", "sessions.json"]) {
      const files = await filesOfSchema(5);
      files.delete(name);
      await expect(openIn(await folders.holding(files))).rejects.toThrow(`${name} is missing`);
    }
  });
});
