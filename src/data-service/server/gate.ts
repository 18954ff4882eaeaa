import type { HTTPException } from "hono/http-exception";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { createSlidingWindow } from "../../lib/rate-limiter.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KeyHolder, Keyring } from "./keyring.ts";
import { problemException } from "./problem-exception.ts";
import { type Query, readKey } from "./query.ts";
import type { Catalog } from "./served-catalog.ts";

const NOT_READY_RETRY_SECONDS = 2;

/** Maximum number of requests with unknown keys per address and minute. Valid keys are accepted even after it is reached. */
const MAX_UNKNOWN_KEYS = 60;

/** Access control: keys, the request limit of each key, and the readiness of the data. */
export interface Gate {
  /** Counts the request. Throws a problem if the key is invalid or over its limit, or if the service has no data yet. */
  admit(query: Query, client: string): KeyHolder;
  /** Owner of a valid key. */
  holderOf(key: string): KeyHolder | undefined;
  /** Counts a request and returns 0, or returns the milliseconds until the caller's next request is allowed. */
  count(caller: KeyHolder): number;
}

export interface GateOptions {
  readonly catalog: Pick<Catalog, "ready">;
  readonly keys: Keyring;
  readonly clock: Clock;
  /** Maximum number of requests per key and minute. */
  readonly limitPerMinute: number;
}

export function createGate({ catalog, keys, clock, limitPerMinute }: GateOptions): Gate {
  const limiter = createSlidingWindow(clock, { max: limitPerMinute, windowMs: MINUTE_MS });
  const unknownKeys = createSlidingWindow(clock, { max: MAX_UNKNOWN_KEYS, windowMs: MINUTE_MS });
  const count = (caller: KeyHolder): number => (caller.isRateLimited ? limiter.admit(caller.name) : 0);

  return {
    admit(query, client) {
      const key = readKey(query);
      if (key === undefined) throw keyProblem("key_missing", "missing");
      const caller = keys.find(key);
      if (!caller) throw unknownKey(unknownKeys.admit(client));
      const waitMs = count(caller);
      if (waitMs > 0) throw rateLimited("This key has reached its limit of requests per minute.", waitMs);
      if (!catalog.ready) throw notReady();
      return caller;
    },
    holderOf: (key) => keys.find(key),
    count,
  };
}

function keyProblem(code: "key_missing" | "key_unknown", state: string): HTTPException {
  const detail = `apiKey: ${state}, expected a key that \`splitwatch keys add NAME\` printed`;
  return problemException(code, detail, { parameter: "apiKey", headers: { "WWW-Authenticate": "ApiKey" } });
}

/** `blockedMs`: time until the address may send another unknown key. */
function unknownKey(blockedMs: number): HTTPException {
  return blockedMs > 0
    ? rateLimited("Too many requests with unknown keys.", blockedMs)
    : keyProblem("key_unknown", "unknown or revoked");
}

function rateLimited(reason: string, waitMs: number): HTTPException {
  const seconds = Math.ceil(waitMs / 1_000);
  const headers = { "Retry-After": String(seconds) };
  return problemException("rate_limited", `${reason} Try again in ${seconds} s.`, { headers });
}

function notReady(): HTTPException {
  const detail = "The service has not read its data yet. Try again in a moment.";
  return problemException("not_ready", detail, { headers: { "Retry-After": String(NOT_READY_RETRY_SECONDS) } });
}
