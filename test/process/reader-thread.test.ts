import { afterEach, describe, expect, it } from "vitest";
import { createQuarantine, type Quarantine } from "../../src/sources/reading/quarantine.ts";
import { ReaderThread, type ReaderThreadParts } from "../../src/sources/reading/reader-thread.ts";
import { SHARED_READERS } from "../../src/sources/reading/shared-readers.ts";
import { FetchError } from "../../src/sources/web/fetch-error.ts";
import type { WebAnswer } from "../../src/sources/web/web-answer.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { READER_SCRIPT } from "../support/process.ts";
import { type RecordedLog, recordedLog } from "../support/recorded-log.ts";
import { openIn, StoreFolders } from "../support/store-folder.ts";
import { webAnswer } from "../support/web-answer.ts";

const opened: ReaderThread[] = [];
const folders = new StoreFolders();

afterEach(async () => {
  for (const reader of opened.splice(0)) await reader.close();
  await folders.removeAll();
});

function openReader(parts: Partial<ReaderThreadParts> = {}): {
  readonly reader: ReaderThread;
  readonly quarantine: Quarantine;
  readonly log: RecordedLog;
} {
  const quarantine = createQuarantine();
  const log = recordedLog();
  const limits = { maxCpuMs: 300, script: READER_SCRIPT };
  const reader = new ReaderThread({ quarantine, clock: new ManualClock(), log, ...limits, ...parts });
  opened.push(reader);
  return { reader, quarantine, log };
}

const ROBOTS = "https://site.example/robots.txt";
const LINK = `https://site.example/${"a".repeat(1_900)}`;

/** Rules whose wildcards take seconds of CPU time for a long address. `mark` distinguishes two contents. */
function slowRules(mark = ""): WebAnswer {
  const rules = Array.from({ length: 5_000 }, (_, n) => `Disallow: /${"*a".repeat(45)}*${n}${mark}b`);
  return webAnswer(`User-agent: *\n${rules.join("\n")}`, ROBOTS, "text/plain");
}

/** Rules that take more than 8 MB of memory. */
const MANY_RULES = Array.from({ length: 400_000 }, (_, n) => `Disallow: /${n}`).join("\n");

function rulesOf(text: string, url = ROBOTS): WebAnswer {
  return webAnswer(text, url, "text/plain");
}

const check = (reader: ReaderThread, answer: WebAnswer, address = LINK) =>
  reader.read(SHARED_READERS, "readRobotsRule", answer, address, "splitwatch");

describe("the reader thread", () => {
  it("returns the result of a reader", async () => {
    const { reader } = openReader();
    const answer = rulesOf("User-agent: *\nDisallow: /a\nCrawl-delay: 2");
    expect(await check(reader, answer)).toEqual({ allowed: false, delayMs: 2_000 });
  });

  it("ends a document that takes too long, quarantines it, and reads those that wait behind it", async () => {
    const { reader, quarantine, log } = openReader();
    const others = Array.from({ length: 40 }, (_, n) => rulesOf("User-agent: *\nDisallow: /a", `${ROBOTS}?${n}`));
    const slow = check(reader, slowRules()).catch((error: unknown) => error);
    const read = await Promise.all(others.map((answer) => check(reader, answer)));
    const problem = "reading it took more than 0.3 s of CPU time; it is not read again until it changes";
    expect(await slow).toEqual(
      new FetchError(
        "unreadable",
        `site.example/robots.txt: quarantined since 2026-03-02 14:00 UTC, because ${problem}`,
      ),
    );
    expect(read).toEqual(others.map(() => ({ allowed: false, delayMs: 0 })));
    expect(quarantine.all()).toMatchObject([{ reader: "shared.readRobotsRule", url: ROBOTS }]);
    expect(log.count("document quarantined")).toBe(1);
  });

  it("doesn't read a quarantined document again until it changes", async () => {
    const { reader, quarantine } = openReader();
    await expect(check(reader, slowRules())).rejects.toThrow("quarantined");
    const startedAt = process.cpuUsage();
    await expect(check(reader, slowRules())).rejects.toThrow("quarantined");
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(100);
    expect(await check(reader, rulesOf("User-agent: *\nDisallow: /b"))).toEqual({ allowed: true, delayMs: 0 });
    expect(quarantine.all()).toEqual([]);
    await expect(check(reader, slowRules("x"))).rejects.toThrow("quarantined");
  });

  it.skipIf(process.platform !== "linux")(
    "ends a document in time while the main thread is blocked by waits",
    async () => {
      const { reader } = openReader();
      const cell = new Int32Array(new SharedArrayBuffer(4));
      const blocking = setInterval(() => Atomics.wait(cell, 0, 0, 95), 1);
      const startedAt = process.cpuUsage();
      try {
        await expect(check(reader, slowRules())).rejects.toThrow("quarantined");
      } finally {
        clearInterval(blocking);
      }
      const { user, system } = process.cpuUsage(startedAt);
      expect((user + system) / 1_000).toBeLessThan(1_500);
    },
  );

  it("quarantines a document that takes too much memory", async () => {
    const { reader } = openReader({ maxHeapMb: 24, maxCpuMs: 60_000 });
    await expect(check(reader, rulesOf(`User-agent: *\n${MANY_RULES}`))).rejects.toThrow(
      "took more than 24 MB of memory",
    );
    expect(await check(reader, rulesOf("User-agent: *\nDisallow: /b"))).toEqual({ allowed: true, delayMs: 0 });
  });

  it("reads the documents that wait behind one that takes too much memory", async () => {
    const { reader, quarantine, log } = openReader({ maxHeapMb: 24, maxCpuMs: 60_000 });
    const large = check(reader, rulesOf(`User-agent: *\n${MANY_RULES}`)).catch(String);
    const others = Array.from({ length: 20 }, (_, n) => rulesOf("User-agent: *\nDisallow: /a", `${ROBOTS}?${n}`));
    expect(await Promise.all(others.map((answer) => check(reader, answer)))).toEqual(
      others.map(() => ({ allowed: false, delayMs: 0 })),
    );
    expect(await large).toContain("took more than 24 MB of memory");
    expect(quarantine.all()).toHaveLength(1);
    expect(log.count("document quarantined")).toBe(1);
  });

  it("doesn't read a quarantined document after a restart", async () => {
    const dir = await folders.make();
    const store = await openIn(dir);
    const before = openReader();
    await before.quarantine.follow(store.documents);
    await expect(check(before.reader, slowRules())).rejects.toThrow("quarantined since");
    await before.quarantine.save();
    await store.close();

    const reopened = await openIn(dir);
    const after = openReader();
    await after.quarantine.follow(reopened.documents);
    await expect(check(after.reader, slowRules())).rejects.toThrow("quarantined since");
    expect(after.log.count("document quarantined")).toBe(0);
    await reopened.close();
  });

  it("quarantines a document in memory while the store can't write, and reads the others", async () => {
    const store = await openIn(await folders.make());
    const { reader, quarantine, log } = openReader();
    await quarantine.follow(store.documents);
    await store.close();
    await expect(check(reader, slowRules())).rejects.toThrow("quarantined since");
    await expect.poll(() => log.count("quarantine not saved")).toBe(1);
    await expect(check(reader, slowRules())).rejects.toThrow("quarantined since");
    const other = rulesOf("User-agent: *\nDisallow: /a", `${ROBOTS}?1`);
    expect(await check(reader, other)).toMatchObject({ allowed: false });
  });

  it("rejects waiting reads when it is closed", async () => {
    const { reader } = openReader({ maxCpuMs: 60_000 });
    const reads = [slowRules(), rulesOf("")].map((answer) => check(reader, answer).catch(String));
    await reader.close();
    expect(await Promise.all(reads)).toEqual(
      Array(2).fill("ReaderUnavailableError: The reader of documents was closed."),
    );
  });
});
