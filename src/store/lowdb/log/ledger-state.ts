import type { Delivery, DeliveryId, DeliveryOutcome } from "../../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  type Person,
} from "../../../domain/alert/destination.ts";
import { applyPatch, type Snapshot } from "../../../domain/diff/snapshot.ts";
import type { SettledMessage } from "../../../ports/state-records.ts";
import { Archive, type ArchiveFile, settledDelivery } from "./archive.ts";
import { foldPatches } from "./fold-patches.ts";
import type { Commit, Forget, LedgerEntry } from "./ledger-entry.ts";
import { Queues } from "./queues.ts";
import { type SnapshotFile, snapshotIn } from "./snapshot-file.ts";

/** How many deliveries go into one line when the journal is written anew. */
const DELIVERIES_PER_LINE = 500;

/** What the journal's lines and the files beside it come to. */
export class LedgerState {
  readonly queues = new Queues();
  #archive: Archive;
  #snapshot: Snapshot;
  #commit: number;
  /** Who is being forgotten, and is not yet in every file. */
  readonly #forgetting = new Map<DestinationKey, Forget>();

  constructor(snapshot: SnapshotFile, archive: ArchiveFile) {
    this.#archive = new Archive(archive);
    this.#snapshot = snapshotIn(snapshot);
    this.#commit = snapshot.commit;
  }

  get archive(): Archive {
    return this.#archive;
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** The number of the last commit. */
  get commit(): number {
    return this.#commit;
  }

  /** The lines of a journal, of which the files may know some already: nothing is taken in twice. */
  replay(entries: readonly LedgerEntry[]): void {
    const commits = entries.filter((entry): entry is Commit => entry.kind === "commit");
    const news = commits.filter((commit) => commit.number > this.commit);
    const patch = foldPatches(news.flatMap((commit) => commit.patch ?? []));
    if (patch) this.#snapshot = applyPatch(this.snapshot, patch);
    this.#commit = Math.max(this.commit, ...news.slice(-1).map((commit) => commit.number));
    for (const entry of entries) this.#take(entry);
  }

  /** One more line. Gives the destinations at which something changed. */
  apply(entry: LedgerEntry): readonly Destination[] {
    if (entry.kind === "commit") {
      this.#commit = entry.number;
      if (entry.patch) this.#snapshot = applyPatch(this.snapshot, entry.patch);
    }
    return this.#take(entry);
  }

  /** Forgets what is settled but for this. */
  keep(settled: Pick<ArchiveFile, "events" | "messages">): void {
    this.#archive = new Archive(settled);
  }

  get forgetting(): readonly Forget[] {
    return [...this.#forgetting.values()];
  }

  /** The line by which the person is forgotten. Asked for again, it names all that the first one did. */
  forgetEntry(person: Person): Forget {
    const known = this.#forgetting.get(destinationKey(person))?.tests ?? [];
    const tests = this.archive.testsBy(person).map(({ messageId }) => messageId);
    return { kind: "forget", person, tests: [...new Set([...known, ...tests])] };
  }

  /** No file holds anything of the person any more but the journal, which is written anew without them. */
  forgotten(person: Person): void {
    this.#forgetting.delete(destinationKey(person));
  }

  knows(id: DeliveryId): boolean {
    return this.queues.holding(id) !== undefined || this.archive.settled(id) !== undefined;
  }

  outcome(id: DeliveryId): DeliveryOutcome | null {
    const queue = this.queues.holding(id);
    if (queue) return { kind: "waiting", problem: queue.pause?.reason ?? queue.attempt?.problem ?? null };
    const message = this.archive.settled(id);
    return message ? { at: message.at, ...message.end } : null;
  }

  /** The fewest lines that hold all that is open. */
  openEntries(): readonly LedgerEntry[] {
    const deliveries = this.queues.deliveries();
    const lines: LedgerEntry[] = [];
    for (let from = 0; from < deliveries.length; from += DELIVERIES_PER_LINE)
      lines.push(this.#commitOf(deliveries.slice(from, from + DELIVERIES_PER_LINE)));
    return [...this.forgetting, ...lines, ...this.queues.entries()];
  }

  #commitOf(deliveries: readonly Delivery[]): Commit {
    const ids = new Set(deliveries.map(({ eventId }) => eventId));
    const events = [...ids].flatMap((id) => this.archive.event(id) ?? []);
    return { kind: "commit", number: this.commit, patch: null, events, deliveries };
  }

  #take(entry: LedgerEntry): readonly Destination[] {
    switch (entry.kind) {
      case "commit":
        return this.#takeDeliveries(entry);
      case "attempt":
        if (!this.archive.message(entry.attempt.messageId)) this.queues.begin(entry.attempt);
        return [entry.attempt.to];
      case "progress":
        return this.queues.progress(entry);
      case "sent":
        return this.#settle(entry.messageId, (blindResends) => ({
          at: entry.at,
          end: { kind: "sent", ref: entry.ref, blindResends },
        }));
      case "failed":
        return this.#settle(entry.messageId, () => ({ at: entry.at, end: { kind: "failed", reason: entry.reason } }));
      case "pause":
        this.queues.pause(entry);
        return [entry.to];
      case "resume":
        this.queues.resume(entry.to);
        return [entry.to];
      case "forget":
        return this.#forget(entry);
    }
  }

  #takeDeliveries(commit: Commit): readonly Destination[] {
    for (const event of commit.events) this.archive.addEvent(event);
    const news = commit.deliveries.filter((delivery) => !this.knows(delivery.id));
    for (const delivery of news) this.queues.add(delivery);
    return news.map((delivery) => delivery.to);
  }

  #forget(entry: Forget): readonly Destination[] {
    const { person } = entry;
    this.#forgetting.set(destinationKey(person), entry);
    const waiting = [...(this.queues.at(destinationKey(person))?.open.values() ?? [])];
    this.queues.forget(person, new Set(this.archive.testEventsBy(person)));
    this.keep(this.archive.without(person, new Set(waiting.map(({ delivery }) => delivery.eventId))));
    return [person];
  }

  #settle(
    messageId: string,
    how: (blindResends: number) => Pick<SettledMessage, "at" | "end">,
  ): readonly Destination[] {
    const settled = this.queues.settle(messageId);
    if (!settled) return [];
    const { to, blindResends } = settled.attempt;
    const deliveries = settled.deliveries.map((delivery) => settledDelivery(delivery));
    this.archive.addMessage({ messageId, to, ...how(blindResends), deliveries });
    return [to];
  }
}
