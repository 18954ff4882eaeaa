// Store with watch entries, and commands at a steady rate. Arguments: the number of entries, ten for each person; the commands
// per second; the address of a database, else the store is in a folder. Runs when the parent process sends a number of
// seconds, and answers with the times of the commands, the CPU time and the longest turn.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importModules } from "./bundle.mjs";
import { contextParts, firstPoll } from "./command-context.mjs";
import { countOf } from "./counts.mjs";
import { fillWatchlists, openPostgres } from "./postgres.mjs";
import { log } from "./silent.mjs";
import { measureWork } from "./stall.mjs";
import { aPerson, importStores, letters, openBareFile, watchlistRecords } from "./stores.mjs";

const ENTRIES = Number(process.argv[2]);
const CALLERS = 100_000;
const SPLITS = 500;
const RELEASES = 8_000;
const COMMANDS_PER_SECOND = Number(process.argv[3]);
const DATABASE = process.argv[4];
const WARM_UP_SECONDS = countOf(2, 0.1);
const APPENDS_PER_SECOND = 20;
/** Size of a change of a watchlist in the log: some pages. */
const APPENDED_BYTES = 12_000;

const [commands, ics, clock] = await importModules(
  `commands-${ENTRIES}-${DATABASE === undefined ? "folder" : "database"}`,
  ["commands/index", "lib/ics", "lib/clock"],
);
const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
const store = await openStore();
await store.snapshot.commit(firstPoll(SPLITS, RELEASES));
const context = {
  clock: clock.systemClock,
  log,
  ...contextParts(store),
  writeCalendar: ics.writeCalendarFile,
};
const { run } = commands.createCommands(context);
const bareFile = await openBareFile(dir);
let count = 0;
// The first commands compute the views of the snapshot, which later ones share.
await measure(WARM_UP_SECONDS);

process.on("message", async (seconds) => {
  if (seconds !== "end") return process.send(await measure(seconds));
  await bareFile.close();
  await store.close();
  await rm(dir, { recursive: true, force: true });
  process.disconnect();
});
process.send("ready");

async function openStore() {
  if (DATABASE !== undefined) {
    const opened = await openPostgres(`commands-database-${ENTRIES}`, DATABASE);
    await fillWatchlists(DATABASE, watchlistRecords(ENTRIES));
    return opened;
  }
  const stores = await importStores(`commands-store-${ENTRIES}`);
  await stores.fill(dir, watchlistRecords(ENTRIES));
  return stores.open(dir);
}

async function measure(seconds) {
  const timesMs = { watch: [], show: [], list: [], append: [] };
  const { turnMs, cpuMs } = await measureWork(() =>
    Promise.all([
      atPace(COMMANDS_PER_SECOND, seconds, () => runNext(timesMs)),
      atPace(APPENDS_PER_SECOND, seconds, () => timed(timesMs.append, () => bareFile.append(APPENDED_BYTES))),
    ]),
  );
  return { timesMs, turnMs, cpuMs };
}

/** Starts `work` at a steady rate, whether or not earlier work has ended, as independent users do. */
async function atPace(perSecond, seconds, work) {
  const start = performance.now();
  const running = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const waitMs = start + (n * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    running.push(work());
  }
  await Promise.all(running);
}

function runNext(timesMs) {
  count += 1;
  const caller = aPerson((count * 7_919) % CALLERS);
  const call = { person: caller, destination: caller, mayManage: async () => true };
  const name = ["watch", "show", "list"][count % 3];
  const line = { watch: `watch N${letters(count)}`, show: `show T${count % SPLITS}`, list: "list" }[name];
  return timed(timesMs[name], () => run(line, call));
}

async function timed(timesMs, work) {
  const start = performance.now();
  await work();
  timesMs.push(performance.now() - start);
}
