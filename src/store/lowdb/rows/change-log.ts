import { join } from "node:path";
import { TimeSlice } from "../../../lib/slices.ts";
import type { Disk } from "../files/disk.ts";
import { WriteQueue } from "../files/write-queue.ts";
import { AppendOnlyLog } from "../log/append-only-log.ts";
import { changesName, type StoredRows } from "./stored-rows.ts";
import type { Tables } from "./tables.ts";
import { type LoggedTransaction, type Operation, PendingRows, Transaction } from "./transaction.ts";

type Step = (earlier: PendingRows) => readonly Operation[] | null;

export interface ChangeLogOptions {
  readonly disk: Disk;
  readonly dir: string;
  /** Called after each write. */
  readonly onWrite: () => void;
}

/** Start of a log file. */
export interface LogPosition {
  readonly number: number;
  /** Number of its first transaction. */
  readonly first: number;
}

/** The log of all changes of rows. Every change is durable before it is visible; waiting changes share one write and sync. */
export class ChangeLog {
  readonly tables: Tables;
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #queue: WriteQueue<Step>;
  readonly #onWrite: () => void;
  #log: AppendOnlyLog<LoggedTransaction>;
  #number: number;
  /** Number of the last transaction. */
  #last: number;

  private constructor(
    { disk, dir, onWrite }: ChangeLogOptions,
    { tables, last }: Pick<StoredRows, "tables" | "last">,
    opened: { readonly log: AppendOnlyLog<LoggedTransaction>; readonly number: number },
  ) {
    this.tables = tables;
    this.#disk = disk;
    this.#dir = dir;
    this.#onWrite = onWrite;
    this.#log = opened.log;
    this.#number = opened.number;
    this.#last = last;
    this.#queue = new WriteQueue((steps) => this.#write(steps));
  }

  /** Continues the last log. */
  static async open(options: ChangeLogOptions, rows: StoredRows): Promise<ChangeLog> {
    const last = rows.logs.at(-1);
    if (!last) throw new Error("there is no log of changes to continue");
    const log = await AppendOnlyLog.continue<LoggedTransaction>(options.disk, last.path, last.read);
    return new ChangeLog(options, rows, { log, number: last.number });
  }

  /** Size of the current file; 0 if it has no transactions. */
  get sizeBytes(): number {
    return this.#log.entryCount > 0 ? this.#log.sizeBytes : 0;
  }

  /** Runs `step` when its changes are written, so that no other change comes between its reads and its writes. */
  async change<R>(step: (transaction: Transaction) => R): Promise<R> {
    const results: R[] = [];
    const errors: unknown[] = [];
    await this.#queue.submit((earlier) => {
      const transaction = new Transaction(earlier);
      try {
        results.push(step(transaction));
        return transaction.ops.length > 0 ? transaction.ops : null;
      } catch (error) {
        errors.push(error);
        return null;
      }
    });
    if (errors.length > 0) throw errors[0];
    return results[0] as R;
  }

  /** Writes a transaction without changes, to check that the log is writable. */
  async probe(): Promise<void> {
    await this.#queue.submit(() => []);
  }

  /** Directs later changes to a new file, unless the current one is empty, and calls `atRotation` before the next change. */
  rotate<R>(atRotation: () => R): Promise<{ readonly position: LogPosition; readonly result: R }> {
    return this.#queue.runExclusive(async () => {
      if (this.#log.entryCount > 0) await this.#startFile();
      return { position: { number: this.#number, first: this.#last + 1 }, result: atRotation() };
    });
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#log.close();
  }

  async #startFile(): Promise<void> {
    await this.#log.repair();
    const path = join(this.#dir, changesName(this.#number + 1));
    const next = await AppendOnlyLog.create<LoggedTransaction>(this.#disk, path, this.#last + 1);
    const previous = this.#log;
    this.#log = next;
    this.#number += 1;
    await previous.close();
  }

  async #write(steps: readonly Step[]): Promise<void> {
    const earlier = new PendingRows();
    const transactions: LoggedTransaction[] = [];
    const slice = new TimeSlice();
    for (const step of steps) {
      await slice.next();
      const ops = step(earlier);
      if (ops === null) continue;
      earlier.add(ops);
      transactions.push({ n: this.#last + transactions.length + 1, ops });
    }
    if (transactions.length === 0) return;
    await this.#log.append(transactions);
    this.#last += transactions.length;
    for (const { ops } of transactions) {
      await slice.next();
      for (const op of ops) this.tables.apply(op);
    }
    this.#onWrite();
  }
}
