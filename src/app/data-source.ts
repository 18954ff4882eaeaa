import type { DataSourceInfo } from "../commands/context.ts";
import { type Config, hasExternalChat } from "../config/index.ts";
import type { SplitsClientOptions } from "../data-service/client/client.ts";
import { type CatalogSource, startEmptySource, type WritableCatalog } from "../data-service/server/catalog.ts";
import { type EmbeddedService, startBundledSample, startEmbeddedService } from "../data-service/server/embedded.ts";
import { startFolderSource } from "../data-service/server/folder-source.ts";
import type { RowKey } from "../domain/split/split.ts";
import { connectableAddress } from "../http/server.ts";
import { readVersion } from "../lib/version.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Releases } from "../ports/store.ts";
import { connectNewswires } from "../sources/newswires/index.ts";
import { openWires, WIRES_ID, type Wires } from "../sources/newswires/source.ts";
import { userAgentFor } from "../sources/newswires/web.ts";

/** Where splits come from at the start. The last two apply until a live source can be read. */
export type Origin = "external" | "folder" | "sample" | "wires" | "sample-until-live" | "empty-until-live";

/** The data service that is polled: an external one, or the embedded one. */
export interface DataSource {
  readonly origin: Origin;
  /** The current source: its fields change when live data replaces the sample. */
  readonly info: DataSourceInfo;
  readonly embedded: EmbeddedService | null;
  /** Address and key of the data service, given the address of this process's own server. */
  reach(address: string): Pick<SplitsClientOptions, "baseUrl" | "apiKey">;
  /** The switch to live data; null if the source stays. */
  readonly takeover: Takeover | null;
  /** Rows that are already known elsewhere: a wire that is read for the first time shows old splits. */
  silentRows(): ReadonlySet<RowKey>;
}

export interface Takeover {
  /** Resolves when the live source has data to serve. */
  readonly due: Promise<void>;
  /** Switches the catalog. No poll may run meanwhile: it would take rows of one source for rows of the other. */
  readonly run: () => Promise<void>;
}

/** What was opened; closed in reverse order. */
export type Closers = (() => Promise<void> | void)[];

export interface DataSourceParts {
  readonly config: Config;
  /** The data service runs without the bot: nobody is alerted, so the sample may be served beside a chat platform. */
  readonly serviceOnly: boolean;
  /** Store for the wires' releases; null if no wire is read. */
  readonly releases: Releases | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly closers: Closers;
}

/** Whether the embedded service reads the wires, which needs a store. */
export function readsWires({ splitsApi, service }: Config, serviceOnly: boolean): boolean {
  return (serviceOnly || splitsApi === null) && (service.source.kind === "auto" || service.source.kind === "wires");
}

export function openExternal({ url, key }: NonNullable<Config["splitsApi"]>): DataSource {
  return {
    origin: "external",
    info: { id: url, name: url, sample: false, notes: () => [], problem: () => null },
    embedded: null,
    reach: () => ({ baseUrl: url, apiKey: key }),
    takeover: null,
    silentRows: () => new Set(),
  };
}

export async function openEmbedded(
  parts: DataSourceParts,
): Promise<DataSource & { readonly embedded: EmbeddedService }> {
  const { config, clock, log, closers } = parts;
  const { origin, startSource, nextWires } = await chooseSource(parts);
  const { keepAfterExDate, requestsPerMinute } = config.service;
  const { dataDir } = config;
  const embedded = await startEmbeddedService({
    startSource,
    keepAfterExDate,
    requestsPerMinute,
    dataDir,
    clock,
    log,
  });
  closers.push(() => embedded.stop());
  return {
    origin,
    info: embeddedInfo(embedded),
    embedded,
    silentRows: () => embedded.source.backfilledRows(),
    reach: (address) => ({ baseUrl: connectableAddress(address), apiKey: embedded.botKey }),
    takeover: nextWires && {
      due: nextWires.filled,
      run: async () => {
        await embedded.replaceSource((catalog) => nextWires.serve(catalog));
        log.info("source changed", { to: WIRES_ID });
      },
    },
  };
}

interface Choice {
  readonly origin: Origin;
  readonly startSource: (catalog: WritableCatalog) => Promise<CatalogSource> | CatalogSource;
  /** Wires that replace this source as soon as one can be read. */
  readonly nextWires: Wires | null;
}

async function chooseSource(parts: DataSourceParts): Promise<Choice> {
  const { config, releases, clock, log } = parts;
  const { source } = config.service;
  if (source.kind === "folder") {
    const startSource = (catalog: WritableCatalog) => startFolderSource({ folder: source.path, catalog, clock, log });
    return { origin: "folder", startSource, nextWires: null };
  }
  if (source.kind === "sample" || releases === null) {
    return { origin: "sample", startSource: (catalog) => startSample(catalog, clock, SAMPLE_NOTE), nextWires: null };
  }
  const wires = await openNewswires(parts, releases);
  if (source.kind === "wires" || (await wires.opening) === "reached") {
    return { origin: "wires", startSource: (catalog) => wires.serve(catalog), nextWires: null };
  }
  const showsSample = parts.serviceOnly || !hasExternalChat(config);
  const origin = showsSample ? "sample-until-live" : "empty-until-live";
  log.warn("no wire reachable", { serving: origin, problems: wires.problems() });
  return {
    origin,
    startSource: (catalog) =>
      showsSample
        ? startSample(catalog, clock, SAMPLE_UNTIL_LIVE_NOTE)
        : { ...startEmptySource(catalog), problems: () => [EMPTY_UNTIL_LIVE_NOTE] },
    nextWires: wires,
  };
}

const SAMPLE_NOTE = "Demo data (invented companies). Set SPLITS_API_URL or service.source for live data.";
const SAMPLE_UNTIL_LIVE_NOTE =
  'Demo data (invented companies): no source is reachable yet. Live data starts automatically. Run "splitwatch doctor" to see why a source can\'t be read.';
const EMPTY_UNTIL_LIVE_NOTE =
  'No splits to show: no source is reachable yet. Live data starts automatically. Run "splitwatch doctor" to see why a source can\'t be read.';

/** `note` replaces the problems of the single wires, which the log and `doctor` show. */
async function startSample(catalog: WritableCatalog, clock: Clock, note: string): Promise<CatalogSource> {
  return { ...(await startBundledSample(catalog, clock)), problems: () => [note] };
}

async function openNewswires({ config, clock, log, closers }: DataSourceParts, releases: Releases): Promise<Wires> {
  const { newswires: settings, publicUrl } = config;
  const newswires = connectNewswires(settings, { clock, userAgent: userAgentFor(readVersion(), publicUrl) });
  closers.push(() => newswires.close());
  const wires = await openWires({ wires: newswires.wires, releases, clock, log });
  closers.push(() => wires.stop());
  return wires;
}

function embeddedInfo(embedded: EmbeddedService): DataSourceInfo {
  return {
    get id() {
      return embedded.source.id;
    },
    get name() {
      if (embedded.source.sample) return "built-in sample";
      return embedded.source.id === WIRES_ID ? "news wires" : "embedded data service";
    },
    get sample() {
      return embedded.source.sample;
    },
    notes: () => embedded.source.problems(),
    problem: () => embedded.source.readError(),
  };
}
