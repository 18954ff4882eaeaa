import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { announced, deliveryOf, listedSplit, patchOf } from "../../../../test/contract/store-builders.ts";
import { ALICE, GENERAL } from "../../../../test/support/builders.ts";
import { printSeedOnFailure } from "../../../../test/support/crash-test.ts";
import { createRandom } from "../../../../test/support/random.ts";
import { repetitions, SEED } from "../../../../test/support/soak.ts";
import { SourceProcesses } from "../../../../test/support/source-processes.ts";
import { openIn, StoreFolders } from "../../../../test/support/store-folder.ts";
import { SNAPSHOT_FILE } from "../../snapshot/snapshot-file.ts";

const folders = new StoreFolders();
let processes: SourceProcesses;

beforeAll(async () => {
  processes = await SourceProcesses.open();
});

afterEach(() => folders.removeAll());

afterAll(() => processes.remove());

/** Adds tickers to two watchlists at the same time, and prints each one that is written. */
const WRITING = `
const store = await openStore(dir);
async function write(id, first) {
  const person = { platform: "web", kind: "person", id };
  for (let number = Number(first); ; number += 1) {
    await store.watchlists.add(person, ["T" + number]);
    say(id + " T" + number);
  }
}
await Promise.all([write("alice", args[0]), write("bob", args[0])]);
`;

describe("a process that is killed while it writes", () => {
  it("has written every row that it reported as written", async () => {
    printSeedOnFailure();
    const random = createRandom(SEED);
    const dir = await folders.make();
    const reported: string[] = [];
    for (let round = 0; round < repetitions({ short: 3, full: 20 }); round += 1) {
      const writer = await processes.run(WRITING, dir, String(round * 10_000));
      await writer.says(1 + random.below(200));
      reported.push(...(await writer.kill()));

      const store = await openIn(dir);
      const written = new Set<string>();
      for (const person of [ALICE, { ...ALICE, id: "bob" }])
        for (const ticker of await store.watchlists.of(person)) written.add(`${person.id} ${ticker}`);
      await store.close();
      expect(reported.filter((row) => !written.has(row))).toEqual([]);
      // At most one write of each person was not yet reported.
      expect(written.size).toBeLessThanOrEqual(reported.length + 2 * (round + 1));
    }
  });
});

/** Commits a change, and kills itself at a point of the write of snapshot.json. */
const COMMITTING = `
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
let point = null;
const reach = (reached) => {
  if (reached === point) process.kill(process.pid, "SIGKILL");
};
const { open, rename } = fs;
fs.open = (path, flags) => {
  if (flags === "wx" && path.includes("snapshot.json")) reach("after the commit");
  return open(path, flags);
};
fs.rename = async (from, to) => {
  if (!to.endsWith("snapshot.json")) return rename(from, to);
  reach("before the file has its name");
  await rename(from, to);
  reach("after the file is written");
};
syncBuiltinESMExports();
const store = await openStore(dir);
point = args[0];
await store.snapshot.commit(JSON.parse(args[1]));
say("committed");
`;

describe("a process that is killed while it changes the snapshot", () => {
  it.each([
    { point: "after the commit", versionInFile: 3, files: ["snapshot.json"] },
    {
      point: "before the file has its name",
      versionInFile: 3,
      files: ["snapshot.json", expect.stringMatching(/^snapshot\.json\..*\.tmp$/)],
    },
    { point: "after the file is written", versionInFile: 4, files: ["snapshot.json"] },
  ])("keeps the snapshot and its alerts: $point", async ({ point, versionInFile, files }) => {
    const dir = await folders.make();
    const path = join(dir, SNAPSHOT_FILE);
    const before = await openIn(dir);
    await before.snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] });
    await before.close();
    const event = announced("s2");
    const change = {
      patch: patchOf({ splits: [listedSplit("s2")] }),
      events: [event],
      deliveries: [deliveryOf(event)],
    };
    const killed = await processes.run(COMMITTING, dir, point, JSON.stringify(change));
    await killed.ended;
    expect(killed.lines).toEqual([]);
    expect(JSON.parse(await readFile(path, "utf8")).version).toBe(versionInFile);
    expect(await snapshotFiles(dir)).toEqual(files);

    const store = await openIn(dir);
    expect([...(await store.snapshot.read()).splits.keys()]).toEqual(["s1", "s2"]);
    expect(await store.outbox.waiting([GENERAL])).toMatchObject([{ event }]);
    await store.close();
    expect(JSON.parse(await readFile(path, "utf8")).version).toBe(5);
    expect(await snapshotFiles(dir)).toEqual(["snapshot.json"]);
  });
});

async function snapshotFiles(dir: string): Promise<readonly string[]> {
  return (await readdir(dir)).filter((name) => name.startsWith(SNAPSHOT_FILE)).toSorted();
}

describe("a folder in use", () => {
  it("is refused to a second process by the name of the first, and is free after the first is killed", async () => {
    const dir = await folders.make();
    const opening = `
      const outcome = await openStore(dir, args[0]).then(() => "open", ({ message }) => message);
      say(outcome);
      setInterval(quiet, 1_000);
    `;
    const first = await processes.run(opening, dir, "pid 1, http://first.example");
    expect(await first.says(1)).toEqual(["open"]);
    const second = await processes.run(opening, dir, "the second");
    expect(await second.says(1)).toEqual([
      `${dir} is in use by another splitwatch (pid ${first.pid}, pid 1, http://first.example). Stop that process first, or set another DATA_DIR for this process`,
    ]);
    await first.kill();
    const third = await processes.run(opening, dir, "the third");
    expect(await third.says(1)).toEqual(["open"]);
  });
});

const COMMITS = 40;
const READS = 100;

/** Marks the parts of the trace with the names of files that don't exist. */
const TRACED = `
import { existsSync } from "node:fs";
const store = await openStore(dir);
const person = { platform: "web", kind: "person", id: "alice" };
existsSync("/mark-commits");
for (let number = 0; number < ${COMMITS}; number += 1) await store.watchlists.add(person, ["A" + number]);
existsSync("/mark-reads");
for (let number = 0; number < ${READS}; number += 1) await store.watchlists.of(person);
existsSync("/mark-one-tick");
await Promise.all(Array.from({ length: ${COMMITS} }, (_, number) => store.watchlists.add(person, ["B" + number])));
existsSync("/mark-end");
process.kill(process.pid, "SIGKILL");
`;

describe("the log of the database", () => {
  it("is synced once per commit, never for reads, and once for the writes of one tick", async ({ skip }) => {
    if (spawnSync("strace", ["-V"]).error !== undefined) {
      process.stdout.write("skipped: the syncs are not counted, because strace is missing\n");
      return skip("strace is missing");
    }
    const calls = await processes.trace(TRACED, await folders.make());
    expect({
      commits: syncsBetween(calls, "commits", "reads"),
      reads: syncsBetween(calls, "reads", "one-tick"),
      oneTick: syncsBetween(calls, "one-tick", "end"),
    }).toEqual({ commits: COMMITS, reads: 0, oneTick: 1 });
  });
});

/** Number of syncs of the log between two marks of the trace. */
function syncsBetween(trace: string, from: string, to: string): number {
  const part = trace.slice(trace.indexOf(`/mark-${from}`), trace.indexOf(`/mark-${to}`));
  return part.split("\n").filter((line) => /\bf(?:data)?sync\(.*-wal/.test(line)).length;
}
