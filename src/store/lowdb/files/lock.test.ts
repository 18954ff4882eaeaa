import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreFolders } from "../../../../test/support/store-folder.ts";
import { StoreError } from "../../../ports/store.ts";
import { acquireLock, type Lock } from "./lock.ts";

const folders = new StoreFolders();
const servers: Server[] = [];
let dir: string;
let held: Lock[];

beforeEach(async () => {
  dir = await folders.make();
  held = [];
});

afterEach(async () => {
  for (const lock of held) await lock.release();
  for (const server of servers.splice(0)) server.close();
  await folders.removeAll();
});

async function acquire(holder: string, folder = dir): Promise<Lock> {
  const lock = await acquireLock(folder, holder);
  held.push(lock);
  return lock;
}

/** Something that listens in the folder under the name of a lock, and says `words` to whoever asks, or nothing. */
async function listener(name: string, words: string | null): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (words !== null) socket.end(words);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(join(dir, "starting"), listening));
  await rename(join(dir, "starting"), join(dir, name));
  return server;
}

const lockFiles = async (): Promise<string[]> => (await readdir(dir)).filter((name) => name.startsWith("lock."));

describe("the lock", () => {
  it("refuses a second one within a second, naming the first", async () => {
    await acquire("pid 4711, http://127.0.0.1:8080");
    const asked = performance.now();
    const refusal = acquire("pid 4712");

    await expect(refusal).rejects.toThrow(StoreError);
    await expect(refusal).rejects.toThrow(`${dir} is in use by another splitwatch`);
    await expect(refusal).rejects.toThrow(`pid ${process.pid}, pid 4711, http://127.0.0.1:8080`);
    expect(performance.now() - asked).toBeLessThan(1_000);
    expect(await lockFiles()).toHaveLength(1);
  });

  it("names the process id once", async () => {
    await acquire(`pid ${process.pid}, http://127.0.0.1:8080`);
    await expect(acquire("another")).rejects.toThrow(`(pid ${process.pid}, http://127.0.0.1:8080)`);
  });

  it("is free again after its release, with nothing left behind", async () => {
    await (await acquire("first")).release();
    expect(await lockFiles()).toEqual([]);
    await expect(acquire("second")).resolves.toBeDefined();
  });

  it("is for one folder alone", async () => {
    await acquire("first");
    await expect(acquire("second", await folders.make())).resolves.toBeDefined();
  });

  it("works in a folder whose path is longer than a socket's may be, also for those that ask", async () => {
    const deep = join(dir, "x".repeat(90), "y".repeat(90));
    await mkdir(deep, { recursive: true });
    const before = await readdir(tmpdir());
    await acquire("deep down", deep);
    await expect(acquire("second", deep)).rejects.toThrow("deep down");
    await held.pop()?.release();
    await expect(acquire("third", deep)).resolves.toBeDefined();
    expect((await readdir(tmpdir())).filter((name) => name.startsWith("sw-") && !before.includes(name))).toEqual([]);
  });

  it("goes to exactly one of many that start at the same moment", async () => {
    for (let round = 0; round < 20; round += 1) {
      const tries = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => acquire(`number ${n}`)));
      const winners = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(winners).toHaveLength(1);
      const losers = tries.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      expect(losers.every((text) => /in use by another splitwatch .*number \d/.test(text))).toBe(true);
      await held.pop()?.release();
    }
  });

  it("takes no notice of what the dead left, and clears it away", async () => {
    await listener("lock.99.0123abcd", "x");
    await listener("lock.98.0123abcd.new", "x");
    for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
    await writeFile(join(dir, "lock.97.0123abcd"), "not even a socket");
    expect(await lockFiles()).toHaveLength(3);

    await acquire("first");
    expect(await lockFiles()).toHaveLength(1);
  });

  it.each([
    ["says nothing", null],
    ["says something else", "who is there?"],
    ["says too little", JSON.stringify({ pid: 99 })],
  ])("respects a living process that %s, and names it by its process id", async (_, words) => {
    await listener("lock.99.0123abcd", words);
    const asked = performance.now();

    await expect(acquire("second")).rejects.toThrow("(pid 99)");
    expect(performance.now() - asked).toBeLessThan(1_000);
  });

  it("waits a moment for one that only asks and has the greater name, and then gives way", async () => {
    await listener("lock.99.0123abcd", JSON.stringify({ pid: 99, holder: "slow", holds: false }));
    await expect(acquire("second")).rejects.toThrow("pid 99, slow");
  });

  it("goes to the one that waited when the other gives way", async () => {
    // A name that sorts behind every other: the other one waits for it.
    const rival = await listener("lock.99999999.ffffffff", JSON.stringify({ pid: 9, holder: "slow", holds: false }));
    const waiting = acquire("patient");
    await new Promise((asked) => rival.once("connection", asked));
    rival.close();

    await expect(waiting).resolves.toBeDefined();
  });

  it("says what is wrong when the folder is not there", async () => {
    await expect(acquire("first", join(dir, "missing"))).rejects.toThrow(`cannot lock ${join(dir, "missing")}`);
  });
});
