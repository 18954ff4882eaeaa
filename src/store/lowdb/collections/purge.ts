import type { Attempt, Delivery, DeliveryId } from "../../../domain/alert/delivery.ts";
import { destinationKey, isSameDestination, type Person } from "../../../domain/alert/destination.ts";
import { type Event, type EventId, isForOneDestination } from "../../../domain/alert/event.ts";
import { anonymizeTest, isTestRequestedBy, redactBody, redactDelivery } from "../../../domain/alert/personal-data.ts";
import type { TimeSlice } from "../../../lib/slices.ts";
import type { Posting, SettledMessage } from "../../../ports/state-records.ts";
import type { Table } from "../rows/table.ts";
import type { Tables } from "../rows/tables.ts";
import type { Transaction } from "../rows/transaction.ts";
import { purgeImports } from "./imports.ts";
import { purgeRules } from "./rules.ts";

/**
 * Removes everything about the person in one transaction. `testMessageIds`: further messages that contain a test card requested by the
 * person, from the interrupted purge of an earlier version.
 */
export async function purgeTables(
  transaction: Transaction,
  slice: TimeSlice,
  { tables, person, testMessageIds = [] }: { tables: Tables; person: Person; testMessageIds?: readonly string[] },
): Promise<void> {
  transaction.markPurge();
  const key = destinationKey(person);
  for (const table of [tables.watchlists, tables.directChannels, tables.calendars]) transaction.remove(table, key);
  transaction.remove(tables.settings, key);
  transaction.remove(tables.pauses, key);
  await purgeRules(tables.rules, person, transaction, slice);
  purgeImports(tables.imports, person, transaction);
  await new AlertPurge(transaction, slice, { tables, person, testMessageIds }).run();
}

/** Removes alerts for the person, and the person's name from all others. */
class AlertPurge {
  readonly #transaction: Transaction;
  readonly #slice: TimeSlice;
  readonly #tables: Tables;
  readonly #person: Person;
  /** Messages with a test that the person requested. */
  readonly #testMessages: Set<string>;
  /** Test events that the person requested. */
  readonly #tests = new Set<EventId>();
  /** Events of alerts for the person. */
  readonly #personal = new Set<EventId>();
  /** Deliveries whose message may contain the person's name. */
  readonly #redacted = new Set<DeliveryId>();

  constructor(
    transaction: Transaction,
    slice: TimeSlice,
    { tables, person, testMessageIds }: { tables: Tables; person: Person; testMessageIds: readonly string[] },
  ) {
    this.#transaction = transaction;
    this.#slice = slice;
    this.#tables = tables;
    this.#person = person;
    this.#testMessages = new Set(testMessageIds);
  }

  /** Later steps use what the earlier ones find. */
  async run(): Promise<void> {
    const { events, messages, deliveries, attempts, postings } = this.#tables;
    await this.#each(events, (event) => this.#findTest(event));
    await this.#each(messages, (message) => this.#purgeMessage(message));
    await this.#each(deliveries, (delivery) => this.#purgeDelivery(delivery));
    await this.#each(attempts, (attempt, key) => this.#purgeAttempt(attempt, key));
    await this.#each(events, (event) => this.#purgeEvent(event));
    await this.#each(postings, (posting) => this.#purgePosting(posting));
  }

  async #each<V>(table: Table<V>, purge: (row: V, key: string) => void): Promise<void> {
    for (const [key, row] of this.#transaction.rows(table)) {
      await this.#slice.next();
      purge(row, key);
    }
  }

  #findTest(event: Event): void {
    if (isTestRequestedBy(event, this.#person)) this.#tests.add(event.id);
  }

  #purgeMessage(message: SettledMessage): void {
    const { messages } = this.#tables;
    const { messageId, to, deliveries } = message;
    if (this.#isPersonal(to)) {
      for (const { eventId } of deliveries) this.#personal.add(eventId);
      this.#transaction.remove(messages, messageId);
    } else if (to.platform === this.#person.platform) {
      if (deliveries.some(({ eventId }) => this.#tests.has(eventId))) this.#testMessages.add(messageId);
      const redacted = deliveries.map((delivery) => redactDelivery(delivery, this.#person));
      if (redacted.some((delivery, index) => delivery !== deliveries[index]))
        this.#transaction.put(messages, messageId, { ...message, deliveries: redacted });
    }
  }

  #purgeDelivery(delivery: Delivery): void {
    const { deliveries } = this.#tables;
    const { id, eventId, to } = delivery;
    if (this.#isPersonal(to)) {
      this.#personal.add(eventId);
      this.#transaction.remove(deliveries, id);
    } else if (to.platform === this.#person.platform) {
      const redacted = redactDelivery(delivery, this.#person);
      if (redacted !== delivery) this.#transaction.put(deliveries, id, redacted);
      if (redacted !== delivery || this.#tests.has(eventId)) this.#redacted.add(id);
    }
  }

  #purgeAttempt({ to, deliveries, body }: Attempt, key: string): void {
    const { attempts } = this.#tables;
    if (this.#isPersonal(to)) this.#transaction.remove(attempts, key);
    else if (deliveries.some((id) => this.#redacted.has(id)))
      this.#transaction.set(attempts, key, { body: redactBody(body, this.#person) });
  }

  #purgeEvent(event: Event): void {
    const { events } = this.#tables;
    if (this.#personal.has(event.id) && isForOneDestination(event)) this.#transaction.remove(events, event.id);
    else if (this.#tests.has(event.id)) this.#transaction.put(events, event.id, anonymizeTest(event));
  }

  #purgePosting(posting: Posting): void {
    const { postings } = this.#tables;
    if (this.#isPersonal(posting.to)) {
      this.#transaction.remove(postings, posting.messageId);
      return;
    }
    const redacted = this.#redactPosting(posting);
    if (redacted !== posting) this.#transaction.put(postings, posting.messageId, redacted);
  }

  #redactPosting(posting: Posting): Posting {
    if (this.#testMessages.has(posting.messageId)) return { ...posting, body: redactBody(posting.body, this.#person) };
    if (!posting.sharedBy || !this.#isPersonal(posting.sharedBy)) return posting;
    const { sharedBy: _, ...anonymous } = posting;
    return anonymous;
  }

  #isPersonal(to: Posting["to"]): boolean {
    return isSameDestination(to, this.#person);
  }
}
