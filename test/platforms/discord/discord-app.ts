import { onTestFinished } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/index.ts";
import { MINUTE_MS } from "../../../src/domain/time/day.ts";
import { temporaryFolder } from "../../support/app.ts";
import { directReader } from "../../support/direct-reader.ts";
import { ManualScheduler } from "../../support/manual-scheduler.ts";
import { type RecordedLog, recordedLog } from "../../support/recorded-log.ts";
import { RunningClock } from "../../support/running-clock.ts";
import { observeStore, storeEnv } from "../../support/store-under-test.ts";
import { aSplitRow, startUpstream, type Upstream } from "../../support/upstream.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { readMetric } from "../../support/web-chat-client.ts";
import { type DiscordStart, type FakeDiscord, startDiscord } from "./server.ts";

const POLL_EVERY_MS = 2 * MINUTE_MS;

/** A list that is new may still grow in its first polls without alerts. */
const SETTLING_POLLS = 4;

/** A Discord server, a data service and a folder for the whole app, which can be restarted. */
export interface DiscordStage {
  readonly discord: FakeDiscord;
  readonly upstream: Upstream;
  readonly clock: RunningClock;
  readonly dataDir: string;
  /** Starts the app; resolves when it is connected and has polled the list. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<AppOnDiscord>;
}

export interface AppOnDiscord {
  readonly address: string;
  readonly log: RecordedLog;
  /** Reads the splits and the articles. */
  poll(times?: number): Promise<void>;
  /** Adds these splits to the list and polls. */
  announce(...rows: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  /** Number of waiting deliveries. */
  waiting(): Promise<number>;
  /** Resolves when no delivery is waiting. */
  delivered(withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Everything is stopped at the end of the test. */
export async function stage(start: DiscordStart = {}): Promise<DiscordStage> {
  const clock = new RunningClock();
  // A poll skips two minutes, which pass for Discord, too.
  const discord = await startDiscord({ now: () => clock.now(), limitTime: () => clock.monotonic(), ...start });
  const upstream = await startUpstream({ splits: [aSplitRow()] });
  const folder = await temporaryFolder();
  const running = new Set<AppOnDiscord>();
  onTestFinished(async () => {
    for (const app of running) await app.stop();
    await discord.stop();
    await upstream.stop();
    await folder.remove();
  });
  return {
    discord,
    upstream,
    clock,
    dataDir: folder.path,
    async start(env = {}) {
      const app = await startOn({ discord, upstream, clock, dataDir: folder.path, env });
      const watched = {
        ...app,
        stop: async () => {
          running.delete(watched);
          await app.stop();
        },
      };
      running.add(watched);
      return watched;
    },
  };
}

async function startOn(parts: {
  discord: FakeDiscord;
  upstream: Upstream;
  clock: RunningClock;
  dataDir: string;
  env: Readonly<Record<string, string>>;
}): Promise<AppOnDiscord> {
  const { discord, upstream, clock, dataDir, env } = parts;
  const log = recordedLog();
  const { config, alive } = observeStore(
    readConfig({
      env: {
        DATA_DIR: dataDir,
        PORT: "0",
        LOG_LEVEL: "silent",
        SPLITS_API_URL: upstream.url,
        SPLITS_API_KEY: upstream.key,
        DISCORD_TOKEN: discord.token,
        DISCORD_API_URL: discord.apiUrl,
        ...(await storeEnv(dataDir)),
        ...env,
      },
      folder: dataDir,
      isTerminal: false,
    }),
  );
  const scheduler = new ManualScheduler();
  const app = createApp(config, { clock, log, scheduler, mode: "everything", reader: directReader });
  const { address } = await app.start();

  const running: AppOnDiscord = {
    address,
    log,
    async poll(times = 1) {
      for (let left = times; left > 0; left -= 1) {
        clock.skip(POLL_EVERY_MS);
        await alive();
        await scheduler.tick("poll-splits");
        await scheduler.tick("poll-articles");
      }
    },
    async announce(...rows) {
      upstream.splits = [...upstream.splits, ...rows.map((row) => aSplitRow(row))];
      await running.poll();
    },
    waiting: () => readMetric(address, "splitwatch_outbox_pending"),
    delivered: (withinMs) => waitUntil("nothing waits", async () => (await running.waiting()) === 0, withinMs),
    stop: () => app.stop(),
  };
  await waitUntil("the first poll has ended", async () => log.count("poll completed") >= 2);
  await running.poll(SETTLING_POLLS);
  if (env.DISCORD_TOKEN === undefined) {
    await waitUntil("it is connected", () => discord.gateway.connected > 0 && discord.commands.length > 0);
  }
  return running;
}
