// Backups and restores by the built program, beside a copy of the same files.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { median } from "./parts/pairs.mjs";
import { importStores, inFolder } from "./parts/stores.mjs";

const RELEASES = { count: 8_000, characters: 32_000 };

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const MEMORY_PRELOAD = new URL("parts/memory-preload.mjs", import.meta.url).href;

export function measure() {
  return inFolder(measureBackup);
}

/**
 * A backup and a restore by the program, less those of an empty store, beside a copy of the same files, which is synced. Memory
 * beside that of an empty store: the process before it reads rows.
 */
async function measureBackup(dir) {
  const [data, empty] = [join(dir, "data"), join(dir, "empty")];
  const stores = await importStores("backup");
  await stores.fill(data, releaseRecords());
  await stores.fill(empty, []);
  const rounds = [];
  for (const round of [1, 2, 3]) {
    const copy = join(dir, `copy-${round}`);
    const copyMs = await timeMs(() => copyFolder(data, copy));
    const base = await measureRound(empty, join(dir, `empty-${round}`));
    const full = await measureRound(data, join(dir, `full-${round}`));
    await rm(copy);
    rounds.push({ copyMs, base, full });
  }
  const medianOf = (select) => median(rounds.map(select));
  return ["backup", "restore"].flatMap((step) => {
    const peerValue = medianOf(({ copyMs }) => copyMs);
    const value = medianOf(({ base, full }) => full[step].ms - base[step].ms);
    const [rssMb, baseMb] = [medianOf(({ full }) => full[step].rssMb), medianOf(({ base }) => base[step].rssMb)];
    const time = { name: `${step} of 256 MB`, unit: "ms", value, peer: "copy and fsync", peerValue };
    const memory = {
      name: `${step} of 256 MB, memory`,
      unit: "MB",
      value: rssMb,
      peer: "empty store",
      peerValue: baseMb,
    };
    return [
      { ...time, ratio: value / peerValue, ...(step === "backup" && { atMost: 2 }) },
      { ...memory, ratio: rssMb / baseMb, ...(step === "backup" && { atMost: 1.3 }) },
    ];
  });
}

/** Backs up a store and restores the backup; removes both. */
async function measureRound(data, path) {
  const backup = await runProgram(["backup", `${path}.jsonl`], data);
  const restored = await runProgram(["restore", `${path}.jsonl`], path);
  await rm(path, { recursive: true });
  await rm(`${path}.jsonl`);
  return { backup, restore: restored };
}

function* releaseRecords() {
  const { count, characters } = RELEASES;
  const textOfRelease = "Reverse stock split, 1-for-20. ".repeat(characters / 30).slice(0, characters);
  for (let number = 0; number < count; number += 1) {
    const url = `https://wire.example/${number}`;
    const dates = { publishedAt: number, foundAt: number };
    yield { kind: "release", value: { ...RELEASE, url, ...dates, text: textOfRelease } };
  }
}

const RELEASE = {
  source: "globenewswire",
  heading: "Acme Robotics announces a reverse stock split",
  teaser: "",
  tickers: [],
  published: "2026-03-02",
  version: "1",
  readVersion: "1",
  readAt: 1,
  reads: 1,
  facts: null,
  tries: 0,
  problem: null,
  notBefore: 0,
};

/** Copies all files into one file and syncs it: a backup is one file too. */
async function copyFolder(from, to) {
  const file = await open(to, "w");
  for (const name of await readdir(from)) await file.write(await readFile(join(from, name)));
  await file.sync();
  await file.close();
}

async function runProgram(args, dataDir) {
  const start = performance.now();
  const env = { ...process.env, DATA_DIR: dataDir };
  const child = spawn(process.execPath, ["--import", MEMORY_PRELOAD, MAIN, ...args], { env });
  child.stdout.resume();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  if (code !== 0) throw new Error(`${args[0]} ended with exit code ${code}: ${errors}`);
  const [, rssKb = Number.NaN] = /maxRSS (\d+)/.exec(errors) ?? [];
  return { ms: performance.now() - start, rssMb: rssKb / 1_024 };
}

async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
