import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { destinationKey } from "../../domain/alert/destination.ts";
import { EMPTY_SNAPSHOT, headerOf } from "../../domain/diff/snapshot.ts";
import { writeDurably } from "../../lib/durable-file.ts";
import { TimeSlice } from "../../lib/slices.ts";
import type { StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import { observationKey, releaseKey, StoreError, sourceReadsKey } from "../../ports/store.ts";
import type { RestoreOptions } from "../store-definition.ts";
import { formatKeyFile, KEY_FILE } from "./api-keys.ts";
import { installationKey } from "./collections/installations.ts";
import { LAST_NUMBER } from "./collections/postings.ts";
import { purgeTables } from "./collections/purge.ts";
import { fillRules } from "./collections/rules.ts";
import { asStoreError, realDisk } from "./files/disk.ts";
import { commitStaging, dropStaging, lockFolder, makeStaging, storeFileNames, tidyFolder } from "./files/folder.ts";
import { createRows, MAX_SEGMENT_BYTES, writeSegment } from "./rows/checkpoint.ts";
import { readRows, type StoredRows, segmentName } from "./rows/stored-rows.ts";
import type { Table } from "./rows/table.ts";
import type { Tables } from "./rows/tables.ts";
import { PendingRows, Transaction } from "./rows/transaction.ts";

/**
 * Writes the records atomically into a folder that has no state yet; creates the folder if needed. Failures are StoreErrors
 * that say what to do; an error thrown by `records` is passed on unchanged.
 */
export async function restoreFolder(
  dir: string,
  records: AsyncIterable<StateRecord>,
  { holder }: RestoreOptions,
): Promise<void> {
  const lock = await asStoreError(dir, () => lockFolder(dir, holder));
  try {
    await asStoreError(dir, async () => {
      const completed = await tidyFolder(dir);
      await assertEmpty(dir, completed);
    });
    await stage(dir, records);
    await asStoreError(dir, () => commitStaging(dir));
  } finally {
    await lock.release();
  }
}

async function stage(dir: string, records: AsyncIterable<StateRecord>): Promise<void> {
  try {
    const staging = await asStoreError(dir, () => makeStaging(dir));
    const files = await asStoreError(dir, () => RestoredFiles.begin(staging));
    for await (const record of records) if (files.add(record)) await asStoreError(dir, () => files.flush());
    await asStoreError(dir, () => files.finish());
  } catch (error) {
    // A partial restore must not fill the disk. If this fails, the next start or restore removes it.
    await dropStaging(dir).catch(() => undefined);
    throw error;
  }
}

async function assertEmpty(dir: string, completed: boolean): Promise<void> {
  const others = (await readdir(dir)).filter((name) => name === KEY_FILE);
  const stateFiles = [...(await storeFileNames(dir)), ...others].toSorted();
  if (stateFiles.length === 0) return;
  const reason = completed ? " An earlier restore that was interrupted is now complete." : "";
  throw new StoreError(
    `DATA_DIR: got ${dir}, which already holds a state (${shortened(stateFiles)}), expected a folder without one.${reason} ` +
      `Move it away (mv ${dir} ${dir}.old), or give another DATA_DIR. Nothing was changed`,
  );
}

const MAX_NAMES_SHOWN = 25;

function shortened(names: readonly string[]): string {
  const others = names.length - MAX_NAMES_SHOWN;
  return names.slice(0, MAX_NAMES_SHOWN).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

type KeyOfRow = (value: never) => string;

/** Kinds without a limit, whose records are written while others are read. */
const STREAMED: Partial<Readonly<Record<StateKind, readonly [table: string, keyOf: KeyOfRow]>>> = {
  event: ["events", ({ id }: StateValues["event"]) => id],
  message: ["messages", ({ messageId }: StateValues["message"]) => messageId],
  release: ["releases", releaseKey],
  observation: ["observations", observationKey],
};

/** Rows of a table that are not written yet. */
interface PendingSegment {
  readonly table: string;
  lines: string[];
  length: number;
}

/** Writes records as the files of a new folder. Of streamed tables, at most one segment is in memory. */
class RestoredFiles {
  readonly #dir: string;
  readonly #rows: StoredRows;
  readonly #records = new Map<StateKind, unknown[]>();
  readonly #pending = new Map<string, PendingSegment>();
  readonly #events = new Set<string>();
  #lastSegment = 0;

  private constructor(dir: string, rows: StoredRows) {
    this.#dir = dir;
    this.#rows = rows;
  }

  static async begin(dir: string): Promise<RestoredFiles> {
    return new RestoredFiles(dir, await readRows(realDisk, dir));
  }

  /** Returns true if `flush` must be called before the next record. */
  add({ kind, value }: StateRecord): boolean {
    if (kind === "event") this.#events.add(value.id);
    const streamed = STREAMED[kind];
    if (streamed) return this.#addRow(streamed[0], streamed[1](value as never), value);
    const values = this.#records.get(kind);
    if (values) values.push(value);
    else this.#records.set(kind, [value]);
    return false;
  }

  #addRow(table: string, key: string, value: unknown): boolean {
    const pending = this.#pending.get(table) ?? { table, lines: [], length: 0 };
    this.#pending.set(table, pending);
    const line = JSON.stringify([key, value]);
    pending.lines.push(line);
    pending.length += line.length;
    return pending.length >= MAX_SEGMENT_BYTES;
  }

  /** Writes the pending rows of streamed tables that fill a segment. */
  async flush(minLength = MAX_SEGMENT_BYTES): Promise<void> {
    for (const pending of this.#pending.values()) if (pending.length >= minLength) await this.#writeSegment(pending);
  }

  async #writeSegment(pending: PendingSegment): Promise<void> {
    this.#lastSegment += 1;
    const path = join(this.#dir, segmentName(pending.table, this.#lastSegment));
    const file = await writeSegment(realDisk, path, this.#lastSegment, pending.lines);
    this.#rows.tables.table(pending.table)?.load(file, []);
    pending.lines = [];
    pending.length = 0;
  }

  /** Makes all added records durable. */
  async finish(): Promise<void> {
    const { tables } = this.#rows;
    this.#fillAlerts(tables);
    this.#fillSettings(tables);
    this.#fillPostings(tables);
    this.#fill("source-reads", tables.sourceReads, sourceReadsKey);
    await this.flush(1);
    await createRows(realDisk, this.#dir, this.#rows, this.#lastSegment);
    await this.#completePurges();
    const keys = this.#all("api-key");
    if (keys.length > 0) await writeDurably(join(this.#dir, KEY_FILE), formatKeyFile(keys));
  }

  /** Purges that were pending when an earlier version made the backup, which need all rows. */
  async #completePurges(): Promise<void> {
    const purges = this.#all("forgetting");
    if (purges.length === 0) return;
    const rows = await readRows(realDisk, this.#dir);
    const { tables } = rows;
    for (const { person, tests } of purges) {
      const transaction = new Transaction(new PendingRows(tables));
      await purgeTables(transaction, new TimeSlice(), { tables, person, testMessageIds: tests });
      for (const op of transaction.ops) tables.apply(op, 0);
    }
    await createRows(realDisk, this.#dir, rows);
  }

  #fillAlerts(tables: Tables): void {
    const [header = headerOf(EMPTY_SNAPSHOT)] = this.#all("snapshot");
    const [splits, past, articles] = [this.#all("split"), this.#all("past-split"), this.#all("article")];
    tables.snapshot.load({ transaction: 0, header, splits, past, articles });
    this.#fill("delivery", tables.deliveries, ({ id }) => id);
    for (const { id, eventId } of this.#all("delivery"))
      if (!this.#events.has(eventId))
        throw new StoreError(`delivery ${id}: its event ${eventId} is not among the records`);
    this.#fill("attempt", tables.attempts, ({ to }) => destinationKey(to));
    this.#fill("pause", tables.pauses, ({ to }) => destinationKey(to));
  }

  #fillSettings(tables: Tables): void {
    const lastNumbers = this.#all("rule-number").map(({ at, last }) => [destinationKey(at), last] as const);
    fillRules(tables.rules, this.#all("rule"), Object.fromEntries(lastNumbers));
    for (const { person, tickers } of this.#all("watchlist"))
      tables.watchlists.put(destinationKey(person), tickers.join(" "));
    for (const { person, channelId } of this.#all("direct-channel"))
      tables.directChannels.put(destinationKey(person), channelId);
    for (const { person, token } of this.#all("calendar")) tables.calendars.put(destinationKey(person), token);
    this.#fill("destination-settings", tables.settings, ({ to }) => destinationKey(to));
    this.#fill("import", tables.imports, ({ id }) => id);
    this.#fill("installation", tables.installations, installationKey);
    for (const { token, until } of this.#all("used-once")) tables.usedTokens.put(token, until);
  }

  #fillPostings(tables: Tables): void {
    const postings = this.#all("posting").toSorted((a, b) => a.number - b.number);
    for (const posting of postings) tables.postings.put(posting.messageId, posting);
    const numbers = [...this.#all("posting-number").map(({ last }) => last), postings.at(-1)?.number ?? 0];
    tables.postingNumber.put(LAST_NUMBER, Math.max(...numbers));
  }

  #fill<K extends StateKind>(kind: K, table: Table<StateValues[K]>, keyOf: (value: StateValues[K]) => string): void {
    for (const value of this.#all(kind)) table.put(keyOf(value), value);
  }

  #all<K extends StateKind>(kind: K): readonly StateValues[K][] {
    return (this.#records.get(kind) ?? []) as StateValues[K][];
  }
}
