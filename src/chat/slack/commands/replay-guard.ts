import type { AnyMiddlewareArgs, Middleware } from "@slack/bolt";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { acknowledge } from "./payloads.ts";

/** Slack repeats unacknowledged requests for at most five minutes. */
const RETENTION_MS = 15 * MINUTE_MS;
const MAX_TRACKED_IDS = 20_000;

/** Recognizes requests that Slack delivers more than once. */
export interface ReplayGuard {
  /** Records the ids; returns false if one of them was recorded before. Ids that are not strings are ignored. */
  isNew(ids: readonly unknown[]): boolean;
}

export function createReplayGuard(clock: Clock): ReplayGuard {
  const seenAt = new Map<string, Instant>();

  function purge(now: Instant): void {
    for (const [id, at] of seenAt) {
      if (now - at < RETENTION_MS && seenAt.size <= MAX_TRACKED_IDS) return;
      seenAt.delete(id);
    }
  }

  return {
    isNew(ids) {
      const now = clock.now();
      purge(now);
      const known = ids.filter((id) => typeof id === "string");
      const isNew = known.every((id) => !seenAt.has(id));
      for (const id of known) if (!seenAt.has(id)) seenAt.set(id, now);
      return isNew;
    },
  };
}

/** Acknowledges every delivery of a request, since an acknowledgement may get lost, and handles only the first one. */
export function handleOnce(guard: ReplayGuard, log: Log): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const { body, context, next } = args;
    // Acknowledged by their handlers, with an answer that is the same for each delivery.
    if (body.type === "view_submission" || body.type === "block_suggestion") return next();
    const { trigger_id: trigger, event_id: event } = { trigger_id: null, event_id: null, ...body };
    const isNew = guard.isNew([context.envelopeId, trigger, event]);
    if ("ack" in args && args.ack !== undefined) await acknowledge(args.ack, log);
    if (isNew) await next();
  };
}
