import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { channelOf } from "../../src/chat/discord/destinations.ts";
import { channelDestination } from "../../src/chat/slack/workspace.ts";
import type { Destination } from "../../src/domain/alert/destination.ts";
import { addDays, dayInZone } from "../../src/domain/time/day.ts";
import { MARKET_ZONE } from "../../src/domain/time/trading-day.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { openPostgresStore } from "../../src/store/engines/postgres/open.ts";
import { isCommit } from "../faults/database.ts";
import { withoutMarkup } from "../faults/discord-chat.ts";
import { alertsIn } from "../faults/model.ts";
import { aRule } from "../support/builders.ts";
import { addressOf } from "../support/postgres.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import type { Processes, ProcessOptions, SplitwatchProcess } from "../support/process.ts";
import { createRandom } from "../support/random.ts";
import { IS_FULL_SOAK } from "../support/soak.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { aSplitRow, startUpstream, type Upstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait-until.ts";
import { readMetric } from "../support/web-chat-client.ts";
import { faults } from "./discord/faults.ts";
import { asText, embedTexts } from "./discord/model.ts";
import { DISCORDS_LIMITS } from "./discord/rate-limits.ts";
import { type FakeDiscord, startDiscord } from "./discord/server.ts";
import { type Traders, traders } from "./discord/traders.ts";
import type { Channel } from "./discord/world.ts";
import { SLACK_LIMITS } from "./slack/server/limits.ts";
import { type Slack, startSlack } from "./slack/server/server.ts";
import { shownText } from "./slack/users/message-text.ts";

const SETTINGS = `poll: { splits: "* * * * * *", articles: "*/30 * * * * *" }\n`;

/** Discord's documented number of messages per second. */
const DISCORD_PER_SECOND = 50;

const SETTLE_TIMEOUT_MS = 10 * 60_000;

/** Below the 22 seconds after which a killed process is replaced. Only a full soak has the machine to itself. */
const ACKNOWLEDGE_ON_A_BUSY_MACHINE_MS = 15_000;

/** What a process says whose start a lost commit ends. */
const LOST_CONNECTION = /^splitwatch: database: no connection to/m;

/** Times after which messages are posted whose requests were answered with a timeout. */
const LATE_SECONDS = [1, 5, 12, 20, 35, 55] as const;

export interface Crowd {
  readonly discordChannels: number;
  readonly slackChannels: number;
  /** Number of splits that are listed from the start. Default: 20. */
  readonly splits?: number;
}

const DEFAULT_SPLITS = 20;

export interface ReplicaFigures {
  /** Messages that were posted. */
  readonly messages: number;
  readonly deliveries: number;
  /** From the first split to the last message. */
  readonly seconds: number;
  /** Time that the platforms' limits require for the messages. */
  readonly minimumSeconds: number;
}

/** Several processes on one database, with subscribed channels on both platforms, which apply their limits. */
export class ReplicaRun {
  readonly server: PostgresServer;
  /** Between the processes and the server. */
  readonly #proxy: TcpProxy;
  readonly #folder: string;
  readonly #processes: Processes;
  readonly #discord: FakeDiscord;
  readonly #slack: Slack;
  readonly #upstream: Upstream;
  readonly #people: Traders;
  readonly #channels: readonly Channel[];
  readonly #slackNames: readonly string[];
  readonly #running = new Set<SplitwatchProcess>();
  readonly #tickers: string[] = [];
  #changes = 0;
  readonly #problems: string[] = [];
  #starts = 0;
  #lostCommits = 0;
  #startedAt = 0;
  /** How a process ended that nobody stopped. */
  #ended: string | null = null;

  private constructor(parts: {
    server: PostgresServer;
    proxy: TcpProxy;
    folder: string;
    processes: Processes;
    discord: FakeDiscord;
    slack: Slack;
    upstream: Upstream;
    people: Traders;
    channels: readonly Channel[];
    slackNames: readonly string[];
  }) {
    this.server = parts.server;
    this.#proxy = parts.proxy;
    this.#folder = parts.folder;
    this.#processes = parts.processes;
    this.#discord = parts.discord;
    this.#slack = parts.slack;
    this.#upstream = parts.upstream;
    this.#people = parts.people;
    this.#channels = parts.channels;
    this.#slackNames = parts.slackNames;
  }

  /** Adds the channels and a rule for each. */
  static async begin(folder: string, processes: Processes, crowd: Crowd): Promise<ReplicaRun> {
    const server = await PostgresServer.start({ durable: true });
    const proxy = await startTcpProxy(Number(new URL(server.url()).port));
    const { splits = DEFAULT_SPLITS } = crowd;
    const slackNames = Array.from({ length: crowd.slackChannels }, (_, number) => `alerts-${number}`);
    const discord = await startDiscord({
      limits: { ...DISCORDS_LIMITS },
      ...(!IS_FULL_SOAK && { acknowledgeWithinMs: ACKNOWLEDGE_ON_A_BUSY_MACHINE_MS }),
    });
    const slack = await startSlack({ channels: slackNames, limits: SLACK_LIMITS, random: createRandom(7) });
    const upstream = await startUpstream({ splits: Array.from({ length: splits }, (_, number) => aRow(`I${number}`)) });
    const people = traders(discord);
    const { guild } = people;
    const channels = Array.from({ length: crowd.discordChannels }, (_, number) =>
      discord.addChannel(guild, `alerts-${number}`),
    );
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "every-second.yaml"), SETTINGS);
    const run = new ReplicaRun({
      server,
      proxy,
      folder,
      processes,
      discord,
      slack,
      upstream,
      people,
      channels,
      slackNames,
    });
    await run.#subscribe([
      ...channels.map(({ id }) => channelOf(guild.id, id)),
      ...slackNames.map((name) => channelDestination(slack.workspace.team.id, slack.channel(name).id)),
    ]);
    return run;
  }

  async #subscribe(destinations: readonly Destination[]): Promise<void> {
    const store: Store = await openPostgresStore({
      address: addressOf(this.server.url()),
      clock: systemClock,
      log: SILENT_LOG,
    });
    for (let from = 0; from < destinations.length; from += 50)
      await Promise.all(
        destinations.slice(from, from + 50).map((destination) => store.rules.add(aRule({ destination }))),
      );
    await store.close();
    for (const name of this.#slackNames) this.#slack.channel(name).botIsMember = true;
  }

  /**
   * Starts a process, as a supervisor does: again, if a lost commit ends its start. Resolves when it answers and has polled, or follows
   * another one that polls.
   */
  async start(options: Pick<ProcessOptions, "env" | "onMessage"> = {}): Promise<SplitwatchProcess> {
    const lostBefore = this.#lostCommits;
    const splitwatch = await this.#startProcess(options);
    const hasStarted = await splitwatch.ready.then(
      () => true,
      (error: unknown) => {
        if (this.#lostCommits === lostBefore || !LOST_CONNECTION.test(String(error))) throw error;
        return false;
      },
    );
    if (!hasStarted) return this.start(options);
    this.#running.add(splitwatch);
    void this.#noteEnd(splitwatch);
    return splitwatch;
  }

  async #startProcess({ env = {}, ...options }: Pick<ProcessOptions, "env" | "onMessage">): Promise<SplitwatchProcess> {
    const cwd = join(this.#folder, `process-${this.#starts}`);
    this.#starts += 1;
    const database = new URL(this.server.url());
    database.port = String(this.#proxy.port);
    await mkdir(cwd, { recursive: true });
    return this.#processes.start({
      cwd,
      env: {
        DATABASE_URL: database.href,
        SPLITS_API_URL: this.#upstream.url,
        SPLITS_API_KEY: this.#upstream.key,
        SPLITWATCH_CONFIG: join(this.#folder, "every-second.yaml"),
        DISCORD_TOKEN: this.#discord.token,
        DISCORD_API_URL: this.#discord.apiUrl,
        SLACK_BOT_TOKEN: this.#slack.botToken,
        SLACK_APP_TOKEN: this.#slack.appToken,
        SLACK_API_URL: this.#slack.apiUrl,
        ...env,
      },
      ...options,
    });
  }

  async #noteEnd(splitwatch: SplitwatchProcess): Promise<void> {
    const { code, signal } = await splitwatch.ended;
    if (this.#running.delete(splitwatch))
      this.#ended ??= `a process ended with ${code ?? signal}: ${splitwatch.err().slice(-4_000)}`;
  }

  /** Cuts connections at this share of the commits, before the server receives them or after it has executed them. */
  loseCommits(share: number): void {
    const random = createRandom(8);
    this.#proxy.decide = (bytes) => {
      if (!isCommit(bytes) || !random.chance(share)) return "forward";
      this.#lostCommits += 1;
      return random.pick(["cut", "swallow-answer"]);
    };
  }

  /** Answers this share of the sends with a timeout, and posts their messages later. */
  storeLate(share: number): void {
    const random = createRandom(9);
    for (const seconds of LATE_SECONDS) {
      const ms = seconds * 1_000;
      const each = share / LATE_SECONDS.length;
      this.#slack.faults.add({ method: "chat.postMessage", share: each, effect: { kind: "stored-later", ms } });
      const scope = { method: "POST", path: /^\/channels\/\d+\/messages$/, chance: () => random.chance(each) };
      this.#discord.faults.add(faults.storedLater(ms), scope);
    }
  }

  /** Numbers of the faults so far. */
  get faults(): { readonly lostCommits: number; readonly lateMessages: number } {
    return { lostCommits: this.#lostCommits, lateMessages: this.#agesOfLate.length };
  }

  /** Milliseconds since each send that was answered with a timeout. */
  get #agesOfLate(): readonly number[] {
    const onDiscord = this.#discord.requests.filter(({ status }) => status === 504);
    const onSlack = this.#slack.calls.filter(({ outcome }) => outcome === "504");
    return [...onDiscord.map(({ at }) => performance.now() - at), ...onSlack.map(({ at }) => Date.now() - at)];
  }

  /** Ends the faults, and waits for the messages that are posted late. */
  async endFaults(): Promise<void> {
    this.#proxy.decide = () => "forward";
    this.#slack.faults.clear();
    this.#discord.faults.clear();
    const sinceLastMs = Math.min(...this.#agesOfLate);
    await pause(Math.max(0, Math.max(...LATE_SECONDS) * 1_000 - sinceLastMs));
  }

  /** Number of messages on both platforms. */
  get messages(): number {
    return this.#discord.posted() + this.#slackPosts.length;
  }

  get #slackPosts(): Slack["calls"] {
    return this.#slack.calls.filter(({ method }) => method === "chat.postMessage");
  }

  /** Lists a new split. */
  announce(): void {
    this.#startedAt ||= performance.now();
    const ticker = `K${this.#tickers.length}`;
    this.#tickers.push(ticker);
    this.#upstream.splits = [...this.#upstream.splits, aRow(ticker)];
  }

  /** Changes the ratio of the split whose last change is the longest ago. */
  change(): void {
    const rows = this.#upstream.splits as readonly Readonly<Record<string, unknown>>[];
    const index = this.#changes % rows.length;
    this.#changes += 1;
    const ratio = `1:${20 + Math.ceil(this.#changes / rows.length)}`;
    this.#tickers.push(String(rows[index]?.ticker));
    this.#upstream.splits = rows.map((row, other) => (other === index ? { ...row, ratio } : row));
  }

  /** True if two processes receive Discord's commands and all those of Slack. */
  get isConnected(): boolean {
    return (
      this.#discord.gateway.connected >= 2 &&
      this.#discord.commands.length > 0 &&
      this.#slack.socket.connections >= this.#running.size
    );
  }

  /** Commands of a person on each platform. */
  async useChats(): Promise<void> {
    for (const command of ["watch", "unwatch"])
      await this.#people.ada.slash(`/splits ${command}`, { tickers: "I1" }, "dm");
    for (const line of ["watch I1", "list", "unwatch I1"]) await this.#slack.user("ada").slash(line);
  }

  /**
   * Sends a command on each platform every second. Returns a function that ends it and returns the unanswered ones
   * of those that were sent after `since` (of `performance.now()`).
   */
  askRegularly(): (since: number) => Promise<Readonly<Record<"discord" | "slack", UnansweredCommands>>> {
    const ended = new AbortController();
    const all = {
      discord: askUntil(ended.signal, () => this.#people.ada.slash("/splits help", {}, "dm").then(() => true)),
      slack: askUntil(ended.signal, async () => (await this.#slack.user("ada").slash("help")).ackMs !== null),
    };
    return async (since) => {
      ended.abort();
      return { discord: unansweredSince(since, await all.discord), slack: unansweredSince(since, await all.slack) };
    };
  }

  /** Resolves when this many messages were posted. */
  async posted(count: number): Promise<void> {
    await this.#until(`${count} messages are posted`, () => this.messages >= count);
  }

  /** Waits for the condition; fails if a process ends by a fault of its own. */
  async #until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
    await waitUntil(
      what,
      () => {
        if (this.#ended !== null) throw new Error(`waiting until ${what}: ${this.#ended}`);
        return isDone();
      },
      SETTLE_TIMEOUT_MS,
    );
  }

  async kill(splitwatch: SplitwatchProcess): Promise<void> {
    this.#running.delete(splitwatch);
    await splitwatch.kill();
  }

  async stop(splitwatch: SplitwatchProcess): Promise<void> {
    this.#running.delete(splitwatch);
    splitwatch.signal("SIGTERM");
    const { code } = await splitwatch.ended;
    if (code !== 0) this.#problems.push(`splitwatch ended with ${code}: ${splitwatch.err().slice(-2_000)}`);
  }

  /** Waits until nothing is pending. */
  async settle(): Promise<ReplicaFigures> {
    const [splitwatch] = this.#running;
    if (!splitwatch) throw new Error("no process is running");
    const address = await splitwatch.ready;
    const isDone = async (): Promise<boolean> =>
      this.messages > 0 && (await readMetric(address, "splitwatch_outbox_pending").catch(() => null)) === 0;
    await this.#until("no delivery is pending", isDone);
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const onSlack = this.#slackPosts.length;
    return {
      messages: this.messages,
      deliveries: this.#tickers.length * (this.#channels.length + this.#slackNames.length),
      seconds,
      minimumSeconds: Math.max(this.#discord.posted() / DISCORD_PER_SECOND, (onSlack / SLACK_LIMITS.perMinute) * 60),
    };
  }

  /** All alerts that were lost, sent twice or out of order, and all requests that a limit refused. */
  problems(): readonly string[] {
    for (const channel of this.#channels) {
      const texts = channel.messages.map(({ embeds }) =>
        withoutMarkup(embeds.flatMap(embedTexts).map(asText).join("\n")),
      );
      this.#check(`discord ${channel.name}`, texts);
    }
    for (const name of this.#slackNames)
      this.#check(
        `slack ${name}`,
        this.#slack.messages(name).map((message) => withoutMarkup(shownText(message))),
      );
    for (const { path, status } of this.#discord.requests)
      if (status === 429) this.#problems.push(`discord refused ${path}: ${status}`);
    for (const { method, outcome } of this.#slack.calls)
      if (outcome === "429") this.#problems.push(`slack refused ${method}: ${outcome}`);
    return [...this.#problems, ...this.#discord.violations];
  }

  #check(name: string, texts: readonly string[]): void {
    const announced = texts.flatMap(alertsIn).map(({ ticker }) => ticker);
    if (announced.join() !== this.#tickers.join())
      this.#problems.push(`${name} received ${announced.join(", ") || "nothing"}`);
  }

  async close(): Promise<void> {
    await this.#processes.endAll();
    await this.#discord.stop();
    await this.#slack.stop();
    await this.#upstream.stop();
    await this.#proxy.close();
    await this.server.dispose();
  }
}

export interface UnansweredCommands {
  readonly commands: number;
  /** Commands that the platform reported as unanswered after three seconds. */
  readonly unanswered: number;
  /** From the first of them until the next one was answered, at most. */
  readonly longestGapSeconds: number;
}

interface AskedCommand {
  readonly sentAt: number;
  readonly isAnswered: boolean;
}

async function askUntil(ended: AbortSignal, isAnswered: () => Promise<boolean>): Promise<readonly AskedCommand[]> {
  const asked: Promise<AskedCommand>[] = [];
  while (!ended.aborted) {
    const sentAt = performance.now();
    asked.push(
      isAnswered().then(
        (answered) => ({ sentAt, isAnswered: answered }),
        () => ({ sentAt, isAnswered: false }),
      ),
    );
    await pause(1_000);
  }
  return Promise.all(asked);
}

function unansweredSince(since: number, asked: readonly AskedCommand[]): UnansweredCommands {
  const answered = asked.filter(({ sentAt }) => sentAt > since).map(({ isAnswered }) => isAnswered);
  const gaps = answered.map((_, index) => answered.slice(index).findIndex(Boolean)).map((gap) => Math.max(gap, 0));
  return {
    commands: answered.length,
    unanswered: answered.filter((one) => !one).length,
    longestGapSeconds: Math.max(0, ...gaps),
  };
}

function aRow(ticker: string): Record<string, unknown> {
  const exDate = addDays(dayInZone(Date.now(), MARKET_ZONE), 40);
  return aSplitRow({ ticker, company: `${ticker} Holdings Inc.`, ex_date: exDate, date_announced: null });
}
