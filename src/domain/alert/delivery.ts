import { z } from "zod";
import { countSchema, type Infer } from "../schema-parts.ts";
import { type Instant, instantSchema } from "../time/day.ts";
import type { Deferral } from "./deferral.ts";
import { type DestinationKey, destinationSchema } from "./destination.ts";
import { type Event, type EventId, eventIdSchema } from "./event.ts";

const deliveryIdSchema = z.string().brand<"DeliveryId">();

export type DeliveryId = z.infer<typeof deliveryIdSchema>;

export const deliverySchema = z.object({
  id: deliveryIdSchema,
  eventId: eventIdSchema,
  to: destinationSchema,
  /** What matched the event: `rule 2`, `watchlist`. */
  reasons: z.array(z.string()),
  /** Users or roles to mention, in the platform's own syntax. */
  mentions: z.array(z.string()),
});

/** One event for one destination; the same pair always has the same id. */
export type Delivery = Infer<typeof deliverySchema>;

/** Prefix of the ids of messages that consist of test cards only, so that they can be counted. */
export const TEST_MESSAGE_PREFIX = "test-";

/** Separates the event from the destination. */
export const DELIVERY_ID_SEPARATOR = ">";

export function deliveryId(eventId: EventId, key: DestinationKey): DeliveryId {
  return `${eventId}${DELIVERY_ID_SEPARATOR}${key}` as DeliveryId;
}

export const messageRefSchema = z.object({ id: z.string(), link: z.string().nullable() });

/** The platform's id of a sent message, and a link to it. */
export type MessageRef = Infer<typeof messageRefSchema>;

/** Message as rendered for a platform: plain JSON, so that it can be stored and resent unchanged. */
export type Body = unknown;

export const attemptSchema = z.object({
  /** At most 25 characters; part of the message, so that the message can be found on the platform. */
  messageId: z.string(),
  to: destinationSchema,
  deliveries: z.array(deliveryIdSchema).min(1),
  body: z.unknown(),
  /** The message that this message replies to. */
  replyTo: messageRefSchema.nullable(),
  createdAt: instantSchema,
  /**
   * `ready`: not sent. `sending`: sent without an answer, so the platform may still post it. `unfound`: the same, after a first search
   * that didn't find it. `uncertain`: may have been posted. The platform's history is searched before it is sent again.
   */
  state: z.enum(["ready", "sending", "unfound", "uncertain"]),
  /** Number of times that the message was sent to the platform. */
  sends: countSchema,
  /** Number of resends although the message may have been posted, or may still be: it may appear twice. */
  blindResends: countSchema,
  notBefore: instantSchema,
  /** Delay until `notBefore` when it was set, in milliseconds. Missing before the first failure, and in earlier versions' records. */
  delayMs: z.number().nonnegative().optional(),
  problem: z.string().nullable(),
});

/**
 * A message being delivered, stored before it is sent. Its content is immutable after the first send that may have succeeded, so
 * that every resend is identical.
 */
export type Attempt = Infer<typeof attemptSchema>;

/** A delivery that isn't settled, with its event. */
export interface WaitingDelivery {
  readonly delivery: Delivery;
  readonly event: Event;
  /** State of the attempt that contains it; null if it is in none. */
  readonly attemptState: Attempt["state"] | null;
  /** Null unless messages with it failed. */
  readonly deferral: Deferral | null;
}

/** A message on the platform. */
export interface SentMessage {
  /** The id that the message carries. */
  readonly messageId: string;
  readonly ref: MessageRef;
  readonly at: Instant;
  /** Number of deliveries that it was posted with and that joined it later. */
  readonly size: number;
  /** These deliveries, in order. Of a long list, only those that were asked for. */
  readonly deliveries: readonly SentDelivery[];
}

export interface SentDelivery {
  readonly delivery: Delivery;
  readonly event: Event;
}

/** True if the delivery was certainly not posted. */
export function isUnsent({ attemptState }: WaitingDelivery): boolean {
  return attemptState === null || attemptState === "ready";
}

/** Why alerts don't reach a destination now. */
export interface DeliveryProblem {
  readonly reason: string;
  /** Time of the first failure. */
  readonly since: Instant;
  /** Time of the next try; `next alert`: nothing is waiting, or all of it is held; `restart`: only after a restart. */
  readonly retry: Instant | "now" | "next alert" | "restart";
}

/** `sends`: number of times that the message was sent to the platform; undefined if unknown. */
export type DeliveryOutcome =
  | {
      readonly kind: "waiting";
      readonly problem: string | null;
      /** When it is tried again after a problem; null without one, or if it waits for nothing but its turn. */
      readonly retryAt: Instant | null;
    }
  | {
      readonly kind: "sent";
      readonly at: Instant;
      readonly ref: MessageRef;
      readonly sends?: number | undefined;
      readonly blindResends: number;
    }
  | { readonly kind: "failed"; readonly at: Instant; readonly reason: string; readonly sends?: number | undefined };
