import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AppSystem, createApp } from "../../src/app/app.ts";
import { type Config, readConfig, selectedSources } from "../../src/config/index.ts";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import type { Card } from "../../src/messages/message.ts";
import { directReader } from "./direct-reader.ts";
import { ManualClock } from "./manual-clock.ts";
import { ManualScheduler } from "./manual-scheduler.ts";
import { type RecordedLog, recordedLog } from "./recorded-log.ts";
import { SETTINGS_FILES } from "./settings-files.ts";
import { observeStore, storeEnv } from "./store-under-test.ts";
import { waitUntil } from "./wait-until.ts";

/** The whole app on a real port with real files and sockets. The test controls time and ticks. */
export interface RunningApp {
  readonly address: string;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  /** Runs the schedule with this name, and waits for its deliveries. */
  tick(name: "poll-splits" | "poll-articles" | "remind" | `remind ${string}` | "prune"): Promise<void>;
  /** Runs the schedules of splits and articles at the same time, and waits for their deliveries. */
  tickBoth(): Promise<void>;
  /** Number of alerts that stay held after each step; all others must be sent. NaN: any number. */
  held: number;
  /** Polls splits, then articles, `times` times, every two minutes. */
  poll(times?: number): Promise<void>;
  /** Waits until the embedded service has read a changed folder, and for the deliveries. */
  followFolder(): Promise<void>;
  /** Runs a command line on the web chat. */
  run(name: string, line: string, where?: { channel?: string; direct?: boolean }): Promise<readonly Card[]>;
  /** Messages of a channel, or direct messages of a person, oldest first. */
  messages(name: string, channel?: string): Promise<readonly WebMessage[]>;
  get(path: string): Promise<WebAnswer>;
  /** Sum of the metric's samples whose labels contain the text; 0 without samples. */
  metric(metric: string, labels?: string): Promise<number>;
  stop(): Promise<void>;
}

export interface WebAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

export interface WebMessage {
  readonly messageId: string;
  readonly to: { readonly kind: string; readonly id: string };
  readonly replyTo: string | null;
  readonly body: { readonly cards: readonly Card[] };
}

export interface AppStart {
  readonly dataDir: string;
  readonly clock?: ManualClock;
  /** Overrides of the default environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: RecordedLog;
  /** Number of held alerts at the start. */
  readonly held?: number;
  readonly sourceLimits?: AppSystem["sourceLimits"];
}

const POLL_EVERY_MS = 2 * MINUTE_MS;

/** Interval at which the embedded service checks its folder. */
const FOLDER_CHECK_MS = 250;

/** Interval at which an answer checks the outcome of a delivery. */
const OUTCOME_CHECK_MS = 50;

/** Interval at which a running command is checked for sleeps. */
const SLEEPER_CHECK_MS = 5;

/** Starts the app, and waits for its first poll and the missed ticks. */
export async function startApp(start: AppStart): Promise<RunningApp> {
  const { dataDir, clock = new ManualClock(), env = {}, log = recordedLog(), sourceLimits, held = 0 } = start;
  const store = await storeEnv(dataDir);
  const { config, alive, waitingCount } = observeStore(
    readConfig({
      env: {
        DATA_DIR: dataDir,
        PORT: "0",
        LOG_LEVEL: "silent",
        SPLITWATCH_CONFIG: SETTINGS_FILES.sample,
        ...store,
        ...env,
      },
      folder: dataDir,
      isTerminal: false,
    }),
  );
  assertLocalSources(config);
  const scheduler = new ManualScheduler();
  const limits = sourceLimits === undefined ? {} : { sourceLimits };
  const app = createApp(config, { clock, log, scheduler, mode: "everything", reader: directReader, ...limits });
  const { address } = await app.start();
  const get = (path: string): Promise<WebAnswer> => request(address, path);
  const figure = async (metric: string, labels = ""): Promise<number> =>
    sumOf((await get("/metrics")).text, metric, labels);
  // A change of the embedded service's data triggers a poll of the splits.
  const readsOfSplits = (): Promise<number> => figure("splitwatch_polls_total", 'resource="splits"');
  let eventsSeen = -1;

  async function delivered(): Promise<void> {
    // Without a new event there is nothing to wait for; skipping the request halves the time of long tests.
    if (log.count("event detected") === eventsSeen || Number.isNaN(running.held)) return;
    await waitUntil("all deliveries are sent", async () => (await waitingCount()) === running.held);
    eventsSeen = log.count("event detected");
  }

  const running: RunningApp = {
    address,
    clock,
    log,
    get,
    metric: figure,
    held,
    async tick(name) {
      await alive();
      await scheduler.tick(name);
      await delivered();
    },
    async tickBoth() {
      await Promise.all([running.tick("poll-splits"), running.tick("poll-articles")]);
    },
    async poll(times = 1) {
      for (let left = times; left > 0; left--) {
        clock.skip(POLL_EVERY_MS);
        await running.tick("poll-splits");
        await running.tick("poll-articles");
      }
    },
    async followFolder() {
      const before = await readsOfSplits();
      await waitUntil("the embedded service has read its folder", async () => {
        await clock.advance(FOLDER_CHECK_MS);
        return (await readsOfSplits()) > before;
      });
      await delivered();
    },
    run: (name, line, where = {}) => whileTimePasses(clock, () => postCommand(address, { name, line, ...where })),
    messages: (name, channel) => messagesOf(get, name, channel),
    stop: () => app.stop(),
  };
  await waitUntil("the first poll has ended", () => scheduler.hasCaughtUp);
  // Runs after the reminders that the start catches up on.
  await running.tick("poll-articles");
  return running;
}

/** Throws if the configured sources would send requests to the internet. */
function assertLocalSources(config: Config): void {
  if (config.splitsApi !== null) return;
  const settings = JSON.stringify(selectedSources(config).map((source) => source.settings));
  const addresses = settings.match(/https?:[^"]+/g) ?? [];
  const outside = addresses.find((address) => new URL(address).hostname !== "127.0.0.1");
  if (outside !== undefined) throw new Error(`the test would send requests to ${outside}; configure a local source`);
}

/** Creates a temporary folder; the test removes it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "splitwatch-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Copies a DATA_DIR as after a power cut: without lock sockets and temporary files. Starts again if a file was replaced meanwhile. */
export async function copyFolder(from: string, to: string): Promise<void> {
  const before = await filesIn(from);
  const isComplete = await cp(from, to, { recursive: true, filter: isStored }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
  if (isComplete && (await filesIn(from)) === before) return;
  await rm(to, { recursive: true, force: true });
  await copyFolder(from, to);
}

function isStored(path: string): boolean {
  return !/^lock\.|\.tmp$/.test(basename(path));
}

/** Names and inodes of the files in a folder: appending to a file keeps both, replacing it changes the inode. */
async function filesIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter(isStored).toSorted();
  const inodes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ ino }) => ino,
      () => null,
    ),
  );
  return JSON.stringify([names, await Promise.all(inodes)]);
}

/** The cards of the messages, in order. */
export function cardsOf(messages: readonly WebMessage[]): readonly Card[] {
  return messages.flatMap(({ body }) => body.cards);
}

/** The titles of the cards of the messages. */
export function titlesOf(messages: readonly WebMessage[]): readonly string[] {
  return cardsOf(messages).map(({ title }) => title);
}

async function request(address: string, path: string): Promise<WebAnswer> {
  const response = await fetch(`${address}${path}`);
  const text = await response.text();
  return { status: response.status, text, json: parseJson(text) };
}

async function postCommand(
  address: string,
  call: { name: string; line: string; channel?: string; direct?: boolean },
): Promise<readonly Card[]> {
  const response = await fetch(`${address}/api/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(call),
  });
  const answer = (await response.json()) as { cards?: readonly Card[]; detail?: string };
  if (!answer.cards) throw new Error(`${response.status}: ${answer.detail}`);
  return answer.cards;
}

async function messagesOf(get: RunningApp["get"], name: string, channel?: string): Promise<readonly WebMessage[]> {
  const query = new URLSearchParams({ name, ...(channel === undefined ? {} : { channel }) });
  const { json } = await get(`/api/messages?${query.toString()}`);
  const all = (json as { messages: readonly WebMessage[] }).messages;
  return all.filter(({ to }) => to.kind === (channel === undefined ? "person" : "channel"));
}

/** Advances the time while the work sleeps, for example to wait for a delivery; not faster than real time. */
async function whileTimePasses<T>(clock: ManualClock, work: () => Promise<T>): Promise<T> {
  const atRest = clock.sleepers;
  const state = { done: false };
  const end = (): void => {
    state.done = true;
  };
  const result = work();
  const ended = result.then(end, end);
  let next = performance.now();
  while (!state.done) {
    if (clock.sleepers > atRest && performance.now() > next) {
      await clock.advance(OUTCOME_CHECK_MS);
      next = performance.now() + OUTCOME_CHECK_MS;
    }
    await Promise.race([ended, pause(SLEEPER_CHECK_MS)]);
  }
  return result;
}

function sumOf(page: string, metric: string, labels: string): number {
  const samples = page.split("\n").filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
  let sum = 0;
  for (const sample of samples) if (sample.includes(labels)) sum += Number(sample.split(" ").at(-1));
  return sum;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
