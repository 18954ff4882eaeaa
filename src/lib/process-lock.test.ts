import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreFolders } from "../../test/support/store-folder.ts";
import { countSystemSleeps } from "../../test/support/system-sleeps.ts";
import { acquireProcessLock, LockHeldError, type ProcessLock, withProcessLock } from "./process-lock.ts";

const folders = new StoreFolders();
const servers: Server[] = [];
let dir: string;
let held: ProcessLock[];

beforeEach(async () => {
  dir = await folders.make();
  held = [];
});

afterEach(async () => {
  for (const lock of held) await lock.release();
  for (const server of servers.splice(0)) server.close();
  await folders.removeAll();
});

async function acquire(holder: string, folder = dir): Promise<ProcessLock> {
  const lock = await acquireProcessLock({ dir: folder, name: "lock", holder });
  held.push(lock);
  return lock;
}

function run<T>(work: () => Promise<T>, waitMs?: number): Promise<T> {
  return withProcessLock({ dir, name: "lock", holder: "test" }, work, waitMs);
}

/** Listens in the folder under the name of a lock's socket and answers with `words`, or not at all. */
async function listen(name: string, words: string | null): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (words !== null) socket.end(words);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(join(dir, "starting"), listening));
  await rename(join(dir, "starting"), join(dir, name));
  return server;
}

async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
}

/** Fails when two calls overlap. */
function countAlone(count: number): Promise<readonly number[]> {
  let working = 0;
  let done = 0;
  const work = async (): Promise<number> => {
    working += 1;
    expect(working).toBe(1);
    await new Promise(setImmediate);
    working -= 1;
    done += 1;
    return done;
  };
  return Promise.all(Array.from({ length: count }, () => run(work)));
}

const lockFiles = async (): Promise<string[]> => (await readdir(dir)).filter((name) => name.startsWith("lock."));

describe("a process lock", () => {
  it("refuses a second holder without waiting and names the first", async () => {
    await acquire("pid 4711, http://127.0.0.1:8080");
    const sleptMs = countSystemSleeps({ timeouts: "never" });
    const refusal = acquire("pid 4712");

    await expect(refusal).rejects.toThrow(LockHeldError);
    await expect(refusal).rejects.toThrow(`cannot lock ${join(dir, "lock")}: another process holds the lock`);
    await expect(refusal).rejects.toMatchObject({ holder: `pid ${process.pid}, pid 4711, http://127.0.0.1:8080` });
    expect(sleptMs()).toBe(0);
    expect(await lockFiles()).toHaveLength(1);
  });

  it("names the process id once", async () => {
    await acquire(`pid ${process.pid}, http://127.0.0.1:8080`);
    await expect(acquire("another")).rejects.toThrow(`(pid ${process.pid}, http://127.0.0.1:8080)`);
  });

  it("can be acquired again after its release and leaves no file", async () => {
    await (await acquire("first")).release();
    expect(await lockFiles()).toEqual([]);
    await expect(acquire("second")).resolves.toBeDefined();
  });

  it("is independent of locks in other folders and under other names", async () => {
    await acquire("first");
    await expect(acquire("second", await folders.make())).resolves.toBeDefined();
    held.push(await acquireProcessLock({ dir, name: "keys.lock", holder: "third" }));
    expect(held).toHaveLength(3);
  });

  it("works in a folder whose path is longer than a socket's path may be", async () => {
    const deep = join(dir, "x".repeat(90), "y".repeat(90));
    await mkdir(deep, { recursive: true });
    const before = await readdir(tmpdir());
    await acquire("deep down", deep);
    await expect(acquire("second", deep)).rejects.toThrow("deep down");
    await held.pop()?.release();
    await expect(acquire("third", deep)).resolves.toBeDefined();
    expect((await readdir(tmpdir())).filter((name) => name.startsWith("sw-") && !before.includes(name))).toEqual([]);
  });

  it("is acquired by exactly one of many simultaneous attempts", async () => {
    countSystemSleeps({ timeouts: "never" });
    for (let round = 0; round < 20; round += 1) {
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => acquire(`number ${n}`)));
      const winners = attempts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(winners).toHaveLength(1);
      const losers = attempts.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      expect(losers.every((text) => /another process holds the lock .*number \d/.test(text))).toBe(true);
      await held.pop()?.release();
    }
  });

  it("ignores and removes the sockets of dead processes", async () => {
    await listen("lock.99.0123abcd", "x");
    await listen(`lock.${process.pid}.0123abcd`, "x");
    await listen("lock.98.0123abcd.new", "x");
    await closeServers();
    await writeFile(join(dir, "lock.97.0123abcd"), "not even a socket");
    expect(await lockFiles()).toHaveLength(4);

    await acquire("first");
    expect(await lockFiles()).toHaveLength(1);
  });

  it.each([
    ["does not answer", null],
    ["answers something else", "who is there?"],
    ["answers too little", JSON.stringify({ pid: 99 })],
  ])("is not taken from a live process that %s, which is named after at most a second", async (_, words) => {
    await listen("lock.99.0123abcd", words);
    const sleptMs = countSystemSleeps({ timeouts: "real" });

    await expect(acquire("second")).rejects.toThrow("(pid 99)");
    expect(sleptMs()).toBeLessThan(1_000);
  });

  it("waits five seconds for a simultaneous attempt whose name sorts last, then fails", async () => {
    const sleptMs = countSystemSleeps({ timeouts: "never" });
    await listen("lock.99.0123abcd", JSON.stringify({ pid: 99, holder: "slow", holds: false }));
    await expect(acquire("second")).rejects.toThrow("pid 99, slow");
    expect(sleptMs()).toBe(5_000);
  });

  it("is acquired when the simultaneous attempt gives way", async () => {
    countSystemSleeps({ timeouts: "never" });
    // Sorts after every other name, so the other attempt waits for it.
    const rival = await listen("lock.99999999.ffffffff", JSON.stringify({ pid: 9, holder: "slow", holds: false }));
    const waiting = acquire("patient");
    await new Promise((asked) => rival.once("connection", asked));
    rival.close();

    await expect(waiting).resolves.toBeDefined();
  });

  it("reports a folder that does not exist", async () => {
    await expect(acquire("first", join(dir, "missing"))).rejects.toThrow(`cannot lock ${join(dir, "missing")}`);
  });
});

describe("work under a process lock", () => {
  it("runs one call at a time, in order, and leaves no file", async () => {
    expect(await countAlone(30)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(await readdir(dir)).toEqual([]);
  });

  it("starts immediately after a process died with the lock, even one with this process's id", async () => {
    await listen("lock.99.0123abcd", "x");
    await listen(`lock.${process.pid}.0123abcd`, "x");
    await closeServers();

    expect(await countAlone(10)).toHaveLength(10);
    expect(await readdir(dir)).toEqual([]);
  });

  it("waits for another process to release the lock", async () => {
    const other = await acquire("other");
    const working = run(async () => "done");
    await new Promise(setImmediate);
    await other.release();

    expect(await working).toBe("done");
  });

  it("releases the lock when it fails", async () => {
    await expect(run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await run(() => Promise.resolve("done"))).toBe("done");
  });

  it("fails if a live process keeps the lock, and names it", async () => {
    await acquire("busy");
    const refusal = run(() => Promise.resolve("done"), 100);
    await expect(refusal).rejects.toThrow(LockHeldError);
    await expect(refusal).rejects.toThrow("busy");
  });
});
