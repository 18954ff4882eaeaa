import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { MemoryObservations, MemoryReleases, MemorySourceReads } from "../../../test/support/source-records.ts";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import { observationKey, releaseKey, sourceReadsKey } from "../../ports/store.ts";
import { openRecordCache } from "../record-cache.ts";
import { initialStatus, nextStatus } from "../source-status.ts";
import { createSymbolTable } from "../symbol-table.ts";
import type { LiveState } from "./live-state.ts";
import { problemsOf } from "./source-problems.ts";
import { missingYield, watchYield } from "./usual-yield.ts";

const at = (iso: string): Instant => Date.parse(iso);
const LONG_AGO = at("2025-01-02T15:00:00Z");
const NASDAQ = 54 / 21;

/** A notice at 11:00 in New York every `every` days, up to that day. */
function noticesUntil(last: string, every: number): readonly Instant[] {
  return Array.from({ length: Math.ceil(60 / every) }, (_, n) => at(`${last}T16:00:00Z`) - n * every * DAY_MS);
}

// 2026-03-02 is a Monday.
it.each<[string, readonly Instant[], string, string, number | null, string | null]>([
  ["a source without a notice since it was first read today", [], "2026-03-02", "2026-03-02T22:00:00Z", NASDAQ, null],
  ["a new source for two full trading days", [], "2026-03-02", "2026-03-05T15:00:00Z", NASDAQ, null],
  [
    "a new source for more than three gaps of the known figure",
    [],
    "2026-03-02",
    "2026-03-06T15:00:00Z",
    NASDAQ,
    "no split notice for 3 trading days, usually 2.6 a day",
  ],
  ["a weekend", noticesUntil("2026-02-27", 0.5), "2025-01-02", "2026-03-02T15:00:00Z", NASDAQ, null],
  [
    "four trading days, by its own history",
    noticesUntil("2026-02-27", 0.5),
    "2025-01-02",
    "2026-03-06T15:00:00Z",
    null,
    "no split notice for 4 trading days, usually 2.9 a day",
  ],
  [
    "a holiday week with one trading day",
    noticesUntil("2026-11-25", 0.5),
    "2025-01-02",
    "2026-11-30T15:00:00Z",
    1,
    null,
  ],
  [
    "two weeks, of a source with a notice a week",
    noticesUntil("2026-02-20", 7),
    "2025-01-02",
    "2026-03-06T15:00:00Z",
    null,
    null,
  ],
  [
    "more than three weeks, of a source with a notice a week",
    noticesUntil("2026-02-06", 7),
    "2025-01-02",
    "2026-03-06T15:00:00Z",
    null,
    "no split notice for 18 trading days, usually one in 5 trading days",
  ],
  [
    "a source that rarely brings something",
    [LONG_AGO, at("2026-01-05T16:00:00Z")],
    "2025-01-02",
    "2026-03-06T15:00:00Z",
    null,
    null,
  ],
  ["a source of which nothing is known", [], "2026-02-20", "2026-03-06T15:00:00Z", null, null],
])("%s", (_, ...[times, firstRead, now, knownPerDay, expected]) => {
  const firstReadAt = at(`${firstRead}T15:00:00Z`);
  expect(missingYield({ times, firstReadAt, knownPerDay }, at(now))).toBe(expected);
});

it("is a problem of the source, for users and in the log", async () => {
  const clock = new ManualClock("2026-03-02T15:00:00Z");
  const sourceReads = await openRecordCache(new MemorySourceReads(), sourceReadsKey);
  const readAt = clock.now();
  await sourceReads.put([{ source: "nasdaq", firstReadAt: readAt, lastReadAt: readAt, filledAt: readAt }]);
  const status = nextStatus(initialStatus("nasdaq", readAt), { items: ["a notice"], failures: [] }, readAt);
  const ending = new AbortController();
  const state: LiveState = {
    releases: await openRecordCache(new MemoryReleases(), releaseKey),
    observations: await openRecordCache(new MemoryObservations(), observationKey),
    sourceReads,
    sources: { opened: null, statuses: () => [status], onChange: () => () => undefined },
    splits: () => [],
    directory: createSymbolTable(),
    clock,
    openedAt: clock.monotonic(),
    usesProxy: false,
    signal: ending.signal,
  };
  const log = recordedLog();
  const watching = watchYield(state, log, ending.signal);
  await clock.advance(3 * DAY_MS);
  expect(problemsOf(state)).toEqual([]);
  expect(log.lines).toEqual([]);

  await clock.advance(2 * DAY_MS);
  const warning = "Nasdaq corporate actions: no split notice for 4 trading days, usually 2.6 a day";
  expect(problemsOf(state)).toEqual([warning]);
  expect(log.lines.at(-1)).toEqual({ level: "warn", event: "source yield low", fields: { warning } });
  ending.abort();
  await watching;
});
