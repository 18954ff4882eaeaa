import { z } from "zod";
import { backoffMs } from "../../lib/backoff.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { HOUR_MS, type Instant, instantSchema, MINUTE_MS } from "../time/day.ts";

export const deferralSchema = z.object({
  /** Number of failed messages with the delivery. */
  failures: countSchema,
  /** Number of refused messages with the delivery alone, as text only. */
  textRefusals: countSchema,
  /** Time of the first failure. */
  since: instantSchema,
  /** Why the last message failed; shown to users. */
  reason: z.string(),
  /** Maximum number of deliveries in the next message with this one; null: any number. */
  maxGroup: countSchema.nullable(),
  /** True if the next message is text only. */
  isTextOnly: z.boolean(),
  /** True if an earlier message with the delivery may have been posted, although none was found. */
  mayBePosted: z.boolean(),
  /** The delivery isn't tried again before. */
  notBefore: instantSchema,
  /** Delay until `notBefore` when it was set, in milliseconds. */
  delayMs: z.number().nonnegative(),
});

/**
 * A waiting delivery whose messages failed, although others may get through: later deliveries pass it, and it is tried again with
 * backoff, with fewer others, and in the end alone as text.
 */
export type Deferral = Infer<typeof deferralSchema>;

/** When the delivery is tried again. */
export type DeferralDelay = Pick<Deferral, "notBefore" | "delayMs">;

/** `refused`: because of its content. `unrecognized`: with an unknown code. `unexplained`: not by the platform, or without an answer. */
export type DeferralCause = "refused" | "unrecognized" | "unexplained";

export interface FailedMessage {
  readonly cause: DeferralCause;
  readonly reason: string;
  readonly at: Instant;
  /** Number of its deliveries. */
  readonly size: number;
  readonly isTextOnly: boolean;
  readonly mayBePosted: boolean;
  /** True if another message got through since the first failure, so that the failure concerns this one. */
  readonly othersGotThrough: boolean;
}

/** Refusals of the text alone after which a delivery is given up, within about two hours. */
const MAX_TEXT_REFUSALS = 8;

/** Delay of a group that is being divided: what waits behind it is sent meanwhile. */
const DIVIDE_MS = 1_000;

const TEXT_RETRY = { firstMs: MINUTE_MS, maxMs: HOUR_MS } as const;
const UNEXPLAINED_RETRY = { firstMs: 2_000, maxMs: 5 * MINUTE_MS } as const;

/** The deferral of a delivery after a message with it failed; `give-up` if no form of it is accepted. */
export function deferralAfter(before: Deferral | null, failed: FailedMessage): Deferral | "give-up" {
  const { reason, at } = failed;
  const failures = (before?.failures ?? 0) + 1;
  const textRefusals = (before?.textRefusals ?? 0) + (failed.isTextOnly ? 1 : 0);
  const next = nextTry({ failures, textRefusals }, failed);
  if (next === "give-up") return next;
  const mayBePosted = failed.mayBePosted || before?.mayBePosted === true;
  const since = before?.since ?? at;
  return { failures, textRefusals, since, reason, mayBePosted, ...next, notBefore: at + next.delayMs };
}

type Try = Pick<Deferral, "maxGroup" | "isTextOnly" | "delayMs">;

function nextTry(
  { failures, textRefusals }: Pick<Deferral, "failures" | "textRefusals">,
  { cause, size, isTextOnly, othersGotThrough }: FailedMessage,
): Try | "give-up" {
  const concernsMessage = cause === "refused" || othersGotThrough;
  if (cause === "unexplained" && !concernsMessage)
    return { ...TOGETHER, delayMs: backoffMs(failures, UNEXPLAINED_RETRY) };
  if (!isTextOnly) {
    // After the first refusal, the order of the alerts is kept; then the next ones pass. An unexplained failure isn't the first one.
    const delayMs = failures === 1 && cause !== "unexplained" ? 0 : DIVIDE_MS;
    return size > 1 ? { maxGroup: Math.ceil(size / 2), isTextOnly: false, delayMs } : { ...ALONE_AS_TEXT, delayMs };
  }
  const delayMs = backoffMs(textRefusals, TEXT_RETRY);
  // Nothing gets through to the destination: its deliveries wait together.
  if (!concernsMessage) return { ...TOGETHER, delayMs };
  return cause !== "unexplained" && textRefusals >= MAX_TEXT_REFUSALS ? "give-up" : { ...ALONE_AS_TEXT, delayMs };
}

const TOGETHER = { maxGroup: null, isTextOnly: false } as const;
const ALONE_AS_TEXT = { maxGroup: 1, isTextOnly: true } as const;

/** The deferral of a divided delivery that is sent together with the others again. */
export function regrouped(deferral: Deferral, { notBefore, delayMs }: DeferralDelay): Deferral {
  return { ...deferral, ...TOGETHER, notBefore, delayMs };
}

/**
 * Milliseconds until the delivery is tried again; 0 if it is due, or if the clock was set back since: they are computed at each check, so
 * the whole delay would start again each time.
 */
export function deferredForMs({ notBefore, delayMs }: DeferralDelay, now: Instant): number {
  const remainingMs = Math.max(0, notBefore - now);
  return remainingMs > delayMs ? 0 : remainingMs;
}
