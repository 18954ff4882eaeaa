import type { Attempt, Body, MessageRef } from "../domain/alert/delivery.ts";
import { MINUTE_MS } from "../domain/time/day.ts";
import { type ChatPlatform, canEdit, DeliveryError, type EditingPlatform } from "../ports/chat-platform.ts";
import { asRetry } from "./defer.ts";

/** Longest limit of edits for which a join waits: the later alerts of its destination wait too. */
const MAX_EDIT_WAIT_MS = MINUTE_MS;

/** Sends of a join whose edit is repeated after a limit or an unknown outcome. */
const MAX_REPEATED_SENDS = 3;

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
  const { body, replyTo } = attempt;
  if (!isJoinBody(body)) return platform.send(attempt);
  const isEdited = replyTo !== null && canEdit(platform) && (await edit(platform, attempt, replyTo, body));
  return isEdited ? replyTo : platform.send({ ...attempt, body: body.reply });
}

/** Returns false if the reply is sent instead. */
async function edit(platform: EditingPlatform, attempt: Attempt, ref: MessageRef, body: JoinBody): Promise<boolean> {
  try {
    await platform.edit({ to: attempt.to, ref, body: body.edit });
    return true;
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    if (isReplyBetter(attempt, error)) return false;
    throw hasUnknownOutcome(error) ? asRetry(error) : error;
  }
}

/** Whether the reply is sent, instead of the edit later. Edits have limits of their own, which don't delay messages. */
function isReplyBetter({ sends }: Attempt, error: DeliveryError): boolean {
  const { failure, isUneditable, retryAfterMs, limitKey } = error;
  if (isUneditable) return true;
  if (hasUnknownOutcome(error)) return sends > MAX_REPEATED_SENDS;
  if (failure !== "retry" || retryAfterMs === null || limitKey !== null) return false;
  return retryAfterMs > MAX_EDIT_WAIT_MS || sends > MAX_REPEATED_SENDS;
}

function hasUnknownOutcome({ failure }: DeliveryError): boolean {
  return failure === "unknown-outcome";
}
