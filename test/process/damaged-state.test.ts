import { cp, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DATABASE_FILE } from "../../src/store/engines/sqlite/folder.ts";
import { SNAPSHOT_FILE } from "../../src/store/snapshot/snapshot-file.ts";
import { printSeedOnFailure } from "../support/crash-test.ts";
import { stopGracefully, waitForPolls } from "../support/polling-process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";
import { SEED } from "../support/soak.ts";
import { ask } from "../support/web-chat-client.ts";

let bench: ProcessBench;
/** State files written by the process; each test damages a copy. */
let left = "";
const random = createRandom(SEED);

beforeAll(async () => {
  bench = await ProcessBench.open();
  const splitwatch = await bench.start();
  const address = await splitwatch.ready;
  await bench.subscribe(address);
  await ask(address, "alice", "watch NEW1 NEW2");
  await waitForPolls(splitwatch, 1);
  await bench.listAndWait("NEW1", splitwatch);
  await bench.listAndWait("NEW2", splitwatch);
  await stopGracefully(splitwatch);
  left = bench.dataDir;
});

afterAll(async () => {
  await bench.close();
});

/** Without the empty log and its index, which reading a damaged database leaves. */
async function filesIn(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).filter((name) => !/-(?:wal|shm)$/.test(name)).toSorted();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), "base64")] as const)),
  );
}

interface Damage {
  readonly name: string;
  readonly damage: string;
  readonly harm: (path: string) => Promise<void>;
  /** What the process says about the file. */
  readonly report: RegExp;
}

const RESTORE = /^splitwatch: .* [Rr]estore the folder .*from a backup/;
const REWRITE = /^splitwatch: .* Move snapshot\.json away/;

/** Damages that are found at the start. `splitwatch doctor` finds others, because it reads the whole database. */
const DAMAGES: readonly Damage[] = [
  { name: DATABASE_FILE, damage: "removed", harm: (path) => rm(path), report: RESTORE },
  { name: DATABASE_FILE, damage: "emptied", harm: (path) => truncate(path, 0), report: RESTORE },
  {
    name: DATABASE_FILE,
    damage: "cut",
    harm: async (path) => {
      const { size } = await stat(path);
      await truncate(path, Math.floor((size / 4096) * random.next()) * 4096 + 100);
    },
    report: RESTORE,
  },
  {
    name: DATABASE_FILE,
    damage: "overwritten at its start",
    harm: (path) => overwrite(path, 0, 1 + random.below(100)),
    report: RESTORE,
  },
  {
    name: DATABASE_FILE,
    damage: "overwritten in its schema",
    harm: (path) => overwrite(path, 100, 4_000),
    report: RESTORE,
  },
  { name: SNAPSHOT_FILE, damage: "emptied", harm: (path) => truncate(path, 0), report: REWRITE },
  {
    name: SNAPSHOT_FILE,
    damage: "cut",
    harm: async (path) => {
      const { size } = await stat(path);
      await truncate(path, random.below(size));
    },
    report: REWRITE,
  },
  {
    name: SNAPSHOT_FILE,
    damage: "edited",
    harm: async (path) => writeFile(path, (await readFile(path, "utf8")).replace('"splits"', '"split"')),
    report: REWRITE,
  },
];

async function overwrite(path: string, position: number, length: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write(Buffer.alloc(length, "x"), 0, length, position);
  } finally {
    await file.close();
  }
}

describe("a state file that was damaged while splitwatch did not run", () => {
  it("is one of the files that this test damages", async () => {
    expect(Object.keys(await filesIn(left))).toEqual([SNAPSHOT_FILE, DATABASE_FILE]);
  });

  it.each(DAMAGES)("$name, $damage, is reported in one line without changes", async (damage) => {
    printSeedOnFailure();
    await startDamaged(damage);
    // The test below starts on such a folder.
    expect(await filesIn(bench.dataDir)).toEqual(await filesIn(left));
  });

  it("causes no repeated alert once it is repaired", async () => {
    printSeedOnFailure();
    await startDamaged(DAMAGES[random.below(DAMAGES.length)] as Damage);
    const splitwatch = await bench.start();
    const announced = ["NEW1", "NEW2"];
    expect(await bench.alertsAfterStart(splitwatch)).toEqual({ general: announced, trading: announced });
    await stopGracefully(splitwatch);
  });
});

/** Starts splitwatch on a copy of the state with a damaged file, which it must refuse; then repairs the file. */
async function startDamaged({ name, damage, harm, report }: Damage): Promise<void> {
  bench.dataDir = join(bench.folder, `${name}-${damage.replaceAll(" ", "-")}`);
  await rm(bench.dataDir, { recursive: true, force: true });
  await cp(left, bench.dataDir, { recursive: true });
  const path = join(bench.dataDir, name);
  const good = await readFile(path);
  await harm(path);
  const before = await filesIn(bench.dataDir);

  const refused = await bench.start();
  const started = refused.ready.then(
    (address) => `it started at ${address}`,
    () => refused.ended,
  );
  expect(await started).toEqual({ code: 1, signal: null });
  expect(refused.stderrOutsideLog()).toEqual([expect.stringMatching(report)]);
  expect(refused.stderrOutsideLog()[0]).toContain(path);
  expect(refused.out()).toBe("");
  expect(await filesIn(bench.dataDir)).toEqual(before);
  await writeFile(path, good);
}
