import { HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { FetchError } from "./fetch-error.ts";

/** Per-host backoff state, derived from failures and refusals. */
export interface HostBackoff {
  /** Throws the last FetchError while the address is in backoff. */
  check(url: URL, kind: RequestKind): void;
  /** Records the result of a request; null: success. */
  record(url: URL, kind: RequestKind, error: FetchError | null): void;
}

export type RequestKind = "feed" | "page" | "robots";

const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 30 * MINUTE_MS;
/** Shorter, because the usual cause is this machine's connection, and attempts don't reach the host. */
const MAX_UNREACHABLE_BACKOFF_MS = 4 * MINUTE_MS;
/** Some refusals end within minutes, others are permanent. */
const REFUSAL_BACKOFF = { firstMs: MINUTE_MS, maxMs: HOUR_MS } as const;
/** Consecutive refused pages that count as a refusal by the host. A single page may be restricted. */
const MIN_REFUSED_PAGES = 2;
/** Bounds the memory, because the links of feeds may name any number of hosts. */
const MAX_TRACKED_HOSTS = 500;

const TRANSIENT_FAILURES: ReadonlySet<FetchError["failure"]> = new Set([
  "unreachable",
  "timeout",
  "rate-limited",
  "server-error",
]);

interface BackoffState {
  readonly failures: number;
  readonly until: MonotonicTime;
  readonly error: FetchError;
}

export function createHostBackoff(clock: Clock): HostBackoff {
  const failing = new BoundedMap<string, BackoffState>(MAX_TRACKED_HOSTS);
  const refusing = new BoundedMap<string, BackoffState>(MAX_TRACKED_HOSTS);

  function check(url: URL, kind: RequestKind): void {
    const now = clock.monotonic();
    const key = addressKey(url, kind);
    for (const state of [failing.get(url.host), failing.get(key), refusing.get(key)]) {
      if (!state || state.until <= now) continue;
      // Repeats the message without a remaining time, because a problem is logged again when its text changes.
      const { failure, message } = state.error;
      throw new FetchError(failure, message, { retryAfterMs: state.until - now });
    }
  }

  function record(url: URL, kind: RequestKind, error: FetchError | null): void {
    const key = addressKey(url, kind);
    if (error === null) {
      failing.delete(url.host);
      failing.delete(key);
      refusing.delete(key);
    } else if (error.failure === "refused") {
      recordRefusal(key, kind, error);
    } else if (TRANSIENT_FAILURES.has(error.failure)) {
      recordFailure(error.failure === "timeout" ? key : url.host, error);
    }
  }

  function recordRefusal(key: string, kind: RequestKind, error: FetchError): void {
    const failures = (refusing.get(key)?.failures ?? 0) + 1;
    const isSinglePage = kind === "page" && failures < MIN_REFUSED_PAGES;
    const delayMs = isSinglePage ? 0 : backoffMs(failures, REFUSAL_BACKOFF);
    const until = clock.monotonic() + Math.max(delayMs, error.retryAfterMs ?? 0);
    refusing.set(key, { failures, until, error });
  }

  function recordFailure(key: string, error: FetchError): void {
    const failures = (failing.get(key)?.failures ?? 0) + 1;
    const maxMs = error.failure === "unreachable" ? MAX_UNREACHABLE_BACKOFF_MS : MAX_BACKOFF_MS;
    const delayMs = Math.max(backoffMs(failures, { firstMs: FIRST_BACKOFF_MS, maxMs }), error.retryAfterMs ?? 0);
    failing.set(key, { failures, until: clock.monotonic() + delayMs, error });
  }

  return { check, record };
}

/** Pages of a host share a backoff for refusals and timeouts. A feed has its own, because a host may refuse only some feeds. */
function addressKey(url: URL, kind: RequestKind): string {
  return kind === "page" ? `page ${url.host}` : `${kind} ${url.href}`;
}
