// Matching of events with rules and watchlists: CPU time beside the limit for its number of matches, and the longest time for
// which the event loop was blocked.
import { importModules } from "./parts/bundle.mjs";
import { median } from "./parts/pairs.mjs";
import { aRule } from "./parts/rules.mjs";
import { log, metrics } from "./parts/silent.mjs";
import { aSplitRecord } from "./parts/split-record.mjs";
import { measureWork } from "./parts/stall.mjs";
import { aPerson, importStores, inBatches, inFolder } from "./parts/stores.mjs";

const RULES = 50_000;
const WATCHERS = 100_000;
const EVENTS = 200;
const RULES_OF_COMMIT = 1_000;
const RUNS = 11;
/** Each leaves 200,000 deliveries in the store. */
const RUNS_OF_COMMIT = 3;
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
  const [match, commit] = await importModules("matching", ["pipeline/match", "pipeline/commit"]);
  const stores = await importStores("matching-store");
  const withStore = (work) => inFolder((dir) => stores.withOpen(dir, work));
  const matchOne = (store) => match.matchEvents({ store, canReceive }, [anEvent(1)]);
  const figures = [];
  for (const [name, { filterOf, matches }] of Object.entries(RULE_SETS)) {
    const measured = await withStore(async (store) => {
      await addRules(store, RULES, filterOf);
      return measureRuns(() => matchOne(store));
    });
    figures.push(...figuresOf(`event × 50,000 rules ${name}`, matches, measured));
  }
  const watched = await withStore(async (store) => {
    await addWatchers(store);
    return measureRuns(() => matchOne(store));
  });
  figures.push(...figuresOf("event × 100,000 watchers", WATCHERS, watched));
  const deliveries = EVENTS * RULES_OF_COMMIT;
  const prepared = await withStore(async (store) => {
    await addRules(store, RULES_OF_COMMIT, () => ({}));
    const parts = { store: { ...store, snapshot: { commit: silent } }, log, metrics, canReceive, wake: silent };
    return measureRuns(() => commit.commitChanges(parts, { patch: null, events: eventsFrom(0) }));
  });
  figures.push(...figuresOf("200 events × 1,000 rules, without the store's commit", deliveries, prepared));
  const saved = await withStore(async (store) => {
    await addRules(store, RULES_OF_COMMIT, () => ({}));
    const parts = { store, log, metrics, canReceive, wake: silent };
    let first = 0;
    const commitNext = () => {
      first += EVENTS;
      return commit.commitChanges(parts, { patch: null, events: eventsFrom(first) });
    };
    return measureRuns(commitNext, RUNS_OF_COMMIT);
  });
  figures.push(...figuresOf("200 events × 1,000 rules, saved", deliveries, saved));
  return figures;
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
async function measureRuns(work, count = RUNS) {
  await work();
  const runs = [];
  for (let run = 0; run < count; run += 1) runs.push(await measureWork(work));
  return { cpuMs: median(runs.map((run) => run.cpuMs)), stallMs: median(runs.map((run) => run.stallMs)) };
}

/** One rule for each of `count` channels. */
function addRules(store, count, filterOf) {
  return inBatches(count, (n) => store.rules.add(aRule(n, filterOf(n))));
}

function addWatchers(store) {
  return inBatches(WATCHERS, (n) => store.watchlists.add(aPerson(n), ["T1"]));
}

function eventsFrom(first) {
  return Array.from({ length: EVENTS }, (_, n) => anEvent(first + n));
}

function anEvent(n) {
  const evidence = { fraction: null, release: null, disagreements: [] };
  const base = { id: `s${n}.1`, at: 0, sample: false, splitId: `s${n}`, record: aSplitRecord(n), ...evidence };
  return { kind: "announced", ...base, alreadyEffective: false };
}
