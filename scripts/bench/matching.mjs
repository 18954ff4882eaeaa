// Matching of events with rules and watchlists: CPU time beside the limit for its number of matches, and the longest time for
// which the event loop was blocked.
import { importModules } from "./parts/bundle.mjs";
import { countOf } from "./parts/counts.mjs";
import { median } from "./parts/pairs.mjs";
import { aRule } from "./parts/rules.mjs";
import { log, metrics } from "./parts/silent.mjs";
import { anAnnouncement, announcements } from "./parts/split-record.mjs";
import { measureWork } from "./parts/stall.mjs";
import { aPerson, importStores, inBatches, inFolder } from "./parts/stores.mjs";

const RULES = countOf(50_000, 100);
const WATCHERS = countOf(100_000, 10);
const EVENTS = countOf(200, 2);
const RULES_OF_COMMIT = countOf(1_000, 10);
const RUNS = countOf(11, 1);
const GROWTH_RULES = [0, 1_000, 10_000, 50_000, 100_000];
const MAX_START_MS = 1;
const MAX_MS_PER_MATCH = 0.005;
const MAX_STALL_MS = 20;

const silent = () => undefined;
const canReceive = () => true;

/** Filters of 50,000 rules, and the number of them that match an event of T1 on NASDAQ with the ratio 1:20. */
const RULE_SETS = {
  "of other tickers": { filterOf: (n) => ({ tickers: [`T${n % 5_000}`] }), matches: RULES / 5_000 },
  "of other exchanges": { filterOf: (n) => ({ exchanges: ["NYSE"], excludeTickers: [`X${n % 5_000}`] }), matches: 0 },
  "with steeper ratios": { filterOf: (n) => ({ minRatio: 21 + (n % 1_000) }), matches: 0 },
  "that all match": { filterOf: () => ({}), matches: RULES },
  "with different filters that all match": { filterOf: (n) => ({ excludeTickers: [`X${n}`] }), matches: RULES },
};

export async function measure() {
  const bench = await importBench();
  const figures = [];
  for (const [name, { filterOf, matches }] of Object.entries(RULE_SETS))
    figures.push(...figuresOf(`event × 50,000 rules ${name}`, matches, await measureMatch(bench, RULES, filterOf)));
  const watched = await bench.withStore(async (store) => {
    await addWatchers(store);
    return measureRuns(() => bench.matchOne(store));
  });
  figures.push(...figuresOf("event × 100,000 watchers", WATCHERS, watched));
  const deliveries = EVENTS * RULES_OF_COMMIT;
  const prepared = await bench.withStore(async (store) => {
    await addRules(store, RULES_OF_COMMIT, () => ({}));
    const unsaved = { ...store, snapshot: { commit: silent } };
    return measureRuns(() => bench.commit(unsaved, announcements(0, EVENTS)));
  });
  figures.push(...figuresOf("200 events × 1,000 rules, without the store's commit", deliveries, prepared));
  return figures;
}

/** CPU time of matching by the number of rules. */
export async function growth() {
  const bench = await importBench();
  const names = ["of other tickers", "of other exchanges", "with steeper ratios"];
  const series = names.map((name) => ({ name, points: [] }));
  for (const rules of GROWTH_RULES)
    for (const { name, points } of series)
      points.push([rules, (await measureMatch(bench, rules, RULE_SETS[name].filterOf)).cpuMs]);
  return [{ file: "matching", title: "One event × rules", x: "rules", unit: "ms CPU", series }];
}

async function importBench() {
  const [match, commit] = await importModules("matching", ["pipeline/match", "pipeline/commit"]);
  const stores = await importStores("matching-store");
  return {
    withStore: (work) => inFolder((dir) => stores.withOpen(dir, work)),
    matchOne: (store) => match.matchEvents({ store, canReceive }, [anAnnouncement(1)]),
    commit: (store, events) =>
      commit.commitChanges({ store, log, metrics, canReceive, wake: silent }, { patch: null, events }),
  };
}

function measureMatch({ withStore, matchOne }, rules, filterOf) {
  return withStore(async (store) => {
    await addRules(store, rules, filterOf);
    return measureRuns(() => matchOne(store));
  });
}

function figuresOf(name, matches, { cpuMs, stallMs }) {
  const limitMs = MAX_START_MS + matches * MAX_MS_PER_MATCH;
  const limit = { peer: "1 ms + 5 µs per match", peerValue: limitMs, ratio: cpuMs / limitMs, atMost: 1 };
  return [
    { name, unit: "ms CPU", value: cpuMs, ...limit },
    { name: `${name}: longest slice`, unit: "ms", value: stallMs, atMost: MAX_STALL_MS },
  ];
}

/** Medians of several runs, after one that is not measured. */
async function measureRuns(work) {
  await work();
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measureWork(work));
  return { cpuMs: median(runs.map((run) => run.cpuMs)), stallMs: median(runs.map((run) => run.stallMs)) };
}

/** One rule for each of `count` channels. */
function addRules(store, count, filterOf) {
  return inBatches(count, (n) => store.rules.add(aRule(n, filterOf(n))));
}

function addWatchers(store) {
  return inBatches(WATCHERS, (n) => store.watchlists.add(aPerson(n), ["T1"]));
}
