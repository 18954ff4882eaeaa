import type { Delivery } from "../../../domain/alert/delivery.ts";
import { destinationKey } from "../../../domain/alert/destination.ts";
import { isForOneDestination } from "../../../domain/alert/personal-data.ts";
import type { Snapshot } from "../../../domain/diff/snapshot.ts";
import { type PollChange, type SnapshotStore, StoreError } from "../../../ports/store.ts";
import type { Ledger } from "../log/ledger.ts";
import type { LedgerEntry } from "../log/ledger-entry.ts";
import type { Absent } from "./unreachable-people.ts";

export class LowdbSnapshot implements SnapshotStore {
  readonly #ledger: Ledger;
  readonly #absent: Absent;

  constructor(ledger: Ledger, absent: Absent) {
    this.#ledger = ledger;
    this.#absent = absent;
  }

  async read(): Promise<Snapshot> {
    return this.#ledger.state.snapshot;
  }

  async commit(change: PollChange): Promise<void> {
    this.#assertEventsKnown(change);
    await this.#ledger.write((nextCommit) => this.#entry(change, nextCommit));
  }

  #entry({ patch, events, deliveries }: PollChange, nextCommit: () => number): LedgerEntry | null {
    const { archive } = this.#ledger.state;
    const tests = new Set(events.filter(({ kind }) => kind === "test").map(({ id }) => id));
    const unwanted = ({ to, eventId }: Delivery): boolean =>
      this.#absent.has(destinationKey(to)) && !tests.has(eventId);
    const wanted = deliveries.filter((delivery) => !unwanted(delivery));
    const nobodys = new Set(deliveries.filter(unwanted).map(({ eventId }) => eventId));
    const newEvents = events.filter(
      (event) => !archive.event(event.id) && !(isForOneDestination(event) && nobodys.has(event.id)),
    );
    const newDeliveries = wanted.filter((delivery) => !this.#ledger.state.knows(delivery.id));
    if (!patch && newEvents.length === 0 && newDeliveries.length === 0) return null;
    return { kind: "commit", number: nextCommit(), patch, events: newEvents, deliveries: newDeliveries };
  }

  #assertEventsKnown({ events, deliveries }: PollChange): void {
    const ids = new Set(events.map((event) => event.id));
    const { archive } = this.#ledger.state;
    const orphan = deliveries.find(({ eventId }) => !ids.has(eventId) && !archive.event(eventId));
    if (orphan) throw new StoreError(`delivery ${orphan.id}: its event ${orphan.eventId} is not known`);
  }
}
