import { expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { idlePolling } from "../../test/support/polling.ts";
import { EMPTY_SNAPSHOT } from "../domain/diff/snapshot.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { ExternalSource } from "./external-source.ts";

const URL = "https://splits.example.com";
const SAMPLE = `sample:${URL}`;

it.each([
  { title: "another process polls", isRunning: false, kinds: [URL, SAMPLE, SAMPLE, URL] },
  { title: "this process polls", isRunning: true, kinds: [URL, URL, URL, URL] },
])("adopts the kind of data in the snapshot only while another process polls: $title", async ({ isRunning, kinds }) => {
  const clock = new ManualClock();
  let source = "unknown";
  const snapshot = {
    read: async () => ({ ...EMPTY_SNAPSHOT, source }),
    commit: () => Promise.reject(new Error("unexpected")),
  };
  const parts = { store: { snapshot }, isShared: true, clock, log: SILENT_LOG };
  const external = await ExternalSource.open({ url: URL, key: null }, parts);
  external.start(idlePolling({ isRunning }));
  const seen: unknown[] = [];
  for (source of ["unknown", SAMPLE, SAMPLE, URL]) {
    await clock.advance(2_000);
    seen.push([external.id, external.sample]);
  }
  expect(seen).toEqual(kinds.map((id) => [id, id === SAMPLE]));
  await external.close();
  expect(clock.sleepers).toBe(0);
});
