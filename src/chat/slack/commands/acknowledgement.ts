import type { AnyMiddlewareArgs, Middleware } from "@slack/bolt";
import { MINUTE_MS } from "../../../domain/time/day.ts";
import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";

/** Slack repeats unacknowledged requests for at most five minutes. */
const RETENTION_MS = 15 * MINUTE_MS;
const MAX_TRACKED_IDS = 20_000;

/** Recognizes requests that Slack delivers more than once. */
export interface ReplayGuard {
  /** Records the ids; returns false if one of them was recorded before. Ids that are not strings are ignored. */
  isNew(ids: readonly unknown[]): boolean;
}

export function createReplayGuard(clock: Clock): ReplayGuard {
  const seenAt = new Map<string, MonotonicTime>();

  function purge(now: MonotonicTime): void {
    for (const [id, at] of seenAt) {
      if (now - at < RETENTION_MS && seenAt.size <= MAX_TRACKED_IDS) return;
      seenAt.delete(id);
    }
  }

  return {
    isNew(ids) {
      const now = clock.monotonic();
      purge(now);
      const validIds = ids.filter((id) => typeof id === "string");
      const isNew = validIds.every((id) => !seenAt.has(id));
      for (const id of validIds) if (!seenAt.has(id)) seenAt.set(id, now);
      return isNew;
    },
  };
}

/** Acknowledges every delivery of a request, because an acknowledgement may get lost, but handles only the first delivery. */
export function handleOnce(guard: ReplayGuard, log: Log): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const { body, context, next } = args;
    // The handlers of these requests acknowledge every delivery themselves, with the same answer.
    if (body.type === "view_submission" || body.type === "block_suggestion") return next();
    const { trigger_id: trigger, event_id: event } = { trigger_id: null, event_id: null, ...body };
    const isNew = guard.isNew([context.envelopeId, trigger, event]);
    if ("ack" in args && args.ack !== undefined) await acknowledge(args.ack, log);
    if (isNew) await next();
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
