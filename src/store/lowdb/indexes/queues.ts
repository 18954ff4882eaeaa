import type { Attempt, Delivery, DeliveryId } from "../../../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import type { Pause } from "../../../domain/alert/pause.ts";
import { BoundedMap } from "../../../lib/collections.ts";
import type { Row } from "../rows/table.ts";
import type { Tables } from "../rows/tables.ts";

/** Unsettled deliveries of one destination. */
export interface Queue {
  readonly key: DestinationKey;
  readonly to: Destination;
  /** Rows of the deliveries with their arrival, in its order, including the deliveries of the attempt. */
  readonly open: Map<Row<Delivery>, Arrival>;
  attempt: Attempt | null;
  pause: Pause | null;
}

/** Consecutive number over all destinations. */
type Arrival = number;

const MAX_RECENT = 4_096;

/** Index of all unsettled deliveries, attempts and pauses by destination. */
export class Queues {
  readonly #deliveries: Tables["deliveries"];
  readonly #queues = new Map<DestinationKey, Queue>();
  readonly #byMessage = new Map<string, Queue>();
  readonly #changed = new Set<DestinationKey>();
  /** The deliveries of a large commit to one destination share the object. */
  readonly #recent = new BoundedMap<Destination, Queue>(MAX_RECENT);
  #arrivals = 0;

  constructor({ deliveries, attempts, pauses }: Pick<Tables, "deliveries" | "attempts" | "pauses">) {
    this.#deliveries = deliveries;
    deliveries.addIndex({ changed: (row, before, after) => this.#changeDelivery(row, before, after) });
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

  /** Queues that are added or removed during the iteration are included or skipped. */
  all(): Iterable<Queue> {
    return this.#queues.values();
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

  #changeDelivery(row: Row<Delivery>, before: Delivery | undefined, after: Delivery | undefined): void {
    const queue = this.#change(row.value.to);
    if (before === undefined) queue.open.set(row, this.#nextArrival());
    else if (after === undefined) {
      queue.open.delete(row);
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
    const queue = this.#recent.get(to) ?? this.#find(to);
    this.#changed.add(queue.key);
    return queue;
  }

  #find(to: Destination): Queue {
    const key = destinationKey(to);
    const queue = this.#queues.get(key) ?? { key, to, open: new Map(), attempt: null, pause: null };
    this.#queues.set(key, queue);
    this.#recent.set(to, queue);
    return queue;
  }

  #removeIfEmpty({ key, open, attempt, pause }: Queue): void {
    if (open.size > 0 || attempt || pause) return;
    this.#queues.delete(key);
    this.#recent.clear();
  }
}

export function oldestArrival(queue: Queue): number {
  const [oldest = 0] = queue.open.values();
  return oldest;
}

export function deliveriesIn({ open }: Queue): readonly Delivery[] {
  return [...open.keys()].map(({ value }) => value);
}

/** Returns the deliveries that are not in the attempt. */
export function waitingIn(queue: Queue): readonly Delivery[] {
  const attempted = new Set(queue.attempt?.deliveries);
  return deliveriesIn(queue).filter(({ id }) => !attempted.has(id));
}
