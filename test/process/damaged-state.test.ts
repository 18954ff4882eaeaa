import { cp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHECKPOINT_NAME, SNAPSHOT_NAME } from "../../src/store/lowdb/rows/stored-rows.ts";
import { printSeedOnFailure } from "../support/crash-test.ts";
import { anObservation } from "../support/observations.ts";
import { stopGracefully, waitForPolls } from "../support/polling-process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";
import { aRelease } from "../support/releases.ts";
import { IS_SOAK, SEED } from "../support/soak.ts";
import { openIn, withFlipped } from "../support/store-folder.ts";
import { ask } from "../support/web-chat-client.ts";

/** `N`: the number in the name, which depends on the checkpoints. */
const FILES = [CHECKPOINT_NAME, SNAPSHOT_NAME, "changes-N.log"];
const SEGMENT = /^[\w-]+-N\.json$/;

let bench: ProcessBench;
/** State files written by the process; each test damages a copy. */
let left = "";
const random = createRandom(SEED);

/** Creates a state with data in every file. */
beforeAll(async () => {
  bench = await ProcessBench.open();
  await keepSourceRecords(bench.dataDir);
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

/** Adds records as if the sources had been read before a data service was configured. */
async function keepSourceRecords(dir: string): Promise<void> {
  const store = await openIn(dir);
  for (const id of [1, 2, 3]) {
    await store.releases.put([aRelease({ url: `https://wire.example/${id}` })]);
    await store.observations.put([anObservation({ id: String(id) })]);
    await store.sourceReads.put([{ source: `source ${id}`, firstReadAt: id, lastReadAt: id, filledAt: null }]);
  }
  await store.close();
}

afterAll(async () => {
  await bench.close();
});

async function filesIn(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).toSorted();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), "base64")] as const)),
  );
}

function labelOf(name: string): string {
  return name.replace(/-\d{6}\./, "-N.");
}

interface Damage {
  readonly damage: string;
  readonly harm: (path: string) => Promise<void>;
}

const DAMAGES: readonly [Damage, ...Damage[]] = [
  { damage: "emptied", harm: (path: string) => truncate(path, 0) },
  {
    damage: "changed in one bit",
    harm: async (path: string) => {
      const bytes = await readFile(path);
      await writeFile(path, withFlipped(bytes, random.below(bytes.length * 8)));
    },
  },
];

interface DamagedFile extends Damage {
  readonly name: string;
}

/** Damages of one file: one of them in `npm test`. `damaged-files.test.ts` damages every file in every way within one process. */
function damagesOfOneFile(): readonly Damage[] {
  return IS_SOAK ? DAMAGES : [random.pick(DAMAGES)];
}

describe("a state file that was damaged while splitwatch did not run", () => {
  const cases: readonly DamagedFile[] = FILES.flatMap((name) =>
    damagesOfOneFile().map((damage) => ({ name, ...damage })),
  );

  it("is one of the files that this test damages", async () => {
    const names = Object.keys(await filesIn(left)).map(labelOf);
    expect(names.filter((name) => !SEGMENT.test(name))).toEqual(FILES.toSorted());
  });

  it.each(cases)("$name, $damage, is reported in one line without changes", async (damaged) => {
    printSeedOnFailure();
    await startDamaged(damaged);
    // The test below starts on such a folder.
    expect(await filesIn(bench.dataDir)).toEqual(await filesIn(left));
  });

  it("causes no repeated alert once it is repaired", async () => {
    printSeedOnFailure();
    const name = FILES[random.below(FILES.length)] ?? SNAPSHOT_NAME;
    await startDamaged({ name, ...random.pick(DAMAGES) });
    const splitwatch = await bench.start();
    const announced = ["NEW1", "NEW2"];
    expect(await bench.alertsAfterStart(splitwatch)).toEqual({ general: announced, trading: announced });
    await stopGracefully(splitwatch);
  });
});

/** Starts splitwatch on a copy of the state with a damaged file, which it must refuse; then repairs the file. */
async function startDamaged({ name, damage, harm }: DamagedFile): Promise<void> {
  bench.dataDir = join(bench.folder, `${name}-${damage.replaceAll(" ", "-")}`);
  await rm(bench.dataDir, { recursive: true, force: true });
  await cp(left, bench.dataDir, { recursive: true });
  const path = join(bench.dataDir, Object.keys(await filesIn(left)).find((one) => labelOf(one) === name) ?? name);
  const good = await readFile(path);
  await harm(path);
  const before = await filesIn(bench.dataDir);

  const refused = await bench.start();
  const started = refused.ready.then(
    (address) => `it started at ${address}`,
    () => refused.ended,
  );
  expect(await started).toEqual({ code: 1, signal: null });
  expect(refused.stderrOutsideLog()).toEqual([
    expect.stringMatching(/^splitwatch: .* [Rr]estore the folder .*from a backup/),
  ]);
  expect(refused.stderrOutsideLog()[0]).toContain(path);
  expect(refused.out()).toBe("");
  expect(await filesIn(bench.dataDir)).toEqual(before);
  await writeFile(path, good);
}
