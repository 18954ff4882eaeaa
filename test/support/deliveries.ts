import type { DeliveryId, DeliveryOutcome } from "../../src/domain/alert/delivery.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Deliveries } from "../../src/ports/deliveries.ts";
import type { Store } from "../../src/ports/store.ts";

/** The deliveries of a process that sends nothing. */
export function idleDeliveries({ pauses }: Pick<Store, "pauses">, clock: Pick<Clock, "now">): Deliveries {
  return {
    whileNotSending: (_to, work) => work(),
    retryPaused: async (destination) => void (await pauses.retry(destination, clock.now())),
    problemAt: async (destination) => {
      const pause = await pauses.of(destination);
      return (
        pause && { reason: pause.reason, since: pause.at, retry: pause.refusals > 0 ? pause.retryAt : "next alert" }
      );
    },
    platformProblems: () => [],
    outcome: async () => ({ kind: "waiting", problem: null, retryAt: null }),
  };
}

/** The outcome of one delivery; null if it doesn't exist. */
export async function readOutcome({ outbox }: Pick<Store, "outbox">, id: DeliveryId): Promise<DeliveryOutcome | null> {
  return outbox.outcome(id);
}
