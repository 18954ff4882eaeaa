import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { Card } from "../../src/messages/message.ts";
import { ManualClock } from "./manual-clock.ts";
import { ManualScheduler } from "./manual-scheduler.ts";
import { silentLog } from "./silent-log.ts";

/** The whole app on a real port, with real files and sockets; only the time and the ticks are the test's. */
export interface RunningApp {
  readonly address: string;
  readonly clock: ManualClock;
  /** Runs what is scheduled under this name, and lets what follows from it go out. */
  tick(name: "poll-splits" | "poll-articles" | "remind" | "prune"): Promise<void>;
  /** Polls splits, then articles. */
  poll(): Promise<void>;
  /** Types a command line on the web chat. */
  say(name: string, line: string, where?: { channel?: string; direct?: boolean }): Promise<readonly Card[]>;
  /** The messages of a channel, or of a person's direct messages, oldest first. */
  messages(name: string, channel?: string): Promise<readonly WebMessage[]>;
  get(path: string): Promise<{ readonly status: number; readonly json: unknown; readonly text: string }>;
  stop(): Promise<void>;
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
}

export async function startApp({ dataDir, clock = new ManualClock(), env = {} }: AppStart): Promise<RunningApp> {
  const config = readConfig({
    env: { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent", ...env },
    folder: dataDir,
    terminal: false,
  });
  const scheduler = new ManualScheduler();
  const app = createApp(config, { clock, log: silentLog, scheduler, mode: "everything" });
  const { address } = await app.start();

  async function get(path: string) {
    const response = await fetch(`${address}${path}`);
    const text = await response.text();
    return { status: response.status, text, json: parseJson(text) };
  }
  const running: RunningApp = {
    address,
    clock,
    get,
    async tick(name) {
      await scheduler.tick(name);
      await delivered(get);
    },
    async poll() {
      await running.tick("poll-splits");
      await running.tick("poll-articles");
    },
    async say(name, line, where = {}) {
      const { channel = "general", direct = false } = where;
      const response = await fetch(`${address}/api/command`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(direct ? { name, direct, line } : { name, channel, line }),
      });
      const answer = (await response.json()) as { cards?: readonly Card[]; detail?: string };
      if (!answer.cards) throw new Error(`${response.status}: ${answer.detail}`);
      return answer.cards;
    },
    async messages(name, channel) {
      const query = new URLSearchParams({ name, ...(channel === undefined ? {} : { channel }) });
      const { json } = await get(`/api/messages?${query}`);
      const all = (json as { messages: readonly WebMessage[] }).messages;
      return all.filter(({ to }) => (channel === undefined ? to.kind === "person" : to.kind === "channel"));
    },
    stop: () => app.stop(),
  };
  await firstPoll(get);
  return running;
}

/** A folder of its own for one test, gone after it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "splitwatch-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

type Get = RunningApp["get"];

/** A start polls by itself: the tests begin when both answers are there. */
async function firstPoll(get: Get): Promise<void> {
  await until(async () => {
    const { checks } = (await get("/readyz")).json as { checks: Record<string, { detail: string }> };
    return checks["splits"]?.detail !== "not read yet" && checks["articles"]?.detail !== "not read yet";
  });
}

async function delivered(get: Get): Promise<void> {
  await until(async () => /^splitwatch_outbox_pending 0$/m.test((await get("/metrics")).text));
}

/** Looks again, each time after real work went on, until it is so; fails after ten seconds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it never came to be: ${isSo}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
