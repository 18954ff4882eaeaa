import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";

/** Requests per caller within any minute. Refused ones do not count. */
export interface RateLimit {
  /** Lets one request pass, or tells after how many seconds the next one may. */
  take(caller: string): { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };
}

/** The times of a caller's last `perMinute` requests, in a ring: the slot to be written next holds the oldest. */
interface Ring {
  readonly times: Float64Array;
  next: number;
  latest: Instant;
}

/** A sliding window: no burst of twice the limit, as at the edge of a fixed one. Callers who paused a minute are forgotten. */
export function createRateLimit({ clock, perMinute }: { clock: Clock; perMinute: number }): RateLimit {
  const rings = new Map<string, Ring>();

  function ringOf(caller: string, now: Instant): Ring {
    const known = rings.get(caller);
    if (known) return known;
    for (const [name, { latest }] of rings) {
      if (now - latest >= MINUTE_MS) rings.delete(name);
    }
    const made = { times: new Float64Array(perMinute).fill(-Infinity), next: 0, latest: now };
    rings.set(caller, made);
    return made;
  }

  return {
    take(caller) {
      const now = clock.now();
      const ring = ringOf(caller, now);
      const oldest = ring.times[ring.next] ?? -Infinity;
      const passedMs = now - oldest;
      // Negative when the system's clock was set back: that locks nobody out.
      if (passedMs >= 0 && passedMs < MINUTE_MS) {
        return { ok: false, retryAfterSeconds: Math.ceil((MINUTE_MS - passedMs) / 1_000) };
      }
      ring.times[ring.next] = now;
      ring.next = (ring.next + 1) % perMinute;
      ring.latest = now;
      return { ok: true };
    },
  };
}
