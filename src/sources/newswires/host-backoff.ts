import { HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../ports/clock.ts";
import { WireError } from "./newswire.ts";

/** What a host has shown us of wanting to be left alone, and until when we leave it. */
export interface Reluctance {
  /** Throws the WireError that this address deserves without being asked. */
  check(url: URL, what: Asked): void;
  /** Takes down how a visit went; `error` null: well. */
  note(url: URL, what: Asked, error: WireError | null): void;
}

export type Asked = "feed" | "page" | "robots";

const FIRST_BACK_OFF_MS = 5_000;
const LONGEST_BACK_OFF_MS = 30 * MINUTE_MS;
/** It is more often our own way there that is cut, and who opens his laptop wants to be served soon. No host hears of a try. */
const LONGEST_UNREACHABLE_MS = 4 * MINUTE_MS;
const REFUSED_FOR_MS = HOUR_MS;
/** One page may be closed to all but its author; a second one in a row is the host's answer to us. */
const REFUSED_PAGES = 2;
/** Feeds are few, hosts too; a feed that links to thousands of hosts must not fill the memory. */
const MOST_KEPT = 500;

interface Trouble {
  readonly times: number;
  readonly until: Instant;
  readonly error: WireError;
}

export function createReluctance(clock: Clock): Reluctance {
  const failing = new Map<string, Trouble>();
  const refusing = new Map<string, Trouble>();

  function check(url: URL, what: Asked): void {
    const now = clock.now();
    for (const trouble of [failing.get(url.host), refusing.get(refusalKey(url, what))]) {
      const leftMs = (trouble?.until ?? now) - now;
      if (!trouble || leftMs <= 0) continue;
      // In the same words as before: what is wrong with a wire is told anew only when it is something else.
      const { failure, message } = trouble.error;
      throw new WireError(failure, message, { retryAfterMs: leftMs });
    }
  }

  function note(url: URL, what: Asked, error: WireError | null): void {
    const key = refusalKey(url, what);
    if (error === null) {
      failing.delete(url.host);
      refusing.delete(key);
    } else if (error.failure === "refused") {
      noteRefusal(key, { what, error });
    } else if (SHAKY.has(error.failure)) {
      noteFailure(url.host, error);
    }
  }

  function noteRefusal(key: string, { what, error }: { readonly what: Asked; readonly error: WireError }): void {
    const times = (refusing.get(key)?.times ?? 0) + 1;
    const pauseMs = what === "page" && times < REFUSED_PAGES ? 0 : REFUSED_FOR_MS;
    keep(refusing, key, { times, until: clock.now() + pauseMs, error });
  }

  function noteFailure(host: string, error: WireError): void {
    const times = (failing.get(host)?.times ?? 0) + 1;
    const longestMs = error.failure === "unreachable" ? LONGEST_UNREACHABLE_MS : LONGEST_BACK_OFF_MS;
    const grownMs = backoffMs(times, { firstMs: FIRST_BACK_OFF_MS, maxMs: longestMs });
    keep(failing, host, { times, until: clock.now() + Math.max(grownMs, error.retryAfterMs ?? 0), error });
  }

  return { check, note };
}

const SHAKY: ReadonlySet<WireError["failure"]> = new Set(["unreachable", "timeout", "rate-limited", "server-error"]);

/** Each feed is refused for itself: another of the same host may well be open. */
function refusalKey(url: URL, what: Asked): string {
  return what === "page" ? `page ${url.host}` : `${what} ${url.href}`;
}

/** The newest last, and the oldest goes. */
function keep(troubles: Map<string, Trouble>, key: string, trouble: Trouble): void {
  troubles.delete(key);
  troubles.set(key, trouble);
  const [oldest] = troubles.keys();
  if (troubles.size > MOST_KEPT && oldest !== undefined) troubles.delete(oldest);
}
