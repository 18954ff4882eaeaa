import type { Attempt } from "../../../domain/alert/delivery.ts";
import { type ChatPlatform, DeliveryError } from "../../../ports/chat-platform.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type ConnectedWorkspace, parseDestination, type Workspaces } from "../workspace.ts";
import { asCallError, type ErrorContext, isBrokenToken, toDeliveryError } from "./delivery-errors.ts";
import { findMessage } from "./find-message.ts";
import { postMessage } from "./post-message.ts";
import { createLimitScope } from "./rate-limits.ts";

/** Sends alerts and finds sent ones; failures become DeliveryErrors. */
export function createSender(workspaces: Workspaces, clock: Clock): Pick<ChatPlatform, "send" | "find"> {
  const limitScope = createLimitScope(clock);

  async function withWorkspace<T>(
    attempt: Attempt,
    work: (connected: ConnectedWorkspace) => Promise<T>,
    limitKey: ErrorContext["limitKey"],
  ): Promise<T> {
    const connected = await workspaces.forDelivery(parseDestination(attempt.to)?.teamId ?? "");
    try {
      return await work(connected);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const callError = asCallError(error);
      if (isBrokenToken(callError.failure)) throw await workspaces.handleRefusedToken(connected, callError);
      throw toDeliveryError(callError, { botName: connected.workspace.botName, limitKey });
    }
  }

  return {
    send: (attempt) =>
      withWorkspace(
        attempt,
        (connected) => postMessage(connected, attempt),
        (failure) => limitScope.limitKey(attempt.to, failure),
      ),
    // Read methods have separate limits, which don't delay messages.
    find: (attempt) =>
      withWorkspace(
        attempt,
        (connected) => findMessage(connected, attempt),
        () => null,
      ).catch(retryUnknownOutcome),
  };
}

/** A search posts nothing, so it can be retried even if its outcome is unknown. */
function retryUnknownOutcome(error: unknown): never {
  if (error instanceof DeliveryError && error.failure === "unknown-outcome") {
    throw new DeliveryError("retry", error.message, { cause: error });
  }
  throw error;
}
