/** Slack's limits for posting: per channel, with a small burst, and per workspace and minute. */
export interface PostLimits {
  readonly perChannel: { readonly everyMs: number; readonly burst: number };
  readonly perMinute: number;
}

/** Slack's documented limits; "several hundred" messages per minute are assumed to be 300. */
export const SLACK_LIMITS: PostLimits = { perChannel: { everyMs: 1_000, burst: 3 }, perMinute: 300 };

/** Share of the messages per minute that a workspace may post in a burst. */
const BURST_SHARE = 0.1;

/** Limit of each method that reads a history. */
export interface ReadLimit {
  readonly everyMs: number;
  readonly maxObjects: number;
}

/** Limit for apps that are distributed but not in the Marketplace: docs.slack.dev/apis/web-api/rate-limits. */
export const OUTSIDE_MARKETPLACE: ReadLimit = { everyMs: 60_000, maxObjects: 15 };

export interface Limiter {
  /** Takes a slot for one message. Returns null, or the value of `Retry-After` in seconds if there is none. */
  acquire(channel: string): number | null;
}

/** Limit of methods that read a history. */
export interface ReadLimiter {
  readonly maxObjects: number;
  /** Takes a slot for one page. Returns as `Limiter.acquire` does. */
  acquire(method: string): number | null;
}

export function createReadLimiter(limit: ReadLimit | null, now: () => number): ReadLimiter {
  if (limit === null) return { maxObjects: 1_000, acquire: () => null };
  const perMethod = new Map<string, Bucket>();
  return {
    maxObjects: limit.maxObjects,
    acquire(method) {
      const bucket = perMethod.get(method) ?? createBucket(limit.everyMs, 1);
      perMethod.set(method, bucket);
      const wait = bucket.waitMs(now());
      if (wait > 0) return Math.ceil(wait / 1_000);
      bucket.take(now());
      return null;
    },
  };
}

export function createLimiter(limits: PostLimits | null, now: () => number): Limiter {
  if (limits === null) return { acquire: () => null };
  const perChannel = new Map<string, Bucket>();
  const workspace = createBucket(60_000 / limits.perMinute, limits.perMinute * BURST_SHARE);
  return {
    acquire(channel) {
      const own = perChannel.get(channel) ?? createBucket(limits.perChannel.everyMs, limits.perChannel.burst);
      perChannel.set(channel, own);
      const wait = Math.max(own.waitMs(now()), workspace.waitMs(now()));
      if (wait > 0) return Math.ceil(wait / 1_000);
      own.take(now());
      workspace.take(now());
      return null;
    },
  };
}

interface Bucket {
  /** Milliseconds until a slot is available. */
  waitMs(now: number): number;
  take(now: number): void;
}

function createBucket(everyMs: number, burst: number): Bucket {
  let emptyAt = Number.NEGATIVE_INFINITY;
  return {
    waitMs: (now) => Math.max(0, Math.max(emptyAt, now) + everyMs - now - burst * everyMs),
    take: (now) => {
      emptyAt = Math.max(emptyAt, now) + everyMs;
    },
  };
}
