import type { CatalogSplit } from "../catalog/catalog-split.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { ListedSymbols } from "../domain/split/symbol-directory.ts";
import type { Instant } from "../domain/time/day.ts";
import type { SourceHealth } from "../messages/source-text.ts";
import type { WriteCalendar } from "../ports/calendar-writer.ts";
import type { Clock } from "../ports/clock.ts";
import type { SampleStory } from "../ports/data-source.ts";
import type { Deliveries } from "../ports/deliveries.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Resource, Store } from "../ports/store.ts";
import type { UsageLimits, WithoutWaiting } from "./usage-limits.ts";

/** Data source as users see it. */
export interface DataSourceInfo {
  /** Identifies the source in the snapshot. */
  readonly id: string;
  readonly name: string;
  /** True for sample data, in which all companies are invented. */
  readonly sample: boolean;
  /** Notes on the current data, as sentences, including notes on quarantined records. */
  notes(): readonly string[];
  /** Reason why the source can't be read at the moment, or null. */
  problem(): string | null;
  /** Changes of the built-in sample data; null or absent for other data. */
  readonly story?: SampleStory | null;
  /** Text of a stored press release, as the data service serves it; null if it isn't stored. */
  releaseText(url: string): string | null;
  /** Live sources of the data; null for an external data service, whose sources are unknown. */
  readonly live: LiveSourcesInfo | null;
}

/** Live sources of the embedded data service, even while it serves sample data because no source is reachable. */
export interface LiveSourcesInfo {
  statuses(): readonly SourceHealth[];
  /** Returns the sources' statements about a listed split, or null if the data isn't from these sources. */
  splitOf(record: SplitRecord): CatalogSplit | null;
  /** Contradictions between a split's listings and the symbol directories, as sentences. */
  listingProblems(split: CatalogSplit): readonly string[];
  /** Symbol directories of the exchanges and the SEC, the most reliable first; empty until one was read. */
  directories(): readonly ListedSymbols[];
  /** Returns the user-facing name of a source. */
  labelOf(source: string): string;
}

/** Dependencies of the commands. */
export interface CommandContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: UsageLimits;
  readonly version: string;
  /** Time zone of destinations that set none. */
  readonly timezone: string;
  /** First digest time after `after`; null if there is none within a year. */
  nextDigest(zone: string, after: Instant): Instant | null;
  readonly source: DataSourceInfo;
  /** External address of this server, without a trailing slash; null if it has none. */
  readonly publicUrl: string | null;
  readonly writeCalendar: WriteCalendar;
  /** Returns true if data that was last read completely at `readAt` is outdated. */
  isStale(resource: Resource, readAt: Instant | null): boolean;
  readonly deliveries: Deliveries;
  /** The documents that are not read again until they change, because reading them took too much time or memory, as sentences. */
  quarantinedDocuments(): readonly string[];
}

/** Dependencies of the commands, and what is particular to one answer. */
export interface AnswerContext extends CommandContext {
  /** Time zone in which the answer shows times. */
  readonly readersTimezone: string;
  /** Runs a wait, for example for a delivery, that isn't computing time. */
  readonly withoutWaiting: WithoutWaiting;
}

/** Context of answers and files that show times in the configured zone. */
export function forAnyReader(context: CommandContext): AnswerContext {
  return { ...context, readersTimezone: context.timezone, withoutWaiting: (wait) => wait() };
}
