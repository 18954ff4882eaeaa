import { afterEach, expect, it } from "vitest";
import { directReader } from "../../../test/support/direct-reader.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { ScriptedSource } from "../../../test/support/scripted-source.ts";
import { type MemorySourceRecords, sharedSourceRecords } from "../../../test/support/source-records.ts";
import {
  type CatalogSource,
  createServedCatalog,
  type WritableCatalog,
} from "../../data-service/server/served-catalog.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { Stoppable } from "../../ports/jobs.ts";
import { followStatements } from "../official/follow-statements.ts";
import { createHostQueue } from "../web/host-queue.ts";
import { type LiveSources, openLiveSources } from "./live-sources.ts";

interface Process {
  readonly live: LiveSources;
  readonly catalog: WritableCatalog;
  readonly served: CatalogSource;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const clockStart = "2026-03-02T14:00:00Z";

async function open(source: ScriptedSource, store: MemorySourceRecords, clock: ManualClock): Promise<Process> {
  const live = await openLiveSources([async (parts) => followStatements(source, parts)], {
    store,
    clock,
    log: recordedLog(),
    queue: createHostQueue(clock),
    reader: directReader,
    version: "0.0.0",
    contact: null,
    keepTextsMs: 400 * DAY_MS,
  });
  closers.push(() => live.close());
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  return { live, catalog, served: live.serve(catalog) };
}

/** Follows the sources until the returned function is called. */
async function follow({ live }: Process, clock: ManualClock): Promise<Stoppable> {
  const following = await live.follow();
  closers.push(() => following.stop());
  await clock.advance(0);
  return following;
}

/** What readers see of a process. */
function shown({ live, catalog, served }: Process): string {
  const { statuses, problems } = { statuses: live.statuses(), problems: live.problems() };
  const rows = [catalog.splits(), catalog.articles(), catalog.earlyReports(), [...served.backfilledRows()].toSorted()];
  return JSON.stringify({ rows, statuses, problems, ready: catalog.ready, error: served.readError() });
}

it("shows the same data in the process that follows the sources and in one that does not", async () => {
  const clock = new ManualClock(clockStart);
  const source = new ScriptedSource();
  const [one, other] = sharedSourceRecords();
  const processes = [await open(source, one, clock), await open(source, other, clock)] as const;
  expect(processes.map(({ served }) => served.readError())).toEqual([null, null]);

  source.publish(clock.now() - 5 * DAY_MS, "OLDE");
  await follow(processes[0], clock);
  expect(processes.map(({ live }) => live.isFollowing)).toEqual([true, false]);
  expect(await Promise.all(processes.map(({ live }) => live.reached))).toEqual([true, true]);
  await Promise.all(processes.map(({ live }) => live.filled));
  source.publish(clock.now(), "ZETA", "BETA");
  await clock.advance(2 * MINUTE_MS);

  expect(processes[1].catalog.splits().map(({ ticker }) => ticker)).toEqual(["BETA", "OLDE", "ZETA"]);
  expect(processes[1].served.backfilledRows().size).toBe(1);
  expect(processes[1].live.statuses()).toMatchObject([{ name: "bulletin", condition: "ok", itemCount: 3 }]);
  expect(shown(processes[1])).toBe(shown(processes[0]));

  const late = await open(source, other, clock);
  await late.live.filled;
  expect(shown(late)).toBe(shown(processes[0]));
});

it("continues in another process when the first one no longer follows the sources", async () => {
  const clock = new ManualClock(clockStart);
  const source = new ScriptedSource();
  const [one, other] = sharedSourceRecords();
  const processes = [await open(source, one, clock), await open(source, other, clock)] as const;
  source.publish(clock.now() - 5 * DAY_MS, "OLDE");
  const following = await follow(processes[0], clock);
  await clock.advance(2 * MINUTE_MS);
  await following.stop();
  const stopped = shown(processes[0]);
  source.publish(clock.now(), "BETA");
  await clock.advance(2 * MINUTE_MS);
  expect(processes.map(shown)).toEqual([stopped, stopped]);

  await follow(processes[1], clock);
  await clock.advance(2 * MINUTE_MS);
  expect(processes.map(({ live }) => live.isFollowing)).toEqual([false, true]);
  expect(processes[0].catalog.splits().map(({ ticker }) => ticker)).toEqual(["BETA", "OLDE"]);
  expect(processes[0].served.backfilledRows().size).toBe(1);
  expect(shown(processes[0])).toBe(shown(processes[1]));
});
