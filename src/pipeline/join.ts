import type { Attempt, Body, MessageRef } from "../domain/alert/delivery.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { type ChatPlatform, canEdit, DeliveryError } from "../ports/chat-platform.ts";

/** Longest limit of edits for which a join waits: the later alerts of its destination wait too. */
const MAX_EDIT_WAIT_MS = MINUTE_MS;

/** Sends of a join that wait for a limit of edits. */
const MAX_LIMITED_SENDS = 3;

/**
 * Body of a message that joins the one that it replies to: `edit` replaces the content of that message. If that isn't possible any more,
 * `reply` is sent.
 */
export interface JoinBody {
  readonly edit: Body;
  readonly reply: Body;
}

export function isJoinBody(body: Body): body is JoinBody {
  return typeof body === "object" && body !== null && "edit" in body && "reply" in body;
}

/** Sends a message, or edits the one that it joins. The edit has no effect if an earlier one with an unknown outcome was made. */
export async function sendOrJoin(platform: ChatPlatform, attempt: Attempt): Promise<MessageRef> {
  const { to, body, replyTo } = attempt;
  if (!isJoinBody(body)) return platform.send(attempt);
  if (replyTo !== null && canEdit(platform))
    try {
      await platform.edit({ to, ref: replyTo, body: body.edit });
      return replyTo;
    } catch (error) {
      if (!(error instanceof DeliveryError && isReplyBetter(attempt, error))) throw error;
    }
  return platform.send({ ...attempt, body: body.reply });
}

/** Whether the reply is sent, instead of the edit later. Edits have limits of their own, which don't delay messages. */
function isReplyBetter({ sends }: Attempt, { failure, isUneditable, retryAfterMs, limitKey }: DeliveryError): boolean {
  if (isUneditable) return true;
  if (failure !== "retry" || retryAfterMs === null || limitKey !== null) return false;
  return retryAfterMs > MAX_EDIT_WAIT_MS || sends > MAX_LIMITED_SENDS;
}
