import type { Destination } from "../domain/alert/destination.ts";
import type { Instant } from "../domain/time/day.ts";
import type { SourceLine } from "./source-text.ts";

/** The operator's view of the page: how splitwatch works, without personal data beyond the ids of destinations. */
export interface OperatorOverview {
  readonly version: string;
  readonly source: {
    readonly name: string;
    readonly sample: boolean;
    readonly problem: string | null;
    readonly notes: readonly string[];
  };
  readonly storeProblem: string | null;
  /** Number of listed splits. */
  readonly splits: number;
  /** The last polls of splits and articles. */
  readonly polls: readonly OperatorPoll[];
  /** Live sources; empty if unknown. */
  readonly sources: readonly OperatorSource[];
  readonly quarantined: { readonly total: number; readonly records: readonly QuarantinedRecord[] };
  /** Numbers of waiting deliveries, of messages with unknown outcome, of paused destinations, of failed messages, and of messages that are retried. */
  readonly deliveries: {
    readonly waiting: number;
    readonly uncertain: number;
    readonly paused: number;
    readonly failed: number;
    readonly delayed: number;
  };
  readonly subscriptions: { readonly rules: number; readonly people: number; readonly tickers: number };
  /** Platforms that can't be used now. */
  readonly platforms: readonly OperatorPlatform[];
  readonly processes: readonly OperatorProcess[];
  /** Consequences of roles that no running process has; none if the roles of a process are unknown. */
  readonly missingRoles: readonly string[];
}

export interface OperatorPoll {
  readonly name: string;
  /** Null before the first poll. */
  readonly last: {
    readonly outcome: string;
    readonly tone: "good" | "warning" | "bad";
    readonly at: Instant;
    readonly lastCompleteAt: Instant | null;
    readonly records: number;
    readonly detail: string;
  } | null;
}

/** A source with its reads, and its gaps and failures since the start. */
export interface OperatorSource extends SourceLine {
  /** Time of the first read that found an item; null if unknown. */
  readonly firstReadAt: Instant | null;
  readonly lastOkAt: Instant | null;
  /** Number of listed splits with a statement of this source. */
  readonly splits: number;
  readonly items: number;
  readonly newItems: number;
  readonly gaps: number;
  readonly lastGapAt: Instant | null;
  readonly requests: number;
  /** Failed reads by kind: `timeout 3`. */
  readonly failures: readonly string[];
}

export interface QuarantinedRecord {
  /** `document`, `split` or `article`. */
  readonly kind: string;
  readonly reason: string;
}

export interface OperatorPlatform {
  readonly name: string;
  readonly reason: string;
  /** Time since which its credentials are rejected, and of the next try; null for other reasons. */
  readonly rejectedSince: Instant | null;
  readonly retryAt: Instant | null;
}

export interface OperatorProcess {
  readonly name: string;
  readonly isThis: boolean;
  /** Null if they are unknown. */
  readonly roles: readonly string[] | null;
  readonly jobs: readonly string[];
}

/** A page of a list; `next` is null at the end. */
export interface OperatorPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Destination with the name under which the operator knows it. */
export interface OperatorDestination extends Destination {
  /** `#general on the web page` */
  readonly name: string;
}

/** A message that was sent or has failed. */
export interface OperatorMessage {
  readonly to: OperatorDestination;
  readonly at: Instant;
  /** Reason of the failure; null if it was sent. */
  readonly failure: string | null;
  /** Link to the message; null if there is none. */
  readonly link: string | null;
  /** Number of times that it was sent to the platform; null if unknown. */
  readonly sends: number | null;
  /** Number of resends without a check of the platform's history. */
  readonly blindResends: number;
  readonly deliveries: number;
  /** Summaries of the first events. */
  readonly events: readonly string[];
}

/** A destination whose deliveries wait or are paused. */
export interface OperatorQueue {
  readonly to: OperatorDestination;
  readonly waiting: number;
  /** Summaries of the first events. */
  readonly events: readonly string[];
  readonly attempt: {
    readonly state: string;
    readonly sends: number;
    readonly problem: string | null;
    readonly notBefore: Instant;
  } | null;
  /** Why an alert was sent to the end of the queue, and when it is tried again. */
  readonly deferral: {
    readonly reason: string;
    readonly notBefore: Instant;
    readonly isTextOnly: boolean;
  } | null;
  readonly pause: {
    readonly reason: string;
    readonly since: Instant;
    readonly retryAt: Instant;
    readonly refusals: number;
  } | null;
}

export interface OperatorRules {
  readonly to: OperatorDestination;
  /** `createdAt`: null for the rules in the settings. */
  readonly rules: readonly { readonly number: number; readonly text: string; readonly createdAt: Instant | null }[];
}
