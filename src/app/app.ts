import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import type { ConnectedPlatform } from "../chat/platform-definition.ts";
import { type CalendarFeed, createCalendarFeed } from "../commands/calendar-feed.ts";
import type { CommandContext, LiveSourcesInfo } from "../commands/context.ts";
import { currentWarnings, readSnapshotOf } from "../commands/current-data.ts";
import { ALL_COMMANDS, createCommands } from "../commands/index.ts";
import { createScreens } from "../commands/screens.ts";
import { createUsageLimits } from "../commands/usage-limits.ts";
import type { Config } from "../config/index.ts";
import { ROLES, type Role } from "../config/roles.ts";
import type { ClientLimits } from "../data-service/client/client.ts";
import type { DataService } from "../data-service/server/data-service.ts";
import { EVENT_KINDS } from "../domain/alert/event.ts";
import { countWarnings } from "../domain/split/quality.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Instant } from "../domain/time/day.ts";
import { calendarRoutes } from "../http/calendar-routes.ts";
import { operationRoutes } from "../http/operation-routes.ts";
import { internalProblem } from "../http/problem.ts";
import { assertPortFree, hostAndPort, listen } from "../http/server.ts";
import { writeCalendarFile } from "../lib/ics.ts";
import { createMetrics, type KnownLabels, type MetricsPage } from "../lib/metrics.ts";
import { readVersion } from "../lib/package.ts";
import type { NoticeLink } from "../messages/split-text.ts";
import { CardEdits } from "../pipeline/card-edits.ts";
import { Deliverer } from "../pipeline/deliver.ts";
import { readReadiness } from "../pipeline/readiness.ts";
import { createSourceSchedule, type ScheduleSettings, type SourceSchedule } from "../pipeline/schedule.ts";
import { createPollTiming, type IsStale } from "../pipeline/staleness.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Polling } from "../ports/data-source.ts";
import type { Stoppable } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import type { Store } from "../ports/store.ts";
import { createArticleReader } from "../sources/reading/article-reader.ts";
import type { DocumentReader } from "../sources/reading/document-reader.ts";
import { createQuarantine, describeQuarantined, type Quarantine } from "../sources/reading/quarantine.ts";
import { ReaderThread } from "../sources/reading/reader-thread.ts";
import type { DataSource, DataSourceKind } from "./data-source.ts";
import { EmbeddedSource, readsLiveSources } from "./embedded-source.ts";
import { ExternalSource } from "./external-source.ts";
import { startRestartable } from "./restartable.ts";

export interface StartedApp {
  /** Address of the server, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Where the served data comes from. */
  readonly sourceKind: DataSourceKind;
}

export interface App {
  start(): Promise<StartedApp>;
  /** Stops accepting work, then completes or saves work in flight. Also cleans up after a failed start. */
  stop(): Promise<void>;
}

export interface AppSystem {
  readonly clock: Clock;
  readonly log: Log;
  readonly scheduler: Scheduler;
  /** "everything": all configured parts. "service": the data service only. */
  readonly mode: "everything" | "service";
  /** Overrides of the data service client's limits; tests use shorter timeouts. */
  readonly sourceLimits?: Partial<ClientLimits>;
  /** Default: a thread that reads documents. */
  readonly reader?: DocumentReader;
}

/** Connects the parts of the app. Nothing runs before start(). */
export function createApp(config: Config, system: AppSystem): App {
  let opened = new AsyncDisposableStack();
  const run = system.mode === "service" ? runServiceOnly : runEverything;
  return {
    start: () => run(config, system, opened),
    async stop() {
      const closing = opened;
      opened = new AsyncDisposableStack();
      await closing.disposeAsync();
    },
  };
}

async function runServiceOnly(config: Config, system: AppSystem, closers: AsyncDisposableStack): Promise<StartedApp> {
  const { clock, log } = system;
  const store = readsLiveSources(config, true) ? await openStore(config, system, closers) : null;
  await assertPortFree(config);
  const { reader, quarantine } = await openReader(system, store, closers);
  const dataSource = await EmbeddedSource.open({ config, serviceOnly: true, store, reader, clock, log });
  closers.defer(() => dataSource.close());
  const { service, catalog } = dataSource;
  const metrics = createMetrics({
    dataAgeSeconds: () => dataAgeSeconds([dataSource.live?.readAt() ?? null], clock),
    quarantinedDocuments: () => quarantine.all().length,
    queuedDocuments: () => reader.queued,
    sources: () => followedSources(dataSource),
  });
  const readiness = async (): Promise<{ ready: boolean; problems: readonly string[] }> => {
    const problems = [store?.health() ?? null, dataSource.problem()].filter((problem) => problem !== null);
    return { ready: catalog.ready && problems.length === 0, problems: [...problems, ...dataSource.notes()] };
  };
  const root = new Hono().route("/", operationRoutes({ readiness, metrics: () => metrics.page() })).route("/", service);
  const address = await serve({ app: root, service, metrics }, config, system, closers);
  if (store !== null) startReader(reader, config, closers);
  dataSource.start(NO_POLLING);
  log.info("started", { address, mode: "service", at: clock.now() });
  return { address, sourceKind: dataSource.kind };
}

/** Labels of metrics that the process may need. */
function knownLabels({ platforms }: Config): KnownLabels {
  return {
    platforms: platforms.map(({ definition }) => definition.name),
    eventKinds: EVENT_KINDS,
    commands: ALL_COMMANDS.map(({ name }) => name),
  };
}

/** Age of the older of the last complete list and the last read of a source. */
function dataAgeSeconds(times: readonly (Instant | null)[], clock: Pick<Clock, "now">): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(0, clock.now() - Math.min(...known)) / 1_000;
}

/** Statuses of the live sources that this process follows. */
function followedSources({ live }: DataSource): readonly SourceStatus[] {
  return live?.isFollowing ? live.statuses() : [];
}

async function runEverything(config: Config, system: AppSystem, closers: AsyncDisposableStack): Promise<StartedApp> {
  const { clock, log } = system;
  const store = await openStore(config, system, closers);
  await assertPortFree(config);
  const { reader, quarantine } = await openReader(system, store, closers);
  const dataSource: DataSource = config.splitsApi
    ? await ExternalSource.open(config.splitsApi, { store, isShared: config.store.isShared, clock, log })
    : await EmbeddedSource.open({ config, serviceOnly: false, store, reader, clock, log });
  closers.defer(() => dataSource.close());
  const metrics = createMetrics(
    {
      outboxPending: () => store.outbox.waitingCount(),
      destinations: async () => ({ ...(await store.claims.countDestinations()) }),
      platforms: () => Object.fromEntries(platforms.map((platform) => [platform.name, Number(platform.health().ok)])),
      quarantinedDocuments: () => quarantine.all().length,
      queuedDocuments: () => reader.queued,
      dataAgeSeconds: async () => {
        const polledAt = (await store.polls.read()).splits?.lastCompleteAt ?? null;
        return dataAgeSeconds([polledAt, dataSource.live?.readAt() ?? null], clock);
      },
      sources: () => followedSources(dataSource),
      qualityWarnings: async () => countWarnings(currentWarnings(await readSnapshotOf({ store, source: dataSource }))),
    },
    knownLabels(config),
  );
  const timing = createPollTiming({ ...system, timezone: config.timezone, crons: config.poll });
  const parts: BotParts = { config, system, store, metrics, dataSource, reader, quarantine, isStale: timing.isStale };
  const bot = await connectBot(parts);
  const platforms = activePlatforms(bot.platforms, config);
  const readiness = () =>
    readReadiness({ store, platforms, source: dataSource, timing: isBot(config) ? timing : null, clock });
  const root = new Hono().route("/", operationRoutes({ readiness, metrics: () => metrics.page() }));
  // A process that polls requests the service from itself.
  const service = hasRole(config, "service", "poll") ? dataSource.service : null;
  if (service) root.route("/", service);
  if (hasRole(config, "web")) root.route("/", calendarRoutes({ pages: bot.calendar, clock, log }));
  for (const { routes, receives } of bot.platforms) if (receives && routes) root.route("/", routes);
  const address = await serve({ app: root, service, metrics }, config, system, closers);
  if (config.roles.length < ROLES.length) log.info("roles", { roles: config.roles });

  // Polling starts while the platforms connect. Deliveries start after the first connection attempt of every platform.
  for (const platform of platforms) closers.defer(() => platform.stop());
  closers.defer(() => bot.deliverer.stop());
  closers.defer(() => bot.cardEdits.stop());
  // Not earlier: V8 uses the compiled code of this thread's modules only until another thread starts.
  startReader(reader, config, closers);
  const polling = openPolling(parts, bot, address);
  closers.defer(() => polling.stop());
  dataSource.start(polling);
  await startAll(platforms);
  if (hasRole(config, "deliver")) {
    bot.deliverer.start();
    bot.cardEdits.start();
  }
  return { address, sourceKind: dataSource.kind };
}

function hasRole({ roles }: Pick<Config, "roles">, ...wanted: readonly Role[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

/** True if the process makes, sends or shows alerts; false if it only reads or serves the sources. */
function isBot(config: Config): boolean {
  return hasRole(config, "poll", "deliver", "chat", "web");
}

/** Time for which a stop waits for the documents that are being read. They are read again after the next start. */
const READING_GRACE_MS = 1_000;

/** Starts the thread that reads documents, if this process reads any. */
function startReader(reader: DocumentReader, config: Config, closers: AsyncDisposableStack): void {
  if (hasRole(config, "source", "poll")) reader.start();
  // Runs after the polling has ended, and before the sources end.
  closers.defer(() => {
    setTimeout(() => void reader.close(), READING_GRACE_MS).unref();
  });
}

/** The platforms on which this process sends messages or receives commands. */
function activePlatforms(platforms: Bot["platforms"], config: Config): readonly ChatPlatform[] {
  const active = platforms.filter(({ receives }) => receives || hasRole(config, "deliver"));
  return active.map(({ platform }) => platform);
}

/** The polling of a process that doesn't poll. */
const NO_POLLING: Polling & Stoppable = {
  isRunning: () => false,
  pauseFor: (change) => change(),
  remindNow: () => undefined,
  stop: () => Promise.resolve(),
};

/** Polls while this process holds the job, if it has the role. */
function openPolling(parts: BotParts, bot: Bot, address: string): Polling & Stoppable {
  const { config, store } = parts;
  if (!hasRole(config, "poll")) return NO_POLLING;
  let running: SourceSchedule | null = null;
  const startPart = async (): Promise<Stoppable> => {
    const schedule = startPolling(parts, bot, address);
    running = schedule;
    return {
      async stop() {
        await schedule.stop();
        running = null;
      },
    };
  };
  const job = startRestartable(() => ({ stop: store.jobs.lead("poll", startPart) }));
  return {
    isRunning: () => running !== null,
    pauseFor: (change) => job.restart(change),
    remindNow: () => running?.remindNow(),
    stop: () => job.stop(),
  };
}

/** Starts all platforms. If one fails, waits until the others have started or failed, so that all can be stopped, and rejects. */
async function startAll(platforms: readonly Pick<ChatPlatform, "start">[]): Promise<void> {
  const results = await Promise.allSettled(platforms.map((platform) => platform.start()));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function openStore(config: Config, { clock, log }: AppSystem, closers: AsyncDisposableStack): Promise<Store> {
  const holder = `pid ${process.pid}, http://${hostAndPort(config.host, config.port)}`;
  const configuredRules = config.platforms.flatMap(({ definition, settings }) => definition.rules?.(settings) ?? []);
  const store = await config.store.open({ clock, log, holder, roles: config.roles, configuredRules });
  closers.defer(() => store.close());
  return store;
}

/** Opens the reader of documents with the quarantine in the store. */
async function openReader(
  { reader: given, clock, log }: AppSystem,
  store: Pick<Store, "documents"> | null,
  closers: AsyncDisposableStack,
): Promise<Pick<BotParts, "reader" | "quarantine">> {
  const quarantine = createQuarantine();
  if (store !== null) await quarantine.follow(store.documents);
  if (given !== undefined) return { reader: given, quarantine };
  const reader = new ReaderThread({ quarantine, clock, log });
  closers.defer(() => reader.close());
  return { reader, quarantine };
}

/** `service`: the data service of the app, whose cached answers have a faster path; null if it has none. */
interface Served {
  readonly app: Hono;
  readonly service: DataService | null;
  readonly metrics: Pick<MetricsPage, "countRequest">;
}

/** First parts of paths that are counted on their own, beside those of the platforms, which are their names. */
const AREAS = "api calendar feeds healthz metrics readyz v1".split(" ");

/** Returns the server's address. */
async function serve(
  { app, service, metrics }: Served,
  { host, port, platforms }: Config,
  { log }: AppSystem,
  closers: AsyncDisposableStack,
): Promise<string> {
  app.onError((error) => internalProblem(error, log));
  const server = await listen({
    app,
    answerDirectly: service?.answerDirectly,
    host,
    port,
    log,
    onAnswer: (answered) => metrics.countRequest(answered),
    areas: new Set([...AREAS, ...platforms.map(({ definition }) => definition.name)]),
  });
  closers.defer(() => server.close());
  return server.address;
}

interface BotParts {
  readonly config: Config;
  readonly system: AppSystem;
  readonly store: Store;
  readonly metrics: MetricsPage;
  readonly dataSource: DataSource;
  readonly reader: DocumentReader;
  readonly quarantine: Quarantine;
  readonly isStale: IsStale;
}

/** The platforms, the deliverer of alerts and the calendar. */
interface Bot {
  readonly platforms: readonly (ConnectedPlatform & { readonly receives: boolean })[];
  readonly deliverer: Deliverer;
  readonly cardEdits: CardEdits;
  readonly calendar: CalendarFeed;
}

async function connectBot(parts: BotParts): Promise<Bot> {
  const { config, system, store } = parts;
  const { clock, log } = system;
  const base = contextBase(parts);
  const rendering = {
    expireAfterMs: config.alerts.expireAfterMs,
    noticeOf: (record: SplitRecord) => noticeOf(record, base.source.live),
  };
  const cardEdits = new CardEdits({ ...base, ...rendering });
  const deliverer = new Deliverer({
    ...base,
    ...rendering,
    onSent: (to, events) => cardEdits.sent(to, events),
    newMessageId: (prefix) => `${prefix}${randomBytes(15).toString("base64url")}`,
  });
  const context: CommandContext = { ...base, deliveries: deliverer };
  const platformParts = {
    server: config,
    store,
    clock,
    log,
    version: context.version,
    commands: createCommands(context),
    screens: createScreens(context),
    pageLinks: config.platforms.flatMap(({ definition, settings }) => definition.pageLinks?.(settings) ?? []),
    wake: () => deliverer.wake(),
  };
  const platforms = await Promise.all(
    config.platforms.map(async ({ definition, settings }) => {
      const receives = hasRole(config, definition.isExternal ? "chat" : "web");
      return { receives, ...(await definition.connect(settings, { ...platformParts, receives })) };
    }),
  );
  const active = activePlatforms(platforms, config);
  deliverer.use(active);
  cardEdits.use(active, deliverer);
  return { platforms, deliverer, cardEdits, calendar: createCalendarFeed(context) };
}

/** Link to the source that states the split's ex date, else to the source that states its ratio. Null without live sources. */
function noticeOf(record: SplitRecord, live: LiveSourcesInfo | null): NoticeLink | null {
  const facts = live?.splitOf(record)?.facts;
  const [stated] = [...(facts?.exDate ?? []), ...(facts?.ratio ?? [])];
  return live === null || stated === undefined ? null : { source: live.labelOf(stated.source), url: stated.url };
}

function contextBase(parts: BotParts): Omit<CommandContext, "deliveries"> {
  const { config, system, store, metrics, dataSource, quarantine, isStale } = parts;
  const { clock, log, scheduler } = system;
  return {
    store,
    clock,
    log,
    metrics,
    limits: createUsageLimits({ clock }),
    version: readVersion(),
    timezone: config.timezone,
    nextDigest: (zone, after) => scheduler.nextTick(config.digest.cron, zone, after),
    source: dataSource,
    publicUrl: config.publicUrl,
    writeCalendar: writeCalendarFile,
    isStale,
    quarantinedDocuments: () => quarantine.all().map(describeQuarantined),
  };
}

/** Polls the source on its schedule, and immediately when the embedded service has new data. */
function startPolling(parts: BotParts, { platforms, deliverer }: Bot, address: string): SourceSchedule {
  const { config, system, store, metrics, dataSource, isStale } = parts;
  const source = dataSource.connect(address, system.sourceLimits ?? {});
  const byName = new Map(platforms.map(({ platform }) => [platform.name, platform]));
  const schedule = createSourceSchedule({
    ...system,
    store,
    metrics,
    source,
    articleReader: createArticleReader(parts.reader, system.log),
    // Sample events are sent only to platforms that show sample data.
    canReceive: (destination, event) => !event.sample || (byName.get(destination.platform)?.showsSample ?? false),
    wake: () => deliverer.wake(),
    isStale,
    sourceProblem: () => dataSource.problem(),
    backfilledRows: () => dataSource.backfilledRows(),
    settings: scheduleSettings(config),
  });
  schedule.start();
  const unsubscribe = dataSource.catalog?.onChange(() => schedule.pollNow());
  return {
    ...schedule,
    async stop() {
      unsubscribe?.();
      await schedule.stop();
      await source.close();
    },
  };
}

function scheduleSettings({ poll, alerts, reminders, timezone }: Config): ScheduleSettings {
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
