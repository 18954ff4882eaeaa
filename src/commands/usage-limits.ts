import { type Destination, destinationKey, type Person } from "../domain/alert/destination.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import { createSlidingWindow } from "../lib/rate-limiter.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";

/** Test cards and shared answers that can be requested at one destination within an hour. */
export const MAX_POSTS_PER_HOUR = 20;

/** Computing time of one person within a minute. A typical command takes 1 to 10 ms. */
export const MAX_COMPUTING_MS = 5_000;

/** Excludes a wait for a platform or a person's file from the computing time of the work that waits. */
export type WithoutWaiting = <T>(wait: () => Promise<T>) => Promise<T>;

/** Work on behalf of a person. `refused` is its result if the person's computing time is used up for `waitMs`. */
export interface PersonalWork<T> {
  run(withoutWaiting: WithoutWaiting): Promise<T>;
  refused(waitMs: number): T;
}

/** Limits of what one person and one destination can ask of this process. */
export interface UsageLimits {
  /** Runs the work, and counts its computing time. Work in progress is completed beyond the limit. */
  run<T>(person: Person, work: PersonalWork<T>): Promise<T>;
  /** Counts a message requested at the destination and returns 0 if it is allowed. Otherwise returns the milliseconds to wait. */
  admitPost(destination: Destination): number;
}

export interface UsageLimitsParts {
  readonly clock: Clock;
  /** CPU time of the main thread in milliseconds. Tests replace it. */
  readonly busyMs?: () => number;
}

/** Computing time of a person since the start of their current minute. */
interface Usage {
  since: MonotonicTime;
  ms: number;
}

/**
 * Limits in memory. Computing time is the CPU time of the main thread while the work was in progress, divided among all work in
 * progress.
 */
export function createUsageLimits({ clock, busyMs = mainThreadBusyMs }: UsageLimitsParts): UsageLimits {
  const posts = createSlidingWindow(clock, { max: MAX_POSTS_PER_HOUR, windowMs: HOUR_MS });
  const usages = new Map<string, Usage>();
  /** One entry for each work in progress. */
  const inProgress = new Set<{ readonly usage: Usage }>();
  let measuredAt = busyMs();
  let purgedAt = clock.monotonic();

  function measure(): void {
    const busy = busyMs();
    for (const { usage } of inProgress) usage.ms += (busy - measuredAt) / inProgress.size;
    measuredAt = busy;
  }

  function usageOf(person: Person, now: MonotonicTime): Usage {
    const key = destinationKey(person);
    const usage = usages.get(key) ?? { since: now, ms: 0 };
    if (now - usage.since >= MINUTE_MS) Object.assign(usage, { since: now, ms: 0 });
    purgeIdle(now);
    usages.set(key, usage);
    return usage;
  }

  /** Runs at most once per minute, which bounds the cost of many new people. */
  function purgeIdle(now: MonotonicTime): void {
    if (now - purgedAt < MINUTE_MS) return;
    purgedAt = now;
    for (const [key, { since }] of usages) if (now - since >= MINUTE_MS) usages.delete(key);
  }

  return {
    async run(person, work) {
      measure();
      const now = clock.monotonic();
      const usage = usageOf(person, now);
      if (usage.ms >= MAX_COMPUTING_MS) return work.refused(usage.since + MINUTE_MS - now);
      const entry = { usage };
      inProgress.add(entry);
      const withoutWaiting: WithoutWaiting = async (wait) => {
        measure();
        inProgress.delete(entry);
        try {
          return await wait();
        } finally {
          measure();
          inProgress.add(entry);
        }
      };
      try {
        return await work.run(withoutWaiting);
      } finally {
        measure();
        inProgress.delete(entry);
      }
    },
    admitPost: (destination) => posts.admit(destinationKey(destination)),
  };
}

/** CPU time, which doesn't pass while the thread waits for the disk or for other programs. */
export function mainThreadBusyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
