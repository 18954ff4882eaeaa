import type { Attempt, Delivery, DeliveryId, DeliveryOutcome, MessageRef } from "../../../domain/alert/delivery.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  type Person,
} from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { KnownArticle } from "../../../domain/article/article.ts";
import { applyPatch, type Snapshot, type SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import type { PastPatch } from "../../../domain/split/repeat-splits.ts";
import type { Split, SplitId } from "../../../domain/split/split.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { PendingPurge, SettledMessage } from "../../../ports/state-records.ts";
import { Archive, type ArchiveFile, settledDelivery } from "./archive.ts";
import { type AttemptProgress, type Queue, Queues, type StoredPause } from "./queues.ts";
import { type SnapshotFile, snapshotIn } from "./snapshot-file.ts";

/** One line of `journal.log`: one complete change. */
export type LogRecord =
  | CommitRecord
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  /** A changed attempt whose body and deliveries are those of an earlier record. */
  | (AttemptProgress & { readonly kind: "progress" })
  | { readonly kind: "sent"; readonly messageId: string; readonly at: Instant; readonly ref: MessageRef }
  | { readonly kind: "failed"; readonly messageId: string; readonly at: Instant; readonly reason: string }
  | (StoredPause & { readonly kind: "pause" })
  | { readonly kind: "retry"; readonly to: Destination; readonly at: Instant }
  | { readonly kind: "resume"; readonly to: Destination }
  | PurgeRecord;

/** A patch of the snapshot with its events and deliveries. Atomic, since it is one line. */
export interface CommitRecord {
  readonly kind: "commit";
  /** Consecutive number of the commit. */
  readonly number: number;
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/** Start of a purge. Every rewritten log includes the record until no file contains data about the person. */
export type PurgeRecord = PendingPurge & { readonly kind: "forget" };

/** Returns the record for the next state of an attempt. */
export function attemptRecord(attempt: Attempt, previous: Attempt | undefined): LogRecord {
  if (!previous || previous.body !== attempt.body || previous.deliveries !== attempt.deliveries)
    return { kind: "attempt", attempt };
  const { messageId, state, sends, blindResends, notBefore, delayMs, problem } = attempt;
  return { kind: "progress", messageId, state, sends, blindResends, notBefore, delayMs, problem };
}

/** Number of deliveries in one record of a rewritten log. */
const DELIVERIES_PER_RECORD = 500;

/** State in memory: `snapshot.json` and `history.json` after the replay of the log. */
export class ReplayedState {
  readonly queues = new Queues();
  #archive: Archive;
  #snapshot: Snapshot;
  #commit: number;
  /** People whose purge is not complete. */
  readonly #pendingPurges = new Map<DestinationKey, PurgeRecord>();

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

  /** Number of the last commit. */
  get commit(): number {
    return this.#commit;
  }

  /** Applies the records of a log. Records that the files already include have no effect. */
  replay(entries: readonly LogRecord[]): void {
    const commits = entries.filter((entry): entry is CommitRecord => entry.kind === "commit");
    const unapplied = commits.filter((commit) => commit.number > this.commit);
    const patch = foldPatches(unapplied.flatMap((commit) => commit.patch ?? []));
    if (patch) this.#snapshot = applyPatch(this.snapshot, patch);
    this.#commit = Math.max(this.commit, ...unapplied.slice(-1).map((commit) => commit.number));
    for (const entry of entries) this.#applyDeliveryChange(entry);
  }

  /** Applies a record and returns the destinations that changed. */
  apply(entry: LogRecord): readonly Destination[] {
    if (entry.kind === "commit") {
      this.#commit = entry.number;
      if (entry.patch) this.#snapshot = applyPatch(this.snapshot, entry.patch);
    }
    return this.#applyDeliveryChange(entry);
  }

  /** Replaces the archive with the given part of it. */
  replaceArchive(settled: Pick<ArchiveFile, "events" | "messages">): void {
    this.#archive = new Archive(settled);
  }

  get pendingPurges(): readonly PurgeRecord[] {
    return [...this.#pendingPurges.values()];
  }

  /** Returns the record that purges the person. After a failed purge, it also has the test messages of the earlier record. */
  purgeRecord(person: Person): PurgeRecord {
    const previousTests = this.#pendingPurges.get(destinationKey(person))?.tests ?? [];
    const tests = this.archive.testMessagesBy(person).map(({ messageId }) => messageId);
    return { kind: "forget", person, tests: [...new Set([...previousTests, ...tests])] };
  }

  /** Ends the purge: the rewritten log no longer contains its record. */
  endPurge(person: Person): void {
    this.#pendingPurges.delete(destinationKey(person));
  }

  hasDelivery(id: DeliveryId): boolean {
    return this.queues.queueOf(id) !== undefined || this.archive.messageOfDelivery(id) !== undefined;
  }

  outcome(id: DeliveryId): DeliveryOutcome | null {
    const queue = this.queues.queueOf(id);
    if (queue) return { kind: "waiting", problem: problemOf(queue) };
    const message = this.archive.messageOfDelivery(id);
    return message ? { at: message.at, ...message.end } : null;
  }

  /** Records that restore all unsettled deliveries, attempts, pauses and purges. */
  openRecords(): readonly LogRecord[] {
    const deliveries = this.queues.deliveries();
    const commits: LogRecord[] = [];
    for (let from = 0; from < deliveries.length; from += DELIVERIES_PER_RECORD)
      commits.push(this.#commitOf(deliveries.slice(from, from + DELIVERIES_PER_RECORD)));
    return [
      ...this.pendingPurges,
      ...commits,
      ...this.queues.attempts().map((attempt): LogRecord => ({ kind: "attempt", attempt })),
      ...this.queues.pauses().map((pause): LogRecord => ({ kind: "pause", ...pause })),
    ];
  }

  #commitOf(deliveries: readonly Delivery[]): CommitRecord {
    const ids = new Set(deliveries.map(({ eventId }) => eventId));
    const events = [...ids].flatMap((id) => this.archive.event(id) ?? []);
    return { kind: "commit", number: this.commit, patch: null, events, deliveries };
  }

  #applyDeliveryChange(entry: LogRecord): readonly Destination[] {
    switch (entry.kind) {
      case "commit":
        return this.#addDeliveries(entry);
      case "attempt":
        if (!this.archive.message(entry.attempt.messageId)) this.queues.begin(entry.attempt);
        return [entry.attempt.to];
      case "progress": {
        const { kind: _, ...progress } = entry;
        return this.queues.progress(progress);
      }
      case "sent":
        this.queues.resumeFor(entry.messageId);
        return this.#settle(entry.messageId, (blindResends) => ({
          at: entry.at,
          end: { kind: "sent", ref: entry.ref, blindResends },
        }));
      case "failed":
        return this.#settle(entry.messageId, () => ({ at: entry.at, end: { kind: "failed", reason: entry.reason } }));
      case "pause":
        this.queues.pause(entry);
        return [entry.to];
      case "retry":
        this.queues.retry(entry.to, entry.at);
        return [entry.to];
      case "resume":
        this.queues.resume(entry.to);
        return [entry.to];
      case "forget":
        return this.#purge(entry);
    }
  }

  #addDeliveries(commit: CommitRecord): readonly Destination[] {
    for (const event of commit.events) this.archive.addEvent(event);
    const added = commit.deliveries.filter((delivery) => !this.hasDelivery(delivery.id));
    for (const delivery of added) this.queues.add(delivery);
    return added.map((delivery) => delivery.to);
  }

  #purge(entry: PurgeRecord): readonly Destination[] {
    const { person } = entry;
    this.#pendingPurges.set(destinationKey(person), entry);
    const waiting = [...(this.queues.at(destinationKey(person))?.open.values() ?? [])];
    this.queues.purge(person, new Set(this.archive.testEventsBy(person)));
    this.replaceArchive(this.archive.withoutPerson(person, new Set(waiting.map(({ delivery }) => delivery.eventId))));
    return [person];
  }

  #settle(
    messageId: string,
    outcomeOf: (blindResends: number) => Pick<SettledMessage, "at" | "end">,
  ): readonly Destination[] {
    const settled = this.queues.settle(messageId);
    if (!settled) return [];
    const { to, blindResends } = settled.attempt;
    const deliveries = settled.deliveries.map((delivery) => settledDelivery(delivery));
    this.archive.addMessage({ messageId, to, ...outcomeOf(blindResends), deliveries });
    return [to];
  }
}

/** Why the last try failed; null if there was none since the cause may have changed. */
function problemOf({ pause, attempt }: Queue): string | null {
  return pause !== null && pause.refusals > 0 ? pause.reason : (attempt?.problem ?? null);
}

/** Combines patches into one with the same effect; applying each would copy the whole snapshot each time. */
export function foldPatches(patches: readonly SnapshotPatch[]): SnapshotPatch | null {
  const last = patches.at(-1);
  if (!last) return null;
  const from = Math.max(
    0,
    patches.findLastIndex((patch) => patch.replaces),
  );
  const splits = new Map<SplitId, Split>();
  const articles = new Map<string, KnownArticle>();
  const removedSplits = new Set<SplitId>();
  const removedArticles = new Set<string>();
  for (const patch of patches.slice(from)) {
    remove(patch.removedSplits, splits, removedSplits);
    remove(patch.removedArticles, articles, removedArticles);
    for (const split of patch.splits) splits.set(split.id, split);
    for (const article of patch.articles) articles.set(article.url, article);
  }
  return {
    header: last.header,
    replaces: patches.some((patch) => patch.replaces),
    splits: [...splits.values()],
    removedSplits: [...removedSplits],
    articles: [...articles.values()],
    removedArticles: [...removedArticles],
    ...foldPast(patches.flatMap(({ past }) => past ?? [])),
  };
}

/** Past splits survive the replacement of a snapshot. */
function foldPast(patches: readonly PastPatch[]): { readonly past?: PastPatch } {
  const last = patches.at(-1);
  if (!last) return {};
  const joining = new Map(patches.flatMap((patch) => patch.joining).map((past) => [past.id, past]));
  return { past: { joining: [...joining.values()], from: last.from } };
}

function remove<K>(keys: readonly K[], kept: Map<K, unknown>, removed: Set<K>): void {
  for (const key of keys) {
    kept.delete(key);
    removed.add(key);
  }
}
