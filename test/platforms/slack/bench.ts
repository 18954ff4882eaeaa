import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApp } from "../../../src/app/app.ts";
import type { Card } from "../../../src/chat/web/page/protocol.ts";
import { readConfig } from "../../../src/config/index.ts";
import { MINUTE_MS } from "../../../src/domain/time/day.ts";
import { temporaryFolder } from "../../support/app.ts";
import { directReader } from "../../support/direct-reader.ts";
import { ManualScheduler } from "../../support/manual-scheduler.ts";
import { type RecordedLog, recordedLog } from "../../support/recorded-log.ts";
import { RunningClock } from "../../support/running-clock.ts";
import { observeStore, storeEnv } from "../../support/store-under-test.ts";
import { startUpstream, type Upstream } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ask, readMessages, readReadiness } from "../../support/web-chat-client.ts";
import { type Slack, type SlackOptions, startSlack } from "./server/server.ts";
import type { Via } from "./users/user.ts";

export interface BenchOptions {
  readonly slack?: Omit<SlackOptions, "now">;
  readonly via?: Via;
  /** Whether workspaces install the app through OAuth. Default: a single workspace, the first. */
  readonly many?: boolean;
  readonly splits?: readonly unknown[];
  readonly articles?: readonly unknown[];
  /** YAML that overrides the default settings. */
  readonly settings?: string;
  /** Overrides environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Speed of the clock of the app and of Slack. Default: 1. */
  readonly speed?: number;
  readonly now?: string;
}

type Job = "poll-splits" | "poll-articles" | "remind";

/** The whole app with a test upstream and a test Slack; the web chat runs too. */
export class SlackBench {
  readonly slack: Slack;
  readonly upstream: Upstream;
  readonly clock: RunningClock;
  readonly log: RecordedLog = recordedLog();
  address = "";
  readonly #start: BenchOptions;
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  #app: ReturnType<typeof createApp> | null = null;
  #scheduler = new ManualScheduler();
  #alive: () => Promise<void> = () => Promise.resolve();

  private constructor(parts: Pick<SlackBench, "slack" | "upstream" | "clock">, start: BenchOptions, folder: Folder) {
    this.slack = parts.slack;
    this.upstream = parts.upstream;
    this.clock = parts.clock;
    this.#start = start;
    this.#folder = folder;
  }

  static async open(start: BenchOptions = {}): Promise<SlackBench> {
    const clock = new RunningClock({ ...(start.now ? { start: start.now } : {}), speed: start.speed ?? 1 });
    const slack = await startSlack({ ...start.slack, now: () => clock.now() });
    const upstream = await startUpstream({ splits: start.splits ?? [], articles: start.articles ?? [] });
    const bench = new SlackBench({ slack, upstream, clock }, start, await temporaryFolder());
    await bench.start();
    return bench;
  }

  /** Transport of interactions and events. */
  get via(): Via {
    return this.#start.via ?? "socket";
  }

  get dataDir(): string {
    return join(this.#folder.path, "data");
  }

  /** Starts the app on the existing data and polls once. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = join(this.#folder.path, "settings.yaml");
    await writeFile(settings, this.#start.settings ?? "");
    const observed = observeStore(
      readConfig({
        env: {
          DATA_DIR: this.dataDir,
          PORT: "0",
          LOG_LEVEL: "silent",
          SPLITWATCH_CONFIG: settings,
          SPLITS_API_URL: this.upstream.url,
          SPLITS_API_KEY: this.upstream.key,
          ...(await storeEnv(this.dataDir)),
          ...this.#slackEnv(),
          ...this.#start.env,
          ...env,
        },
        folder: this.#folder.path,
        isTerminal: false,
      }),
    );
    this.#alive = observed.alive;
    this.#scheduler = new ManualScheduler();
    const { clock, log } = this;
    this.#app = createApp(observed.config, {
      clock,
      log,
      scheduler: this.#scheduler,
      mode: "everything",
      reader: directReader,
    });
    this.address = (await this.#app.start()).address;
    this.slack.setAppAddress(this.address);
    // A tick during the first poll would wait for it, and not read what the test lists next.
    await this.until("the first poll has ended", () => this.#scheduler.hasCaughtUp);
    await this.run("poll-splits");
    await this.run("poll-articles");
  }

  #slackEnv(): Readonly<Record<string, string>> {
    return this.#start.many === true ? this.slack.envForManyWorkspaces(this.via) : this.slack.env(this.via);
  }

  async stop(): Promise<void> {
    await this.#app?.stop();
    this.#app = null;
  }

  /** Stops and starts the app on the same data, optionally with other variables. */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.stop();
    await this.start(env);
  }

  async run(job: Job): Promise<void> {
    await this.#alive();
    await this.#scheduler.tick(job);
  }

  /** Sets the rows of the upstream and polls; resolves when all deliveries are done. */
  async list(...rows: readonly unknown[]): Promise<void> {
    this.upstream.splits = rows;
    await this.poll();
  }

  async poll(): Promise<void> {
    this.clock.skip(2 * MINUTE_MS);
    await this.run("poll-splits");
    await this.run("poll-articles");
    await this.allDelivered();
  }

  /** Resolves when no delivery is pending. */
  async allDelivered(timeoutMs?: number): Promise<void> {
    await this.until("all deliveries are done", async () => (await this.pendingDeliveries()) === 0, timeoutMs);
  }

  async pendingDeliveries(): Promise<number> {
    const page = await (await fetch(`${this.address}/metrics`)).text();
    return Number(/^splitwatch_outbox_pending (\S+)$/m.exec(page)?.[1]);
  }

  async until(what: string, condition: () => Promise<boolean> | boolean, timeoutMs?: number): Promise<void> {
    await waitUntil(what, condition, timeoutMs);
  }

  /** Runs the line in the web chat and returns its answer. */
  onWeb(name: string, line: string, channel?: string): Promise<readonly Card[]> {
    return ask(this.address, name, line, channel === undefined ? { person: name } : { channel });
  }

  /** All cards in a channel of the web chat. */
  async cardsOnWeb(channel: string): Promise<readonly Card[]> {
    return (await this.messagesOnWeb(channel)).flatMap(({ body }) => body.cards);
  }

  messagesOnWeb(channel: string): ReturnType<typeof readMessages> {
    return readMessages(this.address, { channel });
  }

  readiness(): ReturnType<typeof readReadiness> {
    return readReadiness(this.address);
  }

  /** Throws if the app violated Slack's rules. */
  async close(): Promise<void> {
    await this.#app?.stop();
    await this.slack.stop();
    await this.upstream.stop();
    await this.#folder.remove();
    const { violations } = this.slack;
    if (violations.length > 0) throw new Error(`violations of Slack's rules:\n${violations.join("\n")}`);
  }
}

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
