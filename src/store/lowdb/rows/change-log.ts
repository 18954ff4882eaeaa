import { join } from "node:path";
import { TimeSlice } from "../../../lib/slices.ts";
import { AppendOnlyLog } from "../files/append-only-log.ts";
import type { Disk } from "../files/disk.ts";
import { WriteQueue } from "../files/write-queue.ts";
import { changesName } from "./changes-files.ts";
import { createSharedJson, type SharedJson } from "./row-json.ts";
import type { StoredRows } from "./stored-rows.ts";
import type { Tables } from "./tables.ts";
import { type Operation, PendingRows, Transaction } from "./transaction.ts";

/** Work of one caller; long work awaits `slice.next()`. */
type Step<R> = (transaction: Transaction, slice: TimeSlice) => R | Promise<R>;

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

/** A transaction is stored in lines of at most this many operations and, if an operation isn't larger, this many characters. */
const MAX_OPERATIONS_PER_LINE = 500;
const MAX_LINE_LENGTH = 128 * 1024;

/** Changes of the snapshot become visible together, all others in slices. */
const OPERATIONS_PER_SLICE = 100;

/** The log of all changes of rows. Every change is durable before it is visible; waiting changes share one write and sync. */
export class ChangeLog {
  readonly tables: Tables;
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #queue: WriteQueue<Step<void>>;
  readonly #onWrite: () => void;
  #onApplied: () => void = () => undefined;
  #log: AppendOnlyLog;
  #number: number;
  /** Number of the last transaction. */
  #last: number;

  private constructor(
    { disk, dir, onWrite }: ChangeLogOptions,
    { tables, last }: Pick<StoredRows, "tables" | "last">,
    opened: { readonly log: AppendOnlyLog; readonly number: number },
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
    const log = await AppendOnlyLog.continue(options.disk, last.path, last.extent);
    return new ChangeLog(options, rows, { log, number: last.number });
  }

  /** Size of the current file; 0 if it has no transactions. */
  get sizeBytes(): number {
    return this.#log.entryCount > 0 ? this.#log.sizeBytes : 0;
  }

  /** `listener` is called after rows have changed, before other work continues. */
  onApplied(listener: () => void): void {
    this.#onApplied = listener;
  }

  /** Runs `step` when its changes are written, so that no other change comes between its reads and its writes. */
  async change<R>(step: Step<R>): Promise<R> {
    const results: R[] = [];
    const errors: unknown[] = [];
    await this.#queue.submit(async (transaction, slice) => {
      try {
        results.push(await step(transaction, slice));
      } catch (error) {
        errors.push(error);
        throw error;
      }
    });
    if (errors.length > 0) throw errors[0];
    return results[0] as R;
  }

  /** Rejects if the log is not writable or the disk has no space left. */
  async probe(): Promise<void> {
    await this.#queue.runExclusive(() => this.#log.probe());
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
    const next = await AppendOnlyLog.create(this.#disk, path, this.#last + 1);
    const previous = this.#log;
    this.#log = next;
    this.#number += 1;
    await previous.close();
  }

  async #write(steps: readonly Step<void>[]): Promise<void> {
    const slice = new TimeSlice();
    const transactions = await this.#run(steps, slice);
    if (transactions.length === 0) return;
    const first = this.#last + 1;
    await this.#log.append(linesOf(transactions, first, this.tables));
    this.#last += transactions.length;
    for (const [index, transaction] of transactions.entries()) await this.#apply(transaction, first + index, slice);
    this.#onWrite();
  }

  /** Returns the transactions of the steps that succeed. */
  async #run(steps: readonly Step<void>[], slice: TimeSlice): Promise<readonly Transaction[]> {
    const pending = new PendingRows(this.tables);
    const transactions: Transaction[] = [];
    for (const step of steps) {
      await slice.next();
      pending.begin();
      const transaction = new Transaction(pending);
      try {
        await step(transaction, slice);
        if (transaction.isStored) transactions.push(transaction);
      } catch {
        // The caller has the error.
        pending.rollback();
      }
    }
    return transactions;
  }

  async #apply({ ops }: Transaction, n: number, slice: TimeSlice): Promise<void> {
    for (const [index, op] of ops.entries()) {
      if (index % OPERATIONS_PER_SLICE === 0 && this.tables.table(op[1])) {
        this.#onApplied();
        await slice.next();
      }
      this.tables.apply(op, n);
    }
    this.#onApplied();
  }
}

/** Lines of transactions whose first number is `first`. */
function* linesOf(transactions: readonly Transaction[], first: number, tables: Tables): Generator<string> {
  const shared = createSharedJson();
  for (const [index, { ops, isPurge }] of transactions.entries()) {
    const head = `{"n":${first + index}${isPurge ? ',"purge":true' : ""}`;
    let texts: string[] = [];
    let length = 0;
    for (const op of ops) {
      if (texts.length === MAX_OPERATIONS_PER_LINE || length >= MAX_LINE_LENGTH) {
        yield `${head},"more":true,"ops":[${texts.join(",")}]}`;
        texts = [];
        length = 0;
      }
      const text = operationJson(op, tables, shared);
      texts.push(text);
      length += text.length;
    }
    yield `${head},"ops":[${texts.join(",")}]}`;
  }
}

function operationJson(op: Operation, tables: Tables, shared: SharedJson): string {
  const [kind, name, key, value] = op;
  const table = kind === "put" ? tables.table(name) : undefined;
  if (!table) return JSON.stringify(op);
  const keyJson = JSON.stringify(key);
  return `["put",${shared(name)},${keyJson},${table.toJson(value, keyJson, shared)}]`;
}
