import type { DataSourceInfo } from "../commands/context.ts";
import { type Config, hasExternalChat } from "../config/index.ts";
import type { SplitsClientOptions } from "../data-service/client/client.ts";
import { type CatalogSource, startEmptySource, type WritableCatalog } from "../data-service/server/catalog.ts";
import { type EmbeddedService, startBundledSample, startEmbeddedService } from "../data-service/server/embedded.ts";
import { startFolderSource } from "../data-service/server/folder-source.ts";
import type { RowKey } from "../domain/split/split.ts";
import { connectableAddress } from "../http/host-address.ts";
import { readVersion } from "../lib/version.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Releases } from "../ports/store.ts";
import { connectNewswires } from "../sources/newswires/index.ts";
import { openWires, WIRES_ID, type Wires } from "../sources/newswires/source.ts";
import { userAgentFor } from "../sources/newswires/web.ts";

/** Where the splits come from at the start. `sample-for-now` and `nothing-for-now`: until a wire can be read. */
export type Origin = "elsewhere" | "folder" | "sample" | "wires" | "sample-for-now" | "nothing-for-now";

/** Where the splits come from: a data service elsewhere, or the one within this process. */
export interface DataSource {
  readonly origin: Origin;
  /** As it is now: each field tells of another source once that has taken over. */
  readonly source: DataSourceInfo;
  readonly embedded: EmbeddedService | null;
  /** How it is asked, once our own server listens at `address`. */
  reach(address: string): Pick<SplitsClientOptions, "baseUrl" | "apiKey">;
  /** Null where no other source will take the place of this one. */
  readonly takeover: Takeover | null;
  /** The rows that it knows to be no news: a wire that is read for the first time shows what others knew. */
  knownRows(): ReadonlySet<RowKey>;
}

export interface Takeover {
  /** Resolves when the other source has something to serve. */
  readonly due: Promise<void>;
  /** Lets it take over. Whoever reads the catalog must be at rest, or would take rows of one source for those of the other. */
  readonly run: () => Promise<void>;
}

/** What was opened, ended in the opposite order. */
type Closers = (() => Promise<void> | void)[];

export interface DataSourceParts {
  readonly config: Config;
  /** The embedded service alone: nobody is told of anything, so the sample does no harm beside a chat platform. */
  readonly alone: boolean;
  /** Null where no wires may be read. */
  readonly releases: Releases | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly closers: Closers;
}

/** Whether the configuration lets the embedded service read the wires, which takes a store. */
export function readsWires({ splitsApi, service }: Config, alone: boolean): boolean {
  return (alone || splitsApi === null) && (service.source.kind === "auto" || service.source.kind === "wires");
}

export function openExternal({ url, key }: NonNullable<Config["splitsApi"]>): DataSource {
  const source = { id: url, name: url, sample: false, notes: () => [], problem: () => null };
  return {
    origin: "elsewhere",
    source,
    embedded: null,
    reach: () => ({ baseUrl: url, apiKey: key }),
    takeover: null,
    knownRows: () => new Set(),
  };
}

export async function openEmbedded(
  parts: DataSourceParts,
): Promise<DataSource & { readonly embedded: EmbeddedService }> {
  const { config, closers } = parts;
  const { origin, startSource, wires } = await chooseSource(parts);
  const { keepAfterExDate, requestsPerMinute } = config.service;
  const { clock, log } = parts;
  const embedded = await startEmbeddedService({
    startSource,
    keepAfterExDate,
    requestsPerMinute,
    dataDir: config.dataDir,
    clock,
    log,
  });
  closers.push(() => embedded.stop());
  return {
    origin,
    source: describeEmbedded(embedded),
    embedded,
    knownRows: () => embedded.source.backfilledRows(),
    reach: (address) => ({ baseUrl: connectableAddress(address), apiKey: embedded.botKey }),
    takeover: wires && {
      due: wires.filled,
      run: async () => {
        await embedded.replaceSource((catalog) => wires.serve(catalog));
        log.info("source changed", { to: WIRES_ID });
      },
    },
  };
}

interface Choice {
  readonly origin: Origin;
  readonly startSource: (catalog: WritableCatalog) => Promise<CatalogSource> | CatalogSource;
  /** Those that are to take over. */
  readonly wires: Wires | null;
}

async function chooseSource(parts: DataSourceParts): Promise<Choice> {
  const { config, releases, clock, log } = parts;
  const { source } = config.service;
  if (source.kind === "folder") {
    const startSource = (catalog: WritableCatalog) => startFolderSource({ folder: source.path, catalog, clock, log });
    return { origin: "folder", startSource, wires: null };
  }
  if (source.kind === "sample" || releases === null)
    return { origin: "sample", startSource: (catalog) => startSampleAlone(catalog, clock), wires: null };
  const wires = await openNewswires(parts, releases);
  if (source.kind === "wires" || (await wires.opening) === "reached")
    return { origin: "wires", startSource: (catalog) => wires.serve(catalog), wires: null };
  return standIn(parts, wires);
}

/** What is served while no wire can be read. */
function standIn({ config, alone, clock, log }: DataSourceParts, wires: Wires): Choice {
  const origin = hasExternalChat(config) && !alone ? "nothing-for-now" : "sample-for-now";
  log.warn("no wire reachable", { serving: origin, problems: wires.problems() });
  return {
    origin,
    startSource: async (catalog) => {
      const source = origin === "sample-for-now" ? await startBundledSample(catalog, clock) : startEmptySource(catalog);
      // What is wrong with each wire would fill the page: the log and `doctor` tell it.
      return { ...source, problems: () => [INSTEAD[origin]] };
    },
    wires,
  };
}

const INSTEAD = {
  "sample-for-now":
    'All companies are invented: no news wire can be read yet, so the built-in sample is shown. The wires are tried again, and take over as soon as one can be read; "splitwatch doctor" says what keeps them from it.',
  "nothing-for-now":
    'It lists nothing: no news wire can be read yet, and the sample is not shown while a chat platform is connected. The wires are tried again; "splitwatch doctor" says what keeps them from being read.',
} as const;

async function openNewswires({ config, clock, log, closers }: DataSourceParts, releases: Releases): Promise<Wires> {
  const { newswires: settings, publicUrl } = config;
  const newswires = connectNewswires(settings, { clock, userAgent: userAgentFor(readVersion(), publicUrl) });
  closers.push(() => newswires.close());
  const wires = await openWires({ wires: newswires.wires, releases, clock, log });
  closers.push(() => wires.stop());
  return wires;
}

const SAMPLE_NOTE = "All companies are invented. Set SPLITS_API_URL or service.source for real data.";

async function startSampleAlone(catalog: WritableCatalog, clock: Clock): Promise<CatalogSource> {
  return { ...(await startBundledSample(catalog, clock)), problems: () => [SAMPLE_NOTE] };
}

function describeEmbedded(embedded: EmbeddedService): DataSourceInfo {
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
