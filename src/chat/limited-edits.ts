import type { Attempt } from "../domain/alert/delivery.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { DeliveryError } from "../ports/chat-platform.ts";

/** Longest limit of edits for which a join waits: the later alerts of its destination wait too. */
const MAX_EDIT_WAIT_MS = MINUTE_MS;

/** Sends of a join that wait for a limit of edits. */
const MAX_LIMITED_SENDS = 3;

/**
 * Error of a join whose edit exceeds a rate limit; null if the join should be posted as a reply, because the limit lasts too long.
 * Edits have limits of their own, which don't delay messages.
 */
export function limitedEdit({ sends }: Attempt, retryAfterMs: number, cause: unknown): DeliveryError | null {
  if (retryAfterMs > MAX_EDIT_WAIT_MS || sends > MAX_LIMITED_SENDS) return null;
  return new DeliveryError("retry", "the platform limits how fast messages are edited", { retryAfterMs, cause });
}
