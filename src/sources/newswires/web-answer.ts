import { HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { type HttpAnswer, readRetryAfterMs } from "../../http/client.ts";
import { isChallenge } from "./bot-challenge.ts";
import type { Asked } from "./host-backoff.ts";
import { WireError, type WireFailure } from "./newswire.ts";

const LONGEST_RETRY_AFTER_MS = 6 * HOUR_MS;
/** For so long Newsfile answers 202 to who came too fast. */
const ACCEPTED_FOR_MS = 15 * MINUTE_MS;

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 451]);
const GONE: ReadonlySet<number> = new Set([404, 410]);
const USABLE: ReadonlySet<number> = new Set([200, 203, 304]);

/** The error that an answer amounts to; null where it can be read, or leads on. */
export function errorOf(
  answer: HttpAnswer,
  { name, what, now }: { readonly name: string; readonly what: Asked; readonly now: Instant },
): WireError | null {
  const failure = failureOf(answer, what);
  if (failure === null) return null;
  const asked = readRetryAfterMs(answer, now, LONGEST_RETRY_AFTER_MS) ?? null;
  const retryAfterMs = asked ?? (answer.status === 202 ? ACCEPTED_FOR_MS : null);
  const got = failure === "refused" && USABLE.has(answer.status) ? "a challenge page" : String(answer.status);
  return new WireError(failure, `${name} answered ${got}`, { retryAfterMs });
}

function failureOf(answer: HttpAnswer, what: Asked): WireFailure | null {
  const { status } = answer;
  if (status === 429 || status === 202) return "rate-limited";
  if (status >= 500 && !isChallenge(answer)) return "server-error";
  // A host without robots rules says so with any other 4xx (RFC 9309, 2.3.1.3).
  if (what === "robots") return null;
  if (REFUSALS.has(status) || isChallenge(answer)) return "refused";
  if (GONE.has(status)) return "gone";
  return USABLE.has(status) || (status >= 300 && status < 400) ? null : "unreadable";
}
