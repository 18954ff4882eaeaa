// Views of the snapshot with 500 splits and 8,000 releases: CPU time while it is unchanged, and after a poll
// has changed it: of each as the first view, and of all of them together.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importModules } from "./parts/bundle.mjs";
import { contextParts, firstPoll } from "./parts/command-context.mjs";
import { median } from "./parts/pairs.mjs";
import { log } from "./parts/silent.mjs";

const SPLITS = 500;
const RELEASES = 8_000;
const RUNS = 21;
const MAX_CPU_MS = 3;
/** For the first view after a change of the snapshot. */
const MAX_FIRST_CPU_MS = 15;
const CALL = {
  person: { platform: "web", kind: "person", id: "alice" },
  destination: { platform: "web", kind: "channel", id: "general" },
  mayManage: async () => true,
};

const silent = () => undefined;

export async function measure() {
  const [commands, screens, feed, data, quality, ics, clock, stores] = await importModules("views", [
    "commands/index",
    "commands/screens",
    "commands/calendar-feed",
    "commands/current-data",
    "domain/split/quality",
    "lib/ics",
    "lib/clock",
    "store/index",
  ]);
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  const parts = { clock: clock.systemClock, log };
  const store = await stores.configuredStore({ dataDir: dir }).open({ ...parts, holder: "bench" });
  try {
    await store.snapshot.commit(firstPoll(SPLITS, RELEASES));
    const saved = await store.snapshot.read();
    let snapshot = saved;
    const context = {
      ...parts,
      ...contextParts({ ...store, snapshot: { read: async () => snapshot } }),
      writeCalendar: ics.writeCalendarFile,
    };
    const { run } = commands.createCommands(context);
    const { overview } = screens.createScreens(context);
    const calendar = feed.createCalendarFeed(context);
    const views = {
      list: () => run("list", CALL),
      overview,
      metrics: async () => quality.countWarnings(data.currentWarnings(await data.readSnapshotOf(context))),
      status: () => run("status", CALL),
      calendar: () => run("calendar", CALL),
      "calendar file": calendar.allSplits,
      "calendar picture": calendar.picture,
    };
    const all = async () => {
      for (const view of Object.values(views)) await view();
    };
    const figures = [];
    for (const [name, view] of Object.entries(views))
      figures.push({ name, unit: "ms CPU", value: await medianCpuMs(view), atMost: MAX_CPU_MS });
    // The same content in another object, as a commit makes it, without the CPU time of writing it to the disk.
    const change = () => {
      snapshot = { ...saved };
    };
    for (const [name, view] of Object.entries(views)) {
      figures.push({
        name: `${name} after a change`,
        unit: "ms CPU",
        value: await medianCpuMs(view, change),
        atMost: MAX_FIRST_CPU_MS,
      });
    }
    figures.push({ name: "all views after a change", unit: "ms CPU", value: await medianCpuMs(all, change) });
    return figures;
  } finally {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Median CPU time of `work`. `prepare` runs before each, unmeasured. */
async function medianCpuMs(work, prepare = silent) {
  const times = [];
  for (let round = 0; round < RUNS; round += 1) {
    prepare();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return median(times);
}
