import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { MemoryObservations, MemoryReleases } from "../../../test/support/source-records.ts";
import { createServedCatalog } from "../../data-service/server/served-catalog.ts";
import { observationKey, releaseKey } from "../../ports/store.ts";
import { openRecordCache } from "../record-cache.ts";
import { createSymbolTable } from "../symbol-table.ts";
import type { LiveState } from "./live-state.ts";
import { serve } from "./publish-catalog.ts";

it("leaves no listener at the signal of the sources when it stops", async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const state = {
    releases: await openRecordCache(new MemoryReleases(), releaseKey),
    observations: await openRecordCache(new MemoryObservations(), observationKey),
    splits: () => [],
    directory: createSymbolTable(),
    clock,
    signal,
  } as Partial<LiveState> as LiveState;
  const catalog = createServedCatalog({ clock, keepAfterExDate: 3 });
  const fill = { reached: Promise.resolve(true), filled: Promise.resolve(), isDone: true };
  const source = serve(catalog, state, fill);
  expect([catalog.ready, getEventListeners(signal, "abort").length]).toEqual([true, 1]);
  await source.stop();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
