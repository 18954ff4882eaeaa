// Views of the snapshot with 500 splits and 8,000 releases: CPU time while it is unchanged, and after a poll
// has changed it: of each as the first view, and of all of them together.
import { importModules } from "./parts/bundle.mjs";
import { contextParts, firstPoll } from "./parts/command-context.mjs";
import { countOf } from "./parts/counts.mjs";
import { median } from "./parts/pairs.mjs";
import { log } from "./parts/silent.mjs";
import { importStores, inFolder } from "./parts/stores.mjs";

const SPLITS = countOf(500, 2);
const RELEASES_EACH = 16;
const RELEASES = SPLITS * RELEASES_EACH;
const GROWTH_SPLITS = [50, 200, 500, 1_000, 2_000];
const GROWTH_VIEWS = ["list", "calendar", "overview", "articles"];
const RUNS = countOf(21, 1);
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
  return withViews(SPLITS, RELEASES, async ({ views, all, change }) => {
    const figures = [];
    for (const [name, view] of Object.entries(views))
      figures.push({
        name: `${name} at 500 splits and 8,000 releases`,
        unit: "ms CPU",
        value: await medianCpuMs(view),
        atMost: MAX_CPU_MS,
      });
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
  });
}

/** CPU time of views by the number of splits, while the data is unchanged. */
export async function growth() {
  const series = GROWTH_VIEWS.map((name) => ({ name, points: [] }));
  for (const splits of GROWTH_SPLITS)
    await withViews(splits, splits * RELEASES_EACH, async ({ views }) => {
      for (const { name, points } of series) {
        await views[name]();
        points.push([splits, await medianCpuMs(views[name])]);
      }
    });
  const target = { name: "target at 500", value: MAX_CPU_MS };
  const title = "Views of unchanged data";
  return [{ file: "views", title, x: "splits, with 16 releases each", unit: "ms CPU", series, target }];
}

async function withViews(splits, releases, work) {
  const [commands, screens, feed, data, quality, ics, clock] = await importModules("views", [
    "commands/index",
    "commands/screens",
    "commands/calendar-feed",
    "commands/current-data",
    "domain/split/quality",
    "lib/ics",
    "lib/clock",
  ]);
  const stores = await importStores("views-store");
  return inFolder((dir) =>
    stores.withOpen(dir, async (store) => {
      await store.snapshot.commit(firstPoll(splits, releases));
      const saved = await store.snapshot.read();
      let snapshot = saved;
      const context = {
        clock: clock.systemClock,
        log,
        ...contextParts({ ...store, snapshot: { read: async () => snapshot } }),
        writeCalendar: ics.writeCalendarFile,
      };
      const { run } = commands.createCommands(context);
      const { overview } = screens.createScreens(context);
      const calendar = feed.createCalendarFeed(context);
      const views = {
        list: () => run("list", CALL),
        overview: () => overview(CALL.destination),
        metrics: async () => quality.countWarnings(data.currentWarnings(await data.readSnapshotOf(context))),
        status: () => run("status", CALL),
        calendar: () => run("calendar", CALL),
        "calendar file": calendar.allSplits,
        "calendar picture": calendar.picture,
        articles: () => run("articles T1", CALL),
      };
      const all = async () => {
        for (const view of Object.values(views)) await view();
      };
      // The same content in another object, as a commit makes it, without the CPU time of writing it to the disk.
      const change = () => {
        snapshot = { ...saved };
      };
      return work({ views, all, change });
    }),
  );
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
