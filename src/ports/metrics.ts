import type { Event } from "../domain/alert/event.ts";

/** Events that are counted; the exporter gives them their metric names. */
export interface Metrics {
  polled(resource: "splits" | "articles", outcome: string): void;
  eventSeen(kind: Event["kind"]): void;
  delivered(platform: string, outcome: string): void;
  /** Milliseconds from the detection of the event until the platform accepted the message. */
  deliveryTook(platform: string, ms: number): void;
  commandRan(name: string, outcome: "ok" | "usage" | "failed"): void;
}
