import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { Processes } from "../support/process.ts";
import { IS_FULL_SOAK, repetitions } from "../support/soak.ts";
import { type Figures, growthOf, medianOf } from "./growth.ts";
import { SteadyRun, type SteadyUsage } from "./steady-run.ts";

const CROWD = { discordChannels: 20, slackChannels: 4, splits: 400 };

/** Interval of the changes: a low load. */
const ROUND_MS = 10_000;

/** As long as the soak. */
const DURATION_MS = repetitions({ short: 3, full: 60 }) * ROUND_MS;

/** Rounds whose alerts and messages are kept: they fill the tables in a sixth of the time. */
const KEPT_ROUNDS = DURATION_MS / ROUND_MS / 6;

/** Time in which the tables fill and are vacuumed. */
const WARM_UP_MS = DURATION_MS / 3;

const SAMPLE_MS = IS_FULL_SOAK ? 30_000 : ROUND_MS;

const MEGABYTE = 1024 * 1024;

/** Growth that is not a leak: caches of the runtime, connections in use, free space in tables, people deleted within an hour, log files. */
const TOLERANCE = {
  heapBytes: MEGABYTE,
  externalBytes: MEGABYTE,
  residentBytes: 16 * MEGABYTE,
  resources: 3,
  descriptors: 3,
  connectionsOfProcess: 1,
  connections: 3,
  tableBytes: MEGABYTE,
  liveRows: 500,
  deadRows: 500,
  walFileBytes: 32 * MEGABYTE,
  walBytesPerMinute: MEGABYTE,
};

type FigureName = keyof typeof TOLERANCE;

/** Figures of a measurement: of the processes, the largest. */
function figuresOf({ processes, database }: SteadyUsage, walBytesPerMinute: number): Figures<FigureName> {
  const largest = (figure: keyof (typeof processes)[number]): number =>
    Math.max(...processes.map((process) => process[figure]));
  const connections = processes.map((process) => process.connections);
  return {
    heapBytes: largest("heapBytes"),
    externalBytes: largest("externalBytes"),
    residentBytes: largest("residentBytes"),
    resources: largest("resources"),
    descriptors: largest("descriptors"),
    connectionsOfProcess: largest("connections"),
    connections: connections.reduce((sum, count) => sum + count, 0),
    tableBytes: database.tableBytes,
    liveRows: database.liveRows,
    deadRows: database.deadRows,
    walFileBytes: database.walFileBytes,
    walBytesPerMinute,
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printUsage(ms: number, { processes, database }: SteadyUsage): void {
  print(`${(ms / MINUTE_MS).toFixed(1)} min ${JSON.stringify({ processes, database })}`);
}

it("uses no more connections, memory and space with three processes on one database after an hour than before", async () => {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-steady-"));
  const processes = new Processes();
  onTestFinished(async () => {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  });
  const run = await SteadyRun.start(folder, processes, CROWD);
  const samples: Figures<FigureName>[] = [];
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const rounds: number[] = [];
  let last = { at: elapsed(), usage: await run.usage() };
  printUsage(last.at, last.usage);
  while (elapsed() < DURATION_MS) {
    rounds.push(Date.now());
    await Promise.all([run.round(), pause(ROUND_MS)]);
    await run.prune(rounds.at(-KEPT_ROUNDS) ?? 0);
    if (elapsed() - last.at < SAMPLE_MS) continue;
    const now = { at: elapsed(), usage: await run.usage() };
    printUsage(now.at, now.usage);
    const walBytes = now.usage.database.walPosition - last.usage.database.walPosition;
    if (now.at > WARM_UP_MS) samples.push(figuresOf(now.usage, (walBytes * MINUTE_MS) / (now.at - last.at)));
    last = now;
  }
  expect(await run.problems()).toEqual([]);
  const { before, after, grown } = growthOf(samples, TOLERANCE, medianOf);
  print(JSON.stringify({ minutes: DURATION_MS / MINUTE_MS, before, after }));
  expect(IS_FULL_SOAK ? grown : []).toEqual([]);
  await run.close();
});
