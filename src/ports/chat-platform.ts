import type { Attempt, Body, MessageRef } from "../domain/alert/delivery.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { Card } from "../messages/message.ts";

/** What one message is to hold. */
export interface Outgoing {
  readonly messageId: string;
  readonly to: Destination;
  /** At least one, oldest first. */
  readonly cards: readonly Card[];
  readonly mentions: readonly string[];
}

export interface Rendered {
  /** Plain JSON: it is kept, and sent unchanged however often it takes. */
  readonly body: Body;
  /** How many of the cards it holds, from the first; at least one. The others go into the next message. */
  readonly carried: number;
}

/** A limit of the platform: at most `burst` messages at once, then one per `everyMs`. Messages with one key share it. */
export interface RateLimit {
  readonly key: string;
  readonly everyMs: number;
  readonly burst: number;
  /** So many of them may be on their way: what is not answered then holds up those with this key alone. Left out: any number. */
  readonly inFlight?: number;
}

export type PlatformHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** One chat platform. `send` and `find` throw a DeliveryError and nothing else. */
export interface ChatPlatform {
  readonly name: string;
  /** True where invented sample data may be shown. */
  readonly showsSample: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
  health(): PlatformHealth;
  limits(to: Destination): readonly RateLimit[];
  render(outgoing: Outgoing): Rendered;
  /** One try, no retries within. */
  send(attempt: Attempt): Promise<MessageRef>;
  /** Looks whether the message is there. `cannot-search` where the platform does not let us. */
  find(attempt: Attempt): Promise<MessageRef | "not-found" | "cannot-search">;
}

export type DeliveryFailure =
  | "retry" // certainly not posted; again later
  | "unknown-outcome" // it may be posted
  | "gone" // the destination does not exist any more
  | "not-allowed" // we may not post there
  | "broken-credentials" // nothing of this platform can be sent
  | "malformed"; // refused as it is: a bug of ours

export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly failure: DeliveryFailure;
  /** Wait at least this long: the platform's word. */
  readonly retryAfterMs: number | null;
  /** The wait holds for every destination that has this limit key, not for one destination. */
  readonly limitKey: string | null;

  /** `message` is shown to the destination's owner. */
  constructor(
    failure: DeliveryFailure,
    message: string,
    options: { retryAfterMs?: number; limitKey?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.limitKey = options.limitKey ?? null;
  }
}
