// Views of the snapshot with 500 splits and 8,000 releases: CPU time while it is unchanged, and for all of them together after
// a poll has changed it, when each is computed anew.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importModules } from "./parts/bundle.mjs";
import { median } from "./parts/pairs.mjs";

const SPLITS = 500;
const RELEASES = 8_000;
const DAY_MS = 86_400_000;
const SOURCE = "http://splits.example";
const RUNS = 21;
const MAX_CPU_MS = 3;
const CALL = {
  person: { platform: "web", kind: "person", id: "alice" },
  destination: { platform: "web", kind: "channel", id: "general" },
  mayManage: async () => true,
};

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

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
    await store.snapshot.commit(firstPoll());
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

function contextParts(store) {
  return {
    store,
    metrics: {
      countPoll: silent,
      countEvent: silent,
      countDelivery: silent,
      observeDeliveryMs: silent,
      countCommand: silent,
    },
    version: "bench",
    timezone: "America/New_York",
    nextDigest: () => null,
    source: { id: SOURCE, name: "bench", sample: false, notes: () => [], problem: () => null, live: null },
    publicUrl: null,
    isStale: () => false,
    pauseDeliveryDuring: (_destination, work) => work(),
    retryDelivery: async () => undefined,
    deliveryProblem: async () => null,
    platformProblems: () => [],
    waitForOutcome: async () => ({ kind: "waiting", problem: null }),
  };
}

function firstPoll() {
  const header = {
    source: SOURCE,
    startedAt: 0,
    nextSplit: SPLITS,
    splitsKnown: true,
    settlingPolls: 0,
    articlesThrough: null,
    suspicion: null,
  };
  const splits = Array.from({ length: SPLITS }, (_, n) => aSplit(n));
  const articles = Array.from({ length: RELEASES }, (_, n) => anArticle(n));
  const patch = { header, replaces: true, splits, removedSplits: [], articles, removedArticles: [] };
  return { patch, events: [], deliveries: [] };
}

function aSplit(n) {
  const record = {
    ticker: `T${n}`,
    exchange: "NASDAQ",
    company: `Company ${n} Holdings Inc.`,
    ratioText: "1:20",
    ratio: { newShares: 1, oldShares: 20 },
    exDate: dayFromNow(n % 40),
    dateAnnounced: dayFromNow(-5),
  };
  const state = { status: "listed", removedAt: null, pollsMissed: 0, transitionTimes: [], pendingRecord: null };
  return { id: `s${n}`, record, revision: 1, firstSeenAt: Date.now(), withdrawal: null, reminded: {}, ...state };
}

function anArticle(n) {
  return {
    url: `https://wire.example/${n}`,
    source: "globenewswire",
    heading: `Company ${n % SPLITS} Announces Reverse Stock Split`,
    version: "1",
    published: dayFromNow(-(n % 60)),
    seenAt: Date.now(),
    kind: "reverse_split",
    kindSentence: null,
    concerns: [{ ticker: `T${n % SPLITS}`, exchange: "NASDAQ" }],
    fraction: null,
    terms: [],
  };
}

function dayFromNow(days) {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
