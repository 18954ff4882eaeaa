import type { Delivery } from "../../../domain/alert/delivery.ts";
import { type Destination, destinationKey, isPerson } from "../../../domain/alert/destination.ts";
import { type Event, type EventId, isForOneDestination } from "../../../domain/alert/event.ts";
import type { Snapshot } from "../../../domain/diff/snapshot.ts";
import { forEachInSlices, type TimeSlice } from "../../../lib/slices.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { SourceStatus, SourceStatuses } from "../../../ports/source-status.ts";
import {
  type PollReport,
  type PollReports,
  type Resource,
  type SnapshotChange,
  type SnapshotStore,
  StoreError,
} from "../../../ports/store.ts";
import { ProcessClock } from "../../process-clock.ts";
import type { Archive } from "../indexes/archive.ts";
import type { Claims } from "../indexes/claims.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";
import type { Transaction } from "../rows/transaction.ts";
import { settingsIn } from "./destination-settings.ts";
import type { PurgedPeople } from "./people.ts";

export class LowdbSnapshot implements SnapshotStore {
  readonly #log: ChangeLog;
  readonly #archive: Archive;
  readonly #claims: Claims;
  readonly #purged: PurgedPeople;

  constructor(
    log: ChangeLog,
    archive: Archive,
    { claims, purged }: { readonly claims: Claims; readonly purged: PurgedPeople },
  ) {
    this.#log = log;
    this.#archive = archive;
    this.#claims = claims;
    this.#purged = purged;
  }

  async read(): Promise<Snapshot> {
    return this.#log.tables.snapshot.snapshot;
  }

  async commit(change: SnapshotChange): Promise<void> {
    await this.#log.change((transaction, slice) => this.#add(change, transaction, slice));
    await this.#recheckDigests(change.deliveries);
  }

  async #recheckDigests(deliveries: readonly Delivery[]): Promise<void> {
    // Deliveries that match the same rule or watcher share the object.
    const destinations = new Set<Destination>();
    await forEachInSlices(deliveries, ({ to }) => destinations.add(to));
    await forEachInSlices(destinations, (to) => {
      const key = destinationKey(to);
      if (settingsIn(this.#log.tables.settings.get(key)).digest) this.#claims.recheck(key);
    });
  }

  /** Adds new events and deliveries, and the snapshot last: it becomes visible after its events. */
  async #add({ patch, events, deliveries }: SnapshotChange, transaction: Transaction, slice: TimeSlice): Promise<void> {
    const { tables } = this.#log;
    const purgedEvents = await this.#purgedEvents({ events, deliveries }, slice);
    const added = new Map(
      events.map((event) => [event.id, { event, isNew: isNew(tables.events, event.id, transaction) }]),
    );
    for (const event of events)
      if (!purgedEvents.has(event.id) && !transaction.get(tables.events, event.id))
        transaction.put(tables.events, event.id, event);
    const add = (delivery: Delivery): void => this.#addDelivery(delivery, added.get(delivery.eventId), transaction);
    await forEachInSlices(deliveries, add, slice);
    if (patch) transaction.patchSnapshot(tables.snapshot, patch);
  }

  /** `added`: the event of the delivery, if the same commit has it. */
  #addDelivery(delivery: Delivery, added: AddedEvent | undefined, transaction: Transaction): void {
    const { tables } = this.#log;
    const { id, eventId } = delivery;
    if (!added && !transaction.get(tables.events, eventId))
      throw new StoreError(`delivery ${id}: its event ${eventId} is unknown`);
    // Also true if an earlier change of the same write settled or purged the delivery.
    const isKnown = transaction.isChanged(tables.deliveries, id) || (added?.isNew !== true && this.#isStored(delivery));
    if (!isKnown && !this.#isPurged(delivery, added?.event)) transaction.put(tables.deliveries, id, delivery);
  }

  /** The events of the commit for one destination that are about purged people. */
  async #purgedEvents(
    { events, deliveries }: Pick<SnapshotChange, "events" | "deliveries">,
    slice: TimeSlice,
  ): Promise<ReadonlySet<EventId>> {
    const purged = new Set<EventId>();
    const candidates = new Map(events.filter(isForOneDestination).map((event) => [event.id, event]));
    if (candidates.size === 0) return purged;
    const check = (delivery: Delivery): void => {
      const event = candidates.get(delivery.eventId);
      if (event && this.#isPurged(delivery, event)) purged.add(event.id);
    };
    await forEachInSlices(deliveries, check, slice);
    return purged;
  }

  /** A test is a new request, so it is delivered to a purged person. */
  #isPurged({ to }: Delivery, event: Event | undefined): boolean {
    return isPerson(to) && event?.kind !== "test" && this.#purged.has(destinationKey(to));
  }

  /** Whether the delivery waits or is settled, before this write. */
  #isStored({ id }: Delivery): boolean {
    return this.#log.tables.deliveries.get(id) !== undefined || this.#archive.messageOfDelivery(id) !== undefined;
  }
}

/** An event of a commit. If it is new, so are its deliveries. */
interface AddedEvent {
  readonly event: Event;
  readonly isNew: boolean;
}

/** Whether the row existed neither before this write nor in an earlier change of it. */
function isNew<V>(table: Table<V>, key: string, transaction: Transaction): boolean {
  return table.get(key) === undefined && !transaction.isChanged(table, key);
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
  readonly #clock: ProcessClock;
  readonly #last = new Map<Resource, { readonly report: PollReport; readonly offset: number }>();

  constructor(clock: Clock) {
    this.#clock = new ProcessClock(clock, { now: () => clock.monotonic() });
  }

  async write(report: PollReport): Promise<void> {
    this.#last.set(report.resource, { report, offset: this.#clock.offset });
  }

  async read(): Promise<Readonly<Record<Resource, PollReport | null>>> {
    return { splits: this.#reportOf("splits"), articles: this.#reportOf("articles") };
  }

  #reportOf(resource: Resource): PollReport | null {
    const last = this.#last.get(resource);
    if (last === undefined) return null;
    const toLocal = this.#clock.fromOffset(last.offset);
    return { ...last.report, at: toLocal(last.report.at), lastCompleteAt: toLocal(last.report.lastCompleteAt) };
  }
}
