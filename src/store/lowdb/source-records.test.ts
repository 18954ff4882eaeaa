import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RecordedLog, recordedLog } from "../../../test/support/recorded-log.ts";
import { openIn, StoreFolders } from "../../../test/support/store-folder.ts";
import type { SourceReads } from "../../ports/state-records.ts";
import type { Store } from "../../ports/store.ts";
import { type Disk, realDisk } from "./files/disk.ts";

const folders = new StoreFolders();
let log: RecordedLog;
let dir: string;
let store: Store;
/** Operations that fail at the moment. */
let failing: ReadonlySet<"rename" | "syncFolder">;
let renames: number;

const disk: Disk = {
  ...realDisk,
  rename: async (from, to) => {
    if (failing.has("rename")) throw new Error("ENOSPC: no space left on device, rename");
    renames += 1;
    await realDisk.rename(from, to);
  },
  syncFolder: async (path) => {
    if (failing.has("syncFolder")) throw new Error("EIO: i/o error, fsync");
    await realDisk.syncFolder(path);
  },
};

beforeEach(async () => {
  dir = await folders.make();
  failing = new Set();
  renames = 0;
  log = recordedLog();
  store = await openIn(dir, { disk, log });
});

afterEach(async () => {
  await store.close();
  await folders.removeAll();
});

function readings(count: number): readonly SourceReads[] {
  return Array.from({ length: count }, (_, n) => ({ source: "nasdaq", firstReadAt: 0, lastReadAt: n, filledAt: null }));
}

async function linesInFile(): Promise<number> {
  return (await readFile(join(dir, "source-reads.log"), "utf8")).split("\n").length - 1;
}

describe("the log of source records", () => {
  it("is compacted when outdated lines outnumber the records by 1,000", async () => {
    await store.sourceReads.put(readings(1_003));
    expect(await linesInFile()).toBe(2);
    expect(log.lines).toEqual([]);
  });

  it("keeps its records if it can't be compacted, logs the failure and retries after 1,000 further lines", async () => {
    failing = new Set(["rename"]);
    await store.sourceReads.put(readings(1_003));
    await store.sourceReads.put(readings(1_000));
    expect(await linesInFile()).toBe(2_004);
    expect(log.lines.map(({ level, event }) => [level, event])).toEqual([["warn", "source records not compacted"]]);
    expect(String(log.lines[0]?.fields["error"])).toMatch(/source-reads\.log: ENOSPC/);

    failing = new Set();
    await store.sourceReads.put(readings(1));
    expect(await linesInFile()).toBe(2);
    expect(await store.sourceReads.all()).toEqual(readings(1));
  });

  it("is not compacted again if the compaction failed after the file was replaced", async () => {
    failing = new Set(["syncFolder"]);
    await store.sourceReads.put(readings(1_003));
    expect([await linesInFile(), renames]).toEqual([2, 1]);
    await expect(store.sourceReads.put(readings(2))).rejects.toThrow("EIO");

    failing = new Set();
    await store.sourceReads.put(readings(1_000));
    expect([await linesInFile(), renames]).toEqual([1_002, 1]);
  });
});
