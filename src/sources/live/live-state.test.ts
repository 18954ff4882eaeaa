import { expect, it } from "vitest";
import { ticker } from "../../../test/support/builders.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { MemoryObservations, MemoryReleases } from "../../../test/support/source-records.ts";
import { observationKey, releaseKey } from "../../ports/store.ts";
import { openRecordCache } from "../record-cache.ts";
import { createSymbolTable } from "../symbol-table.ts";
import { openCatalog } from "./live-state.ts";

async function recordCaches(releaseCount: number) {
  const stored = new MemoryReleases();
  const releases = Array.from({ length: releaseCount }, (_, n) =>
    aRelease({
      url: `https://wire.example/${n}`,
      facts: { splits: [{ ticker: `T${n}`, company: `Company ${n} Inc.` }] },
    }),
  );
  await stored.put(releases);
  return {
    releases: await openRecordCache(stored, releaseKey),
    observations: await openRecordCache(new MemoryObservations(), observationKey),
  };
}

it("builds the first catalog in slices, so that other events are handled in between", async () => {
  const records = await recordCaches(1_000);
  let turns = 0;
  const counting = { isDone: false };
  const countTurns = (): void => {
    turns += 1;
    if (!counting.isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const splits = await openCatalog(records, createSymbolTable());
  counting.isDone = true;
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(splits()).toHaveLength(1_000);
});

it("updates the catalog only after the records change", async () => {
  const records = await recordCaches(3);
  const splits = await openCatalog(records, createSymbolTable());
  const before = splits();
  expect(splits()).toBe(before);
  await records.releases.put([
    aRelease({ url: "https://wire.example/new", facts: { splits: [{ ticker: "NEWA", company: "New Inc." }] } }),
  ]);
  expect(splits()).toHaveLength(4);
  expect(splits().slice(0, 3)).toEqual(before);
});

it("has the names of a directory as soon as it is read", async () => {
  const records = await recordCaches(0);
  const directory = createSymbolTable();
  const splits = await openCatalog(records, directory);
  await records.releases.put([
    aRelease({ facts: { splits: [{ company: "Acme Robotics" }], subject: "Evil Research LLC" } }),
  ]);
  expect(splits()).toMatchObject([{ company: null }]);
  let changes = 0;
  directory.onChange(() => {
    changes += 1;
  });
  const listed = new Map([[ticker("ACME"), { company: "Acme Robotics, Inc.", exchange: null }]]);
  await directory.replace("nasdaqtraded", { url: "https://directory.example/", readAt: 0, validators: {}, listed });
  expect([splits()[0]?.company, changes]).toEqual(["Acme Robotics, Inc.", 1]);
});
