import type { Treatment } from "../domain/article/article.ts";
import type { Day, Instant } from "../domain/time/day.ts";
import type { SourceLine } from "./source-text.ts";

/** Summary shown beside a conversation: current splits, data freshness, and waiting and failed deliveries. */
export interface Overview {
  readonly version: string;
  readonly source: SourceState;
  /** True if the destination of the conversation has rules. */
  readonly isSubscribed: boolean;
  /** Current day at the exchanges. */
  readonly today: Day;
  /** Weekdays of the coming two weeks on which the US exchanges are closed. */
  readonly closedDays: readonly Day[];
  readonly splits: readonly CurrentSplit[];
  readonly deliveries: DeliveriesState;
  /** Live sources behind the data; empty if unknown. */
  readonly sources: readonly SourceLine[];
}

export interface SourceState {
  readonly name: string;
  readonly sample: boolean;
  /** Sentences about the source's data; null if there are none. */
  readonly note: string | null;
  /** `starting`: nothing read yet. `stale`: outdated. `failed`: the last poll failed. */
  readonly state: "starting" | "fresh" | "stale" | "failed";
  /** Time of the last complete poll; null before the first. */
  readonly readAt: Instant | null;
  /** Why the last poll failed or its list is suspicious; null if neither applies. */
  readonly problem: string | null;
}

export interface CurrentSplit {
  readonly ticker: string;
  readonly company: string;
  readonly exchange: string;
  /** `1-for-20` */
  readonly ratio: string;
  /** Old shares per new share, as a sort key; null if the ratio is unreadable. */
  readonly oldPerNew: number | null;
  /** YYYY-MM-DD */
  readonly exDate: string;
  /** When the split takes effect: `tomorrow`, `in 4 trading days`, `in effect`. */
  readonly effectiveText: string;
  /** SAMPLE, MISSING, POSTPONED, CANCELLED */
  readonly badges: readonly string[];
  readonly warnings: readonly string[];
  /** Treatment of fractional shares; null: not stated. */
  readonly treatment: Treatment | null;
}

export interface DeliveriesState {
  /** Waiting deliveries, without held deliveries. */
  readonly waiting: number;
  /** Deliveries held by mutes, quiet hours and digests. */
  readonly held: number;
  /** Failed, paused and delayed deliveries, in this order. */
  readonly problems: readonly DeliveryProblemSummary[];
}

export interface DeliveryProblemSummary {
  readonly state: "delayed" | "paused" | "failed";
  /** `#general on the web page` */
  readonly where: string;
  readonly reason: string;
  /** Time of the failure or pause, or of a delayed delivery's next attempt. */
  readonly at: Instant;
  /** Number of deliveries. */
  readonly count: number;
}

/** One completion of a command. */
export interface Suggestion {
  /** The completed command, without `/splits`. */
  readonly line: string;
  readonly label: string;
  readonly hint: string;
}
