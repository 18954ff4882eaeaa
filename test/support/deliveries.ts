import type { Clock } from "../../src/ports/clock.ts";
import type { Deliveries } from "../../src/ports/deliveries.ts";
import type { Store } from "../../src/ports/store.ts";

/** The deliveries of a process that sends nothing. */
export function idleDeliveries({ outbox }: Pick<Store, "outbox">, clock: Pick<Clock, "now">): Deliveries {
  return {
    whileNotSending: (_to, work) => work(),
    retryPaused: async (destination) => void (await outbox.retry(destination, clock.now())),
    problemAt: async (destination) => {
      const pause = await outbox.pauseOf(destination);
      return (
        pause && { reason: pause.reason, since: pause.at, retry: pause.refusals > 0 ? pause.retryAt : "next alert" }
      );
    },
    platformProblems: () => [],
    outcome: async () => ({ kind: "waiting", problem: null }),
  };
}
