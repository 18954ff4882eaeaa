import type { AnyMiddlewareArgs, Middleware } from "@slack/bolt";
import type { Log } from "../../../ports/log.ts";
import type { IsNew } from "../../replay-guard.ts";

/** Acknowledges every delivery of a request, because an acknowledgement may get lost, but handles only the first delivery. */
export function handleOnce(isNewRequest: IsNew, log: Log): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const { body, context, next } = args;
    // The handlers of these requests acknowledge every delivery themselves, with the same answer.
    if (body.type === "view_submission" || body.type === "block_suggestion") return next();
    const { trigger_id: trigger, event_id: event } = { trigger_id: null, event_id: null, ...body };
    const isNew = isNewRequest([context.envelopeId, trigger, event]);
    if ("ack" in args && args.ack !== undefined) await acknowledge(args.ack, log);
    if (await isNew) await next();
  };
}

/** Acknowledges a request. If that fails, Slack repeats the request, and the replay guard recognizes it. */
export async function acknowledge(ack: () => Promise<void>, log: Log): Promise<void> {
  await ack().catch((error: unknown) => log.debug("slack acknowledgement failed", { error }));
}

/** Work that continues after a request was acknowledged. */
export interface Background {
  /** Starts work; a failure is logged as `failureEvent`. */
  run(work: () => Promise<void>, failureEvent?: string): void;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
}

export function createBackground(log: Log): Background {
  const running = new Set<Promise<void>>();
  return {
    run(work, failureEvent = "slack reply failed") {
      const task = work().catch((error: unknown) => log.warn(failureEvent, { error }));
      running.add(task);
      void task.then(() => running.delete(task));
    },
    idle: async () => void (await Promise.all(running)),
  };
}
