import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { splitPage } from "../../test/newswires/scripted-wire.ts";
import { exchange, ticker } from "../../test/support/builders.ts";
import { directReader } from "../../test/support/direct-reader.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { freshDatabase } from "../../test/support/postgres.ts";
import { openProcess } from "../../test/support/postgres-process.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { aRelease } from "../../test/support/releases.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { systemClock } from "../lib/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { createSymbolTable } from "../sources/symbol-table.ts";
import { configuredStore } from "../store/index.ts";
import { rebuild } from "./rebuild.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-rebuild-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const HEADING = "Delvex Therapeutics Announces Reverse Stock Split";

function open(): Promise<Store> {
  return configuredStore({ dataDir: join(folder, "data") }).open({ clock: systemClock, log: SILENT_LOG });
}

async function run(): Promise<{ code: number; lines: readonly string[]; problems: readonly string[] }> {
  const invocation = anInvocation(folder);
  return {
    code: await rebuild(invocation, { clock: new ManualClock("2026-03-10T14:00:00Z"), reader: directReader }),
    lines: invocation.printed,
    problems: invocation.problems,
  };
}

it("extracts stored releases with the current rules, saves changed facts and prints each split's history", async () => {
  const store = await open();
  // These are the facts that an earlier version extracted.
  await store.releases.put([
    aRelease({
      url: "https://wire.example/1",
      heading: HEADING,
      text: splitPage(),
      facts: { kind: "other", splits: [] },
    }),
  ]);
  await store.releases.put([
    aRelease({ url: "https://wire.example/2", heading: "Acme Opens a Plant", text: "It makes robots." }),
  ]);
  await store.releases.put([
    {
      ...aRelease({ url: "https://wire.example/3", text: null, readVersion: null }),
      facts: null,
    },
  ]);
  await store.close();

  const { code, lines } = await run();
  expect(code).toBe(0);
  expect(lines[0]).toBe("Extracted 3 releases again: the facts of 2 changed.");
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^ {2}https:\/\/wire\.example\/1: kind, .*splits.* \(other -> reverse_split\)$/),
    expect.stringMatching(/^ {2}https:\/\/wire\.example\/2: kind, .* \(reverse_split -> other\)$/),
    "- NASDAQ:ACME 1:20 on 2026-03-10, Acme Robotics Inc.",
    "    2026-03-02 announced: https://wire.example/2",
    "    2026-03-10 effective: https://wire.example/2",
    "+ NASDAQ:DLVX 1:20 on 2026-03-09, Delvex Therapeutics, Inc.",
    "    2026-03-02 announced: https://wire.example/1",
    "    2026-03-09 effective: https://wire.example/1",
  ]);
  expect((await run()).lines).toEqual(["Extracted 3 releases again: the facts of 0 changed."]);
});

it("confirms symbols with the directories of the last run", async () => {
  const clock = new ManualClock("2026-03-10T14:00:00Z");
  const store = await open();
  const heading = "Reverse Stock Split of Delvex Therapeutics (DLVX)";
  const text = splitPage().replaceAll(/ ?\(NASDAQ: DLVX\)/gi, "");
  await store.releases.put([aRelease({ url: "https://wire.example/1", heading, text, facts: { splits: [] } })]);
  await store.close();
  expect((await run()).lines.filter((line) => line.startsWith("+"))).toEqual([]);

  const listed = new Map([[ticker("DLVX"), { company: "Delvex Therapeutics, Inc.", exchange: exchange("NASDAQ") }]]);
  const list = { url: "https://directory.example/", readAt: clock.now(), validators: {}, listed };
  const next = await open();
  await createSymbolTable(next.documents).replace("nasdaqtraded", list);
  await next.close();
  const { lines } = await run();
  expect(lines).toContain("+ NASDAQ:DLVX 1:20 on 2026-03-09, Delvex Therapeutics, Inc.");
});

it("keeps the facts of a release whose text isn't stored", async () => {
  const store = await open();
  await store.releases.put([aRelease({ text: "" }), aRelease({ url: "https://wire.example/2", text: null })]);
  await store.close();
  expect((await run()).lines).toEqual(["Extracted 2 releases again: the facts of 0 changed."]);
});

it("fails while another process uses the folder", async () => {
  const store = await open();
  const { code, problems } = await run();
  await store.close();
  expect(code).toBe(1);
  expect(problems).toEqual([expect.stringMatching(/^splitwatch: .* is in use by another splitwatch/)]);
});

it("reports that no release is stored", async () => {
  await (await open()).close();
  expect(await run()).toMatchObject({ code: 0, lines: [expect.stringContaining("nothing to rebuild")] });
});

it("does not create a missing DATA_DIR", async () => {
  expect(await run()).toMatchObject({ code: 0, lines: [expect.stringMatching(/^No stored releases/)] });
  expect(await readdir(folder)).toEqual([]);
});

it("changes nothing while another process follows the sources of the database", async () => {
  const url = await freshDatabase();
  const { store } = await openProcess(url);
  const release = aRelease({ url: "https://wire.example/1", heading: HEADING, text: splitPage() });
  await store.releases.put([release]);
  let follows = false;
  store.jobs.lead("sources", async () => {
    follows = true;
    return { stop: async () => undefined };
  });
  await waitUntil("the process follows the sources", () => follows);
  const clock = new ManualClock("2026-03-10T14:00:00Z");
  const invocation = anInvocation(folder, { DATABASE_URL: url });
  const code = rebuild(invocation, { clock, reader: directReader });
  await waitUntil("the rebuild waits for the job", () => clock.sleepers >= 2);
  await clock.advance(15_000);
  expect([await code, invocation.printed]).toEqual([1, []]);
  expect(invocation.problems.at(-1)).toContain('the job "sources" is not free');
  expect(await store.releases.all()).toEqual([release]);
});
