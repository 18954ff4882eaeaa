import type { z } from "zod";
import type { CatalogSource, WritableCatalog } from "../data-service/server/catalog.ts";
import type { CheckResult } from "../lib/check-result.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Releases } from "../ports/store.ts";
import type { HostQueue } from "./web/host-queue.ts";

/**
 * A live source of splits. Adding one takes a folder with this definition and its line in the registry. The definition loads
 * the source's other modules on demand.
 */
export interface SourceDefinition<Settings = unknown> {
  /** Name of the source's folder and of its YAML section. */
  readonly name: string;
  /** Value of `service.source` that selects the source alone, and the id of its snapshots. */
  readonly id: string;
  /** Name as users read it, in the plural. */
  readonly label: string;
  /** Schema of the YAML section, which is merged with the defaults of config/default.yaml. */
  readonly section: z.ZodType<Settings>;
  /** Starts to follow the source. */
  open(settings: Settings, parts: SourceParts): Promise<OpenSource>;
  /** Checks of `splitwatch doctor`. They change nothing. */
  check(settings: Settings, context: SourceCheckContext): Promise<readonly CheckResult[]>;
}

/** A source with its validated section. */
export interface ConfiguredSource {
  readonly definition: SourceDefinition;
  readonly settings: unknown;
}

/** What a source needs to read servers. */
interface Client {
  readonly clock: Clock;
  /** Shared by all sources, so that a host that several of them read receives one request at a time. */
  readonly queue: HostQueue;
  readonly version: string;
  /** External address of this splitwatch; null: unknown. */
  readonly publicUrl: string | null;
}

export interface SourceParts extends Client {
  readonly releases: Releases;
  readonly log: Log;
}

export interface SourceCheckContext extends Client {
  /** Data that is served while the source can't be read; null if `service.source` permits no other data. */
  readonly fallback: "sample" | "nothing" | null;
}

/** A source that is being followed. */
export interface OpenSource {
  /** Whether the source can be read or has data of an earlier run. Resolves within seconds. */
  readonly reached: Promise<boolean>;
  /** Resolves when there is data to serve. */
  readonly filled: Promise<void>;
  /** Current problems, for users. */
  problems(): readonly string[];
  /** Fills the catalog, immediately if there is data to serve, and keeps it up to date. */
  serve(catalog: WritableCatalog): CatalogSource;
  stop(): Promise<void>;
}
