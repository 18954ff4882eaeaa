import { deliveryId, type MessageRef } from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { SplitId } from "../../../domain/split/split.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import type { History, HistoryEntry } from "../../../ports/store.ts";
import { settledDeliveryOf } from "../log/archive.ts";
import type { WriteAheadLog } from "../log/write-ahead-log.ts";

export class LowdbHistory implements History {
  readonly #log: WriteAheadLog;

  constructor(log: WriteAheadLog) {
    this.#log = log;
  }

  async firstMessage(to: Destination, splitId: SplitId): Promise<MessageRef | null> {
    return this.#log.state.archive.firstMessage(to, splitId) ?? null;
  }

  async forTicker(ticker: Ticker, destinations: readonly Destination[]): Promise<readonly HistoryEntry[]> {
    return this.#log.state.archive.concerning(ticker).map((event) => ({
      event,
      deliveries: destinations.flatMap((to) => this.#deliveryOf(event, to) ?? []),
    }));
  }

  async forSplit(splitId: SplitId): Promise<readonly Event[]> {
    return this.#log.state.archive.ofSplit(splitId);
  }

  #deliveryOf(event: Event, to: Destination): HistoryEntry["deliveries"][number] | null {
    const { queues, archive } = this.#log.state;
    const id = deliveryId(event.id, destinationKey(to));
    const outcome = this.#log.state.outcome(id);
    const message = archive.settled(id);
    const delivery = message ? settledDeliveryOf(message, id) : queues.holding(id)?.open.get(id)?.delivery;
    return outcome && delivery ? { delivery, outcome } : null;
  }
}
