import type { Event } from "../domain/alert/event.ts";
import type { DeliveryFailure } from "./chat-platform.ts";
import type { PollReport, Resource } from "./store.ts";

/** `sent_blind`: sent again although it may appear twice. `failed`: given up; counted in addition to the last attempt. */
export type CountedDelivery = "sent" | "sent_blind" | "failed" | DeliveryFailure;

export type CountedCommand = "ok" | "usage" | "failed";

/** A request that was answered. */
export interface AnsweredRequest {
  /** Part of the address: a small, fixed number of values. */
  readonly area: string;
  readonly status: number;
  /** Milliseconds until the end of the answer; null for a stream, which ends with the connection. */
  readonly ms: number | null;
}

/** Measurements of the application; the exporter defines the metric names. */
export interface Metrics {
  countPoll(resource: Resource, outcome: PollReport["outcome"]): void;
  countEvent(kind: Event["kind"]): void;
  countDelivery(platform: string, outcome: CountedDelivery): void;
  /** `ms`: milliseconds from the detection of the event until the platform accepted the message. */
  observeDeliveryMs(platform: string, ms: number): void;
  /** `ms`: milliseconds from the call to the answer; null for a command that did not run. */
  countCommand(name: string, outcome: CountedCommand, ms: number | null): void;
}
