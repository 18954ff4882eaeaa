import { HOUR_MS, type Instant } from "../time/day.ts";
import { type StaleEvent, staleEventId, staleOverEventId } from "./event.ts";

/** The last staleness that was told. */
export interface StaleState {
  /** When the data was last as fresh as it should be. */
  readonly since: Instant;
  readonly alertedAt: Instant;
  /** Its end was told too. */
  readonly isOver: boolean;
}

/** The data now. `unsure`: what went wrong has not gone on for long, or nothing was tried since the start. */
export type DataState = { readonly kind: "fresh" } | { readonly kind: "unsure" } | Staleness;

export interface Staleness {
  readonly kind: "stale";
  /** When the data was last as fresh as it should be. */
  readonly since: Instant;
  /** What went wrong last, for people. */
  readonly problem: string;
}

export interface StaleMoment {
  readonly at: Instant;
  readonly sample: boolean;
  /** How many events were seen since the staleness was told. */
  readonly eventCount: number;
}

export interface StaleAlert {
  readonly state: StaleState;
  readonly event: StaleEvent;
}

/** Data that comes and goes is told stale no more often than this. */
const APART_MS = HOUR_MS;

/** What is to be told of the data's age; null: nothing, or nothing new. */
export function nextStaleAlert(told: StaleState | undefined, now: DataState, moment: StaleMoment): StaleAlert | null {
  const { at, sample, eventCount } = moment;
  const open = told !== undefined && !told.isOver ? told : null;
  if (now.kind === "fresh" && open !== null) {
    const over = { since: open.since, eventCount };
    return {
      state: { ...open, isOver: true },
      event: { kind: "stale", id: staleOverEventId(open.since), at, sample, state: "over", ...over },
    };
  }
  const isHeld = told !== undefined && at - told.alertedAt < APART_MS;
  if (now.kind !== "stale" || open !== null || isHeld) return null;
  const { since, problem } = now;
  return {
    state: { since, alertedAt: at, isOver: false },
    event: { kind: "stale", id: staleEventId(since), at, sample, state: "begun", since, problem },
  };
}
