import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { PLATFORMS } from "./chat/index.ts";
import type { ConnectedPlatform } from "./chat/parts.ts";
import type { CommandContext, KnownSource } from "./commands/context.ts";
import { createCommands } from "./commands/index.ts";
import { type Overview, readOverview } from "./commands/overview.ts";
import { type Config, sourceBesideChat } from "./config.ts";
import { createDeliverer, type Deliverer } from "./pipeline/deliver.ts";
import { createStaleness, readReadiness } from "./pipeline/readiness.ts";
import { createWatch } from "./pipeline/watch.ts";
import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";
import type { Scheduler } from "./ports/scheduler.ts";
import type { SplitSource } from "./ports/split-source.ts";
import type { Store } from "./ports/store.ts";
import { type ClientLimits, createSplitsClient, type SplitsClientOptions } from "./splits-api/client.ts";
import { type EmbeddedService, startEmbeddedService } from "./splits-api/service/embedded.ts";
import { openLowdbStore } from "./store/lowdb/open.ts";
import { hostAndPort, reachableHere } from "./system/host-address.ts";
import { type HttpServer, listen } from "./system/http-server.ts";
import { createMetrics, type MetricsPage } from "./system/metrics.ts";
import { operationRoutes } from "./system/operation-routes.ts";
import { readVersion } from "./system/version.ts";

/** What runs until it is told to stop. */
export interface App {
  /** The address is where it answers: `http://127.0.0.1:8080`. */
  start(): Promise<{ readonly address: string }>;
  /** Takes no new work, settles or parks what is in flight. Also after a start that failed. */
  stop(): Promise<void>;
}

export interface AppSystem {
  readonly clock: Clock;
  readonly log: Log;
  readonly scheduler: Scheduler;
  /** All that the configuration asks for, or the data service alone. */
  readonly mode: "everything" | "service";
  /** How long, how often and how much the data service is asked, where that is not the usual: tests are less patient. */
  readonly sourceLimits?: Partial<ClientLimits>;
}

/** What was started, ended in the opposite order. */
type Closers = (() => Promise<void> | void)[];

/** Wires the parts. Nothing runs before `start`. */
export function createApp(config: Config, system: AppSystem): App {
  const closers: Closers = [];
  const run = system.mode === "service" ? runServiceAlone : runEverything;
  return {
    start: () => run(config, system, closers),
    async stop() {
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}

async function runServiceAlone(config: Config, system: AppSystem, closers: Closers): Promise<HttpServer> {
  const { clock } = system;
  const embedded = await startEmbedded(config, system, closers);
  const metrics = createMetrics();
  const readiness = async (): Promise<{ ready: boolean; problems: readonly string[] }> => ({
    ready: embedded.catalog.ready && embedded.source.unreadable() === null,
    problems: embedded.source.problems(),
  });
  const root = new Hono()
    .route("/", operationRoutes({ readiness, metrics: () => metrics.page() }))
    .route("/", embedded.app);
  const server = await serve(root, config, system, closers);
  system.log.info("started", { address: server.address, mode: "service", at: clock.now() });
  return server;
}

async function runEverything(config: Config, system: AppSystem, closers: Closers): Promise<HttpServer> {
  const { clock, log } = system;
  const store = await openLowdbStore({ dir: config.dataDir, clock, log, holder: holderName(config) });
  closers.push(() => store.close());
  const supply = await openSupply(config, system, closers);

  const metrics = createMetrics({
    outboxPending: () => store.outbox.waiting(),
    dataAgeSeconds: async () => {
      const readAt = (await store.polls.read()).splits?.lastCompleteAt ?? null;
      return readAt === null ? null : (clock.now() - readAt) / 1_000;
    },
  });
  const isStale = createStaleness({ ...system, timezone: config.timezone, crons: config.poll });
  const chat = connectChat({ config, system, store, metrics, supply, isStale });
  const platforms = chat.platforms.map(({ platform }) => platform);
  const root = new Hono()
    .route(
      "/",
      operationRoutes({
        readiness: () => readReadiness({ store, platforms, source: supply.source, isStale, clock }),
        metrics: () => metrics.page(),
      }),
    )
    .route("/", supply.embedded?.app ?? new Hono());
  for (const { routes } of chat.platforms) if (routes) root.route("/", routes);
  const server = await serve(root, config, system, closers);

  for (const platform of platforms) {
    closers.push(() => platform.stop());
    await platform.start();
  }
  closers.push(() => chat.deliverer.stop());
  chat.deliverer.start();
  const source = connectSource(supply, { system, address: server.address }, closers);
  watchSource({ config, system, store, metrics, source, chat, embedded: supply.embedded }, closers);
  return server;
}

function startEmbedded(config: Config, { clock, log, mode }: AppSystem, closers: Closers): Promise<EmbeddedService> {
  const { keepAfterExDate, requestsPerMinute } = config.service;
  const source = mode === "service" ? config.service.source : sourceBesideChat(config);
  const started = startEmbeddedService({
    source,
    keepAfterExDate,
    requestsPerMinute,
    dataDir: config.dataDir,
    clock,
    log,
  });
  return started.then((service) => {
    closers.push(() => service.stop());
    return service;
  });
}

async function serve(app: Hono, config: Config, { log }: AppSystem, closers: Closers): Promise<HttpServer> {
  const server = await listen({ app, host: config.host, port: config.port, log });
  closers.push(() => server.close());
  return server;
}

interface Chat {
  readonly platforms: readonly ConnectedPlatform[];
  readonly deliverer: Deliverer;
}

/** The commands, the platforms that they are asked on, and the deliverer that alerts go out by. */
function connectChat(parts: {
  readonly config: Config;
  readonly system: AppSystem;
  readonly store: Store;
  readonly metrics: MetricsPage;
  readonly supply: Supply;
  readonly isStale: CommandContext["isStale"];
}): Chat {
  const { config, system, store, metrics, supply, isStale } = parts;
  const { clock, log } = system;
  const version = readVersion();
  const context: CommandContext = {
    store,
    clock,
    log,
    metrics,
    version,
    timezone: config.timezone,
    source: supply.source,
    isStale,
    deliver: (id, withinMs) => deliverer.outcome(id, withinMs),
  };
  const commands = createCommands(context);
  const overview = (): Promise<Overview> => readOverview(context);
  const platforms = Object.values(PLATFORMS)
    .map((connect) => connect({ config, store, clock, log, version, commands, overview, wake: () => deliverer.wake() }))
    .filter((connected) => connected !== null);
  const deliverer = createDeliverer({
    store,
    clock,
    log,
    metrics,
    platforms: platforms.map(({ platform }) => platform),
    timezone: config.timezone,
    expireAfterMs: config.alerts.expireAfterMs,
    newMessageId: () => randomBytes(15).toString("base64url"),
  });
  return { platforms, deliverer };
}

/** Where the splits come from: a data service elsewhere, or the one within this process. */
interface Supply {
  readonly source: KnownSource;
  readonly embedded: EmbeddedService | null;
  /** How it is asked, once our own server listens at `address`. */
  reach(address: string): Pick<SplitsClientOptions, "baseUrl" | "apiKey">;
}

async function openSupply(config: Config, system: AppSystem, closers: Closers): Promise<Supply> {
  if (config.splitsApi !== null) {
    const { url, key } = config.splitsApi;
    const source = { id: url, name: url, sample: false, notes: () => [], problem: () => null };
    return { source, embedded: null, reach: () => ({ baseUrl: url, apiKey: key }) };
  }
  const embedded = await startEmbedded(config, system, closers);
  return {
    source: describeEmbedded(embedded),
    embedded,
    reach: (address) => ({ baseUrl: reachableHere(address), apiKey: embedded.ownKey }),
  };
}

const SAMPLE_NOTE = "All companies are invented. Set SPLITS_API_URL or service.source for real data.";

function describeEmbedded({ source }: EmbeddedService): KnownSource {
  const { id, sample } = source;
  return {
    id,
    name: sample ? "built-in sample" : "embedded data service",
    sample,
    notes: () => (sample ? [SAMPLE_NOTE] : source.problems()),
    problem: () => source.unreadable(),
  };
}

function connectSource(
  supply: Supply,
  { system, address }: { readonly system: AppSystem; readonly address: string },
  closers: Closers,
): SplitSource {
  const { clock, log, sourceLimits: limits = {} } = system;
  const { id, sample } = supply.source;
  const client = createSplitsClient({ ...supply.reach(address), id, sample, clock, log, limits });
  closers.push(() => client.close());
  return client;
}

/** Follows the source, and reads at once when the embedded service has news. */
function watchSource(
  parts: {
    readonly config: Config;
    readonly system: AppSystem;
    readonly store: Store;
    readonly metrics: MetricsPage;
    readonly source: SplitSource;
    readonly chat: Chat;
    readonly embedded: EmbeddedService | null;
  },
  closers: Closers,
): void {
  const { config, system, store, metrics, source, chat, embedded } = parts;
  const byName = new Map(chat.platforms.map(({ platform }) => [platform.name, platform]));
  const watch = createWatch({
    ...system,
    store,
    metrics,
    source,
    reaches: (to, event) => !event.sample || (byName.get(to.platform)?.showsSample ?? false),
    wake: () => chat.deliverer.wake(),
    settings: {
      missingPolls: config.poll.missingPolls,
      shrinkGuard: config.poll.shrinkGuard,
      firstRun: config.alerts.firstRun,
      timezone: config.timezone,
      splitsCron: config.poll.splits,
      articlesCron: config.poll.articles,
      remindCron: config.reminders.cron,
      remindBefore: config.reminders.before,
    },
  });
  closers.push(() => watch.stop());
  watch.start();
  const unfollow = embedded?.catalog.onChange(() => watch.lookNow());
  if (unfollow) closers.push(unfollow);
}

function holderName(config: Config): string {
  return `pid ${process.pid}, http://${hostAndPort(config.host, config.port)}`;
}
