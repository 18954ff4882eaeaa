import type { Log } from "../../../ports/log.ts";

/** Work that continues after a request was acknowledged. */
export interface Background {
  /** Starts work; a failure is logged as `failureEvent`. */
  run(work: () => Promise<void>, failureEvent?: string): void;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
}

export function createBackground(log: Log): Background {
  const running = new Set<Promise<void>>();
  return {
    run(work, failureEvent = "slack reply failed") {
      const logged = work().catch((error: unknown) => log.warn(failureEvent, { error }));
      running.add(logged);
      void logged.then(() => running.delete(logged));
    },
    idle: async () => void (await Promise.all(running)),
  };
}
