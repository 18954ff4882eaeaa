import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type AppSystem, createApp } from "../../src/app/app.ts";
import { type Config, readConfig, selectedSources } from "../../src/config/index.ts";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import type { Card } from "../../src/messages/message.ts";
import { ManualClock } from "./manual-clock.ts";
import { ManualScheduler } from "./manual-scheduler.ts";
import { type RecordedLog, recordedLog } from "./recorded-log.ts";
import { SETTINGS_FILES } from "./settings-files.ts";
import { waitUntil } from "./wait-until.ts";

/** The whole app on a real port, with real files and sockets; only the time and the ticks are the test's. */
export interface RunningApp {
  readonly address: string;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  /** Runs what is scheduled under this name, and lets what follows from it go out. */
  tick(name: "poll-splits" | "poll-articles" | "remind" | `remind ${string}` | "prune"): Promise<void>;
  /** So many alerts are to be held when a step has ended: all others are out then. */
  held: number;
  /** Polls splits, then articles, so many times, each time two minutes after the last. */
  poll(times?: number): Promise<void>;
  /** Lets the embedded service see that its folder has changed, and what follows from it go out. */
  followFolder(): Promise<void>;
  /** Types a command line on the web chat. */
  run(name: string, line: string, where?: { channel?: string; direct?: boolean }): Promise<readonly Card[]>;
  /** The messages of a channel, or of a person's direct messages, oldest first. */
  messages(name: string, channel?: string): Promise<readonly WebMessage[]>;
  get(path: string): Promise<WebAnswer>;
  /** The sum of a metric's samples whose labels hold this text; 0 where there is none. */
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
  /** Laid over the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: RecordedLog;
  /** How many alerts are held as it starts. */
  readonly held?: number;
  readonly sourceLimits?: AppSystem["sourceLimits"];
}

const POLL_EVERY_MS = 2 * MINUTE_MS;

/** How often the embedded service looks at its folder. */
const FOLDER_CHECK_MS = 250;

/** How long an answer sleeps before it looks again what became of a delivery. */
const OUTCOME_CHECK_MS = 50;

/** Starts the app and lets its first poll, and what it makes up for, end. */
export async function startApp(start: AppStart): Promise<RunningApp> {
  const { dataDir, clock = new ManualClock(), env = {}, log = recordedLog(), sourceLimits, held = 0 } = start;
  const config = readConfig({
    env: { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent", SPLITWATCH_CONFIG: SETTINGS_FILES.sample, ...env },
    folder: dataDir,
    terminal: false,
  });
  assertLocalSources(config);
  const scheduler = new StartScheduler();
  const limits = sourceLimits === undefined ? {} : { sourceLimits };
  const app = createApp(config, { clock, log, scheduler, mode: "everything", ...limits });
  const { address } = await app.start();
  const get = (path: string): Promise<WebAnswer> => request(address, path);
  const figure = async (metric: string, labels = ""): Promise<number> =>
    sumOf((await get("/metrics")).text, metric, labels);
  // What follows a change of the embedded service's data ends with them.
  const readsOfSplits = (): Promise<number> => figure("splitwatch_polls_total", 'resource="splits"');
  let eventsSeen = -1;

  async function delivered(): Promise<void> {
    // Without an event nothing new waits, and asking each time would make up half of a long story.
    if (log.count("event detected") === eventsSeen) return;
    await waitUntil("all deliveries are out", async () => (await figure("splitwatch_outbox_pending")) === running.held);
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
      await scheduler.tick(name);
      await delivered();
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
      await waitUntil("the embedded service has followed its folder", async () => {
        await clock.advance(FOLDER_CHECK_MS);
        return (await readsOfSplits()) > before;
      });
      await delivered();
    },
    run: (name, line, where = {}) => whileTimePasses(clock, () => postCommand(address, { name, line, ...where })),
    messages: (name, channel) => messagesOf(get, name, channel),
    stop: () => app.stop(),
  };
  await waitUntil("the first poll has ended", async () => scheduler.hasCaughtUp);
  // Takes its turn after the reminders that the start makes up for.
  await running.tick("poll-articles");
  return running;
}

/** Knows when the start asks which ticks it missed: its first poll has then ended. */
class StartScheduler extends ManualScheduler {
  hasCaughtUp = false;

  override ticked(...asked: Parameters<ManualScheduler["ticked"]>): boolean {
    this.hasCaughtUp = true;
    return super.ticked(...asked);
  }
}

/** No test asks anybody on the internet for anything. */
function assertLocalSources(config: Config): void {
  if (config.splitsApi !== null) return;
  const settings = JSON.stringify(selectedSources(config).map((source) => source.settings));
  const addresses = settings.match(/https?:[^"]+/g) ?? [];
  const outside = addresses.find((address) => new URL(address).hostname !== "127.0.0.1");
  if (outside !== undefined) throw new Error(`the test would read ${outside}`);
}

/** A folder of its own for one test, gone after it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "splitwatch-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Copies a DATA_DIR as a power cut would leave it: without the lock's sockets and files that are being written. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !/^lock\.|\.tmp$/.test(basename(path)) });
}

/** The cards of these messages, in their order. */
export function cardsOf(messages: readonly WebMessage[]): readonly Card[] {
  return messages.flatMap(({ body }) => body.cards);
}

/** What the messages tell, in a line each. */
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
  asked: { name: string; line: string; channel?: string; direct?: boolean },
): Promise<readonly Card[]> {
  const response = await fetch(`${address}/api/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
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

/** Moves the time on while the work sleeps, as an answer does that waits for a delivery; never faster than real time goes. */
async function whileTimePasses<T>(clock: ManualClock, work: () => Promise<T>): Promise<T> {
  const atRest = clock.sleepers;
  const state = { done: false };
  const end = (): void => {
    state.done = true;
  };
  const result = work();
  void result.then(end, end);
  let next = performance.now();
  while (!state.done) {
    if (clock.sleepers > atRest && performance.now() > next) {
      await clock.advance(OUTCOME_CHECK_MS);
      next = performance.now() + OUTCOME_CHECK_MS;
    }
    await new Promise((resolve) => setImmediate(resolve));
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
