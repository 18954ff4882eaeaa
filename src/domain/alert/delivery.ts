import type { Instant } from "../time/day.ts";
import type { Destination, DestinationKey } from "./destination.ts";
import type { Event, EventId } from "./event.ts";

/** One event for one destination. Made once: the same pair always has the same id. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly to: Destination;
  /** Why it goes there: `rule 2`, `watchlist`. */
  readonly reasons: readonly string[];
  /** Who is to be called in the message, in the platform's own form. */
  readonly mentions: readonly string[];
}

export type DeliveryId = string & { readonly __brand: "DeliveryId" };

export function deliveryId(eventId: EventId, to: DestinationKey): DeliveryId {
  return `${eventId}>${to}` as DeliveryId;
}

/** What a platform calls a message of ours, and where it can be seen. Opaque but for the link. */
export interface MessageRef {
  readonly id: string;
  readonly link: string | null;
}

/** What a platform posts, as its own renderer made it. Plain JSON, so that it can be kept and sent again unchanged. */
export type Body = unknown;

/**
 * One message on its way. It is written before it is sent and never regrouped or rendered anew until it is settled.
 * `ready`: certainly not posted. `sending`: handed over, no word yet. `uncertain`: it may be posted; look before sending again.
 */
export interface Attempt {
  /** At most 25 characters; travels with the message, so that it can be found there. */
  readonly messageId: string;
  readonly to: Destination;
  readonly deliveries: readonly DeliveryId[];
  readonly body: Body;
  /** The message that this one answers. */
  readonly replyTo: MessageRef | null;
  readonly createdAt: Instant;
  readonly state: "ready" | "sending" | "uncertain";
  /** How often it was handed to the platform. */
  readonly sends: number;
  /** How often it was sent again although nobody could look whether it was there. */
  readonly blindResends: number;
  readonly notBefore: Instant;
  readonly problem: string | null;
}

/** A delivery that still waits for its message, with what it tells. */
export interface WaitingDelivery {
  readonly delivery: Delivery;
  readonly event: Event;
}

/** What became of a delivery. */
export type DeliveryOutcome =
  | { readonly kind: "waiting"; readonly problem: string | null }
  | { readonly kind: "sent"; readonly at: Instant; readonly ref: MessageRef; readonly blindResends: number }
  | { readonly kind: "failed"; readonly at: Instant; readonly reason: string };
