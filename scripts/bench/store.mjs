// File store: concurrent commits, a claim from a large outbox, a large commit, checkpoints of a long history, and backups.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { importModules } from "./parts/bundle.mjs";
import { log } from "./parts/silent.mjs";
import { measureWork } from "./parts/stall.mjs";

const [{ configuredStore }, { systemClock }] = await importModules("store", ["store/index", "lib/clock"]);

const COMMITS = 20_000;
const MAX_CONCURRENT_COMMITS = 64;
const DESTINATIONS = 10_000;
const CLAIM_LIMIT = 100;

const LARGE_COMMIT = { events: 200, destinations: 1_000 };
/** Rows that the bare peer of a large commit writes at a time. */
const BARE_CHUNK = 500;

const HISTORY_MESSAGES = 250_000;
const GROWTH_MESSAGES = [0, 1_000, 10_000, 100_000, 250_000];
/** Together more than the log that triggers a checkpoint. */
const CHECKPOINT_COMMITS = { count: 7_000, characters: 2_500, concurrent: 8 };

const BACKUP_RELEASES = { count: 8_000, characters: 32_000 };

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const MEMORY_PRELOAD = new URL("parts/memory-preload.mjs", import.meta.url).href;

export async function measure() {
  return [
    ...(await inFolder(measureCommits)),
    ...(await inFolder(measureLargeCommit)),
    await measureCheckpoints(),
    ...(await inFolder(measureBackup)),
  ];
}

async function inFolder(measureIn) {
  const dir = await mkdtemp(join(tmpdir(), "splitwatch-bench-"));
  try {
    return await measureIn(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function withStore(dir, use) {
  const store = await configuredStore({ dataDir: dir }).open({ clock: systemClock, log, holder: "bench" });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

function measureCommits(dir) {
  return withStore(dir, async (store) => {
    const commitsMs = await timeMs(() =>
      runConcurrently(COMMITS, MAX_CONCURRENT_COMMITS, (number) => commit(store, number)),
    );
    const request = { limit: CLAIM_LIMIT, platforms: ["web"] };
    const claimMs = await timeMs(() => store.outbox.claim(request));
    return [
      { name: "store commits", unit: "per second", value: (COMMITS / commitsMs) * 1_000 },
      { name: "claim 100 of 10,000 deliveries", unit: "ms", value: claimMs },
    ];
  });
}

function measureLargeCommit(dir) {
  const { events: eventCount, destinations } = LARGE_COMMIT;
  const events = Array.from({ length: eventCount }, (_, n) => eventOf(n));
  const deliveries = events.flatMap((event) =>
    Array.from({ length: destinations }, (_, n) =>
      deliveryOf(event, { platform: "web", kind: "channel", id: `c${n}` }),
    ),
  );
  const name = `commit of ${eventCount} events for ${destinations} destinations`;
  return withStore(dir, async (store) => {
    const bare = await measureWork(() => writeBare(join(dir, "bare.jsonl"), deliveries));
    const { cpuMs, stallMs } = await measureWork(() => store.snapshot.commit({ patch: null, events, deliveries }));
    const value = (cpuMs * 1_000) / deliveries.length;
    const peer = {
      peer: "JSON of each delivery, a Map, one sync",
      peerValue: (bare.cpuMs * 1_000) / deliveries.length,
    };
    return [
      { name: `${name}, CPU per delivery`, unit: "µs", value, ...peer, ratio: cpuMs / bare.cpuMs, atMostValue: 5 },
      { name: `${name}, longest stall`, unit: "ms", value: stallMs, atMost: 20 },
    ];
  });
}

/** The least that a store of such rows does: it writes them as JSON and finds them by id and by destination. */
async function writeBare(path, deliveries) {
  const byId = new Map();
  const byDestination = new Map();
  const file = await open(path, "w");
  for (let from = 0; from < deliveries.length; from += BARE_CHUNK) {
    const lines = deliveries.slice(from, from + BARE_CHUNK).map((delivery) => {
      byId.set(delivery.id, delivery);
      const key = `${delivery.to.platform}:${delivery.to.kind}:${delivery.to.id}`;
      const waiting = byDestination.get(key) ?? [];
      waiting.push(delivery.id);
      byDestination.set(key, waiting);
      return `${JSON.stringify(delivery)}\n`;
    });
    await file.appendFile(lines.join(""));
  }
  await file.datasync();
  await file.close();
}

/** The longest stall during the same commits and their checkpoints, with a long history and without. */
async function measureCheckpoints() {
  const [empty, long] = [await checkpointStallMs(0), await checkpointStallMs(HISTORY_MESSAGES)];
  return {
    name: `longest stall during checkpoints of ${HISTORY_MESSAGES} messages`,
    unit: "ms",
    value: long,
    peer: "without messages",
    peerValue: empty,
    atMost: 50,
  };
}

/** The longest stall during checkpoints by the number of stored messages. */
export async function growth() {
  const points = [];
  for (const messages of GROWTH_MESSAGES) points.push([messages, await checkpointStallMs(messages)]);
  const series = [{ name: "longest stall", points }];
  const plot = {
    file: "checkpoint",
    title: "Longest stall during checkpoints",
    x: "stored messages",
    unit: "ms",
    series,
  };
  return [{ ...plot, target: { name: "target", value: 50 } }];
}

function checkpointStallMs(messages) {
  return inFolder(async (dir) => {
    await restore(dir, historyRecords(messages));
    return withStore(dir, async (store) => {
      const { count, characters, concurrent } = CHECKPOINT_COMMITS;
      const askedBy = "x".repeat(characters);
      const { stallMs } = await measureWork(() =>
        runConcurrently(count, concurrent, (number) => {
          const event = { ...eventOf(number), askedBy };
          return store.snapshot.commit({ patch: null, events: [event], deliveries: [] });
        }),
      );
      return stallMs;
    });
  });
}

function* historyRecords(count) {
  for (let number = 0; number < count; number += 1) {
    const event = { ...eventOf(number), id: `h${number}` };
    const { to, ...delivery } = deliveryOf(event, { platform: "web", kind: "channel", id: `c${number % 1_000}` });
    const end = { kind: "sent", ref: { id: `posted-${number}`, link: null }, blindResends: 0 };
    yield { kind: "event", value: event };
    yield { kind: "message", value: { messageId: `m${number}`, to, at: number, end, deliveries: [delivery] } };
  }
}

/**
 * A backup and a restore by the program, less those of an empty store, beside a copy of the same files, which is synced. Memory
 * beside that of an empty store: the process before it reads rows.
 */
async function measureBackup(dir) {
  const [data, empty] = [join(dir, "data"), join(dir, "empty")];
  await restore(data, releaseRecords());
  await restore(empty, []);
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
  const { count, characters } = BACKUP_RELEASES;
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

async function restore(dir, records) {
  async function* all() {
    yield* records;
  }
  const companion = { name: "keys.json", text: () => null };
  await configuredStore({ dataDir: dir }).restore(all(), { holder: "bench", companion });
}

function eventOf(number) {
  return { kind: "test", id: `t${number}`, at: Date.now(), sample: false, askedBy: "bench" };
}

function deliveryOf(event, to) {
  return {
    id: `${event.id}>${to.platform}:${to.kind}:${to.id}`,
    eventId: event.id,
    to,
    reasons: ["bench"],
    mentions: [],
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function commit(store, number) {
  const event = eventOf(number);
  const to = { platform: "web", kind: "person", id: `p${number % DESTINATIONS}` };
  return store.snapshot.commit({ patch: null, events: [event], deliveries: [deliveryOf(event, to)] });
}

async function runConcurrently(count, workers, run) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function timeMs(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
