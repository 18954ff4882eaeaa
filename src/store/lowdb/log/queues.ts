import type { Attempt, Delivery, DeliveryId } from "../../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isSameDestination,
  type Person,
} from "../../../domain/alert/destination.ts";
import type { EventId } from "../../../domain/alert/event.ts";
import { type Pause, pauseToRetry } from "../../../domain/alert/pause.ts";
import { redactBody, redactDelivery } from "../../../domain/alert/personal-data.ts";
import type { Instant } from "../../../domain/time/day.ts";

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

/** The fields of an attempt that change between sends. */
export type AttemptProgress = Pick<
  Attempt,
  "messageId" | "state" | "sends" | "blindResends" | "notBefore" | "delayMs" | "problem"
>;

/** A pause as stored; earlier versions stored fewer fields. */
export type StoredPause = Pick<Pause, "to" | "reason" | "at"> & Partial<Pause>;

/** All unsettled deliveries, by destination. */
export class Queues {
  readonly #queues = new Map<DestinationKey, Queue>();
  readonly #byDelivery = new Map<DeliveryId, Queue>();
  readonly #byMessage = new Map<string, Queue>();
  #arrivals = 0;

  at(key: DestinationKey): Queue | undefined {
    return this.#queues.get(key);
  }

  queueOf(id: DeliveryId): Queue | undefined {
    return this.#byDelivery.get(id);
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

  /** In the order of arrival. */
  deliveries(): readonly Delivery[] {
    return [...this.#queues.values()]
      .flatMap(({ open }) => [...open.values()])
      .toSorted((a, b) => a.arrival - b.arrival)
      .map(({ delivery }) => delivery);
  }

  /** Number of unsettled deliveries. */
  get size(): number {
    return this.#byDelivery.size;
  }

  add(delivery: Delivery): void {
    const queue = this.#queueAt(delivery.to);
    this.#arrivals += 1;
    queue.open.set(delivery.id, { delivery, arrival: this.#arrivals });
    this.#byDelivery.set(delivery.id, queue);
  }

  begin(attempt: Attempt): void {
    const queue = this.#queueAt(attempt.to);
    queue.attempt = attempt;
    this.#byMessage.set(attempt.messageId, queue);
  }

  /** Updates an attempt. Returns its destination; empty if there is no such attempt. */
  progress(next: AttemptProgress): readonly Destination[] {
    const queue = this.#byMessage.get(next.messageId);
    if (!queue?.attempt) return [];
    queue.attempt = { ...queue.attempt, ...next };
    return [queue.to];
  }

  /** Removes the attempt and its deliveries, and returns them; null if there is no such attempt. */
  settle(messageId: string): { readonly attempt: Attempt; readonly deliveries: readonly Delivery[] } | null {
    const queue = this.#byMessage.get(messageId);
    if (!queue?.attempt) return null;
    const { attempt } = queue;
    const deliveries = attempt.deliveries.flatMap((id) => queue.open.get(id)?.delivery ?? []);
    for (const { id } of deliveries) {
      queue.open.delete(id);
      this.#byDelivery.delete(id);
    }
    this.#byMessage.delete(messageId);
    queue.attempt = null;
    this.#removeIfEmpty(queue);
    return { attempt, deliveries };
  }

  /** Removes deliveries to the person, and the person's name from all others. `tests`: test events that the person requested. */
  purge(person: Person, tests: ReadonlySet<EventId>): void {
    for (const queue of this.#queues.values()) {
      if (isSameDestination(queue.to, person)) this.#drop(queue);
      else if (queue.to.platform === person.platform) removeNameFrom(queue, person, tests);
    }
  }

  #drop(queue: Queue): void {
    for (const id of queue.open.keys()) this.#byDelivery.delete(id);
    if (queue.attempt) this.#byMessage.delete(queue.attempt.messageId);
    this.#queues.delete(destinationKey(queue.to));
  }

  pause({ to, reason, at, retryAt = 0, delayMs, refusals = 0 }: StoredPause): void {
    this.#queueAt(to).pause = { to, reason, at, retryAt, delayMs, refusals };
  }

  /** Makes a paused destination due at `at`. */
  retry(destination: Destination, at: Instant): void {
    const queue = this.#queues.get(destinationKey(destination));
    if (!queue?.pause) return;
    queue.pause = pauseToRetry(queue.pause, at);
    // It may be outdated, and the next try replaces it.
    if (queue.attempt) queue.attempt = { ...queue.attempt, problem: null };
  }

  resume(destination: Destination): void {
    const queue = this.#queues.get(destinationKey(destination));
    if (!queue) return;
    // The problem is solved and must not be shown with the next delivery.
    if (queue.pause && queue.attempt) queue.attempt = { ...queue.attempt, problem: null };
    queue.pause = null;
    this.#removeIfEmpty(queue);
  }

  /** Ends the pause of the message's destination. */
  resumeFor(messageId: string): void {
    const queue = this.#byMessage.get(messageId);
    if (queue) queue.pause = null;
  }

  #queueAt(destination: Destination): Queue {
    const key = destinationKey(destination);
    const existing = this.#queues.get(key);
    if (existing) return existing;
    const queue: Queue = { to: destination, open: new Map(), attempt: null, pause: null };
    this.#queues.set(key, queue);
    return queue;
  }

  #removeIfEmpty(queue: Queue): void {
    if (queue.open.size === 0 && !queue.attempt && !queue.pause) this.#queues.delete(destinationKey(queue.to));
  }
}

/** Removes the person's name from deliveries and from the attempt's body. The attempt keeps its message id. */
function removeNameFrom(queue: Queue, person: Person, tests: ReadonlySet<EventId>): void {
  const redactedIds = new Set<DeliveryId>();
  for (const [id, { delivery, arrival }] of queue.open) {
    const anonymous = redactDelivery(delivery, person);
    if (anonymous !== delivery) queue.open.set(id, { delivery: anonymous, arrival });
    if (anonymous !== delivery || tests.has(delivery.eventId)) redactedIds.add(id);
  }
  const { attempt } = queue;
  if (attempt?.deliveries.some((id) => redactedIds.has(id)))
    queue.attempt = { ...attempt, body: redactBody(attempt.body, person) };
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
