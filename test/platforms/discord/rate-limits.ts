/** At most `requests` in `perMs`, counted from the first one. */
export interface Quota {
  readonly requests: number;
  readonly perMs: number;
}

export interface Limits {
  /** Over all routes but those of interactions. Null: none. */
  readonly global: Quota | null;
  /** For messages posted to one channel. Null: none. */
  readonly posting: Quota | null;
  /** For every other route and channel. Null: none. */
  readonly others: Quota | null;
}

export const DISCORDS_LIMITS: Limits = {
  global: { requests: 50, perMs: 1_000 },
  posting: { requests: 5, perMs: 5_000 },
  // Not documented; generous.
  others: { requests: 50, perMs: 1_000 },
};

export const NO_LIMITS: Limits = { global: null, posting: null, others: null };

export interface Verdict {
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the request is allowed. */
  readonly refused: { readonly retryAfterMs: number; readonly global: boolean } | null;
}

export interface RateLimits {
  /** `bucket` names the route with its channel; `posting`: messages are posted there; `counted`: also against the global limit. */
  take(request: { readonly bucket: string; readonly posting: boolean; readonly counted: boolean }): Verdict;
}

interface Window {
  readonly quota: Quota;
  resetAt: number;
  left: number;
}

export function createRateLimits(limits: Limits, now: () => number): RateLimits {
  const windows = new Map<string, Window>();

  function windowOf(name: string, quota: Quota): Window {
    const window = windows.get(name) ?? { quota, resetAt: 0, left: 0 };
    if (window.resetAt <= now()) {
      window.resetAt = now() + quota.perMs;
      window.left = quota.requests;
    }
    windows.set(name, window);
    return window;
  }

  return {
    take({ bucket, posting, counted }) {
      const quota = posting ? limits.posting : limits.others;
      const own = quota && windowOf(bucket, quota);
      const global = counted && limits.global ? windowOf("", limits.global) : null;
      const empty = [global, own].find((window) => window?.left === 0);
      if (empty) {
        const retryAfterMs = Math.max(1, empty.resetAt - now());
        return {
          headers: own ? headersOf(bucket, own, now()) : {},
          refused: { retryAfterMs, global: empty === global },
        };
      }
      for (const window of [global, own]) if (window) window.left -= 1;
      return { headers: own ? headersOf(bucket, own, now()) : {}, refused: null };
    },
  };
}

function headersOf(bucket: string, { quota, left, resetAt }: Window, now: number): Record<string, string> {
  // Discord's bucket names do not identify the channel.
  return {
    "x-ratelimit-bucket": bucket.replaceAll(/\d{15,}/g, "id").replaceAll(/\W+/g, "-"),
    "x-ratelimit-limit": String(quota.requests),
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset": (resetAt / 1_000).toFixed(3),
    "x-ratelimit-reset-after": (Math.max(1, resetAt - now) / 1_000).toFixed(3),
  };
}
