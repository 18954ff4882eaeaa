import { randomBytes } from "node:crypto";
import { type Config, hasExternalChat, selectedSources, sourceContact } from "../config/index.ts";
import { type ClientLimits, createSplitsClient, type SplitsClient } from "../data-service/client/client.ts";
import { createDataService, type DataService, excerptOf } from "../data-service/server/data-service.ts";
import { startFolderSource } from "../data-service/server/folder-source.ts";
import { createKeyring } from "../data-service/server/keyring.ts";
import { loadSample } from "../data-service/server/sample.ts";
import { SampleSource } from "../data-service/server/sample-source.ts";
import {
  type Catalog,
  type CatalogSource,
  createServedCatalog,
  startEmptySource,
  type WritableCatalog,
} from "../data-service/server/served-catalog.ts";
import type { RowKey } from "../domain/split/split.ts";
import { connectableAddress } from "../http/server.ts";
import { memoize } from "../lib/collections.ts";
import { packagePath, programCommand, readVersion } from "../lib/package.ts";
import type { FollowedKeys } from "../ports/api-keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Polling, SampleStory } from "../ports/data-source.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import type { LiveSources } from "../sources/live/live-sources.ts";
import type { DocumentReader } from "../sources/reading/document-reader.ts";
import { LIVE_SOURCE_ID } from "../sources/source-definition.ts";
import { createHostQueue } from "../sources/web/host-queue.ts";
import { withCatalog } from "./catalog-client.ts";
import type { DataSource, DataSourceKind } from "./data-source.ts";

const SAMPLE_NOTE = "Sample data (invented companies). Set SPLITS_API_URL or service.source for live data.";
const UNTIL_LIVE_NOTE = `no source is reachable yet. Live data starts automatically. Run "${programCommand()} doctor" to see why a source can't be read.`;
const SAMPLE_UNTIL_LIVE_NOTE = `Sample data (invented companies): ${UNTIL_LIVE_NOTE}`;
const EMPTY_UNTIL_LIVE_NOTE = `No splits to show: ${UNTIL_LIVE_NOTE}`;

export interface EmbeddedParts {
  readonly config: Config;
  /** True if the data service runs without the bot: no alerts are sent, so the sample is served even with a configured platform. */
  readonly serviceOnly: boolean;
  /** Store for the records of live sources and the sample's story; null for the service alone without live sources. */
  readonly store: Store | null;
  /** Reads the documents of live sources. */
  readonly reader: DocumentReader;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether the embedded service reads live sources, which need a store. */
export function readsLiveSources(config: Config, serviceOnly: boolean): boolean {
  return (serviceOnly || config.splitsApi === null) && selectedSources(config).length > 0;
}

/** The source that fills the catalog first. */
interface FirstSource {
  readonly kind: DataSourceKind;
  readonly source: CatalogSource;
}

interface OpenParts extends EmbeddedParts, FirstSource {
  readonly catalog: WritableCatalog;
  readonly live: LiveSources | null;
  readonly keys: FollowedKeys;
  readonly opened: AsyncDisposableStack;
}

const NO_KEYS: FollowedKeys = { current: () => [], close: () => Promise.resolve() };

/** The embedded data service, filled by live sources, the sample or a folder. Live sources replace the sample once they have data. */
export class EmbeddedSource implements DataSource {
  readonly kind: DataSourceKind;
  readonly catalog: Catalog;
  readonly service: DataService;
  readonly live: LiveSources | null;
  readonly #parts: OpenParts;
  /** The source that fills the catalog. */
  #source: CatalogSource;
  /** The bot's key, generated at startup and kept in memory only. */
  readonly #botKey = randomBytes(32).toString("base64url");

  private constructor(parts: OpenParts) {
    const { config, kind, source, catalog, live, keys, clock, log } = parts;
    this.kind = kind;
    this.catalog = catalog;
    this.live = live;
    this.#parts = parts;
    this.#source = source;
    this.service = createDataService({
      catalog,
      isSample: () => this.sample,
      keys: createKeyring({ keys, botKey: this.#botKey }),
      clock,
      log,
      limitPerMinute: config.service.requestsPerMinute,
      articleTexts: config.service.articleTexts.serve,
    });
  }

  /** Rejects with a SourceFolderError or a KeysError if the data or the keys can't be read. */
  static async open(parts: EmbeddedParts): Promise<EmbeddedSource> {
    const { config, serviceOnly, clock, log } = parts;
    await using opening = new AsyncDisposableStack();
    const live = await openLive(parts, opening);
    const catalog = createServedCatalog({ clock, keepAfterExDate: config.service.keepAfterExDate });
    const servesOthers = serviceOnly || config.roles.includes("service");
    const keys = servesOthers ? await (await config.store.apiKeys()).follow({ clock, log }) : NO_KEYS;
    opening.defer(() => keys.close());
    const first = await openFirst(parts, catalog, live);
    return new EmbeddedSource({ ...parts, ...first, catalog, live, keys, opened: opening.move() });
  }

  get id(): string {
    return this.#source.id;
  }

  get name(): string {
    return this.#source.name;
  }

  get sample(): boolean {
    return this.#source.sample;
  }

  get story(): SampleStory | null {
    return this.#source.story ?? null;
  }

  notes(): readonly string[] {
    return this.#source.problems();
  }

  problem(): string | null {
    return this.live?.problem() ?? this.#source.readError();
  }

  releaseText(url: string): string | null {
    const text = textOf(this.catalog, url);
    return text === null || this.#parts.config.service.articleTexts.serve === "full" ? text : excerptOf(text);
  }

  backfilledRows(): ReadonlySet<RowKey> {
    return this.#source.backfilledRows();
  }

  connect(address: string, limits: Partial<ClientLimits>): SplitsClient {
    const { id, sample, catalog } = this;
    const { clock, log } = this.#parts;
    const own = { baseUrl: connectableAddress(address), apiKey: this.#botKey, isEmbedded: true };
    const client = createSplitsClient({ ...own, id, sample, clock, log, limits });
    return withCatalog(client, catalog, this.#source);
  }

  start(polling: Polling): void {
    this.#source.start?.(polling);
    if (this.live !== null && this.id !== LIVE_SOURCE_ID) void this.#replaceWith(this.live, polling);
  }

  async close(): Promise<void> {
    await this.#source.stop();
    await this.#parts.opened.disposeAsync();
  }

  async #replaceWith(live: LiveSources, polling: Polling): Promise<void> {
    const { catalog, log } = this.#parts;
    await live.filled;
    try {
      // First, because it may be about to pause the polling.
      await this.#source.stop();
      await polling.pauseFor(async () => {
        this.#source = live.serve(catalog);
        log.info("source changed", { to: this.id });
      });
    } catch (error) {
      log.error("source change failed", { error });
    }
  }
}

async function openFirst(
  { config, serviceOnly, store, clock, log }: EmbeddedParts,
  catalog: WritableCatalog,
  live: LiveSources | null,
): Promise<FirstSource> {
  const { source } = config.service;
  if (source.kind === "folder")
    return { kind: "folder", source: await startFolderSource({ folder: source.path, catalog, clock, log }) };
  const openSample = async (note: string): Promise<CatalogSource> => {
    const sample = await loadSample(packagePath("config/sample"));
    // Without the bot there are no subscriptions that the story could wait for.
    return SampleSource.open({ sample, note, store: serviceOnly ? null : store, catalog, clock, log });
  };
  if (live === null) return { kind: "sample", source: await openSample(SAMPLE_NOTE) };
  if (source.kind === "live" || (await live.reached)) return { kind: "live", source: live.serve(catalog) };
  return serviceOnly || !hasExternalChat(config)
    ? { kind: "sample-until-live", source: await openSample(SAMPLE_UNTIL_LIVE_NOTE) }
    : { kind: "empty-until-live", source: startEmptySource(catalog, EMPTY_UNTIL_LIVE_NOTE) };
}

/** Opens the live sources; null if the settings select other data. */
async function openLive(
  { config, store, reader, clock, log }: EmbeddedParts,
  opened: AsyncDisposableStack,
): Promise<LiveSources | null> {
  const { kind } = config.service.source;
  if (store === null || kind === "folder" || kind === "sample") return null;
  const { openersOf, openLiveSources } = await import("../sources/live/live-sources.ts");
  const { createSymbolTable } = await import("../sources/symbol-table.ts");
  const directory = createSymbolTable(store.documents);
  // Here too, because another process may follow the source of the directories.
  await directory.load(clock);
  const live = await openLiveSources(openersOf(selectedSources(config)), {
    keepTextsMs: config.service.articleTexts.keepMs,
    usesProxy: config.usesProxy,
    store,
    clock,
    queue: createHostQueue(clock),
    reader,
    log,
    version: readVersion(),
    contact: sourceContact(config),
    directory,
  });
  opened.defer(() => live.close());
  if (config.roles.includes("source")) opened.defer(store.jobs.lead("sources", () => live.follow()));
  return live;
}

function textOf(catalog: Catalog, url: string): string | null {
  return textsByUrl(catalog.articles()).get(url) ?? textsByUrl(catalog.earlyReports()).get(url) ?? null;
}

const textsByUrl = memoize(
  (articles: readonly { readonly url: string; readonly content: string }[]) =>
    new Map(articles.map(({ url, content }) => [url, content])),
);
