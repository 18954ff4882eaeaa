import type { Delivery, DeliveryId, MessageRef } from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey, isSameDestination, type Person } from "../../../domain/alert/destination.ts";
import { type Event, type EventId, isForOneDestination, isSplitEvent } from "../../../domain/alert/event.ts";
import { anonymizeTest, isTestRequestedBy, redactDelivery } from "../../../domain/alert/personal-data.ts";
import type { SplitId, SplitRecord } from "../../../domain/split/split.ts";
import type { Ticker } from "../../../domain/split/ticker.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { SettledDelivery, SettledMessage } from "../../../ports/state-records.ts";

type FailedMessage = SettledMessage & { readonly end: { readonly kind: "failed" } };

/** Content of `history.json`. */
export interface ArchiveFile {
  /** Number of the last commit that it includes. */
  readonly commit: number;
  readonly events: readonly Event[];
  readonly messages: readonly SettledMessage[];
}

export const EMPTY_ARCHIVE: ArchiveFile = { commit: 0, events: [], messages: [] };

/** Events and settled messages within the retention period, indexed for commands and replies. */
export class Archive {
  readonly #events = new Map<EventId, Event>();
  readonly #byTicker = new Map<Ticker, Event[]>();
  readonly #bySplit = new Map<SplitId, Event[]>();
  readonly #messages = new Map<string, SettledMessage>();
  readonly #byDelivery = new Map<DeliveryId, SettledMessage>();
  /** Oldest first. */
  readonly #failed: FailedMessage[] = [];
  /** First message about each split at each destination. */
  readonly #firstMessageRefs = new Map<string, MessageRef>();

  constructor(file: Pick<ArchiveFile, "events" | "messages">) {
    for (const event of file.events) this.addEvent(event);
    for (const message of file.messages) this.addMessage(message);
  }

  event(id: EventId): Event | undefined {
    return this.#events.get(id);
  }

  message(messageId: string): SettledMessage | undefined {
    return this.#messages.get(messageId);
  }

  messageOfDelivery(id: DeliveryId): SettledMessage | undefined {
    return this.#byDelivery.get(id);
  }

  /** Newest first. */
  eventsOfTicker(ticker: Ticker): readonly Event[] {
    return (this.#byTicker.get(ticker) ?? []).toReversed().toSorted((a, b) => b.at - a.at);
  }

  /** Oldest first. */
  eventsOfSplit(splitId: SplitId): readonly Event[] {
    return (this.#bySplit.get(splitId) ?? []).toSorted((a, b) => a.at - b.at);
  }

  firstMessage(destination: Destination, splitId: SplitId): MessageRef | undefined {
    return this.#firstMessageRefs.get(firstKey(destination, splitId));
  }

  /** Newest first. */
  failures(limit: number): readonly FailedMessage[] {
    return this.#failed.slice(-limit).toReversed();
  }

  get failureCount(): number {
    return this.#failed.length;
  }

  addEvent(event: Event): void {
    if (this.#events.has(event.id)) return;
    this.#events.set(event.id, event);
    for (const ticker of tickersOf(event)) append(this.#byTicker, ticker, event);
    if (isSplitEvent(event)) append(this.#bySplit, event.splitId, event);
  }

  addMessage(message: SettledMessage): void {
    this.#messages.set(message.messageId, message);
    if (isFailed(message)) {
      const index = this.#failed.findLastIndex((failed) => failed.at <= message.at) + 1;
      this.#failed.splice(index, 0, message);
    }
    for (const { id, eventId } of message.deliveries) {
      this.#byDelivery.set(id, message);
      const event = this.#events.get(eventId);
      if (message.end.kind !== "sent" || !event || !isSplitEvent(event)) continue;
      const key = firstKey(message.to, event.splitId);
      if (!this.#firstMessageRefs.has(key)) this.#firstMessageRefs.set(key, message.end.ref);
    }
  }

  /** Messages settled since `before`, events since then, and older events that open deliveries or these messages refer to. */
  contentSince(before: Instant, open: Iterable<Delivery>): Pick<ArchiveFile, "events" | "messages"> {
    const messages = [...this.#messages.values()].filter((message) => message.at >= before);
    const referenced = new Set<EventId>();
    for (const { eventId } of open) referenced.add(eventId);
    for (const { deliveries } of messages) for (const { eventId } of deliveries) referenced.add(eventId);
    const events = [...this.#events.values()].filter((event) => event.at >= before || referenced.has(event.id));
    return { events, messages };
  }

  /** Messages with a test card that the person requested, except messages to the person. */
  testMessagesBy(person: Person): readonly SettledMessage[] {
    return [...this.#messages.values()].filter(
      ({ to, deliveries }) =>
        to.platform === person.platform &&
        !isSameDestination(to, person) &&
        deliveries.some(({ eventId }) => this.#isTestBy(eventId, person)),
    );
  }

  /**
   * Content without the messages to the person and without the person's name. Events of these messages and `dropped` events
   * are also removed if they are for one destination.
   */
  withoutPerson(person: Person, dropped: ReadonlySet<EventId>): Pick<ArchiveFile, "events" | "messages"> {
    const all = [...this.#messages.values()];
    const personalMessages = all.filter(({ to }) => isSameDestination(to, person));
    const removed = new Set([
      ...dropped,
      ...personalMessages.flatMap(({ deliveries }) => deliveries.map(({ eventId }) => eventId)),
    ]);
    const events = [...this.#events.values()].filter((event) => !(isForOneDestination(event) && removed.has(event.id)));
    return {
      events: events.map((event) => (isTestRequestedBy(event, person) ? anonymizeTest(event) : event)),
      messages: all.filter(({ to }) => !isSameDestination(to, person)).map((message) => redactMessage(message, person)),
    };
  }

  /** Test events that the person requested, at any destination. */
  testEventsBy(person: Person): readonly EventId[] {
    return [...this.#events.values()].filter((event) => isTestRequestedBy(event, person)).map(({ id }) => id);
  }

  #isTestBy(id: EventId, person: Person): boolean {
    const event = this.#events.get(id);
    return event !== undefined && isTestRequestedBy(event, person);
  }

  /** Whether the result of `contentSince` is the whole archive. */
  hasSameSize({ events, messages }: Pick<ArchiveFile, "events" | "messages">): boolean {
    return events.length === this.#events.size && messages.length === this.#messages.size;
  }
}

function redactMessage(message: SettledMessage, person: Person): SettledMessage {
  if (message.to.platform !== person.platform) return message;
  const deliveries = message.deliveries.map((delivery) => redactDelivery(delivery, person));
  return { ...message, deliveries };
}

export function settledDelivery(delivery: Delivery): SettledDelivery {
  const { to: _, ...settled } = delivery;
  return settled;
}

export function settledDeliveryOf(message: SettledMessage, id: DeliveryId): Delivery | undefined {
  const delivery = message.deliveries.find((settled) => settled.id === id);
  return delivery && { ...delivery, to: message.to };
}

function tickersOf(event: Event): ReadonlySet<Ticker> {
  const records = recordsOf(event).map((record) => record.ticker);
  const mentions = "article" in event ? event.article.concerns.map((mention) => mention.ticker) : [];
  return new Set([...records, ...mentions]);
}

function recordsOf(event: Event): readonly SplitRecord[] {
  if ("record" in event) return [event.record];
  if ("splits" in event) return event.splits.map((split) => split.record);
  return "records" in event ? event.records : [];
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
