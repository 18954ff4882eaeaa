import type { DeliveryId, DeliveryOutcome } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { Instant } from "../domain/time/day.ts";
import type { WriteCalendar } from "../ports/calendar.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Resource, Store } from "../ports/store.ts";

/** Where the splits come from, as people are told of it. */
export interface DataSourceInfo {
  /** The snapshot's name for it. */
  readonly id: string;
  readonly name: string;
  /** Everything in it is invented. */
  readonly sample: boolean;
  /** What people have to know of its data now, in sentences; what was set aside is among it. */
  notes(): readonly string[];
  /** Why it cannot be read as it is now; null when it can. */
  problem(): string | null;
}

/** What commands work with. */
export interface CommandContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly version: string;
  /** The zone of the times of day in answers: what the asker or the place set, else the configured one. */
  readonly timezone: string;
  /** The configured zone: of places that set none. */
  readonly defaultTimezone: string;
  /** The first time for a digest after `after` in a zone; null: none comes within a year. */
  nextDigest(zone: string, after: Instant): Instant | null;
  readonly source: DataSourceInfo;
  /** How the outside reaches us, without a slash at its end; null: it does not. */
  readonly publicUrl: string | null;
  readonly writeCalendar: WriteCalendar;
  /** Whether what was last read completely at `readAt` is older than it should be. */
  isStale(resource: Resource, readAt: Instant | null): boolean;
  /** Runs `work` when nothing is on its way to this destination, and sends nothing there until that is done. */
  pauseDeliveryDuring<T>(to: Destination, work: () => Promise<T>): Promise<T>;
  /** Starts the delivery of what waits, and tells what became of this one; `waiting` when `withinMs` have passed. */
  deliver(id: DeliveryId, withinMs: number): Promise<DeliveryOutcome>;
}
