import { Session } from "node:inspector/promises";
import { importModules } from "../parts/bundle.mjs";
import { contextParts, firstPoll } from "../parts/command-context.mjs";
import { median } from "../parts/pairs.mjs";
import { aRule } from "../parts/rules.mjs";
import { log, metrics } from "../parts/silent.mjs";
import { announcements } from "../parts/split-record.mjs";
import { aPerson, importStores, inFolder, letters, watchlistRecords } from "../parts/stores.mjs";
import { sharesOf } from "./attribution.mjs";

const ENTRIES = 1_000_000;
const SPLITS = 500;
const RELEASES = 8_000;
const CALLS = 200;
/** The median of several is free of a garbage collection among few calls. */
const MEASUREMENTS = 5;
const PROFILED_CALLS = 5_000;
const EVENTS = 200;
const RULES = 1_000;
const SAMPLING_MICROS = 200;
const WITH_SOURCE_MAPS = { sourcemap: true };

/** Command lines by their names; `n` differs in each call. */
const LINES = {
  list: () => "list",
  show: (n) => `show T${n % SPLITS}`,
  articles: (n) => `articles T${n % SPLITS}`,
  watch: (n) => `watch ${letters(200_000 + n)}`,
  unwatch: (n) => `unwatch ${letters(n % 10_000)}`,
  watchlist: () => "watchlist",
  subscribe: (n) => `subscribe tickers:${letters(n)}`,
  subscriptions: () => "subscriptions",
  calc: (n) => `calc T${n % SPLITS} 1050`,
  calendar: () => "calendar",
  settings: () => "settings",
  status: () => "status",
  why: (n) => `why T${n % SPLITS}`,
  help: () => "help",
};

/** Measures the CPU time of each command with 1M watch entries, and profiles the one that takes most. */
export function profileBusiestCommand() {
  return withStore("profile-command", watchlistRecords(ENTRIES), async (store) => {
    const [{ createCommands }, { writeCalendarFile }, { systemClock }] = await importModules(
      "profile-command",
      ["commands/index", "lib/ics", "lib/clock"],
      WITH_SOURCE_MAPS,
    );
    await store.snapshot.commit(firstPoll(SPLITS, RELEASES));
    const context = { clock: systemClock, log, ...contextParts(store), writeCalendar: writeCalendarFile };
    const { run } = createCommands(context);
    const runLine = async (name, n) => {
      const person = aPerson((n * 7_919) % (ENTRIES / 10));
      const call = { person, destination: person, mayManage: async () => true };
      const { command, cards } = await run(LINES[name](n), call);
      if (command === undefined || cards.some(({ tone }) => tone === "bad"))
        throw new Error(`${name}: ${JSON.stringify(cards)}`);
    };
    const repeat = async (name, first, count) => {
      for (let n = first; n < first + count; n += 1) await runLine(name, n);
    };
    const cpuMs = {};
    for (const name of Object.keys(LINES)) {
      await repeat(name, 0, CALLS);
      const measured = [];
      for (let n = 1; n <= MEASUREMENTS; n += 1) measured.push(await cpuMsOf(() => repeat(name, n * CALLS, CALLS)));
      cpuMs[name] = median(measured) / CALLS;
    }
    const [busiest] = Object.keys(LINES).toSorted((a, b) => cpuMs[b] - cpuMs[a]);
    const shares = await profileOf(() => repeat(busiest, 0, PROFILED_CALLS));
    return {
      cpuMs,
      profile: { name: `Command \`${busiest}\`, ${PROFILED_CALLS.toLocaleString("en-US")} calls`, ...shares },
    };
  });
}

/** Profiles the commit of 200 events for 1,000 rules that match all of them. */
export function profileLargeCommit() {
  return withStore("profile-commit", ruleRecords(), async (store) => {
    const [{ commitChanges }] = await importModules("profile-commit", ["pipeline/commit"], WITH_SOURCE_MAPS);
    const parts = { store, log, metrics, canReceive: () => true, wake: () => undefined };
    const commit = (first) => commitChanges(parts, { patch: null, events: announcements(first, EVENTS) });
    await commit(0);
    const shares = await profileOf(() => commit(EVENTS));
    return { name: `Commit of ${EVENTS} events × ${RULES.toLocaleString("en-US")} rules`, ...shares };
  });
}

function withStore(folder, records, work) {
  return inFolder(async (dir) => {
    const stores = await importStores(`${folder}-store`, WITH_SOURCE_MAPS);
    await stores.fill(dir, records);
    return stores.withOpen(dir, work);
  });
}

async function profileOf(work) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLING_MICROS });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return sharesOf([{ profile }]);
}

async function cpuMsOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function* ruleRecords() {
  for (let n = 0; n < RULES; n += 1) yield { kind: "rule", value: { ...aRule(n), number: 1 } };
}
