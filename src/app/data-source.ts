import type { DataSourceInfo } from "../commands/context.ts";
import { type Config, hasExternalChat, selectedSources, sourceContact } from "../config/index.ts";
import type { SplitsClientOptions } from "../data-service/client/client.ts";
import { articleOf } from "../data-service/client/records.ts";
import { type ArticleTexts, excerptOf } from "../data-service/server/data-service.ts";
import {
  type BundledSampleOptions,
  type EmbeddedService,
  startBundledSample,
  startEmbeddedService,
} from "../data-service/server/embedded.ts";
import { startFolderSource } from "../data-service/server/folder-source.ts";
import {
  type Catalog,
  type CatalogSource,
  startEmptySource,
  type WritableCatalog,
} from "../data-service/server/served-catalog.ts";
import type { RowKey } from "../domain/split/split.ts";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { connectableAddress } from "../http/server.ts";
import { memoize } from "../lib/collections.ts";
import { createListeners } from "../lib/listeners.ts";
import { programCommand, readVersion } from "../lib/package.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import type { SplitSource } from "../ports/split-source.ts";
import type { Store } from "../ports/store.ts";
import { sourceLabel } from "../sources/index.ts";
import type { LiveSources } from "../sources/live/live-sources.ts";
import type { DocumentReader } from "../sources/reading/document-reader.ts";
import { LIVE_SOURCE_ID } from "../sources/source-definition.ts";
import { createHostQueue } from "../sources/web/host-queue.ts";
import { hasSubscriptions, readStoryStart, startStory } from "./sample-story.ts";

/** Source of the splits at startup. The last two apply until a live source can be read. */
export type DataSourceKind = "external" | "folder" | "sample" | "live" | "sample-until-live" | "empty-until-live";

/** The data service that is polled: an external one, or the embedded one. */
export interface DataSource {
  readonly kind: DataSourceKind;
  /** The current source. Its fields change with its data, for example when live data replaces the sample. */
  readonly info: DataSourceInfo;
  readonly embedded: EmbeddedService | null;
  /** Address and key of the data service, given the address of this process's own server. */
  clientOptions(address: string): Pick<SplitsClientOptions, "baseUrl" | "apiKey" | "acceptsData" | "isEmbedded">;
  /**
   * Registers the function that performs switches to other data. It must run each switch while no poll is in progress;
   * otherwise one poll could mix the rows of the old and the new data.
   */
  onSwitch(perform: (switchData: DataSwitch) => Promise<void>): void;
  /** Calls `listener` when the sample's story reports what is due. Returns a function that removes it. */
  onReminderTime(listener: () => void): () => void;
  /** Adopts what other processes changed in the store: the polled kind of data, or the start of the sample's story. */
  follow(isPolling: boolean): Promise<void>;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
  /** Time at which a live source of splits was last read, or of the start before the first read; null for other data. */
  readAt(): Instant | null;
  /** Status of each live source that this process follows. */
  statuses(): readonly SourceStatus[];
}

/** Switches the source to other data. */
export type DataSwitch = () => Promise<void>;

/** Functions that close the opened parts; called in reverse order. */
export type Closers = (() => Promise<void> | void)[];

export interface DataSourceParts {
  readonly config: Config;
  /** True if the data service runs without the bot: no alerts are sent, so the sample is served even with a configured platform. */
  readonly serviceOnly: boolean;
  /** Store for the records of live sources and the start of the sample's story; null for the service alone without live sources. */
  readonly store: Pick<
    Store,
    "releases" | "observations" | "sourceReads" | "sourceStatuses" | "documents" | "jobs" | "rules" | "watchlists"
  > | null;
  /** Reads the documents of live sources. */
  readonly reader: DocumentReader;
  readonly clock: Clock;
  readonly log: Log;
  readonly closers: Closers;
}

/** Whether the embedded service reads live sources, which need a store. */
export function readsLiveSources(config: Config, serviceOnly: boolean): boolean {
  return (serviceOnly || config.splitsApi === null) && selectedSources(config).length > 0;
}

/** Minimum time between two switches of an external service: several servers behind one address may have different data. */
const MIN_SWITCH_INTERVAL_MS = MINUTE_MS;

interface ExternalParts {
  readonly store: Pick<Store, "snapshot">;
  /** True if other processes use the store too. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Connects an external data service. A response header marks sample data, which the service may later replace with live data. */
export async function openExternal(
  { url, key }: NonNullable<Config["splitsApi"]>,
  { store, isShared, clock, log }: ExternalParts,
): Promise<DataSource> {
  const sampleId = `sample:${url}`;
  let isSample = (await store.snapshot.read()).source === sampleId;
  let switchedAt = Number.NEGATIVE_INFINITY;
  let perform: ((switchData: DataSwitch) => Promise<void>) | null = null;
  const idOf = (sample: boolean): string => (sample ? sampleId : url);

  function acceptsData(isMarkedSample: boolean): boolean {
    if (isMarkedSample === isSample) return true;
    if (perform !== null && clock.monotonic() - switchedAt >= MIN_SWITCH_INTERVAL_MS) {
      switchedAt = clock.monotonic();
      void perform(async () => {
        isSample = isMarkedSample;
        log.info("source changed", { to: idOf(isMarkedSample) });
      });
    }
    return false;
  }

  return {
    kind: "external",
    info: {
      get id() {
        return idOf(isSample);
      },
      name: url,
      get sample() {
        return isSample;
      },
      notes: () => (isSample ? [EXTERNAL_SAMPLE_NOTE] : []),
      problem: () => null,
      releaseText: () => null,
      live: null,
    },
    statuses: () => [],
    readAt: () => null,
    embedded: null,
    clientOptions: () => ({ baseUrl: url, apiKey: key, acceptsData }),
    onSwitch(performSwitch) {
      perform = performSwitch;
    },
    onReminderTime: () => () => undefined,
    async follow(isPolling) {
      if (isPolling || !isShared) return;
      const { source } = await store.snapshot.read();
      if (source === idOf(!isSample)) isSample = !isSample;
    },
    backfilledRows: () => new Set(),
  };
}

export async function openEmbedded(
  parts: DataSourceParts,
): Promise<DataSource & { readonly embedded: EmbeddedService }> {
  const { config, store, clock, log, closers } = parts;
  const reminderTimes = createListeners();
  const { kind, startSource, live, replacement } = await chooseSource(parts, reminderTimes.notify);
  const { keepAfterExDate, requestsPerMinute, articleTexts } = config.service;
  const embedded = await startEmbeddedService({
    startSource,
    keepAfterExDate,
    requestsPerMinute,
    articleTexts: articleTexts.serve,
    apiKeys: parts.serviceOnly || config.roles.includes("service") ? await config.store.apiKeys() : null,
    clock,
    log,
  });
  closers.push(() => embedded.stop());
  const client = { apiKey: embedded.botKey, isEmbedded: true };
  let performSwitch: Parameters<DataSource["onSwitch"]>[0] | null = null;
  async function serveStory(startedAt: Instant): Promise<void> {
    if (startedAt === embedded.source.story?.startedAt) return;
    await performSwitch?.(async () => {
      const { story } = embedded.source;
      if (story === undefined || story.startedAt === startedAt) return;
      await embedded.replaceSource((catalog) => story.start(catalog, startedAt));
      log.info("sample story started", { id: embedded.source.id });
    });
  }
  const replay = async (): Promise<void> => {
    if (store !== null) await serveStory(await startStory({ store, clock }));
  };
  return {
    kind,
    info: embeddedInfo(embedded, live, { texts: articleTexts.serve, replay }),
    onReminderTime: reminderTimes.add,
    readAt: () => live?.readAt() ?? null,
    statuses: () => (live?.isFollowing ? live.statuses() : []),
    embedded,
    backfilledRows: () => embedded.source.backfilledRows(),
    async follow(isPolling) {
      const { story } = embedded.source;
      if (story === undefined || store === null) return;
      const isWaiting = story.startedAt === null && isPolling;
      const startedAt =
        (await readStoryStart({ store, clock })) ??
        (isWaiting && (await hasSubscriptions(store)) ? await startStory({ store, clock }) : null);
      if (startedAt !== null) await serveStory(startedAt);
    },
    clientOptions: (address) => ({ ...client, baseUrl: connectableAddress(address) }),
    onSwitch(perform) {
      performSwitch = perform;
      void replacement?.then((source) =>
        perform(async () => {
          await embedded.replaceSource((catalog) => source.serve(catalog));
          log.info("source changed", { to: embedded.source.id });
        }),
      );
    },
  };
}

interface SourceChoice {
  readonly kind: DataSourceKind;
  readonly startSource: (catalog: WritableCatalog) => Promise<CatalogSource> | CatalogSource;
  /** The live sources, which may have no data yet. */
  readonly live: LiveSources | null;
  /** Resolves once the live sources have data to replace this source with; null if the source is permanent. */
  readonly replacement: Promise<LiveSources> | null;
}

async function chooseSource(parts: DataSourceParts, remind: () => void): Promise<SourceChoice> {
  const { config, serviceOnly, store, clock, log } = parts;
  const { source } = config.service;
  if (source.kind === "folder") {
    const startSource = (catalog: WritableCatalog) => startFolderSource({ folder: source.path, catalog, clock, log });
    return { kind: "folder", startSource, live: null, replacement: null };
  }
  const startSampleOfDay = async (catalog: WritableCatalog, note: string): Promise<CatalogSource> => {
    // Without the bot there are no subscriptions that the story could wait for.
    const startedAt = serviceOnly || store === null ? clock.now() : await readStoryStart({ store, clock });
    return startSample(catalog, { startedAt, clock, remind }, note);
  };
  if (source.kind === "sample" || store === null) {
    const startSource = (catalog: WritableCatalog) => startSampleOfDay(catalog, SAMPLE_NOTE);
    return { kind: "sample", startSource, live: null, replacement: null };
  }
  const live = await openLive(parts, store);
  if (source.kind === "live" || (await live.reached))
    return { kind: "live", startSource: (catalog) => live.serve(catalog), live, replacement: null };
  const showsSample = serviceOnly || !hasExternalChat(config);
  const kind = showsSample ? "sample-until-live" : "empty-until-live";
  return {
    kind,
    startSource: (catalog) =>
      showsSample
        ? startSampleOfDay(catalog, SAMPLE_UNTIL_LIVE_NOTE)
        : { ...startEmptySource(catalog), problems: () => [EMPTY_UNTIL_LIVE_NOTE] },
    live,
    replacement: live.filled.then(() => live),
  };
}

const EXTERNAL_SAMPLE_NOTE = "Sample data (invented companies), served by the data service.";
const SAMPLE_NOTE = "Sample data (invented companies). Set SPLITS_API_URL or service.source for live data.";
const UNTIL_LIVE_NOTE = `no source is reachable yet. Live data starts automatically. Run "${programCommand()} doctor" to see why a source can't be read.`;
const SAMPLE_UNTIL_LIVE_NOTE = `Sample data (invented companies): ${UNTIL_LIVE_NOTE}`;
const EMPTY_UNTIL_LIVE_NOTE = `No splits to show: ${UNTIL_LIVE_NOTE}`;

/** Starts the sample. Its only problem is `note`; the log and `doctor` show the problems of the live sources. */
async function startSample(
  catalog: WritableCatalog,
  options: BundledSampleOptions,
  note: string,
): Promise<CatalogSource> {
  return withNote(await startBundledSample(catalog, options), note);
}

function withNote(source: CatalogSource, note: string): CatalogSource {
  const { story } = source;
  const noted = { ...source, problems: () => [note] };
  return story === undefined
    ? noted
    : { ...noted, story: { ...story, start: (...args) => withNote(story.start(...args), note) } };
}

async function openLive(
  { config, reader, clock, log, closers }: DataSourceParts,
  store: NonNullable<DataSourceParts["store"]>,
): Promise<LiveSources> {
  const { openersOf, openLiveSources } = await import("../sources/live/live-sources.ts");
  const { createSymbolTable } = await import("../sources/symbol-table.ts");
  const queue = createHostQueue(clock);
  const directory = createSymbolTable(store.documents);
  // Here too, because another process may follow the source of the directories.
  await directory.load(clock);
  const parts = {
    keepTextsMs: config.service.articleTexts.keepMs,
    usesProxy: config.usesProxy,
    store,
    clock,
    queue,
    reader,
    log,
    version: readVersion(),
    contact: sourceContact(config),
    directory,
  };
  const live = await openLiveSources(openersOf(selectedSources(config)), parts);
  closers.push(() => live.close());
  if (config.roles.includes("source")) closers.push(store.jobs.lead("sources", () => live.follow()));
  return live;
}

function embeddedInfo(
  embedded: EmbeddedService,
  live: LiveSources | null,
  { texts, replay }: { readonly texts: ArticleTexts; readonly replay: () => Promise<void> },
): DataSourceInfo {
  return {
    get story() {
      const { story } = embedded.source;
      return story === undefined ? null : { startedAt: story.startedAt, replacedId: story.replacedId, replay };
    },
    get id() {
      return embedded.source.id;
    },
    get name() {
      if (embedded.source.sample) return "built-in sample";
      return embedded.source.id === LIVE_SOURCE_ID ? "live sources" : "embedded data service";
    },
    get sample() {
      return embedded.source.sample;
    },
    notes: () => embedded.source.problems(),
    problem: () => live?.problem() ?? embedded.source.readError(),
    releaseText: (url) => {
      const text = textOf(embedded.catalog, url);
      return text === null || texts === "full" ? text : excerptOf(text);
    },
    live: live && {
      health: () => live.statuses(),
      splitOf: (record) => (embedded.source.id === LIVE_SOURCE_ID ? live.splitOf(record) : null),
      listingProblems: (split) => live.listingProblems(split),
      directories: () => live.directories(),
      labelOf: sourceLabel,
    },
  };
}

function textOf(catalog: Catalog, url: string): string | null {
  return textsByUrl(catalog.articles()).get(url) ?? textsByUrl(catalog.earlyReports()).get(url) ?? null;
}

const textsByUrl = memoize(
  (articles: readonly { readonly url: string; readonly content: string }[]) =>
    new Map(articles.map(({ url, content }) => [url, content])),
);

/**
 * Source of the embedded data service, whose catalog is in this process: reports the changes of its articles at once, and early reports
 * (filings about splits that are only approved or have only a ratio range), which `/v1/articles` doesn't serve.
 */
export function withCatalog(
  source: SplitSource,
  embedded: Pick<EmbeddedService, "catalog"> & { readonly source: Pick<CatalogSource, "backfilledArticles"> },
): SplitSource {
  const { catalog } = embedded;
  let savedRevision = 0;
  return {
    id: source.id,
    sample: source.sample,
    listSplits: (signal) => source.listSplits(signal),
    lookUp: (symbol, signal) => source.lookUp(symbol, signal),
    async searchArticles(from, signal, options) {
      const pages = await source.searchArticles(from, signal, options);
      const reports = catalog.earlyReports().filter(({ published }) => published >= from);
      if (reports.length === 0) return pages;
      const urls = new Set([...pages.urls, ...reports.map(({ url }) => url)]);
      return { ...pages, articles: [...pages.articles, ...reports], urls };
    },
    changedArticles({ from }) {
      const { articles, earlyReports, revision } = catalog.changesSince(savedRevision);
      const read = articles.filter((row) => row.date_published >= from).map(articleOf);
      const reports = earlyReports.filter(({ published }) => published >= from);
      return Promise.resolve({
        articles: [...read.filter((article) => article !== null), ...reports],
        urls: new Set([...catalog.articles(), ...catalog.earlyReports()].map(({ url }) => url)),
        backfilled: embedded.source.backfilledArticles?.() ?? new Set(),
        saved() {
          savedRevision = revision;
        },
      });
    },
  };
}
