/** What Slack lets an app post: a message a second and channel after a small burst, and so many a minute in a workspace. */
export interface PostLimits {
  readonly perChannel: { readonly everyMs: number; readonly burst: number };
  readonly perMinute: number;
}

/** As Slack describes them; the number a minute is what splitwatch takes "several hundred" for. */
export const USUAL_LIMITS: PostLimits = { perChannel: { everyMs: 1_000, burst: 3 }, perMinute: 300 };

/** The share of a minute's messages that a workspace lets through at once: Slack counts minutes, not moments. */
const AT_ONCE = 0.1;

export interface Limiter {
  /** Null: it may pass. Else the seconds to wait, as the header says them. */
  refuse(channel: string): number | null;
}

export function createLimiter(limits: PostLimits | null, now: () => number): Limiter {
  if (limits === null) return { refuse: () => null };
  const perChannel = new Map<string, Bucket>();
  const workspace = createBucket(60_000 / limits.perMinute, limits.perMinute * AT_ONCE);
  return {
    refuse(channel) {
      const own = perChannel.get(channel) ?? createBucket(limits.perChannel.everyMs, limits.perChannel.burst);
      perChannel.set(channel, own);
      const wait = Math.max(own.wait(now()), workspace.wait(now()));
      if (wait > 0) return Math.ceil(wait / 1_000);
      own.take(now());
      workspace.take(now());
      return null;
    },
  };
}

interface Bucket {
  /** Milliseconds until one more may pass. */
  wait(now: number): number;
  take(now: number): void;
}

function createBucket(everyMs: number, burst: number): Bucket {
  let emptyAt = Number.NEGATIVE_INFINITY;
  return {
    wait: (now) => Math.max(0, Math.max(emptyAt, now) + everyMs - now - burst * everyMs),
    take: (now) => {
      emptyAt = Math.max(emptyAt, now) + everyMs;
    },
  };
}
