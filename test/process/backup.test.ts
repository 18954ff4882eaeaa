import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DATABASE_FILE, RESTORED_FILE } from "../../src/store/engines/sqlite/folder.ts";
import { announced, attemptOf, deliveryOf, patchOf, REF, T0 } from "../contract/store-builders.ts";
import { ALICE, ticker } from "../support/builders.ts";
import { printSeedOnFailure } from "../support/crash-test.ts";
import { stopGracefully, waitForPolls } from "../support/polling-process.ts";
import type { Ending } from "../support/process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";
import { aRelease } from "../support/releases.ts";
import { repetitions, SEED } from "../support/soak.ts";
import { channel, contentOf, openIn } from "../support/store-folder.ts";
import { ask } from "../support/web-chat-client.ts";

const WATCH_INTERVAL_MS = 50;

let bench: ProcessBench;

beforeEach(async () => {
  bench = await ProcessBench.open();
});

afterEach(async () => {
  await bench.close();
});

async function run(args: readonly string[], dataDir: string): Promise<Ending & { out: string; err: string }> {
  const process = bench.processes.start({ args, env: { DATA_DIR: dataDir }, cwd: bench.folder });
  return { ...(await process.ended), out: process.out(), err: process.err() };
}

function inBench(name: string): string {
  return join(bench.folder, name);
}

describe("backups of a running splitwatch", () => {
  it("are consistent snapshots, and a restore of the last one repeats no alert", async () => {
    const splitwatch = await bench.start();
    const address = await splitwatch.ready;
    await bench.subscribe(address);
    await waitForPolls(splitwatch, 1);
    const work = { goesOn: true };
    const watched: string[] = [];
    const watching = (async () => {
      for (let n = 1; work.goesOn; n += 1) {
        const [answer] = await ask(address, "alice", `watch W${n}`);
        // On a busy machine, a person's computing time is used up at some point.
        if (answer?.tone === "good") watched.push(`W${n}`);
        await pause(WATCH_INTERVAL_MS);
      }
    })();

    for (const n of [1, 2, 3, 4]) {
      bench.list(`NEW${n}`);
      expect(await run(["backup", `${n}.jsonl`], bench.dataDir)).toMatchObject({ code: 0, err: "" });
    }
    work.goesOn = false;
    await watching;
    const announcedBefore = await bench.listAndWait("NEW5", splitwatch);
    expect(await run(["backup", "5.jsonl"], bench.dataDir)).toMatchObject({ code: 0, err: "" });
    expect(splitwatch.log().filter(({ level }) => level === "error")).toEqual([]);
    await stopGracefully(splitwatch);

    const lengths: number[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      expect(await run(["restore", `${n}.jsonl`], inBench(`data-${n}`))).toMatchObject({ code: 0, err: "" });
      const store = await openIn(inBench(`data-${n}`));
      const list = await store.watchlists.of(ALICE);
      expect(new Set(list)).toEqual(new Set(watched.slice(0, list.length)));
      expect(await store.rules.count()).toBe(2);
      lengths.push(list.length);
      await store.close();
    }
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(lengths.at(-1)).toBe(watched.length);
    expect(lengths[0]).toBeLessThan(watched.length);

    bench.dataDir = inBench("data-5");
    const again = await bench.start();
    expect(await bench.alertsAfterStart(again)).toEqual(announcedBefore);
    expect(await bench.listAndWait("NEW6", again)).toEqual({
      general: [...announcedBefore.general, "NEW6"],
      trading: [...announcedBefore.trading, "NEW6"],
    });
    await stopGracefully(again);
  });

  it("fail with a message if they cannot be made or restored", async () => {
    const splitwatch = await bench.start();
    await splitwatch.ready;
    await waitForPolls(splitwatch, 1);
    await run(["backup", "a.jsonl"], bench.dataDir);

    const held = await run(["restore", "a.jsonl"], bench.dataDir);
    expect(held.code).toBe(1);
    expect(held.err).toContain(`is in use by another splitwatch (pid ${splitwatch.pid}`);
    expect(await run(["backup", "a.jsonl"], bench.dataDir)).toMatchObject({ code: 2, out: "" });
    await stopGracefully(splitwatch);
    const full = await run(["restore", "a.jsonl"], bench.dataDir);
    expect(full).toMatchObject({ code: 1, out: "" });
    expect(full.err).toMatch(/^splitwatch: DATA_DIR: got .*, which already holds a state .*\n$/);
  });
});

describe("a killed restore", () => {
  it("leaves no state or the whole state, and does not block another restore", async () => {
    printSeedOnFailure();
    await fillBigFolder(inBench("big"));
    const content = await contentOf(inBench("big"));
    expect(await run(["backup", "big.jsonl"], inBench("big"))).toMatchObject({ code: 0 });
    const startedAt = performance.now();
    expect(await run(["restore", "big.jsonl"], inBench("whole"))).toMatchObject({ code: 0 });
    const durationMs = performance.now() - startedAt;

    const random = createRandom(SEED);
    const found = { nothing: 0, unfinished: 0, whole: 0 };
    for (let round = 0; round < repetitions({ short: 3, full: 12 }); round += 1) {
      const dir = inBench(`killed-${round}`);
      const killed = bench.processes.start({
        args: ["restore", "big.jsonl"],
        env: { DATA_DIR: dir },
        cwd: bench.folder,
      });
      // At any moment, or soon after the first write.
      const moment =
        round % 3 === 0 ? pause(random.below(Math.ceil(durationMs))) : whileItWrites(dir, random.below(500));
      await Promise.race([moment, killed.ended]);
      await killed.kill();
      const names = await namesIn(dir);
      const isRestored = names.includes(DATABASE_FILE);
      if (isRestored) found.whole += 1;
      else if (names.includes(RESTORED_FILE)) found.unfinished += 1;
      else found.nothing += 1;
      const next = isRestored ? null : await run(["restore", "big.jsonl"], dir);
      expect(next?.code ?? 0).toBe(0);
      expect(await contentOf(dir)).toEqual(content);
    }
    process.stdout.write(`${JSON.stringify({ durationMs: Math.round(durationMs), ...found })}\n`);
    expect(found.unfinished).toBeGreaterThan(0);
  });
});

async function whileItWrites(dir: string, later: number): Promise<void> {
  const names = await namesIn(dir);
  if (names.includes(DATABASE_FILE)) return;
  if (!names.includes(RESTORED_FILE)) {
    await pause(2);
    return whileItWrites(dir, later);
  }
  await pause(later);
}

function namesIn(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch(() => []);
}

/** Creates a state whose restore takes some time. */
async function fillBigFolder(dir: string): Promise<void> {
  const store = await openIn(dir);
  const text = "Every twenty shares will be combined into one. ".repeat(100);
  const urls = Array.from({ length: 1_500 }, (_, n) => `https://wire.example/${n}`);
  await store.releases.put(urls.map((url) => aRelease({ url, text })));
  const events = Array.from({ length: 300 }, (_, n) => announced(`s${n}`));
  const deliveries = events.map((event) => deliveryOf(event, channel("c1")));
  await store.snapshot.commit({ patch: patchOf(), events, deliveries });
  const [first] = deliveries;
  await store.outbox.saveAttempt(attemptOf("m1", first ? [first] : [], { state: "sending" }));
  await store.outbox.markSent("m1", REF, T0);
  await store.watchlists.add(ALICE, [ticker("ACME")]);
  await store.close();
}
