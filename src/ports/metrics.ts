import type { Event } from "../domain/alert/event.ts";

/** What is counted. The names that /metrics gives them are the exporter's. */
export interface Metrics {
  polled(resource: "splits" | "articles", outcome: string): void;
  eventSeen(kind: Event["kind"]): void;
  delivered(platform: string, outcome: string): void;
  /** From the event being seen to the platform's word that it is posted. */
  deliveryTook(platform: string, ms: number): void;
  commandRan(name: string, outcome: "ok" | "usage" | "failed"): void;
}
