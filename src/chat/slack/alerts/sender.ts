import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type ChatPlatform, DeliveryError } from "../../../ports/chat-platform.ts";
import type { Clock } from "../../../ports/clock.ts";
import { parseDestination } from "../workspace.ts";
import type { ConnectedWorkspace, Workspaces } from "../workspaces.ts";
import { asCallError, type ErrorContext, isBrokenToken, toDeliveryError } from "./delivery-errors.ts";
import { findMessage } from "./find-message.ts";
import { postMessage } from "./post-message.ts";
import { createLimitScope } from "./rate-limits.ts";

/** The way of alerts to Slack. */
export function createSender(workspaces: Workspaces, clock: Clock): Pick<ChatPlatform, "send" | "find"> {
  const rateWatch = createLimitScope(clock);

  async function asDelivery<T>(
    attempt: Attempt,
    work: (presence: ConnectedWorkspace) => Promise<T>,
    limitKey: ErrorContext["limitKey"],
  ): Promise<T> {
    const presence = await workspaces.forDelivery(parseDestination(attempt.to)?.teamId ?? "");
    try {
      return await work(presence);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const failed = asCallError(error);
      if (isBrokenToken(failed.failure)) throw await workspaces.handleRefusedToken(presence, failed);
      throw toDeliveryError(failed, { botName: presence.workspace.botName, limitKey });
    }
  }

  return {
    send: (attempt) =>
      asDelivery(
        attempt,
        (presence) => postMessage(presence, attempt),
        (failure) => rateWatch.limitKey(attempt.to, failure),
      ),
    // Reading has limits of its own, which hold up nothing else.
    find: (attempt) =>
      asDelivery(
        attempt,
        (presence) => findMessage(presence, attempt),
        () => null,
      ).catch(lookAgain),
  };
}

/** Nothing was posted by looking: what could not be looked up is looked up again. */
function lookAgain(error: unknown): never {
  if (error instanceof DeliveryError && error.failure === "unknown-outcome") {
    throw new DeliveryError("retry", error.message, { cause: error });
  }
  throw error;
}
