// Start and idle memory: the built program until /readyz, beside a bare process that imports discord.js and @slack/bolt, and
// Node alone as the floor. Without platforms, the program reads and serves the sample; with both, whose servers are those of
// the tests, a folder without splits, because the sample is never sent to a platform outside the process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "./parts/pairs.mjs";
import { isReady, startPlatforms, withProgramFolder } from "./parts/program.mjs";
import { measureWork } from "./parts/stall.mjs";
import { importStores, inFolder, watchlistRecords } from "./parts/stores.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join(ROOT, "dist/main.js");
const LIBRARIES = 'await Promise.all([import("discord.js"), import("@slack/bolt")]);';
const STAY = "console.log(1); setInterval(() => undefined, 1_000_000);";

const ROUNDS = 9;
const WATCHES = 1_000_000;
const ROUNDS_WITH_WATCHES = 3;
const GROWTH_ENTRIES = [0, 1_000, 10_000, 100_000, 1_000_000];
const IDLE_MS = 2_000;

export async function measure() {
  const servers = await startPlatforms();
  try {
    const subjects = {
      web: () => startProgram({}),
      both: () => startProgram(servers.env),
      libraries: () => startBare(LIBRARIES + STAY),
      node: () => startBare(STAY),
    };
    const runs = await measureInTurn(subjects, ROUNDS);
    const watched = await measureWatches();
    return [
      ...figuresOf("web only", runs.web, runs.libraries, { atMostMs: 1.1, atMostMb: 1.1 }),
      ...figuresOf("both platforms", runs.both, runs.libraries, { atMostMs: 1.1, atMostMb: 1.2 }),
      { name: "start to /readyz, nothing configured", unit: "s", value: medianOf(runs.web, "ms") / 1_000, atMost: 0.7 },
      { name: "start of Node alone", unit: "ms", value: medianOf(runs.node, "ms") },
      { name: "memory of Node alone", unit: "MB", value: medianOf(runs.node, "mb") },
      ...watched,
    ];
  } finally {
    await servers.stop();
  }
}

function figuresOf(what, own, peer, { atMostMs, atMostMb }) {
  const figure = (key, name, unit, rest) => ({
    name: `${name}, ${what}`,
    unit,
    value: medianOf(own, key),
    peer: "discord.js and @slack/bolt imported",
    peerValue: medianOf(peer, key),
    ratio: median(own.map((run, round) => run[key] / peer[round][key])),
    ...rest,
  });
  return [
    figure("ms", "start to /readyz", "ms", { atMost: atMostMs }),
    figure("cpuMs", "CPU time until /readyz", "ms", {}),
    figure("mb", "idle memory", "MB", { atMost: atMostMb }),
  ];
}

/** Start with a million watches, beside the same program without. */
async function measureWatches() {
  const dataDir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  try {
    const stores = await importStores("start");
    await stores.fill(dataDir, watchlistRecords(WATCHES));
    const runs = await measureInTurn(
      { watched: () => startProgram({ DATA_DIR: dataDir }), empty: () => startProgram({}) },
      ROUNDS_WITH_WATCHES,
    );
    const moreMs = median(runs.watched.map(({ ms }, round) => ms - runs.empty[round].ms));
    return [{ name: "start with 1M watches: more than without", unit: "s", value: moreMs / 1_000, atMost: 1 }];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** CPU time of opening the store, which is the part of the start that grows, by the number of watch entries. */
export async function growth() {
  const stores = await importStores("start");
  const points = [];
  for (const entries of GROWTH_ENTRIES) {
    const cpuMs = await inFolder(async (dir) => {
      await stores.fill(dir, watchlistRecords(entries));
      const times = [];
      for (let round = 0; round < ROUNDS_WITH_WATCHES; round += 1) {
        let store;
        const measured = await measureWork(async () => {
          store = await stores.open(dir);
        });
        times.push(measured.cpuMs);
        await store.close();
      }
      return median(times);
    });
    points.push([entries, cpuMs]);
  }
  const series = [{ name: "file store", points }];
  return [{ file: "open", title: "Opening the store", x: "watch entries", unit: "ms CPU", series }];
}

/** Measures the subjects in turn, so that a comparison holds while other programs use the machine. */
async function measureInTurn(subjects, rounds) {
  const runs = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, start] of Object.entries(subjects)) runs[name].push(await start());
  return runs;
}

function startProgram(env) {
  return withProgramFolder(env, (options, address) => measureProcess([MAIN], options, () => isReady(address)));
}

function startBare(code) {
  return measureProcess(["--input-type=module", "-e", code], {}, ({ stdout }) => once(stdout, "data"));
}

/** Time, CPU time and resident memory of a process; `ready` resolves at the end of its start. */
async function measureProcess(args, env, ready) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    await Promise.race([ready(child), ended.then(([code]) => Promise.reject(new Error(`exit code ${code}`)))]);
    const ms = performance.now() - startedAt;
    const cpuMs = await cpuMsOf(child.pid);
    await sleep(IDLE_MS);
    return { ms, cpuMs, mb: await residentMbOf(child.pid) };
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

const CLOCK_TICK_MS = 10;

async function cpuMsOf(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}

async function residentMbOf(pid) {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"));
  return Number(kb) / 1_024;
}

function medianOf(runs, key) {
  return median(runs.map((run) => run[key]));
}
