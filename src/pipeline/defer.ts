import { type Deferral, type DeferralCause, deferralAfter } from "../domain/alert/deferral.ts";
import type { Attempt, DeliveryId, WaitingDelivery } from "../domain/alert/delivery.ts";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { DeliveryError, type DeliveryFailure } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Outbox } from "../ports/store.ts";

/** A message without an answer that isn't found so long after its last send doesn't arrive any more. */
const MAX_ARRIVAL_MS = MINUTE_MS;

interface DeferParts {
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** When the platform accepted a message last, to any destination; null: not since the start. */
  readonly lastSentAt: Instant | null;
}

interface Failure {
  readonly cause: DeferralCause;
  readonly reason: string;
  readonly mayBePosted: boolean;
}

/** Why a message that wasn't posted is deferred; null if it is sent again as it is. The first unexplained failure may be temporary. */
export function deferralCause(failure: DeliveryFailure, { sends }: Attempt): DeferralCause | null {
  if (failure === "refused" || failure === "unrecognized") return failure;
  return failure === "intercepted" && sends > 1 ? "unexplained" : null;
}

/** Whether an earlier send of the message may still be posted: the platform must then get it with the same id. */
export function mayArrive({ state, delayMs = 0 }: Attempt): boolean {
  return state !== "ready" && delayMs < MAX_ARRIVAL_MS;
}

/** Whether several sends of a message had an unknown outcome, the last one so long ago that it doesn't arrive any more. */
export function isUnanswered(attempt: Attempt): boolean {
  return attempt.sends > 1 && !mayArrive(attempt);
}

/**
 * Ends a message that wasn't posted. Its deliveries wait again, so that the next ones pass them. Returns false if the message must be
 * given up instead, because it can't be made simpler.
 */
export async function deferMessage(parts: DeferParts, attempt: Attempt, failure: Failure): Promise<boolean> {
  const { outbox, clock } = parts;
  const own = await outbox.waitingIn(attempt);
  const failed = {
    ...failure,
    at: clock.now(),
    size: own.length,
    isTextOnly: own.every(({ deferral }) => deferral?.isTextOnly === true),
    othersGotThrough: await didOthersGetThrough(parts, attempt, { own, cause: failure.cause }),
  };
  const deferrals = new Map<DeliveryId, Deferral>();
  for (const { delivery, deferral } of own) {
    const next = deferralAfter(deferral, failed);
    if (next === "give-up") return false;
    deferrals.set(delivery.id, next);
  }
  const last = [...deferrals.values()].at(-1);
  // Without a limit for the group, no message gets through to the destination: its divided deliveries wait together, too.
  await outbox.defer(attempt.messageId, deferrals, last?.maxGroup === null ? last : null);
  return true;
}

/** Whether the failure concerns this message only: another one was sent since the first failure. */
async function didOthersGetThrough(
  { outbox, lastSentAt }: DeferParts,
  { to, createdAt }: Attempt,
  { own, cause }: { readonly own: readonly WaitingDelivery[]; readonly cause: DeferralCause },
): Promise<boolean> {
  if (cause === "refused") return true;
  const since = Math.min(createdAt, ...own.flatMap(({ deferral }) => deferral?.since ?? []));
  return cause === "unrecognized" ? outbox.wasSentSince(to, since) : lastSentAt !== null && lastSentAt >= since;
}

/** Failures of a search that say nothing about the message and its destination. */
const SEARCH_ONLY: ReadonlySet<DeliveryFailure> = new Set([
  "refused",
  "unrecognized",
  "intercepted",
  "unknown-outcome",
]);

/** A search says nothing about its message: whatever its failure, unless it concerns the destination, it is repeated. */
export function asSearchFailure(error: DeliveryError): DeliveryError {
  return SEARCH_ONLY.has(error.failure) ? asRetry(error) : error;
}

/** The failure of a search or an edit, which is repeated without a search before: it posted nothing, whatever its outcome. */
export function asRetry(error: DeliveryError): DeliveryError {
  const { message, retryAfterMs } = error;
  return new DeliveryError("retry", message, { ...(retryAfterMs !== null && { retryAfterMs }), cause: error });
}

/** Why the last send of a message failed. */
export function reasonOf({ problem }: Attempt): string {
  return problem ?? "the platform didn't confirm the message";
}
