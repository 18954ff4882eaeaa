import type { Delivery } from "../../../domain/alert/delivery.ts";
import { destinationKey } from "../../../domain/alert/destination.ts";
import { type Event, type EventId, isForOneDestination } from "../../../domain/alert/event.ts";
import type { Snapshot } from "../../../domain/diff/snapshot.ts";
import type { TimeSlice } from "../../../lib/slices.ts";
import type { SourceStatus, SourceStatuses } from "../../../ports/source-status.ts";
import {
  type PollReport,
  type PollReports,
  type Resource,
  type SnapshotChange,
  type SnapshotStore,
  StoreError,
} from "../../../ports/store.ts";
import type { Archive } from "../indexes/archive.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Transaction } from "../rows/transaction.ts";
import type { PurgedPeople } from "./people.ts";

export class LowdbSnapshot implements SnapshotStore {
  readonly #log: ChangeLog;
  readonly #archive: Archive;
  readonly #purged: PurgedPeople;

  constructor(log: ChangeLog, archive: Archive, purged: PurgedPeople) {
    this.#log = log;
    this.#archive = archive;
    this.#purged = purged;
  }

  async read(): Promise<Snapshot> {
    return this.#log.tables.snapshot.snapshot;
  }

  async commit(change: SnapshotChange): Promise<void> {
    await this.#log.change((transaction, slice) => this.#add(change, transaction, slice));
  }

  /** Adds new events and deliveries, and the snapshot last: it becomes visible after its events. */
  async #add({ patch, events, deliveries }: SnapshotChange, transaction: Transaction, slice: TimeSlice): Promise<void> {
    const { tables } = this.#log;
    const purgedEvents = await this.#purgedEvents({ events, deliveries }, slice);
    for (const event of events) {
      const isPurged = isForOneDestination(event) && purgedEvents.has(event.id);
      if (!isPurged && !transaction.get(tables.events, event.id)) transaction.put(tables.events, event.id, event);
    }
    const added = new Map(events.map((event) => [event.id, event]));
    for (const delivery of deliveries) {
      await slice.next();
      this.#addDelivery(delivery, added.get(delivery.eventId), transaction);
    }
    if (patch) transaction.patchSnapshot(tables.snapshot, patch);
  }

  /** `event`: the event of the delivery, if the same commit has it. */
  #addDelivery(delivery: Delivery, event: Event | undefined, transaction: Transaction): void {
    const { tables } = this.#log;
    const { id, eventId } = delivery;
    if (!event && !transaction.get(tables.events, eventId))
      throw new StoreError(`delivery ${id}: its event ${eventId} is unknown`);
    if (!this.#isPurged(delivery, event) && !this.#isKnown(delivery, transaction))
      transaction.put(tables.deliveries, id, delivery);
  }

  async #purgedEvents(
    { events, deliveries }: Pick<SnapshotChange, "events" | "deliveries">,
    slice: TimeSlice,
  ): Promise<ReadonlySet<EventId>> {
    const byId = new Map(events.map((event) => [event.id, event]));
    const purged = new Set<EventId>();
    for (const delivery of deliveries) {
      await slice.next();
      if (this.#isPurged(delivery, byId.get(delivery.eventId))) purged.add(delivery.eventId);
    }
    return purged;
  }

  /** A test is a new request, so it is delivered to a purged person. */
  #isPurged({ to }: Delivery, event: Event | undefined): boolean {
    return this.#purged.has(destinationKey(to)) && event?.kind !== "test";
  }

  /** Whether the delivery waits or is settled, also if it is settled or purged by an earlier change of the same write. */
  #isKnown({ id }: Delivery, transaction: Transaction): boolean {
    const { deliveries } = this.#log.tables;
    const isWaiting = transaction.get(deliveries, id) !== undefined || deliveries.get(id) !== undefined;
    return isWaiting || this.#archive.messageOfDelivery(id) !== undefined;
  }
}

/** Statuses of the sources. In memory only: the process that uses the files also reads the sources. */
export class LowdbSourceStatuses implements SourceStatuses {
  #last: readonly SourceStatus[] = [];

  async write(statuses: readonly SourceStatus[]): Promise<void> {
    this.#last = statuses;
  }

  async read(): Promise<readonly SourceStatus[]> {
    return this.#last;
  }

  /** Never calls the listener: no other process uses the files. */
  onChange(): () => void {
    return () => undefined;
  }
}

/** Poll reports. In memory only: the process that uses the files also polls. */
export class LowdbPollReports implements PollReports {
  #last: Readonly<Record<Resource, PollReport | null>> = { splits: null, articles: null };

  async write(report: PollReport): Promise<void> {
    this.#last = { ...this.#last, [report.resource]: report };
  }

  async read(): Promise<Readonly<Record<Resource, PollReport | null>>> {
    return this.#last;
  }
}
