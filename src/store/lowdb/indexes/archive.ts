import { type Delivery, type DeliveryId, deliveryId, type MessageRef } from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import { type Event, type EventId, indexedTickers, isSplitEvent } from "../../../domain/alert/event.ts";
import type { SplitId } from "../../../domain/split/split.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import { DAY_MS, type Instant } from "../../../domain/time/day.ts";
import type { SettledDelivery, SettledMessage } from "../../../ports/state-records.ts";
import type { Table } from "../rows/table.ts";
import type { Tables } from "../rows/tables.ts";

type FailedMessage = SettledMessage & { readonly end: { readonly kind: "failed" } };

/** Index of events and settled messages within the retention period, for commands and replies. */
export class Archive {
  readonly #events: Table<Event>;
  readonly #messages: Table<SettledMessage>;
  readonly #byTicker = new Map<Ticker, EventId[]>();
  readonly #bySplit = new Map<SplitId, EventId[]>();
  /** By day of detection, counted from 1970. */
  readonly #byDay = new Map<number, Set<EventId>>();
  /** Message of each settled delivery. */
  readonly #byDelivery = new Map<DeliveryId, string>();
  /** Oldest first. */
  readonly #failed: string[] = [];
  /** First message about each split at each destination. */
  readonly #firstMessages = new Map<string, string>();

  constructor({ events, messages }: Pick<Tables, "events" | "messages">) {
    this.#events = events;
    this.#messages = messages;
    events.addIndex({ changed: (_, before, after) => this.#changeEvent(before, after) });
    messages.addIndex({ changed: (_, before, after) => this.#changeMessage(before, after) });
  }

  event(id: EventId): Event | undefined {
    return this.#events.get(id);
  }

  message(messageId: string): SettledMessage | undefined {
    return this.#messages.get(messageId);
  }

  messageOfDelivery(id: DeliveryId): SettledMessage | undefined {
    const messageId = this.#byDelivery.get(id);
    return messageId === undefined ? undefined : this.#messages.get(messageId);
  }

  /** Newest first. */
  eventsOfTicker(ticker: Ticker): readonly Event[] {
    return this.#eventsOf(this.#byTicker.get(ticker))
      .toReversed()
      .toSorted((a, b) => b.at - a.at);
  }

  /** Oldest first. */
  eventsOfSplit(splitId: SplitId): readonly Event[] {
    return this.#eventsOf(this.#bySplit.get(splitId)).toSorted((a, b) => a.at - b.at);
  }

  /** Newest first. */
  eventsSince(since: Instant, limit: number): readonly Event[] {
    const days = [...this.#byDay.keys()].filter((day) => day >= dayOf(since)).toSorted((a, b) => b - a);
    const newest: Event[] = [];
    for (const day of days) {
      const events = this.#eventsOf([...(this.#byDay.get(day) ?? [])]).toReversed();
      newest.push(...events.filter(({ at }) => at >= since).toSorted((a, b) => b.at - a.at));
      if (newest.length >= limit) break;
    }
    return newest.slice(0, limit);
  }

  firstMessage(destination: Destination, splitId: SplitId): MessageRef | undefined {
    const message = this.#messages.get(this.#firstMessages.get(firstKey(destination, splitId)) ?? "");
    return message?.end.kind === "sent" ? message.end.ref : undefined;
  }

  /** Newest first. */
  failures(limit: number): readonly FailedMessage[] {
    const failed = this.#failed.slice(-limit).flatMap((messageId) => this.#messages.get(messageId) ?? []);
    return failed.filter((message) => isFailed(message)).toReversed();
  }

  /** Newest first, from the one before the message with the id `before` on; null for all. */
  *failedMessages(before: string | null = null): Generator<SettledMessage> {
    const failed =
      before === null ? this.#failed : this.#failed.slice(0, Math.max(0, this.#failed.lastIndexOf(before)));
    for (const messageId of failed.toReversed()) {
      const message = this.#messages.get(messageId);
      if (message) yield message;
    }
  }

  get failureCount(): number {
    return this.#failed.length;
  }

  #eventsOf(ids: readonly EventId[] = []): readonly Event[] {
    return ids.flatMap((id) => this.#events.get(id) ?? []);
  }

  /** A replaced event has the same id, tickers and split. */
  #changeEvent(before: Event | undefined, after: Event | undefined): void {
    if (before && after) return;
    const change = before ? remove : append;
    for (const event of [before, after]) {
      if (!event) continue;
      this.#changeDay(event, before === undefined);
      for (const ticker of indexedTickers(event)) change(this.#byTicker, ticker, event.id);
      if (isSplitEvent(event)) change(this.#bySplit, event.splitId, event.id);
    }
  }

  #changeDay({ id, at }: Event, isNew: boolean): void {
    const day = dayOf(at);
    const ids = this.#byDay.get(day) ?? new Set();
    if (isNew) ids.add(id);
    else ids.delete(id);
    if (ids.size > 0) this.#byDay.set(day, ids);
    else this.#byDay.delete(day);
  }

  /** A replaced message has the same id, outcome and deliveries, except for their mentions. */
  #changeMessage(before: SettledMessage | undefined, after: SettledMessage | undefined): void {
    if (before && after) return;
    if (after) this.#addMessage(after);
    if (before) this.#removeMessage(before);
  }

  #addMessage(message: SettledMessage): void {
    if (isFailed(message)) this.#addFailed(message);
    for (const { id, eventId } of message.deliveries) {
      this.#byDelivery.set(id, message.messageId);
      const key = this.#firstKeyOf(message, eventId);
      if (key !== null && !this.#firstMessages.has(key)) this.#firstMessages.set(key, message.messageId);
    }
  }

  #addFailed({ messageId, at }: FailedMessage): void {
    const isEarlier = (failed: string): boolean => (this.#messages.get(failed)?.at ?? 0) <= at;
    this.#failed.splice(this.#failed.findLastIndex(isEarlier) + 1, 0, messageId);
  }

  #removeMessage(message: SettledMessage): void {
    const { messageId } = message;
    if (isFailed(message)) this.#failed.splice(this.#failed.indexOf(messageId), 1);
    for (const { id } of message.deliveries) if (this.#byDelivery.get(id) === messageId) this.#byDelivery.delete(id);
    for (const { eventId } of message.deliveries) {
      const key = this.#firstKeyOf(message, eventId);
      if (key !== null && this.#firstMessages.get(key) === messageId) this.#replaceFirst(key, message.to, eventId);
    }
  }

  /** Selects the oldest of the other messages about the event's split at the destination. */
  #replaceFirst(key: string, to: Destination, eventId: EventId): void {
    const event = this.#events.get(eventId);
    const events = event && isSplitEvent(event) ? this.#eventsOf(this.#bySplit.get(event.splitId)) : [];
    const messages = events.flatMap(({ id }) => this.messageOfDelivery(deliveryId(id, destinationKey(to))) ?? []);
    const [first] = messages.filter(({ end }) => end.kind === "sent").toSorted((a, b) => a.at - b.at);
    if (first) this.#firstMessages.set(key, first.messageId);
    else this.#firstMessages.delete(key);
  }

  /** Key of the split that the sent message is about; null if there is none. */
  #firstKeyOf({ to, end }: SettledMessage, eventId: EventId): string | null {
    const event = this.#events.get(eventId);
    return end.kind === "sent" && event && isSplitEvent(event) ? firstKey(to, event.splitId) : null;
  }
}

export function settledDelivery(delivery: Delivery): SettledDelivery {
  const { to: _, ...settled } = delivery;
  return settled;
}

export function settledDeliveryOf(message: SettledMessage, id: DeliveryId): Delivery | undefined {
  const delivery = message.deliveries.find((settled) => settled.id === id);
  return delivery && { ...delivery, to: message.to };
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

function firstKey(destination: Destination, splitId: SplitId): string {
  return `${splitId} ${destinationKey(destination)}`;
}

function isFailed(message: SettledMessage): message is FailedMessage {
  return message.end.kind === "failed";
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function remove<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const rest = (lists.get(key) ?? []).filter((other) => other !== value);
  if (rest.length > 0) lists.set(key, rest);
  else lists.delete(key);
}
