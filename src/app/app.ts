import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import type { ConnectedPlatform } from "../chat/platform-definition.ts";
import { type CalendarFeed, createCalendarFeed } from "../commands/calendar-feed.ts";
import type { CommandContext } from "../commands/context.ts";
import { marksIn, readSnapshotOf } from "../commands/current-data.ts";
import { createCommands } from "../commands/index.ts";
import { type Overview, readOverview } from "../commands/overview.ts";
import { createScreens } from "../commands/screens.ts";
import type { Config } from "../config/index.ts";
import { type ClientLimits, createSplitsClient } from "../data-service/client/client.ts";
import { countMarks } from "../domain/split/quality.ts";
import { calendarRoutes } from "../http/calendar-routes.ts";
import { hostAndPort } from "../http/host-address.ts";
import { operationRoutes } from "../http/operation-routes.ts";
import { assertPortFree, type HttpServer, listen } from "../http/server.ts";
import { writeCalendarFile } from "../lib/ics.ts";
import { createMetrics, type MetricsPage } from "../lib/metrics.ts";
import { readVersion } from "../lib/version.ts";
import { createDeliverer, type Deliverer } from "../pipeline/deliver.ts";
import { createStaleness, type IsStale, readReadiness } from "../pipeline/readiness.ts";
import { createSourceSchedule, type ScheduleSettings } from "../pipeline/schedule.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { Store } from "../ports/store.ts";
import { openLowdbStore } from "../store/lowdb/open.ts";
import { type DataSource, type Origin, openEmbedded, openExternal, readsWires, type Takeover } from "./data-source.ts";
import { type Running, startRestartable } from "./restartable.ts";

export interface Started {
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly origin: Origin;
}

/** What runs until it is told to stop. */
export interface App {
  start(): Promise<Started>;
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

async function runServiceAlone(config: Config, system: AppSystem, closers: Closers): Promise<Started> {
  const { clock, log } = system;
  const store = readsWires(config, true) ? await openStore(config, system, closers) : null;
  await assertPortFree(config);
  const supply = await openEmbedded({ config, alone: true, releases: store?.releases ?? null, clock, log, closers });
  const { embedded, takeover } = supply;
  const metrics = createMetrics();
  const readiness = async (): Promise<{ ready: boolean; problems: readonly string[] }> => ({
    ready: embedded.catalog.ready && embedded.source.readError() === null,
    problems: supply.source.notes(),
  });
  const root = new Hono()
    .route("/", operationRoutes({ readiness, metrics: () => metrics.page() }))
    .route("/", embedded.app);
  const server = await serve(root, config, system, closers);
  if (takeover) void takeOver(takeover, (run) => run(), log);
  log.info("started", { address: server.address, mode: "service", at: clock.now() });
  return { address: server.address, origin: supply.origin };
}

async function openStore(config: Config, { clock, log }: AppSystem, closers: Closers): Promise<Store> {
  const store = await openLowdbStore({ dir: config.dataDir, clock, log, holder: holderName(config) });
  closers.push(() => store.close());
  return store;
}

async function runEverything(config: Config, system: AppSystem, closers: Closers): Promise<Started> {
  const { clock, log } = system;
  const store = await openStore(config, system, closers);
  await assertPortFree(config);
  const supply = config.splitsApi
    ? openExternal(config.splitsApi)
    : await openEmbedded({ config, alone: false, releases: store.releases, clock, log, closers });

  const metrics = createMetrics({
    outboxPending: () => store.outbox.waitingCount(),
    dataAgeSeconds: async () => {
      const readAt = (await store.polls.read()).splits?.lastCompleteAt ?? null;
      return readAt === null ? null : (clock.now() - readAt) / 1_000;
    },
    qualityMarks: async () => countMarks(marksIn(await readSnapshotOf({ store, source: supply.source }))),
  });
  const isStale = createStaleness({ ...system, timezone: config.timezone, crons: config.poll });
  const chat = await connectChat({ config, system, store, metrics, supply, isStale });
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
  root.route("/", calendarRoutes({ view: chat.calendar, clock, log }));
  for (const { routes } of chat.platforms) if (routes) root.route("/", routes);
  const server = await serve(root, config, system, closers);

  for (const platform of platforms) {
    closers.push(() => platform.stop());
    await platform.start();
  }
  closers.push(() => chat.deliverer.stop());
  chat.deliverer.start();
  const reading = startRestartable(() =>
    readSource({ config, system, store, metrics, supply, chat, isStale }, server.address),
  );
  closers.push(() => reading.stop());
  if (supply.takeover) void takeOver(supply.takeover, (run) => reading.change(run), log);
  return { address: server.address, origin: supply.origin };
}

/** Nothing is read while another source takes over: no row of the one may ever be taken for the other's. */
async function takeOver(
  { due, run }: Takeover,
  atRest: (run: Takeover["run"]) => Promise<void>,
  log: Log,
): Promise<void> {
  try {
    await due;
    await atRest(run);
  } catch (error) {
    log.error("source change failed", { error });
  }
}

async function serve(app: Hono, config: Config, { log }: AppSystem, closers: Closers): Promise<HttpServer> {
  const server = await listen({ app, host: config.host, port: config.port, log });
  closers.push(() => server.close());
  return server;
}

interface Chat {
  readonly platforms: readonly ConnectedPlatform[];
  readonly deliverer: Deliverer;
  readonly calendar: CalendarFeed;
}

interface ChatParts {
  readonly config: Config;
  readonly system: AppSystem;
  readonly store: Store;
  readonly metrics: MetricsPage;
  readonly supply: DataSource;
  readonly isStale: IsStale;
}

/** The commands, the platforms that they are asked on, and the deliverer that alerts go out by. */
async function connectChat(parts: ChatParts): Promise<Chat> {
  const { config, system, store } = parts;
  const { clock, log } = system;
  const context = commandContext(parts, () => deliverer);
  const { version } = context;
  const commands = createCommands(context);
  const overview = (): Promise<Overview> => readOverview(context);
  const screens = createScreens(context);
  const platformParts = {
    server: config,
    store,
    clock,
    log,
    version,
    commands,
    screens,
    overview,
    wake: () => deliverer.wake(),
  };
  const platforms = await Promise.all(
    config.platforms.map(({ definition, settings }) => definition.connect(settings, platformParts)),
  );
  const deliverer = createDeliverer({
    ...context,
    platforms: platforms.map(({ platform }) => platform),
    expireAfterMs: config.alerts.expireAfterMs,
    newMessageId: () => randomBytes(15).toString("base64url"),
  });
  return { platforms, deliverer, calendar: createCalendarFeed(context) };
}

/** `deliverer`: it is there by the time that the first command runs. */
function commandContext(parts: ChatParts, deliverer: () => Deliverer): CommandContext {
  const { config, system, store, metrics, supply, isStale } = parts;
  const { clock, log, scheduler } = system;
  return {
    store,
    clock,
    log,
    metrics,
    version: readVersion(),
    timezone: config.timezone,
    defaultTimezone: config.timezone,
    nextDigest: (zone, after) => scheduler.nextTick(config.digest.cron, zone, after),
    source: supply.source,
    publicUrl: config.publicUrl,
    writeCalendar: writeCalendarFile,
    isStale,
    pauseDeliveryDuring: (to, work) => deliverer().whilePaused(to, work),
    deliver: (id, withinMs) => deliverer().outcome(id, withinMs),
  };
}

/** Follows the source, and reads at once when the embedded service has news. */
function readSource(parts: ChatParts & { readonly chat: Chat }, address: string): Running {
  const { config, system, store, metrics, supply, chat, isStale } = parts;
  const { clock, log, sourceLimits: limits = {} } = system;
  const { id, sample } = supply.source;
  const source = createSplitsClient({ ...supply.reach(address), id, sample, clock, log, limits });
  const byName = new Map(chat.platforms.map(({ platform }) => [platform.name, platform]));
  const watch = createSourceSchedule({
    ...system,
    store,
    metrics,
    source,
    reaches: (to, event) => !event.sample || (byName.get(to.platform)?.showsSample ?? false),
    wake: () => chat.deliverer.wake(),
    isStale,
    sourceProblem: () => supply.source.problem(),
    oldNews: () => supply.knownRows(),
    settings: watchSettings(config),
  });
  watch.start();
  const unfollow = supply.embedded?.catalog.onChange(() => watch.lookNow());
  return {
    async stop() {
      unfollow?.();
      await watch.stop();
      await source.close();
    },
  };
}

function watchSettings({ poll, alerts, reminders, timezone }: Config): ScheduleSettings {
  return {
    missingPolls: poll.missingPolls,
    shrinkGuard: poll.shrinkGuard,
    firstRun: alerts.firstRun,
    timezone,
    splitsCron: poll.splits,
    articlesCron: poll.articles,
    remindCron: reminders.cron,
    remindBefore: reminders.before,
  };
}

function holderName(config: Config): string {
  return `pid ${process.pid}, http://${hostAndPort(config.host, config.port)}`;
}
