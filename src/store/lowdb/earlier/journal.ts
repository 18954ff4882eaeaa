import type { Attempt, Delivery, DeliveryId, MessageRef } from "../../../domain/alert/delivery.ts";
import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import type { Event } from "../../../domain/alert/event.ts";
import type { Pause } from "../../../domain/alert/pause.ts";
import { applyPatch, headerOf, type Snapshot, type SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { PendingPurge, SettledMessage } from "../../../ports/state-records.ts";
import { endPause, retryPause, settle } from "../collections/settling.ts";
import { damagedFileError } from "../files/disk.ts";
import type { OpenedFile } from "../files/json-file.ts";
import type { LogHead } from "../files/log-lines.ts";
import type { SnapshotFile } from "../rows/snapshot-rows.ts";
import type { Tables } from "../rows/tables.ts";
import { PendingRows, Transaction } from "../rows/transaction.ts";

/** Content of `history.json`. */
export interface HistoryFile {
  /** Number of the last commit that it includes. */
  readonly commit: number;
  readonly events: readonly Event[];
  readonly messages: readonly SettledMessage[];
}

/** Content of `snapshot.json`, also of the current schema: a crash may come between that file and the checkpoint. */
export type EarlierSnapshotFile = Pick<SnapshotFile, "header" | "splits" | "articles"> &
  Partial<SnapshotFile> & { readonly commit?: number };

/** A line of `journal.log`: one complete change. */
export type JournalRecord =
  | {
      readonly kind: "commit";
      readonly number: number;
      readonly patch: SnapshotPatch | null;
      readonly events: readonly Event[];
      readonly deliveries: readonly Delivery[];
    }
  | { readonly kind: "attempt"; readonly attempt: Attempt }
  | (Pick<Attempt, "messageId"> & Partial<Attempt> & { readonly kind: "progress" })
  | { readonly kind: "sent"; readonly messageId: string; readonly at: Instant; readonly ref: MessageRef }
  | { readonly kind: "failed"; readonly messageId: string; readonly at: Instant; readonly reason: string }
  | (Pick<Pause, "to" | "reason" | "at"> & Partial<Pause> & { readonly kind: "pause" })
  | { readonly kind: "retry"; readonly to: Destination; readonly at: Instant }
  | { readonly kind: "resume"; readonly to: Destination }
  | (PendingPurge & { readonly kind: "forget" });

/** The files of the write-ahead log. */
export interface JournalFiles {
  readonly snapshot: { readonly path: string; readonly exists: boolean; readonly data: EarlierSnapshotFile };
  readonly history: OpenedFile<HistoryFile>;
  readonly journal: { readonly path: string; readonly head: LogHead; readonly entries: readonly JournalRecord[] };
}

/** Fills the tables with the state of the write-ahead log. Returns the purges that are not complete. */
export function fillFromJournal(tables: Tables, files: JournalFiles): readonly PendingPurge[] {
  assertConsistent(files);
  const { entries } = files.journal;
  loadSnapshot(tables, files.snapshot.data, entries);
  const { events, messages } = files.history.low.data;
  for (const event of events) tables.events.put(event.id, event);
  for (const message of messages) tables.messages.put(message.messageId, message);
  const replay = new JournalReplay(tables);
  for (const entry of entries) replay.apply(entry);
  return replay.purges;
}

/** Throws a StoreError for files of different ages, such as one restored by hand: they would repeat or lose alerts. */
function assertConsistent({ snapshot, history, journal }: JournalFiles): void {
  const { head, entries } = journal;
  const last = entries.findLast((entry) => entry.kind === "commit")?.number ?? head.mark;
  for (const { path, data } of [snapshot, { path: history.path, data: history.low.data }]) {
    const { commit = last } = data;
    if (commit < head.mark)
      throw damagedFileError(path, `is older than ${journal.path}, which starts after commit ${head.mark}`);
    if (commit > last)
      throw damagedFileError(journal.path, `is older than ${path}: it ends with commit ${last}, not ${commit}`);
  }
}

function loadSnapshot(tables: Tables, file: EarlierSnapshotFile, entries: readonly JournalRecord[]): void {
  let snapshot: Snapshot = {
    ...file.header,
    splits: new Map(file.splits.map((split) => [split.id, split])),
    past: new Map((file.past ?? []).map((split) => [split.id, split])),
    articles: new Map(file.articles.map((article) => [article.url, article])),
  };
  const { commit = Number.POSITIVE_INFINITY } = file;
  for (const entry of entries)
    if (entry.kind === "commit" && entry.patch && entry.number > commit) snapshot = applyPatch(snapshot, entry.patch);
  tables.snapshot.load({
    transaction: 0,
    header: headerOf(snapshot),
    splits: [...snapshot.splits.values()],
    past: [...snapshot.past.values()],
    articles: [...snapshot.articles.values()],
  });
}

/** Applies records to the tables. Records that the files already include have no effect. */
class JournalReplay {
  readonly purges: PendingPurge[] = [];
  readonly #tables: Tables;
  readonly #keys = new Map<string, DestinationKey>();
  readonly #settled = new Set<DeliveryId>();

  constructor(tables: Tables) {
    this.#tables = tables;
    for (const { deliveries } of tables.messages.values()) for (const { id } of deliveries) this.#settled.add(id);
  }

  apply(entry: JournalRecord): void {
    switch (entry.kind) {
      case "commit":
        this.#commit(entry.events, entry.deliveries);
        break;
      case "attempt":
        this.#begin(entry.attempt);
        break;
      case "progress": {
        const { kind: _, ...progress } = entry;
        this.#progress(progress);
        break;
      }
      case "sent":
        this.#settle(entry, ({ blindResends }) => ({ kind: "sent", ref: entry.ref, blindResends }));
        break;
      case "failed":
        this.#settle(entry, () => ({ kind: "failed", reason: entry.reason }));
        break;
      case "pause": {
        const { kind: _, ...pause } = entry;
        this.#tables.pauses.put(destinationKey(entry.to), { retryAt: 0, refusals: 0, ...pause });
        break;
      }
      case "retry":
        this.#change((transaction) => retryPause(transaction, this.#tables, destinationKey(entry.to), entry.at));
        break;
      case "resume":
        this.#change((transaction) => endPause(transaction, this.#tables, destinationKey(entry.to)));
        break;
      case "forget":
        this.purges.push({ person: entry.person, tests: entry.tests });
    }
  }

  #commit(events: readonly Event[], deliveries: readonly Delivery[]): void {
    const tables = this.#tables;
    for (const event of events) if (!tables.events.get(event.id)) tables.events.put(event.id, event);
    for (const delivery of deliveries)
      if (!this.#settled.has(delivery.id) && !tables.deliveries.get(delivery.id))
        tables.deliveries.put(delivery.id, delivery);
  }

  #begin(attempt: Attempt): void {
    const key = destinationKey(attempt.to);
    if (this.#tables.messages.get(attempt.messageId)) return;
    this.#keys.set(attempt.messageId, key);
    this.#tables.attempts.put(key, attempt);
  }

  #progress(progress: Pick<Attempt, "messageId"> & Partial<Attempt>): void {
    const key = this.#keys.get(progress.messageId);
    const attempt = key && this.#tables.attempts.get(key);
    if (attempt && attempt.messageId === progress.messageId) this.#tables.attempts.set(key, progress);
  }

  #settle(
    { messageId, at }: { readonly messageId: string; readonly at: Instant },
    endOf: (attempt: Attempt) => SettledMessage["end"],
  ): void {
    const message = this.#tables.messages.get(messageId);
    const key = message ? destinationKey(message.to) : this.#keys.get(messageId);
    if (key === undefined) return;
    const attempt = this.#tables.attempts.get(key);
    if (!message && attempt?.messageId === messageId) {
      for (const id of attempt.deliveries) this.#settled.add(id);
      this.#change((transaction) => settle(transaction, this.#tables, attempt, { at, end: endOf(attempt) }));
    }
    if (this.#tables.messages.get(messageId)?.end.kind === "sent") this.#tables.pauses.remove(key);
  }

  #change(step: (transaction: Transaction) => unknown): void {
    const transaction = new Transaction(new PendingRows(this.#tables));
    step(transaction);
    for (const op of transaction.ops) this.#tables.apply(op, 0);
  }
}
