import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import {
  contentOf,
  openIn,
  parseLog,
  readFiles,
  STORY,
  StoreFolders,
  withFlipped,
} from "../../../test/support/store-folder.ts";
import { collect } from "../../lib/collections.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { StoreError } from "../../ports/store.ts";
import { checksum } from "./files/json-file.ts";
import { readState } from "./read-state.ts";

const folders = new StoreFolders();
const FIXED_FILES = ["checkpoint.json", "snapshot.json"];
/** `N`: the number in the name, which depends on the checkpoints. */
const JSON_FILES = [...FIXED_FILES, "deliveries-N.json", "messages-N.json", "watchlists-N.json"];
/** Segments of the same kind. */
const OTHER_TABLES = ["attempts", "events", "posting-number", "postings", "rules"];
const LOGS = ["changes-N.log"];

/** A sequence of changes, partly compacted and partly in the logs. */
let good: Map<string, Buffer>;
/** Content of the store without the last line of a log, by log. */
let shorter: unknown[];

beforeAll(async () => {
  const dir = await folders.make();
  const parts = [
    { steps: STORY.slice(0, 8), checkpointAboveBytes: 1 },
    { steps: STORY.slice(8), checkpointAboveBytes: 1_000_000 },
  ];
  for (const { steps, checkpointAboveBytes } of parts) {
    const store = await openIn(dir, { checkpointAboveBytes });
    for (const step of steps) await step(store);
    if (checkpointAboveBytes === 1) await store.prune(0);
    await store.close();
  }
  good = await readFiles(dir);
  const cuts = LOGS.map((name) => withFile(name, withoutLines(name, 1)));
  shorter = await Promise.all(cuts.map(async (files) => contentOf(await folders.holding(files))));
});

afterAll(() => folders.removeAll());

function labelOf(name: string): string {
  return name.replace(/-\d{6}\./, "-N.");
}

function nameOf(label: string): string {
  return [...good.keys()].find((name) => labelOf(name) === label) ?? label;
}

function bytesOf(label: string): Buffer {
  return good.get(nameOf(label)) ?? Buffer.alloc(0);
}

function withFile(label: string, bytes: Buffer): Map<string, Buffer> {
  return new Map([...good, [nameOf(label), bytes]]);
}

function withoutLines(name: string, count: number): Buffer {
  const lines = bytesOf(name).toString("utf8").trimEnd().split("\n");
  return Buffer.from(
    lines
      .slice(0, -count)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

/** Content of the store in these files, or the StoreError that rejects them. */
async function outcomeOf(files: ReadonlyMap<string, Buffer>): Promise<unknown> {
  const dir = await folders.holding(files);
  const outcome = await contentOf(dir).catch((error: unknown) => error);
  const left = await readFiles(dir);
  const kept = outcome instanceof Error ? left : files;
  expect(textOf(kept), "a refused folder is left as it was").toEqual(textOf(files));
  await rm(dir, { recursive: true });
  return outcome;
}

/** Comparable content: comparing buffers byte by byte would take most of the time. */
function textOf(files: ReadonlyMap<string, Buffer>): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString("latin1")]));
}

describe("a damaged file", () => {
  it("can be of every kind", () => {
    expect([...good.keys()].map(labelOf).toSorted()).toEqual(
      [...JSON_FILES, ...LOGS, ...OTHER_TABLES.map((name) => `${name}-N.json`)].toSorted(),
    );
  });

  it.each([...JSON_FILES, ...LOGS])("is rejected by name, for any flipped bit: %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytesOf(name).length * 8 - 1), async (bit) => {
        const outcome = await outcomeOf(withFile(name, withFlipped(bytesOf(name), bit)));
        expect(outcome).toBeInstanceOf(StoreError);
        expect(String(outcome)).toContain(nameOf(name));
      }),
      { numRuns: 25 },
    );
  });

  it.each(["deliveries-N.json", "messages-N.json", "watchlists-N.json"])(
    "is rejected by name by a reader of the state, for any flipped bit: %s",
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(bytesOf(name).length * 8 - 1), async (bit) => {
          const dir = await folders.holding(withFile(name, withFlipped(bytesOf(name), bit)));
          await expect(collect(readState(dir))).rejects.toThrow(nameOf(name));
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each(LOGS)("is rejected with its line, for any flipped bit of its last line: %s", async (name) => {
    const bytes = bytesOf(name);
    const lineNumber = bytes.toString("utf8").trimEnd().split("\n").length;
    const expected = new RegExp(`${name} is damaged in line ${lineNumber}`);
    for (let bit = withoutLines(name, 1).length * 8; bit < bytes.length * 8; bit += 1)
      await expect(parseLog(name, withFlipped(bytes, bit)), `bit ${bit}`).rejects.toThrow(expected);
  });

  it.each([...JSON_FILES, ...LOGS])("is rejected if it is empty, and kept: %s", async (name) => {
    const outcome = await outcomeOf(withFile(name, Buffer.alloc(0)));
    expect(outcome).toBeInstanceOf(StoreError);
    expect(String(outcome)).toMatch(new RegExp(`${nameOf(name)} is empty.*No file was changed.*restore`));
  });

  it.each(LOGS)("is used without its last line if that is torn anywhere: %s", async (name) => {
    const whole = bytesOf(name);
    const [expected] = shorter.slice(LOGS.indexOf(name));
    for (let length = withoutLines(name, 1).length; length < whole.length; length += 7)
      expect(await outcomeOf(withFile(name, whole.subarray(0, length)))).toEqual(expected);
  });

  it("is logged with the torn line that was dropped", async () => {
    const dir = await folders.holding(
      withFile("changes-N.log", Buffer.concat([bytesOf("changes-N.log"), Buffer.from("0bad")])),
    );
    const warnings: unknown[] = [];
    const warn = (...line: unknown[]): void => void warnings.push(line);
    const store = await openIn(dir, { log: { ...SILENT_LOG, warn } });
    await store.close();

    const name = nameOf("changes-N.log");
    const line = bytesOf(name).toString("utf8").split("\n").length;
    expect(warnings).toEqual([["torn log record dropped", { file: join(dir, name), line, bytes: 4 }]]);
  });

  it("is rejected with the line if a log is damaged in the middle", async () => {
    const third = bytesOf("changes-N.log").toString("utf8").split("\n", 3).join("\n").length - 5;
    const outcome = await outcomeOf(withFile("changes-N.log", withFlipped(bytesOf("changes-N.log"), third * 8)));
    expect(String(outcome)).toMatch(/changes-\d+\.log is damaged in line 3/);
  });
});

describe("a missing file", () => {
  it.each([...JSON_FILES, ...LOGS])("is rejected by name: %s", async (name) => {
    const files = new Map([...good].filter(([one]) => one !== nameOf(name)));
    const outcome = await outcomeOf(files);
    expect(outcome).toBeInstanceOf(StoreError);
    expect(String(outcome)).toMatch(new RegExp(`${nameOf(name)} is missing`));
  });

  it.each([
    ["logs", LOGS],
    ["segments", ["watchlists-N.json"]],
  ])("is rejected by name if it is the checkpoint of %s that are left alone", async (_, names) => {
    const files = new Map(names.map((name) => [nameOf(name), bytesOf(name)]));
    expect(String(await outcomeOf(files))).toMatch(/checkpoint\.json is missing/);
  });

  it("is valid if all files are missing", async () => {
    await expect(outcomeOf(new Map())).resolves.toMatchObject({ directChannel: null, releases: [] });
  });
});

/** The same store after another change of the snapshot and a checkpoint. */
async function later(): Promise<Map<string, Buffer>> {
  const dir = await folders.holding(good);
  const store = await openIn(dir);
  for (const step of STORY.slice(2, 3)) await step(store);
  await store.prune(0);
  await store.close();
  return readFiles(dir);
}

describe("a file of an earlier build", () => {
  const head = JSON.stringify({ schema: 7, mark: 1, kept: 0 });
  const log = Buffer.from(`${checksum(head)} ${head}\n`);

  it.each([
    ["journal.log", log],
    ["changes-N.log", log],
    ["snapshot.json", Buffer.from('{"schema":1,"crc":"00000000","state":{}}\n')],
  ])("is rejected by name, with the way to move its state to this build: %s", async (label, bytes) => {
    const expected = new RegExp(
      `${nameOf(label)} was written by an earlier build.*No file was changed.*splitwatch backup FILE.*splitwatch restore FILE`,
    );
    const files = withFile(label, bytes);
    expect(String(await outcomeOf(files))).toMatch(expected);
    await expect(collect(readState(await folders.holding(files)))).rejects.toThrow(expected);
  });
});

describe("files of different ages", () => {
  it("are rejected if snapshot.json is older than the checkpoint", async () => {
    const outcome = await outcomeOf(new Map([...(await later()), ["snapshot.json", bytesOf("snapshot.json")]]));
    expect(String(outcome)).toMatch(/snapshot\.json is older than .*checkpoint\.json/);
  });

  it("are rejected if the log is older than snapshot.json", async () => {
    const newer = (await later()).get("snapshot.json") ?? Buffer.alloc(0);
    const outcome = await outcomeOf(withFile("snapshot.json", newer));
    expect(String(outcome)).toMatch(/changes-\d+\.log is older than .*snapshot\.json: it ends with transaction \d+/);
  });
});

describe("DATA_DIR", () => {
  it("is created if it does not exist, with access for its owner only", async () => {
    const dir = join(await folders.make(), "deep", "data");
    await (await openIn(dir)).close();
    const logs = LOGS.map((name) => name.replace("-N.", "-000001."));
    expect(await readdir(dir)).toEqual([...FIXED_FILES, ...logs].toSorted());
  });

  it("is reported at the start if other users can write in it", async () => {
    const dir = await folders.make();
    const log = recordedLog();
    await (await openIn(dir, { log })).close();
    expect(log.lines).toEqual([]);
    await chmod(dir, 0o777);
    await (await openIn(dir, { log })).close();
    const problem = expect.stringMatching(/^DATA_DIR: other users can write in .* \(mode 777\).*chmod 700/);
    expect(log.lines).toEqual([{ level: "warn", event: "data folder not protected", fields: { problem } }]);
  });

  it("is rejected with the reason if it is a file, or has a folder under the name of a file", async () => {
    const dir = await folders.make();
    await writeFile(join(dir, "data"), "");
    await expect(openIn(join(dir, "data"))).rejects.toThrow(StoreError);
    await expect(openIn(join(dir, "data", "in"))).rejects.toThrow(join(dir, "data", "in"));

    await mkdir(join(dir, "snapshot.json"));
    await expect(openIn(dir)).rejects.toThrow(StoreError);
    // The lock is released as well.
    await rm(join(dir, "snapshot.json"), { recursive: true });
    await (await openIn(dir)).close();
  });

  it("keeps files that are not the store's", async () => {
    const dir = await folders.make();
    await writeFile(join(dir, "keys.json"), "theirs");
    await writeFile(join(dir, "keys.json.17-01234567.tmp"), "theirs");
    await (await openIn(dir)).close();
    expect(await readdir(dir)).toEqual(expect.arrayContaining(["keys.json", "keys.json.17-01234567.tmp"]));
  });
});
