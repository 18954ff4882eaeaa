import { z } from "zod";
import type { Infer } from "../schema-parts.ts";
import { HOUR_MS, type Instant, instantSchema } from "../time/day.ts";
import { eventIds, type StaleEvent } from "./event.ts";

export const staleStateSchema = z.object({
  /** Time when the data was last up to date. */
  since: instantSchema,
  alertedAt: instantSchema,
  /** True once an alert about the recovery was created. */
  isOver: z.boolean(),
});

/** The last data outage that triggered an alert. */
export type StaleState = Infer<typeof staleStateSchema>;

/** `unsure`: the problem is recent, or no poll has finished since startup. */
export type DataState = { readonly kind: "fresh" } | { readonly kind: "unsure" } | Staleness;

export interface Staleness {
  readonly kind: "stale";
  /** Time when the data was last up to date. */
  readonly since: Instant;
  /** The last error, human-readable. */
  readonly problem: string;
}

export interface StaleMoment {
  readonly at: Instant;
  readonly sample: boolean;
  /** Number of events detected since the outage alert. */
  readonly eventCount: number;
}

export interface StaleAlert {
  readonly state: StaleState;
  readonly event: StaleEvent;
}

/** Minimum time between two outage alerts. */
const MIN_INTERVAL_MS = HOUR_MS;

/** Returns the alert about an outage of the data or about the recovery from it; null if none is due. */
export function nextStaleAlert(
  last: StaleState | undefined,
  current: DataState,
  moment: StaleMoment,
): StaleAlert | null {
  const { at, sample, eventCount } = moment;
  const openOutage = last !== undefined && !last.isOver ? last : null;
  if (current.kind === "fresh" && openOutage !== null) {
    const { since } = openOutage;
    return {
      state: { ...openOutage, isOver: true },
      event: { kind: "stale", id: eventIds.staleOver(since), at, sample, state: "over", since, eventCount },
    };
  }
  // The last alert may seem to be in the future: another process created it, or the clock was set back.
  const isTooSoon = last !== undefined && Math.abs(at - last.alertedAt) < MIN_INTERVAL_MS;
  if (current.kind !== "stale" || openOutage !== null || isTooSoon) return null;
  const { since, problem } = current;
  return {
    state: { since, alertedAt: at, isOver: false },
    event: { kind: "stale", id: eventIds.stale(since), at, sample, state: "begun", since, problem },
  };
}
