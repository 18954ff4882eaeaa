import type { AnyMiddlewareArgs, Middleware } from "@slack/bolt";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import type { Log } from "../../../ports/log.ts";
import type { SeenRequests } from "../../../ports/store.ts";

/** Slack repeats unacknowledged requests for at most five minutes. */
const KEEP_MS = 15 * MINUTE_MS;

/** Records the ids of a request. Returns false if one of them was recorded before. Ids that are not strings are ignored. */
export type IsNew = (ids: readonly unknown[]) => Promise<boolean>;

/** Recognizes requests that Slack delivers more than once. If the store fails, a request counts as new. */
export function createReplayGuard(seenRequests: SeenRequests, log: Log): IsNew {
  return async (ids) => {
    const names = ids.flatMap((id) => (typeof id === "string" ? `slack.${id}` : []));
    try {
      return await seenRequests.add(names, KEEP_MS);
    } catch (error) {
      log.warn("slack request not recorded", { error });
      return true;
    }
  };
}

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
