import type { DeliveryId, DeliveryOutcome } from "../core/delivery.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Store } from "../ports/store.ts";

/** What commands work with. */
export interface CommandContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly version: string;
  /** The zone of the times of day in messages. */
  readonly timezone: string;
  /** `id` is the snapshot's name for it; the others are said of it in `status`. */
  readonly source: {
    readonly id: string;
    readonly name: string;
    readonly sample: boolean;
    readonly note: string | null;
  };
  /** Starts the delivery of what waits, and tells what became of this one; `waiting` when `withinMs` have passed. */
  deliver(id: DeliveryId, withinMs: number): Promise<DeliveryOutcome>;
}
