import type { Event } from "../domain/alert/event.ts";

/** Measurements of the application; the exporter defines the metric names. */
export interface Metrics {
  countPoll(resource: "splits" | "articles", outcome: string): void;
  countEvent(kind: Event["kind"]): void;
  countDelivery(platform: string, outcome: string): void;
  /** `ms`: milliseconds from the detection of the event until the platform accepted the message. */
  observeDeliveryMs(platform: string, ms: number): void;
  countCommand(name: string, outcome: "ok" | "usage" | "failed"): void;
}
