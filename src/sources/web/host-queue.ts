import type { Instant } from "../../domain/time/day.ts";
import { BoundedMap } from "../../lib/collections.ts";
import { createKeyedMutex } from "../../lib/mutex.ts";
import type { Clock } from "../../ports/clock.ts";

/** Runs one request at a time per host, with a pause after each. */
export interface HostQueue {
  /**
   * Runs the request when the earlier ones of its host are done and `paceMs` have passed since the last one ended. If `signal`
   * aborts before that, rejects with its reason and does not run the request.
   */
  run<T>(options: QueueOptions, request: () => Promise<T>): Promise<T>;
}

export interface QueueOptions {
  readonly host: string;
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

/** Hosts come from feeds' links, so their number is limited. */
const MAX_TRACKED_HOSTS = 200;

export function createHostQueue(clock: Clock): HostQueue {
  const runAlone = createKeyedMutex();
  const lastEnds = new BoundedMap<string, Instant>(MAX_TRACKED_HOSTS);

  async function runPaced<T>({ host, paceMs, signal }: QueueOptions, request: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const lastEnd = lastEnds.get(host) ?? Number.NEGATIVE_INFINITY;
    try {
      // At most `paceMs`, also after the system clock was set back.
      await clock.sleep(Math.min(paceMs, lastEnd + paceMs - clock.now()), signal);
      signal.throwIfAborted();
      return await request();
    } finally {
      lastEnds.set(host, clock.now());
    }
  }

  return {
    run: (options, request) => {
      const { host, signal } = options;
      return new Promise((resolve, reject) => {
        const abort = (): void => reject(signal.reason as Error);
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort);
        const result = runAlone(host, () => {
          signal.removeEventListener("abort", abort);
          return runPaced(options, request);
        });
        result.then(resolve, reject);
      });
    },
  };
}
