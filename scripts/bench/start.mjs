// Start and idle memory: the built program until /readyz, beside a bare process that imports discord.js and @slack/bolt, and
// Node alone as the floor. Without platforms, the program reads and serves the sample; with both, whose servers are those of
// the tests, a folder without splits, because the sample is never sent to a platform outside the process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "./parts/pairs.mjs";
import { isReady, startPlatforms, withProgramFolder } from "./parts/program.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join(ROOT, "dist/main.js");
const LIBRARIES = 'await Promise.all([import("discord.js"), import("@slack/bolt")]);';
const STAY = "console.log(1); setInterval(() => undefined, 1_000_000);";

const ROUNDS = 9;
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
    return [
      ...figuresOf("web only", runs.web, runs.libraries, { atMostMs: 1.1, atMostMb: 1.1 }),
      ...figuresOf("both platforms", runs.both, runs.libraries, { atMostMs: 1.1, atMostMb: 1.2 }),
      { name: "start to /readyz, nothing configured", unit: "s", value: medianOf(runs.web, "ms") / 1_000, atMost: 0.7 },
      { name: "start of Node alone", unit: "ms", value: medianOf(runs.node, "ms") },
      { name: "memory of Node alone", unit: "MB", value: medianOf(runs.node, "mb") },
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

/** Measures the subjects alternately, so that a comparison holds while other programs use the machine. */
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
