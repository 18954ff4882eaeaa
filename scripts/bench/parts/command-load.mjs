// Store with watch entries, and commands at a steady rate. Argument: the number of people, who watch ten tickers each. Runs when
// the parent process sends a number of seconds, and answers with the times of the commands and the longest stall.
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importModules } from "./bundle.mjs";
import { contextParts, firstPoll } from "./command-context.mjs";
import { log } from "./silent.mjs";
import { measureWork } from "./stall.mjs";

const PEOPLE = Number(process.argv[2]);
const TICKERS_EACH = 10;
const ALL_TICKERS = 10_000;
const CALLERS = 100_000;
const SPLITS = 500;
const RELEASES = 8_000;
const COMMANDS_PER_SECOND = 200;
const WARM_UP_SECONDS = 2;
const APPENDS_PER_SECOND = 20;
/** Size of a change of a watchlist in the log. */
const APPENDED_BYTES = 110;

const [commands, ics, clock, stores] = await importModules(`commands-${PEOPLE}`, [
  "commands/index",
  "lib/ics",
  "lib/clock",
  "store/index",
]);
const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
const parts = { clock: clock.systemClock, log };
let store = await openStore();
await store.snapshot.commit(firstPoll(SPLITS, RELEASES));
for (let from = 0; from < PEOPLE; from += 1_000)
  await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => store.watchlists.add(person(from + n), tickersOf(from + n))),
  );
await store.close();
store = await openStore();
const context = { ...parts, ...contextParts(store), writeCalendar: ics.writeCalendarFile };
const { run } = commands.createCommands(context);
const bareFile = await open(join(dir, "bare.log"), "w");
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

async function measure(seconds) {
  const timesMs = { watch: [], show: [], list: [], append: [] };
  const { stallMs, cpuMs } = await measureWork(async () => {
    const checkpoint = sleep((seconds * 1_000) / 2).then(() => store.prune(0));
    const paced = [
      atPace(COMMANDS_PER_SECOND, seconds, () => runNext(timesMs)),
      atPace(APPENDS_PER_SECOND, seconds, () => timed(timesMs.append, appendBare)),
    ];
    await Promise.all([checkpoint, ...paced]);
  });
  return { timesMs, stallMs, cpuMs };
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
  const caller = person((count * 7_919) % CALLERS);
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

async function appendBare() {
  await bareFile.write(Buffer.alloc(APPENDED_BYTES, "a"));
  await bareFile.datasync();
}

function openStore() {
  return stores.configuredStore({ dataDir: dir }).open({ ...parts, holder: "bench" });
}

function person(n) {
  return { platform: "web", kind: "person", id: String(100_000_000_000_000_000n + BigInt(n) * 7_919n) };
}

function tickersOf(n) {
  return Array.from({ length: TICKERS_EACH }, (_, k) => letters((n * 7 + k * k * 131) % ALL_TICKERS));
}

/** Four letters for each number below 456,976. */
function letters(n) {
  return Array.from({ length: 4 }, (_, place) => String.fromCharCode(65 + (Math.floor(n / 26 ** place) % 26))).join("");
}
