import type { Delivery } from "../../../domain/alert/delivery.ts";
import { destinationKey } from "../../../domain/alert/destination.ts";
import { isForOneDestination } from "../../../domain/alert/event.ts";
import type { Snapshot } from "../../../domain/diff/snapshot.ts";
import {
  type PollReport,
  type PollReports,
  type Resource,
  type SnapshotChange,
  type SnapshotStore,
  StoreError,
} from "../../../ports/store.ts";
import type { LogRecord } from "../log/replayed-state.ts";
import type { WriteAheadLog } from "../log/write-ahead-log.ts";
import type { PurgedPeople } from "./people.ts";

export class LowdbSnapshot implements SnapshotStore {
  readonly #log: WriteAheadLog;
  readonly #purged: PurgedPeople;

  constructor(log: WriteAheadLog, purged: PurgedPeople) {
    this.#log = log;
    this.#purged = purged;
  }

  async read(): Promise<Snapshot> {
    return this.#log.state.snapshot;
  }

  async commit(change: SnapshotChange): Promise<void> {
    this.#assertEventsExist(change);
    await this.#log.write((nextCommit) => this.#entry(change, nextCommit));
  }

  #entry({ patch, events, deliveries }: SnapshotChange, nextCommit: () => number): LogRecord | null {
    const { archive } = this.#log.state;
    const tests = new Set(events.filter(({ kind }) => kind === "test").map(({ id }) => id));
    // A test is a new request, so it is delivered to a purged person.
    const isPurged = ({ to, eventId }: Delivery): boolean =>
      this.#purged.has(destinationKey(to)) && !tests.has(eventId);
    const purgedEventIds = new Set(deliveries.filter(isPurged).map(({ eventId }) => eventId));
    const newEvents = events.filter(
      (event) => !archive.event(event.id) && !(isForOneDestination(event) && purgedEventIds.has(event.id)),
    );
    const newDeliveries = deliveries.filter(
      (delivery) => !isPurged(delivery) && !this.#log.state.hasDelivery(delivery.id),
    );
    if (!patch && newEvents.length === 0 && newDeliveries.length === 0) return null;
    return { kind: "commit", number: nextCommit(), patch, events: newEvents, deliveries: newDeliveries };
  }

  #assertEventsExist({ events, deliveries }: SnapshotChange): void {
    const ids = new Set(events.map((event) => event.id));
    const { archive } = this.#log.state;
    const orphan = deliveries.find(({ eventId }) => !ids.has(eventId) && !archive.event(eventId));
    if (orphan) throw new StoreError(`delivery ${orphan.id}: its event ${orphan.eventId} is unknown`);
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
