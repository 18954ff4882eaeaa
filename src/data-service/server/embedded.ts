import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import type { AnswerDirectly } from "../../http/server.ts";
import { packagePath } from "../../lib/package.ts";
import type { ApiKeys, FollowedKeys } from "../../ports/api-keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type ArticleTexts, createDataService } from "./data-service.ts";
import { createKeyring } from "./keyring.ts";
import { loadSample, type SampleSourceOptions, startSampleSource } from "./sample-source.ts";
import { type Catalog, type CatalogSource, createServedCatalog, type WritableCatalog } from "./served-catalog.ts";

const SAMPLE_FOLDER = packagePath("config/sample");

/** Starts a source that fills the catalog. */
type StartSource = (catalog: WritableCatalog) => Promise<CatalogSource> | CatalogSource;

export interface EmbeddedOptions {
  readonly startSource: StartSource;
  /** Days that a split stays listed after its ex date. */
  readonly keepAfterExDate: number;
  readonly requestsPerMinute: number;
  readonly articleTexts: ArticleTexts;
  /** Null if the service is only for the bot in this process. */
  readonly apiKeys: ApiKeys | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Data service in this process. */
export interface EmbeddedService {
  readonly app: Hono;
  /** Fast path of `app`, which its server tries first: resends cached answers. */
  readonly answerDirectly: AnswerDirectly;
  readonly catalog: Catalog;
  /** The source that fills the catalog. */
  readonly source: CatalogSource;
  /** The bot's key, generated at startup and kept in memory only. */
  readonly botKey: string;
  /** Replaces the source: stops the current one, then starts another. */
  replaceSource(start: (catalog: WritableCatalog) => CatalogSource): Promise<void>;
  stop(): Promise<void>;
}

const NO_KEYS: FollowedKeys = { current: () => [], close: () => Promise.resolve() };

/** Starts the service. Rejects with a SourceFolderError or a KeysError if the data or the keys can't be read. */
export async function startEmbeddedService(options: EmbeddedOptions): Promise<EmbeddedService> {
  const { clock, log, keepAfterExDate } = options;
  const catalog = createServedCatalog({ clock, keepAfterExDate });
  const botKey = randomBytes(32).toString("base64url");
  const keys = (await options.apiKeys?.follow({ clock, log })) ?? NO_KEYS;
  let source = await options.startSource(catalog);
  const service = createDataService({
    catalog,
    isSample: () => source.sample,
    keys: createKeyring({ keys, botKey }),
    clock,
    log,
    limitPerMinute: options.requestsPerMinute,
    articleTexts: options.articleTexts,
  });
  return {
    app: new Hono().route("/", service),
    answerDirectly: service.answerDirectly,
    catalog,
    get source() {
      return source;
    },
    botKey,
    async replaceSource(start) {
      await source.stop();
      source = start(catalog);
    },
    async stop() {
      await source.stop();
      await keys.close();
    },
  };
}

export type BundledSampleOptions = Omit<SampleSourceOptions, "sample" | "catalog">;

/** Starts the sample that is part of the package. */
export async function startBundledSample(
  catalog: WritableCatalog,
  options: BundledSampleOptions,
): Promise<CatalogSource> {
  return startSampleSource({ ...options, sample: await loadSample(SAMPLE_FOLDER), catalog });
}
