import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { rebuild } from "../../src/cli/rebuild.ts";
import { HOUR_MS } from "../../src/domain/time/day.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { followWires } from "../../src/sources/newswires/follow-wires.ts";
import { createQuarantine } from "../../src/sources/reading/quarantine.ts";
import { ReaderThread } from "../../src/sources/reading/reader-thread.ts";
import { createSymbolTable } from "../../src/sources/symbol-table.ts";
import { createHostQueue } from "../../src/sources/web/host-queue.ts";
import { configuredStore } from "../../src/store/index.ts";
import { ScriptedWire, splitPage } from "../newswires/scripted-wire.ts";
import { followSources } from "../support/follow-sources.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { READER_SCRIPT } from "../support/process.ts";
import { anInvocation } from "../support/recorded-invocation.ts";
import { type RecordedLog, recordedLog } from "../support/recorded-log.ts";
import { aRelease } from "../support/releases.ts";
import { MemoryReleases, memorySourceRecords } from "../support/source-records.ts";
import { waitUntil } from "../support/wait-until.ts";

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A reader that permits less time than the long text needs. */
function openReader(log: RecordedLog): ReaderThread {
  const limits = { maxCpuMs: 1_000, script: READER_SCRIPT };
  const reader = new ReaderThread({ quarantine: createQuarantine(), clock: systemClock, log, ...limits });
  closers.push(() => reader.close());
  return reader;
}

const LONG = "https://wire.example/long";
const OTHER = "https://wire.example/other";
const LONG_TEXT = `${splitPage({ ticker: "LONG" })}\n\n`.repeat(9_000);

it("a release whose text takes too long counts as a failed read and uses its feed item, and the others are read", async () => {
  const [log, clock] = [recordedLog(), new ManualClock("2026-03-02T14:00:00Z")];
  const wire = new ScriptedWire();
  const [reader, directory] = [openReader(log), createSymbolTable()];
  const releases = new MemoryReleases();
  const live = await followSources([async (shared) => followWires({ ...shared, wires: [wire] })], {
    store: memorySourceRecords({ releases }),
    clock,
    log,
    queue: createHostQueue(clock),
    reader,
    directory,
    version: "0.0.0",
    contact: null,
    keepTextsMs: 400 * 24 * HOUR_MS,
  });
  closers.push(() => live.stop());
  wire.publish({ url: OTHER }, splitPage());
  wire.publish({ url: LONG, teaser: splitPage({ ticker: "LONG", ratio: "1-for-30" }) }, LONG_TEXT);
  const withFacts = (url: string) => releases.written.find((release) => release.url === url && release.facts !== null);
  await waitUntil("both have facts", async () => {
    await clock.advance(60_000);
    return [LONG, OTHER].every(withFacts);
  });
  expect(withFacts(OTHER)).toMatchObject({ text: splitPage(), problem: null, facts: { splits: [{ ticker: "DLVX" }] } });
  expect(withFacts(LONG)).toMatchObject({ text: null, tries: 4, facts: { splits: [{ ticker: "LONG" }] } });
  expect(withFacts(LONG)?.problem).toMatch(/^wire\.example\/long: quarantined since .*1 s of CPU time/);
  expect(log.count("document quarantined")).toBe(1);
});

it("rebuild keeps the facts of a release whose text takes too long, names it, and extracts the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-quarantine-"));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const open = () => configuredStore({ dataDir: join(folder, "data") }).open({ clock: systemClock, log: SILENT_LOG });
  const long = aRelease({ url: LONG, text: LONG_TEXT, facts: { splits: [{ ticker: "LONG" }] } });
  const store = await open();
  await store.releases.put([long, aRelease({ url: OTHER, text: splitPage(), facts: { kind: "other", splits: [] } })]);
  await store.close();
  const invocation = anInvocation(folder);
  const clock = new ManualClock("2026-03-10T14:00:00Z");
  expect(await rebuild(invocation, { clock, reader: openReader(recordedLog()) })).toBe(0);
  expect(invocation.printed.slice(0, 3)).toEqual([
    "Extracted 2 releases again: the facts of 1 changed.",
    expect.stringMatching(/^ {2}https:\/\/wire\.example\/long: keeps its facts: .*quarantined since/),
    expect.stringMatching(/^ {2}https:\/\/wire\.example\/other: .*\(other -> reverse_split\)$/),
  ]);
  const rebuilt = await open();
  closers.push(() => rebuilt.close());
  expect((await rebuilt.releases.all()).find(({ url }) => url === LONG)).toEqual(long);
});
