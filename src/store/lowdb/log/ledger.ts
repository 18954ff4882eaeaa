import type { Low } from "lowdb";
import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { damaged } from "../files/damage.ts";
import type { Disk } from "../files/disk.ts";
import type { OpenedFile } from "../files/json-file.ts";
import { WriteGate } from "../files/write-gate.ts";
import type { ArchiveFile } from "./archive.ts";
import { Claims } from "./claims.ts";
import type { Forget, LedgerEntry } from "./ledger-entry.ts";
import { LedgerState } from "./ledger-state.ts";
import { type SnapshotFile, SnapshotWriter } from "./snapshot-file.ts";
import { Journal, type ReadJournal } from "./write-ahead-log.ts";

export interface LedgerFiles {
  readonly snapshot: OpenedFile<SnapshotFile>;
  readonly history: OpenedFile<ArchiveFile>;
  readonly journal: { readonly path: string; readonly read: ReadJournal<LedgerEntry> };
}

export interface LedgerOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** The journal is compacted when it is larger, in bytes. */
  readonly compactAbove: number;
}

/** Makes the line at the moment of writing, from what is known then; null when there is nothing to write. */
type Step = (nextCommit: () => number) => LedgerEntry | null;

/**
 * The snapshot, the deliveries and what became of them. Every change is one line of the journal, and is seen only when it is
 * on disk. `snapshot.json` follows each change of the snapshot, `history.json` is written at compaction alone.
 */
export class Ledger {
  readonly state: LedgerState;
  readonly claims: Claims;
  readonly #journal: Journal<LedgerEntry>;
  readonly #snapshotFile: SnapshotWriter;
  readonly #historyFile: Low<ArchiveFile>;
  readonly #options: LedgerOptions;
  readonly #gate: WriteGate<Step>;
  #compactAbove: number;

  private constructor(
    state: LedgerState,
    journal: Journal<LedgerEntry>,
    files: Omit<LedgerFiles, "journal">,
    options: LedgerOptions,
  ) {
    this.state = state;
    this.claims = new Claims(state.queues, options.clock.now());
    this.#journal = journal;
    this.#snapshotFile = new SnapshotWriter(files.snapshot.low, state, options.log);
    this.#historyFile = files.history.low;
    this.#options = options;
    this.#compactAbove = options.compactAbove;
    this.#gate = new WriteGate((steps) => this.#write(steps));
  }

  static async open(files: LedgerFiles, options: LedgerOptions): Promise<Ledger> {
    const { read, path } = files.journal;
    const state = new LedgerState(files.snapshot.low.data, files.history.low.data);
    assertSameAge(files);
    state.replay(read.entries);
    const journal = await Journal.continue<LedgerEntry>(options.disk, path, read);
    const ledger = new Ledger(state, journal, files, options);
    if (read.isOutdated || read.entries.length > read.head.kept) await ledger.#compactIfPossible();
    return ledger;
  }

  /** Resolves when the line is on disk and taken in. */
  write(step: Step): Promise<void> {
    return this.#gate.submit(step);
  }

  /** Forgets what was settled before `before`. */
  async prune(before: Instant): Promise<void> {
    await this.#gate.alone(async () => {
      const { archive, queues } = this.state;
      const kept = archive.since(before, queues.deliveries());
      if (archive.isNoMoreThan(kept)) return;
      await this.#compact(kept);
      this.state.keep(kept);
    });
  }

  /** Drops all that is told, or to be told, to the person. What is said of them in the journal goes with `endForget`. */
  async beginForget(person: Person): Promise<Forget> {
    const made: Forget[] = [];
    await this.write(() => {
      const entry = this.state.forgetEntry(person);
      made.push(entry);
      return entry;
    });
    return made[0] as Forget;
  }

  /** After it, no file of the ledger's holds anything of the person. */
  async endForget(entry: Forget): Promise<void> {
    await this.#gate.alone(async () => {
      this.state.forgotten(entry.person);
      try {
        await this.#compact(this.state.archive.since(Number.NEGATIVE_INFINITY, []));
      } catch (error) {
        this.state.apply(entry);
        throw error;
      }
    });
  }

  /** Brings `snapshot.json` up to date where an earlier write of it failed. */
  flushSnapshot(): Promise<void> {
    return this.#snapshotFile.flush();
  }

  async close(): Promise<void> {
    await this.#gate.close();
    await this.#snapshotFile.close();
    await this.#journal.close();
  }

  async #write(steps: readonly Step[]): Promise<void> {
    let { commit } = this.state;
    const nextCommit = (): number => {
      commit += 1;
      return commit;
    };
    const entries = steps.flatMap((step) => step(nextCommit) ?? []);
    if (entries.length === 0) return;
    await this.#journal.append(entries);
    const now = this.#options.clock.now();
    for (const entry of entries) for (const to of this.state.apply(entry)) this.claims.place(destinationKey(to), now);
    if (entries.some((entry) => entry.kind === "commit" && entry.patch)) this.#snapshotFile.schedule();
    if (this.#journal.size > this.#compactAbove) await this.#compactIfPossible();
  }

  /** What was appended is safe with or without it. */
  async #compactIfPossible(): Promise<void> {
    try {
      await this.#compact(this.state.archive.since(Number.NEGATIVE_INFINITY, []));
    } catch (error) {
      this.#options.log.warn("log compaction failed", { error });
      this.#compactAbove = Math.max(this.#options.compactAbove, this.#journal.size * 2);
    }
  }

  /** Each step leaves files that make the same state; the journal goes last, as the others know all that it loses. */
  async #compact(kept: Pick<ArchiveFile, "events" | "messages">): Promise<void> {
    const before = this.#journal.size;
    this.#historyFile.data = { commit: this.state.commit, ...kept };
    await this.#historyFile.write();
    await this.#snapshotFile.write();
    await this.#journal.rewrite(this.state.commit, this.state.openEntries());
    // Twice what is open at least, or a long queue would have every write compact the journal.
    this.#compactAbove = Math.max(this.#options.compactAbove, this.#journal.size * 2);
    this.#options.log.debug("log compacted", { from: before, to: this.#journal.size });
  }
}

/** Files of two backups, or a journal that lost its end, would be silently wrong together. */
/** A file that a backup or a hand put back alone would tell old splits anew, or forget what waits. */
export function assertSameAge({ snapshot, history, journal }: LedgerFiles): void {
  const { head, entries } = journal.read;
  for (const file of [snapshot, history])
    if (file.low.data.commit < head.mark)
      throw damaged(file.path, `is older than ${journal.path}, which was begun after commit ${head.mark}`);
  const last = entries.findLast((entry) => entry.kind === "commit")?.number ?? head.mark;
  for (const file of [snapshot, history])
    if (file.low.data.commit > last)
      throw damaged(
        journal.path,
        `is older than ${file.path}: it ends with commit ${last}, not ${file.low.data.commit}`,
      );
}
