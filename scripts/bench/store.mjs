// The store in a folder with a million watch entries, beside an empty one: a durable change, the opening, memory, commands at a steady
// rate and what blocks the event loop meanwhile; and a large commit.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { importModules } from "./parts/bundle.mjs";
import { p99, startLoad } from "./parts/command-loads.mjs";
import { countOf } from "./parts/counts.mjs";
import { measurePairs, median } from "./parts/pairs.mjs";
import { aRule } from "./parts/rules.mjs";
import { log, metrics } from "./parts/silent.mjs";
import { announcements } from "./parts/split-record.mjs";
import { measureWork } from "./parts/stall.mjs";
import {
  aPerson,
  importStores,
  inBatches,
  inFolder,
  letters,
  openBareFile,
  watchlistRecords,
  writtenBytes,
} from "./parts/stores.mjs";

const MEMORY = fileURLToPath(new URL("parts/store-memory.mjs", import.meta.url));
const ENTRIES = countOf(1_000_000, 1_000);
const GROWTH_ENTRIES = [0, 1_000, 10_000, 100_000, 1_000_000];
/** So that no watchlist becomes long. */
const MIN_PEOPLE = 20_000;

const WARM_UP_CHANGES = countOf(200, 1);
const CHANGE_PAIRS = countOf(301, 1);
const OPEN_PAIRS = countOf(5, 1);
const MEMORY_PAIRS = countOf(3, 1);

const COMMANDS = ["watch", "show", "list"];
const PER_SECOND = 200;
const ROUNDS = countOf(8, 1);
const SECONDS = countOf(3, 1);
const GROWTH_SECONDS = 5;

const EVENTS = countOf(200, 2);
const RULES = countOf(1_000, 10);
const GROWTH_RULES = [5, 50, 500, 1_000];
/** Each leaves 200,000 deliveries in the store. */
const COMMITS = countOf(3, 1);

const EMPTY = "without watch entries";

const run = promisify(execFile);

export async function measure() {
  const stores = await importStores("store");
  return [
    ...(await inFolder(async (full) => {
      await stores.fill(full, watchlistRecords(ENTRIES));
      return [await changeFigure(stores, full), ...(await besideEmpty(stores, full))];
    })),
    ...(await commandFigures()),
    ...commitFigures(await measureCommit(stores, RULES)),
  ];
}

/** A durable change and the CPU time of a command by the number of watch entries, and of a commit per delivery. */
export async function growth() {
  const stores = await importStores("store");
  const [own, bare, commands, commits] = [[], [], [], []];
  for (const entries of GROWTH_ENTRIES) {
    const { first, second } = await inFolder(async (dir) => {
      await stores.fill(dir, watchlistRecords(entries));
      return measureChange(stores, dir, entries);
    });
    own.push([entries, first]);
    bare.push([entries, second]);
    const load = await startLoad(entries, PER_SECOND);
    const { timesMs, cpuMs } = await load.run(GROWTH_SECONDS);
    await load.end();
    commands.push([entries, cpuMs / COMMANDS.reduce((count, name) => count + timesMs[name].length, 0)]);
  }
  for (const rules of GROWTH_RULES) {
    const { cpuMs } = await measureCommit(stores, rules);
    commits.push([EVENTS * rules, (cpuMs * 1_000) / (EVENTS * rules)]);
  }
  const changes = [
    { name: "add one watch", points: own },
    { name: "append and fdatasync", points: bare },
  ];
  const command = [{ name: "watch, show, list", points: commands }];
  const commit = { file: "commit", title: "Commit of 200 events, per delivery", x: "deliveries", unit: "µs CPU" };
  const x = "watch entries";
  return [
    { file: "change-time", title: "A durable change", x, unit: "ms", series: changes },
    { file: "commands", title: "Commands at 200/s, each", x, unit: "ms CPU", series: command },
    { ...commit, series: [{ name: "saved", points: commits }] },
  ];
}

async function changeFigure(stores, dir) {
  const { first, second, ratio } = await measureChange(stores, dir, ENTRIES);
  const peer = { peer: "append and fdatasync", peerValue: second, ratio };
  return { name: "add one watch at 1M watch entries", unit: "ms", value: first, ...peer, atMost: 5 };
}

/** A change beside an append of as many bytes and its fdatasync. */
function measureChange(stores, dir, entries) {
  const people = Math.max(MIN_PEOPLE, entries / 10);
  return stores.withOpen(dir, async (store) => {
    const bare = await openBareFile(dir);
    let count = 0;
    const next = () => store.watchlists.add(aPerson((count * 7_919) % people), [letters(200_000 + count++)]);
    for (let n = 0; n < WARM_UP_CHANGES; n += 1) await next();
    const before = await writtenBytes();
    await next();
    const bytes = (await writtenBytes()) - before;
    const pairs = await measurePairs(
      CHANGE_PAIRS,
      () => timeMs(next),
      () => timeMs(() => bare.append(bytes)),
    );
    await bare.close();
    return pairs;
  });
}

/** What the entries add to the start and to the memory of a process that uses them. */
function besideEmpty(stores, full) {
  return inFolder(async (empty) => {
    await stores.fill(empty, []);
    const open = (dir) => async () => {
      let store;
      const ms = await timeMs(async () => {
        store = await stores.open(dir);
      });
      await store.close();
      return ms;
    };
    const opening = await measurePairs(OPEN_PAIRS, open(full), open(empty));
    const memory = await measurePairs(
      MEMORY_PAIRS,
      () => memoryMb(full),
      () => memoryMb(empty),
    );
    return [
      moreFigure("open the store with 1M watch entries: more than without", "ms", opening, 1_000),
      moreFigure("memory with 100,000 watchers × 10 tickers: more than without", "MB", memory, 35),
    ];
  });
}

function moreFigure(name, unit, { first, second }, atMost) {
  return { name, unit, value: first - second, peer: EMPTY, peerValue: second, atMost };
}

async function memoryMb(dir) {
  const { stdout } = await run(process.execPath, ["--expose-gc", MEMORY, dir]);
  return Number(stdout) / 1_000_000;
}

async function commandFigures() {
  const [empty, full] = await Promise.all([startLoad(0, PER_SECOND), startLoad(ENTRIES, PER_SECOND)]);
  const rounds = { empty: [], full: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // At the same time, so that other programs delay both alike.
    const [withoutEntries, withEntries] = await Promise.all([empty.run(SECONDS), full.run(SECONDS)]);
    rounds.empty.push(withoutEntries);
    rounds.full.push(withEntries);
  }
  await Promise.all([empty.end(), full.end()]);
  const commands = COMMANDS.map((name) =>
    compared(`${name}, p99`, p99(rounds.full, name), p99(rounds.empty, name), { atMost: 2 }),
  );
  // Medians: another program can delay a round.
  const turns = [rounds.full, rounds.empty].map((all) => median(all.map(({ turnMs }) => turnMs)));
  const appends = [p99(rounds.full, "append"), p99(rounds.empty, "append")];
  return [
    ...commands,
    compared("bare append and fdatasync, p99,", ...appends),
    compared("longest turn of the event loop", ...turns, { atMostValue: 20 }),
  ];
}

function compared(name, value, peerValue, limit) {
  const peer = { peer: EMPTY, peerValue, ratio: value / peerValue };
  return { name: `${name} at 200 commands/s with 1M entries`, unit: "ms", value, ...peer, ...limit };
}

/** Commits of the alerts of new splits, which all rules match, after one that is not measured. */
async function measureCommit(stores, rules) {
  const [{ commitChanges }] = await importModules("store-commit", ["pipeline/commit"]);
  return inFolder((dir) =>
    stores.withOpen(dir, async (store) => {
      await inBatches(rules, (n) => store.rules.add(aRule(n)));
      const parts = { store, log, metrics, canReceive: () => true, wake: () => undefined };
      const runs = [];
      for (let n = 0; n <= COMMITS; n += 1) {
        const events = announcements(n * EVENTS, EVENTS);
        let ms;
        const measured = await measureWork(async () => {
          ms = await timeMs(() => commitChanges(parts, { patch: null, events }));
        });
        if (n > 0) runs.push({ ...measured, ms });
      }
      const medianOf = (key) => median(runs.map((one) => one[key]));
      return { ms: medianOf("ms"), cpuMs: medianOf("cpuMs"), stallMs: medianOf("stallMs") };
    }),
  );
}

function commitFigures({ ms, cpuMs, stallMs }) {
  const name = "200 events × 1,000 rules, saved";
  return [
    { name, unit: "s", value: ms / 1_000, atMost: 3 },
    { name: `${name}: CPU per delivery`, unit: "µs", value: (cpuMs * 1_000) / (EVENTS * RULES) },
    { name: `${name}: longest slice`, unit: "ms", value: stallMs, atMost: 20 },
  ];
}

async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
