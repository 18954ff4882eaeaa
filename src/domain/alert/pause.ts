import { z } from "zod";
import { backoffMs } from "../../lib/backoff.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { DAY_MS, HOUR_MS, type Instant, instantSchema, MINUTE_MS } from "../time/day.ts";
import { destinationSchema } from "./destination.ts";

export const pauseSchema = z.object({
  to: destinationSchema,
  /** Why the platform refuses messages to the destination; shown to users. */
  reason: z.string(),
  /** Time of the first refusal. */
  at: instantSchema,
  /** Time from which waiting deliveries are tried again. Records of earlier versions have none and are due immediately. */
  retryAt: instantSchema.default(0),
  /** Delay until `retryAt` when it was set, in milliseconds. Missing in records of earlier versions. */
  delayMs: z.number().nonnegative().optional(),
  /** Number of consecutive refusals that lengthen the delay. Reset to 0 by an event that may have ended the cause (see `pauseToRetry`). */
  refusals: countSchema.default(0),
});

/** Pause of a destination that refuses messages. It ends when the platform accepts a message there. */
export type Pause = Infer<typeof pauseSchema>;

/**
 * `gone`: the destination no longer exists, as far as the platform says. `may-return`: it is archived, deleted or without the bot,
 * and the platform may not report its return.
 */
export type PauseCause = "not-allowed" | "gone" | "may-return";

/** Longest time until a paused destination is tried again. */
export const MAX_PAUSE_MS = 24 * HOUR_MS;

const RETRY = {
  "not-allowed": { firstMs: 5 * MINUTE_MS, maxMs: 6 * HOUR_MS },
  gone: { firstMs: HOUR_MS, maxMs: MAX_PAUSE_MS },
  "may-return": { firstMs: HOUR_MS, maxMs: MAX_PAUSE_MS },
} as const;

/** A destination that may return is tried at this interval during the first day. */
const PROBE = { everyMs: 5 * MINUTE_MS, forMs: DAY_MS } as const;

/** The pause after another refusal. */
export function pauseAfter(
  current: Pause | null,
  { to, reason, at, cause }: Pick<Pause, "to" | "reason" | "at"> & { readonly cause: PauseCause },
): Pause {
  const since = current?.at ?? at;
  const isProbed = cause === "may-return" && at - since < PROBE.forMs;
  const refusals = isProbed ? 0 : (current?.refusals ?? 0) + 1;
  const delayMs = isProbed ? PROBE.everyMs : backoffMs(refusals, RETRY[cause]);
  return { to, reason, at: since, retryAt: at + delayMs, delayMs, refusals };
}

/** The pause after an event that may have ended the cause of the refusals: the next message is tried immediately. */
export function pauseToRetry(pause: Pause, at: Instant): Pause {
  return { ...pause, retryAt: at, delayMs: 0, refusals: 0 };
}
