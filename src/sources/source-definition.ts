import type { z } from "zod";
import type { CatalogSplit } from "../catalog/catalog-split.ts";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import type { CheckResult } from "../lib/check-result.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import type { SourceReads } from "../ports/state-records.ts";
import type { DocumentReading, ReadContext } from "./document-reading.ts";
import type { DocumentReader, Readers } from "./reading/document-reader.ts";
import type { RecordCache } from "./record-cache.ts";
import type { SymbolTable } from "./symbol-table.ts";
import type { HostQueue } from "./web/host-queue.ts";
import type { AnswerListener } from "./web/web.ts";
import type { WebAnswer } from "./web/web-answer.ts";

/**
 * Id of all live sources together: the id of their stored snapshots, and the value of `service.source` that permits only live
 * data. The word is kept from when the newswires were the only live sources.
 */
export const LIVE_SOURCE_ID = "wires";

/**
 * A live source of splits. A new source needs a folder with this definition and a line in the registry. The definition
 * imports the other modules of the source on demand.
 */
export interface SourceDefinition<Settings = unknown> {
  /** Name of the source's folder. */
  readonly name: string;
  /** Path of the source's settings section, usually `sources.<name>`. */
  readonly settingsKey: string;
  /** Name in user-facing texts. */
  readonly label: string;
  /** True for a source that only confirms or completes what other sources state about splits. Default: false. */
  readonly confirmsOnly?: boolean;
  /** Names of its parts, such as the wires, by which `splitwatch read` selects it too. */
  readonly partNames?: readonly string[];
  /** Schema of the section, which is merged with the defaults of config/default.yaml. */
  readonly section: z.ZodType<Settings>;
  /** Reason why the settings disable the source, as part of a sentence; null: it is enabled. */
  offReason(settings: Settings, contact: RequestParts["contact"]): string | null;
  /** Plain functions that read its documents, which a thread of their own calls. */
  readonly readers: Readers;
  /** Starts following the source. */
  open(settings: Settings, parts: SourceParts): Promise<OpenSource>;
  /** Runs the checks of `splitwatch doctor`, which change nothing. */
  check(settings: Settings, context: SourceCheckContext): Promise<readonly CheckResult[]>;
  /**
   * Reads one document of the source, with the functions that the polls use. The address decides which kind of document it is;
   * without a known address, the content does. Rejects with a FetchError for a document that is refused as a whole.
   */
  readDocument(document: WebAnswer, context: ReadContext): Promise<DocumentReading>;
}

/** A source with the validated settings of its section. */
export interface ConfiguredSource {
  readonly definition: SourceDefinition;
  readonly settings: unknown;
}

/** Parts that a source needs to send requests. */
interface RequestParts {
  readonly clock: Clock;
  /** Shared by all sources, so that a host of several sources receives one request at a time. */
  readonly queue: HostQueue;
  readonly version: string;
  /** Mail or web address of the operator, for the User-Agent; null: unknown. */
  readonly contact: string | null;
  /** Reads the documents of the answers. */
  readonly reader: DocumentReader;
  /** Receives the answers of the source's requests; missing: they are not recorded. */
  readonly onAnswer?: AnswerListener | undefined;
}

/** Parts that the open sources share. */
export interface SourceParts extends RequestParts {
  /** Releases of the wires, and documents of filings. */
  readonly releases: RecordCache<Release>;
  /** Statements of exchanges and regulators, with all revisions. */
  readonly observations: RecordCache<Observation>;
  /** Times at which each source was read, in this run and earlier ones. */
  readonly sourceReads: RecordCache<SourceReads>;
  /** Splits derived from the records of all sources. */
  readonly splits: () => readonly CatalogSplit[];
  /** Currently listed symbols. */
  readonly directory: SymbolTable;
  readonly log: Log;
}

export type SourceCheckContext = RequestParts;

/** A source that is being followed. It saves new records in the shared caches. */
export interface OpenSource {
  /** One status for each part that is read separately, such as a wire. */
  statuses(): readonly SourceStatus[];
  /** True while any known page has not been requested. */
  hasUntriedPages(): boolean;
  /** Calls `listener` whenever a status changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}
