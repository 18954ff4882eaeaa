import type { Attempt, Delivery, DeliveryId } from "../../../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import type { Pause } from "../../../domain/alert/pause.ts";
import type { Tables } from "../rows/tables.ts";

/** Unsettled deliveries of one destination. */
export interface Queue {
  readonly to: Destination;
  /** In the order of arrival, including the deliveries of the attempt. */
  readonly open: Map<DeliveryId, OpenDelivery>;
  attempt: Attempt | null;
  pause: Pause | null;
}

export interface OpenDelivery {
  readonly delivery: Delivery;
  /** Consecutive number over all destinations. */
  readonly arrival: number;
}

/** Index of all unsettled deliveries, attempts and pauses by destination. */
export class Queues {
  readonly #deliveries: Tables["deliveries"];
  readonly #queues = new Map<DestinationKey, Queue>();
  readonly #byMessage = new Map<string, Queue>();
  readonly #changed = new Set<DestinationKey>();
  #arrivals = 0;

  constructor({ deliveries, attempts, pauses }: Pick<Tables, "deliveries" | "attempts" | "pauses">) {
    this.#deliveries = deliveries;
    deliveries.addIndex({ changed: (_, before, after) => this.#changeDelivery(before, after) });
    attempts.addIndex({ changed: (_, before, after) => this.#changeAttempt(before, after) });
    pauses.addIndex({ changed: (_, before, after) => this.#changePause(before, after) });
  }

  at(key: DestinationKey): Queue | undefined {
    return this.#queues.get(key);
  }

  queueOf(id: DeliveryId): Queue | undefined {
    const delivery = this.#deliveries.get(id);
    return delivery && this.#queues.get(destinationKey(delivery.to));
  }

  attempt(messageId: string): Attempt | undefined {
    return this.#byMessage.get(messageId)?.attempt ?? undefined;
  }

  keys(): readonly DestinationKey[] {
    return [...this.#queues.keys()];
  }

  destinations(): readonly Destination[] {
    return [...this.#queues.values()].map(({ to }) => to);
  }

  attempts(): readonly Attempt[] {
    return [...this.#byMessage.values()].flatMap(({ attempt }) => attempt ?? []);
  }

  pauses(): readonly Pause[] {
    return [...this.#queues.values()].flatMap(({ pause }) => pause ?? []);
  }

  /** Number of unsettled deliveries. */
  get size(): number {
    return this.#deliveries.size;
  }

  /** Returns the destinations that changed since the last call. */
  takeChanged(): readonly DestinationKey[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  #changeDelivery(before: Delivery | undefined, after: Delivery | undefined): void {
    if (after) {
      const { open } = this.#change(after.to);
      open.set(after.id, { delivery: after, arrival: open.get(after.id)?.arrival ?? this.#nextArrival() });
    } else if (before) {
      const queue = this.#change(before.to);
      queue.open.delete(before.id);
      this.#removeIfEmpty(queue);
    }
  }

  #changeAttempt(before: Attempt | undefined, after: Attempt | undefined): void {
    const to = (after ?? before)?.to;
    if (!to) return;
    const queue = this.#change(to);
    if (before) this.#byMessage.delete(before.messageId);
    if (after) this.#byMessage.set(after.messageId, queue);
    queue.attempt = after ?? null;
    this.#removeIfEmpty(queue);
  }

  #changePause(before: Pause | undefined, after: Pause | undefined): void {
    const to = (after ?? before)?.to;
    if (!to) return;
    const queue = this.#change(to);
    queue.pause = after ?? null;
    this.#removeIfEmpty(queue);
  }

  #nextArrival(): number {
    this.#arrivals += 1;
    return this.#arrivals;
  }

  #change(to: Destination): Queue {
    const key = destinationKey(to);
    this.#changed.add(key);
    const queue = this.#queues.get(key) ?? { to, open: new Map(), attempt: null, pause: null };
    this.#queues.set(key, queue);
    return queue;
  }

  #removeIfEmpty(queue: Queue): void {
    if (queue.open.size === 0 && !queue.attempt && !queue.pause) this.#queues.delete(destinationKey(queue.to));
  }
}

export function oldestArrival(queue: Queue): number {
  const [oldest] = queue.open.values();
  return oldest?.arrival ?? 0;
}

export function deliveriesIn({ open }: Queue): readonly Delivery[] {
  return [...open.values()].map(({ delivery }) => delivery);
}

/** Returns the deliveries that are not in the attempt. */
export function waitingIn(queue: Queue): readonly Delivery[] {
  const attempted = new Set(queue.attempt?.deliveries);
  return deliveriesIn(queue).filter(({ id }) => !attempted.has(id));
}
