import type { Attempt } from "../../core/delivery.ts";
import { type ChatPlatform, DeliveryError } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Connection } from "./connection.ts";
import { asCallError, type ErrorContext, isBrokenToken, toDeliveryError } from "./errors.ts";
import { find } from "./find.ts";
import { post } from "./post.ts";
import { createRateWatch } from "./rate-watch.ts";
import type { WebApi } from "./web-api.ts";
import type { Workspace } from "./workspace.ts";

/** The way of alerts to Slack. */
export function createOutlet(api: WebApi, connection: Connection, clock: Clock): Pick<ChatPlatform, "send" | "find"> {
  const rateWatch = createRateWatch(clock);

  async function asDelivery<T>(work: (known: Workspace) => Promise<T>, limitKey: ErrorContext["limitKey"]): Promise<T> {
    const { standing } = connection;
    if (standing.kind === "refused") throw new DeliveryError("broken-credentials", standing.reason);
    if (standing.kind === "connecting") throw new DeliveryError("retry", "Slack is not connected yet");
    try {
      return await work(standing.workspace);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const failed = asCallError(error);
      const failure = toDeliveryError(failed, { botName: standing.workspace.botName, limitKey });
      if (isBrokenToken(failed.failure)) connection.refuse(failure.message);
      throw failure;
    }
  }

  return {
    send: (attempt: Attempt) =>
      asDelivery(
        (known) => post(api, known, attempt),
        (failure) => rateWatch.limitKey(attempt.to, failure),
      ),
    // Reading has limits of its own, which hold up nothing else.
    find: (attempt: Attempt) =>
      asDelivery(
        (known) => find(api, known, attempt),
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
