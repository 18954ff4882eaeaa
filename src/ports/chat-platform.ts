import type { Attempt, Body, MessageRef } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { Event } from "../domain/alert/event.ts";
import { HOUR_MS, type Instant } from "../domain/time/day.ts";
import type { Card } from "../messages/message.ts";

/** Content of one message. */
export interface Outgoing {
  readonly messageId: string;
  readonly to: Destination;
  /** At least one, oldest first. */
  readonly cards: readonly Card[];
  /** The event of each card, at the same index. A list of alerts is one card with all events. */
  readonly events: readonly Event[];
  readonly mentions: readonly string[];
  /** True if the cards were refused: the message must be text without markup, links, mentions and buttons. Default: false. */
  readonly isTextOnly?: boolean;
  /** True for a message that notifies nobody. */
  readonly isQuiet?: boolean;
}

/** New content of a message that was sent. */
export interface Edit {
  readonly to: Destination;
  readonly ref: MessageRef;
  readonly body: Body;
}

export interface Rendered {
  /** Plain JSON, stored before it is sent. Immutable after the first send that may have succeeded: every resend is identical. */
  readonly body: Body;
  /** Number of cards in the message, at least one; the next message contains the others. */
  readonly cardCount: number;
}

/** Rate limit of the platform: a burst, then one message or edit per `everyMs`. Those with the same key share it. */
export interface RateLimit {
  readonly key: string;
  readonly everyMs: number;
  readonly burst: number;
  /** True if messages to other destinations share the limit. */
  readonly isShared: boolean;
  /** Maximum number of unanswered messages with this key. Default: unlimited. */
  readonly maxInFlight?: number;
}

export type PlatformHealth = UsableHealth | UnusableHealth;

export interface UsableHealth {
  readonly ok: true;
  /** Present while a part doesn't work, although messages can be sent and commands arrive. */
  readonly problem?: PartialProblem;
}

export interface PartialProblem {
  readonly reason: string;
  readonly since: Instant;
  readonly retryAt: Instant;
}

export interface UnusableHealth {
  readonly ok: false;
  readonly reason: string;
  /** Present while the platform rejects the credentials. */
  readonly rejected?: RejectedCredentials;
}

export interface RejectedCredentials {
  readonly since: Instant;
  /** Time of the next try; null if the credentials can't become valid: splitwatch must be restarted with other ones. */
  readonly retryAt: Instant | null;
  /** False if messages can still be sent, because the credentials are only used to receive commands. */
  readonly blocksSending: boolean;
}

/** A chat platform. `send` and `find` reject only with DeliveryErrors. */
export interface ChatPlatform {
  readonly name: string;
  /** True if sample data may be shown. */
  readonly showsSample: boolean;
  /** Maximum number of alerts of a message on a platform that shows each in full. Missing: many alerts are sent as a list. */
  readonly maxAlerts?: number;
  /**
   * Longest time for which the platform is assumed to process a request that it didn't answer, in milliseconds. Missing: it posts a
   * message once, however often it is sent, or can't be searched.
   */
  readonly maxProcessingMs?: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): PlatformHealth;
  limits(destination: Destination): readonly RateLimit[];
  render(outgoing: Outgoing): Rendered;
  /** Sends once, without retries. */
  send(attempt: Attempt): Promise<MessageRef>;
  /** Searches for the message. `cannot-search`: the platform does not permit searching. */
  find(attempt: Attempt): Promise<MessageRef | "not-found" | "cannot-search">;
}

/** A platform that can edit messages. On any other, each alert stays as it was sent. */
export interface EditingPlatform extends ChatPlatform {
  /** Replaces the content of a message, without notifying anyone. Repeating it has no effect. Rejects only with DeliveryErrors. */
  edit(edit: Edit): Promise<void>;
  /** Limits of edits at the destination, in addition to those of messages. Edits that join messages are alerts, and don't wait for them. */
  editLimits(destination: Destination): readonly RateLimit[];
}

export function canEdit(platform: ChatPlatform): platform is EditingPlatform {
  return "edit" in platform;
}

export type DeliveryFailure =
  | "retry" // certainly not posted; a retry may succeed
  | "intercepted" // certainly not posted: a proxy or firewall answered instead of the platform
  | "unknown-outcome" // possibly posted
  | "gone" // the destination no longer exists
  | "not-allowed" // missing permission at the destination
  | "broken-credentials" // nothing can be sent on this platform
  | "refused" // this message is refused because of its content; others can be sent
  | "unrecognized"; // refused with a code that the platform doesn't document for messages

/** Longest delay that a platform can ask for. */
export const MAX_RETRY_AFTER_MS = HOUR_MS;

export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly failure: DeliveryFailure;
  /** Minimum delay that the platform asks for, between 0 and `MAX_RETRY_AFTER_MS`. */
  readonly retryAfterMs: number | null;
  /** Key of the rate limit that the delay applies to; null if it applies only to the destination, or to edits. */
  readonly limitKey: string | null;
  /** True if the platform didn't answer in time, so that it may still post the message. */
  readonly isTimeout: boolean;
  /** True if the refusal can end without a report of the platform: the destination is tried more often during the first day. */
  readonly mayReturn: boolean;
  /** True if an edit failed because the content of the message can't be replaced any more. */
  readonly isUneditable: boolean;

  /** `message` is shown to the owner of the destination. */
  constructor(
    failure: DeliveryFailure,
    message: string,
    options: {
      retryAfterMs?: number;
      limitKey?: string;
      isTimeout?: boolean;
      mayReturn?: boolean;
      isUneditable?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs =
      options.retryAfterMs === undefined ? null : Math.min(Math.max(options.retryAfterMs, 0), MAX_RETRY_AFTER_MS);
    this.limitKey = options.limitKey ?? null;
    this.isTimeout = options.isTimeout ?? false;
    this.mayReturn = options.mayReturn ?? false;
    this.isUneditable = options.isUneditable ?? false;
  }
}
