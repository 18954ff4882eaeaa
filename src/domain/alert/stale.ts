import { z } from "zod";
import type { Infer } from "../schema-parts.ts";
import { HOUR_MS, type Instant, instantSchema } from "../time/day.ts";
import { eventIds, type StaleEvent } from "./event.ts";

export const staleStateSchema = z.object({
  /** When the data was last up to date. */
  since: instantSchema,
  alertedAt: instantSchema,
  /** The recovery was alerted too. */
  isOver: z.boolean(),
});

/** The last outage of the data that was alerted. */
export type StaleState = Infer<typeof staleStateSchema>;

/** `unsure`: the problem has not lasted long, or nothing was polled since startup. */
export type DataState = { readonly kind: "fresh" } | { readonly kind: "unsure" } | Staleness;

export interface Staleness {
  readonly kind: "stale";
  /** When the data was last up to date. */
  readonly since: Instant;
  /** The last error, for people. */
  readonly problem: string;
}

export interface StaleMoment {
  readonly at: Instant;
  readonly sample: boolean;
  /** Events seen since the outage was alerted. */
  readonly eventCount: number;
}

export interface StaleAlert {
  readonly state: StaleState;
  readonly event: StaleEvent;
}

/** Minimum time between two outage alerts. */
const MIN_INTERVAL_MS = HOUR_MS;

/** The event to send about the data's age; null if there is nothing new. */
export function nextStaleAlert(last: StaleState | undefined, now: DataState, moment: StaleMoment): StaleAlert | null {
  const { at, sample, eventCount } = moment;
  const open = last !== undefined && !last.isOver ? last : null;
  if (now.kind === "fresh" && open !== null) {
    const { since } = open;
    return {
      state: { ...open, isOver: true },
      event: { kind: "stale", id: eventIds.staleOver(since), at, sample, state: "over", since, eventCount },
    };
  }
  const isTooSoon = last !== undefined && at - last.alertedAt < MIN_INTERVAL_MS;
  if (now.kind !== "stale" || open !== null || isTooSoon) return null;
  const { since, problem } = now;
  return {
    state: { since, alertedAt: at, isOver: false },
    event: { kind: "stale", id: eventIds.stale(since), at, sample, state: "begun", since, problem },
  };
}
