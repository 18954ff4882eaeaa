import type { Snapshot } from "../../core/snapshot.ts";
import { type PollChange, type SnapshotStore, StoreError } from "../../ports/store.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerEntry } from "./ledger-entry.ts";

export class LowdbSnapshot implements SnapshotStore {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
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
    const newEvents = events.filter((event) => !archive.event(event.id));
    const newDeliveries = deliveries.filter((delivery) => !this.#ledger.state.knows(delivery.id));
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
