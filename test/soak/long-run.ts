import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DAY_MS, MINUTE_MS } from "../../src/domain/time/day.ts";
import type { Chat } from "../faults/chat.ts";
import { ProcessControl } from "../faults/controlled-process.ts";
import { startDiscordChat } from "../faults/discord-chat.ts";
import { startSlackChat } from "../faults/slack-chat.ts";
import { type FakeWire, startFakeWire } from "../newswires/fake-wire.ts";
import { announcementTexts } from "../newswires/wire-shapes.ts";
import type { Processes, SplitwatchProcess } from "../support/process.ts";
import { createRandom, type Random } from "../support/random.ts";
import { sourcesOff } from "../support/sources-off.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readMetric, reconnecting, type WebDestination } from "../support/web-chat-client.ts";

const REPORT_PRELOAD = fileURLToPath(new URL("report-preload.js", import.meta.url));

/** Seconds of the simulation per real second while the process works. Between, time is skipped. */
const SPEED = 10;

/** Steps in which idle time is skipped: each wakes every timer that is due, once. */
const IDLE_STEP_MS = 3 * DAY_MS;
const DAYTIME_STEP_MS = 6 * 60 * MINUTE_MS;

/** Waits for a rate limit are skipped, but no timeout of a request is. */
const DELIVERY_STEP_MS = 2_000;

/** Longer than connections are kept alive. */
const KEEP_ALIVE_MS = 5 * MINUTE_MS;

/** Polls in which a new list may still grow without alerts. */
const FIRST_POLLS = 5;

const WORKING_DAYS = 5;
const WATCHERS_PER_WEEK = 10;
const STREAMS_PER_DAY = 3;
const WEB_COMMANDS = ["list", "status", "calc ratio 1:20 shares 1000", "mute 1h", "unmute", "typo", "calendar"];
const WEB_COMMANDS_REPEATED = 5;

/** Resources of the idle process. */
export interface Usage {
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** Timers, sockets and other resources that Node.js reports as active. */
  readonly resources: number;
  /** Open file descriptors; 0 where they can't be counted. */
  readonly descriptors: number;
  /** Size of DATA_DIR. */
  readonly dataBytes: number;
}

/** The built program on all platforms and a news wire, for weeks of simulated time. */
export class LongRun {
  readonly #control: ProcessControl;
  readonly #chats: readonly Chat[];
  readonly #wire: FakeWire;
  readonly #random: Random;
  readonly #dataDir: string;
  #process: SplitwatchProcess | null = null;
  #address = "";
  #releases = 0;
  #names = 0;
  #receiveReport: (usage: Omit<Usage, "dataBytes">) => void = () => undefined;
  #receiveSettled: () => void = () => undefined;
  readonly #streamEnd = new AbortController();

  private constructor(parts: {
    readonly control: ProcessControl;
    readonly chats: readonly Chat[];
    readonly wire: FakeWire;
    readonly random: Random;
    readonly dataDir: string;
  }) {
    this.#control = parts.control;
    this.#chats = parts.chats;
    this.#wire = parts.wire;
    this.#random = parts.random;
    this.#dataDir = parts.dataDir;
  }

  static async start(folder: string, processes: Processes, seed: number): Promise<LongRun> {
    const control = new ProcessControl({ speed: SPEED, start: "2026-03-02T14:00:00Z" });
    const random = createRandom(seed);
    const chats = await Promise.all(
      [startDiscordChat, startSlackChat].map((start) => start({ clock: control.clock, random })),
    );
    const wire = await startFakeWire("globenewswire");
    wire.feedSize = 20;
    const run = new LongRun({ control, chats, wire, random, dataDir: join(folder, "data") });
    await run.#open(folder, processes);
    return run;
  }

  /** Works for a week: releases, alerts, commands, live streams and reconnects. */
  async liveWeek(): Promise<void> {
    for (let day = 0; day < 7; day += 1) {
      if (day < WORKING_DAYS) await this.#liveDay();
      for (const chat of this.#chats) if (this.#random.chance(0.3)) chat.interrupt(this.#random);
      await this.#skip(DAY_MS, DAYTIME_STEP_MS);
    }
    await this.#watchAndForget();
  }

  /** Lets time pass without news. */
  async idle(ms: number): Promise<void> {
    await this.#skip(ms, IDLE_STEP_MS);
  }

  /** Resources once everything is delivered, garbage is collected and idle connections are closed. */
  async usage(): Promise<Usage> {
    await this.#delivered();
    for (let times = 0; times < 3; times += 1) await this.#skip(KEEP_ALIVE_MS, KEEP_ALIVE_MS);
    const reported = new Promise<Omit<Usage, "dataBytes">>((resolve) => {
      this.#receiveReport = resolve;
    });
    this.#process?.send({ report: true });
    return { ...(await reported), dataBytes: await sizeOf(this.#dataDir) };
  }

  /** Errors that the process logged. */
  errors(): readonly unknown[] {
    return (this.#process?.log() ?? []).filter(({ level }) => level === "error");
  }

  /** Stops everything. Rejects if the process has ended before or does not end as it should. */
  async stop(): Promise<void> {
    this.#streamEnd.abort();
    this.#process?.signal("SIGTERM");
    const { code = 0, signal = null } = (await this.#process?.ended) ?? {};
    if (code !== 0) throw new Error(`the process ended with ${code ?? signal}:\n${this.#process?.err().slice(-6_000)}`);
    for (const chat of this.#chats) await chat.stop();
    await this.#wire.close();
  }

  async #open(folder: string, processes: Processes): Promise<void> {
    const settings = join(folder, "settings.yaml");
    await mkdir(folder, { recursive: true });
    const feeds = `  globenewswire: { every: 30m, feeds: ["${this.#wire.feed}"] }\n`;
    const others = ["prnewswire", "businesswire", "accesswire", "newsfile"].map((name) => `  ${name}: { feeds: [] }\n`);
    await writeFile(
      settings,
      `service: { source: wires }\npoll: { splits: "*/30 * * * *", articles: "*/30 * * * *" }\n` +
        `newswires:\n${feeds}${others.join("")}${sourcesOff()}`,
    );
    this.#publish();
    const { NODE_OPTIONS = "", ...controlled } = this.#control.env();
    const splitwatch = processes.start({
      cwd: folder,
      env: {
        ...Object.assign({}, ...this.#chats.map(({ env }) => env)),
        ...controlled,
        NODE_OPTIONS: `--import=${REPORT_PRELOAD} ${NODE_OPTIONS}`,
        SPLITWATCH_CONFIG: settings,
        DATA_DIR: this.#dataDir,
      },
      onMessage: (message) => {
        const { report } = message as { readonly report?: Omit<Usage, "dataBytes"> };
        if (report) this.#receiveReport(report);
        if ((message as { readonly settled?: true }).settled) this.#receiveSettled();
        this.#control.onMessage(message);
      },
    });
    this.#process = splitwatch;
    this.#control.attach(splitwatch);
    this.#address = await splitwatch.ready;
    await waitUntil("both platforms are connected", () => this.#chats.every((chat) => chat.isConnected()));
    await waitUntil("the first lists are read", async () => {
      await this.#skip(5 * MINUTE_MS, 5 * MINUTE_MS);
      return (await this.#metric('splitwatch_polls_total\\{resource="splits",outcome="complete"\\}')) >= FIRST_POLLS;
    });
    for (const chat of this.#chats) await chat.command("everything", { name: "subscribe" });
    await this.#ask("carol", "subscribe", { channel: "general" });
    void this.#readStream(this.#streamEnd.signal);
  }

  async #liveDay(): Promise<void> {
    await this.#announce();
    for (const chat of this.#chats) {
      await waitUntil("the platform is connected", () => chat.isConnected());
      const ticker = tickerOf(this.#releases);
      await chat.command("ada", { name: "watch", options: { tickers: ticker } });
      for (const name of ["list", "status", "watchlist", "calendar", "help"]) await chat.command("ada", { name });
      await chat.command("ada", { name: "unwatch", options: { tickers: ticker } });
    }
    for (let times = 0; times < WEB_COMMANDS_REPEATED; times += 1)
      for (const line of WEB_COMMANDS) await this.#ask("carol", line);
    await reconnecting(() => fetch(`${this.#address}/v1/splits?apiKey=unknown-${this.#releases}`));
    for (let streams = 0; streams < STREAMS_PER_DAY; streams += 1) {
      const end = new AbortController();
      const reading = this.#readStream(end.signal);
      await this.#settle();
      end.abort();
      await reading;
    }
    await this.#delivered();
  }

  /** Publishes a release about a new split, and waits for its alert. */
  async #announce(): Promise<void> {
    const before = await this.#announced();
    const ticker = this.#publish();
    await waitUntil(`the split of ${ticker} is announced`, async () => {
      await this.#skip(5 * MINUTE_MS, 5 * MINUTE_MS);
      return (await this.#announced()) > before;
    });
  }

  /** Publishes a release about a new split, and returns its ticker. */
  #publish(): string {
    this.#releases += 1;
    const now = this.#control.clock.now();
    const ticker = tickerOf(this.#releases);
    const company = `${ticker} Robotics, Inc.`;
    const texts = { company, symbol: `Nasdaq: ${ticker}`, ratio: `1-for-${2 + (this.#releases % 90)}` };
    this.#wire.publish({
      id: String(3_000_000 + this.#releases),
      company,
      tag: `Nasdaq:${ticker}`,
      ...announcementTexts({ ...texts, day: longDate(wednesdayAfter(now + 7 * DAY_MS)) }),
      published: new Date(now),
    });
    return ticker;
  }

  async #announced(): Promise<number> {
    const count = await this.#metric('splitwatch_events_total\\{kind="announced"\\}');
    return Number.isNaN(count) ? 0 : count;
  }

  /** People of the web chat who watch, ask, and delete their data. */
  async #watchAndForget(): Promise<void> {
    for (let people = 0; people < WATCHERS_PER_WEEK; people += 1) {
      this.#names += 1;
      const name = `reader-${this.#names}`;
      for (const line of ["watch KAAAB KAAAC", "settings digest:on", "calendar", "forget confirm:yes"])
        await this.#ask(name, line);
    }
  }

  async #delivered(): Promise<void> {
    await waitUntil("everything is delivered", async () => {
      await this.#skip(DELIVERY_STEP_MS, DELIVERY_STEP_MS);
      return (await this.#metric("splitwatch_outbox_pending")) === 0;
    });
  }

  #ask(name: string, line: string, where?: WebDestination): Promise<unknown> {
    return reconnecting(() => ask(this.#address, name, line, where));
  }

  #metric(name: string): Promise<number> {
    return reconnecting(() => readMetric(this.#address, name));
  }

  async #skip(ms: number, stepMs: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.#control.clock.skip(Math.min(left, stepMs));
      this.#control.setSpeed(SPEED);
      await this.#settle();
    }
  }

  /** Resolves when the process has no request in flight. A skip would make it time out. */
  #settle(): Promise<void> {
    return new Promise((resolve) => {
      this.#receiveSettled = resolve;
      this.#process?.send({ settle: true });
    });
  }

  /** Reads a live stream until the signal aborts. */
  async #readStream(signal: AbortSignal): Promise<void> {
    try {
      const { body } = await fetch(`${this.#address}/api/stream?channel=general`, { signal });
      for await (const _ of body ?? []);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A different ticker for each number: KAAAB, KAAAC, … */
function tickerOf(number: number): string {
  let rest = number;
  let ticker = "";
  for (let digits = 0; digits < 4; digits += 1) {
    ticker = (LETTERS[rest % LETTERS.length] ?? "") + ticker;
    rest = Math.floor(rest / LETTERS.length);
  }
  return `K${ticker}`;
}

const WEDNESDAY = 3;

function wednesdayAfter(at: number): Date {
  const day = new Date(at);
  while (day.getUTCDay() !== WEDNESDAY) day.setUTCDate(day.getUTCDate() + 1);
  return day;
}

function longDate(day: Date): string {
  return day.toLocaleDateString("en-US", { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" });
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map((name) => sizeOfFile(join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A file that the store has replaced since the folder was read takes no space. */
async function sizeOfFile(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return 0;
  }
}
