import { setImmediate } from "node:timers/promises";
import type { HostQueue } from "../../src/sources/web/host-queue.ts";

/** Queue that knows whether requests are in flight. */
export interface CountingQueue extends HostQueue {
  /** Resolves when no request is in flight, nor any other work that `isBusy` reports, and none follows without a pause. */
  settled(isBusy?: () => boolean): Promise<void>;
}

/** Turns of the event loop without a request after which the work of a poll has ended or sleeps. */
const QUIET_TURNS = 5;

export function countingQueue(queue: HostQueue): CountingQueue {
  let inFlight = 0;
  return {
    ...queue,
    run: (options, request) =>
      queue.run(options, async () => {
        inFlight += 1;
        try {
          return await request();
        } finally {
          inFlight -= 1;
        }
      }),
    async settled(isBusy = () => false) {
      for (let quiet = 0; quiet < QUIET_TURNS; quiet = inFlight === 0 && !isBusy() ? quiet + 1 : 0)
        await setImmediate();
    },
  };
}
