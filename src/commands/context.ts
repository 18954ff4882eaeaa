import type { CatalogSplit } from "../catalog/catalog-split.ts";
import type { DeliveryId, DeliveryOutcome } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Instant } from "../domain/time/day.ts";
import type { SourceHealth } from "../messages/source-text.ts";
import type { WriteCalendar } from "../ports/calendar-writer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Resource, Store } from "../ports/store.ts";

/** Data source as users see it. */
export interface DataSourceInfo {
  /** Identifies the source in the snapshot. */
  readonly id: string;
  readonly name: string;
  /** True for sample data, in which all companies are invented. */
  readonly sample: boolean;
  /** Notes on its current data, as sentences; they include quarantined records. */
  notes(): readonly string[];
  /** Why it can't be read at the moment; null if it can. */
  problem(): string | null;
  /** Live sources behind the data; null if unknown, as those of an external data service. */
  readonly live: LiveSourcesInfo | null;
}

/** Live sources that the embedded data service reads, even while it serves other data because none is reachable. */
export interface LiveSourcesInfo {
  health(): readonly SourceHealth[];
  /** What the sources state about a listed split; null if the data isn't theirs. */
  splitOf(record: SplitRecord): CatalogSplit | null;
  /** Contradictions between a split's listings and the symbol directories, as sentences. */
  listingProblems(split: CatalogSplit): readonly string[];
  /** Name of a source as users read it. */
  labelOf(source: string): string;
}

/** Dependencies of the commands. */
export interface CommandContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly version: string;
  /** Configured time zone, for destinations without their own. */
  readonly timezone: string;
  /** First digest time after `after`; null if there is none within a year. */
  nextDigest(zone: string, after: Instant): Instant | null;
  readonly source: DataSourceInfo;
  /** External address of this server, without a trailing slash; null if it has none. */
  readonly publicUrl: string | null;
  readonly writeCalendar: WriteCalendar;
  /** Whether data that was last read completely at `readAt` is too old. */
  isStale(resource: Resource, readAt: Instant | null): boolean;
  /** Runs `work` while no delivery to the destination is in progress; deliveries wait until it ends. */
  pauseDeliveryDuring<T>(to: Destination, work: () => Promise<T>): Promise<T>;
  /** Starts waiting deliveries and returns the outcome of this one; `waiting` after `withinMs`. */
  deliver(id: DeliveryId, withinMs: number): Promise<DeliveryOutcome>;
}

/** Dependencies of the commands, and the readers of one answer. */
export interface AnswerContext extends CommandContext {
  /** Time zone in which the answer shows times. */
  readonly readersTimezone: string;
}

/** Context of answers and files that show times in the configured zone. */
export function forAnyReader(context: CommandContext): AnswerContext {
  return { ...context, readersTimezone: context.timezone };
}
