import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type Catalog, type CatalogSource, createCatalog, startEmptySource, type WritableCatalog } from "./catalog.ts";
import { createDataService } from "./data-service.ts";
import { startFolderSource } from "./folder-source.ts";
import { createKeyring } from "./keyring.ts";
import { startSampleSource } from "./sample-source.ts";
import { loadSample } from "./sample-story.ts";

const SAMPLE_FOLDER = fileURLToPath(new URL("../../../config/sample", import.meta.url));

export interface EmbeddedOptions {
  /** `empty` lists nothing. */
  readonly source: { readonly kind: "auto" | "sample" | "empty" } | { readonly kind: "folder"; readonly path: string };
  readonly keepAfterExDate: number;
  readonly requestsPerMinute: number;
  /** Where the API keys are. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The data service within this process. */
export interface EmbeddedService {
  readonly app: Hono;
  readonly catalog: Catalog;
  readonly source: CatalogSource;
  /** The bot's own key: made now, kept in memory alone. */
  readonly ownKey: string;
  stop(): Promise<void>;
}

/** Throws a SourceFolderError or a KeysError where the data or the keys cannot be read. */
export async function startEmbeddedService(options: EmbeddedOptions): Promise<EmbeddedService> {
  const { clock, log, keepAfterExDate } = options;
  const catalog = createCatalog({ clock, keepAfterExDate });
  const ownKey = randomBytes(32).toString("base64url");
  const keys = createKeyring({ dir: options.dataDir, clock, log, ownKey });
  const app = createDataService({ catalog, keys, clock, log, limitPerMinute: options.requestsPerMinute });
  const source = await startSource(options, catalog);
  return { app: new Hono().route("/", app), catalog, source, ownKey, stop: () => source.stop() };
}

async function startSource({ source, clock, log }: EmbeddedOptions, catalog: WritableCatalog): Promise<CatalogSource> {
  if (source.kind === "empty") return startEmptySource(catalog);
  if (source.kind === "folder") return startFolderSource({ folder: source.path, catalog, clock, log });
  return startSampleSource({ sample: await loadSample(SAMPLE_FOLDER), start: clock.now(), catalog, clock });
}
