import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type LogContent, parseLog } from "../files/append-only-log.ts";
import { type Disk, damagedFileError } from "../files/disk.ts";
import { DurableJson, type OpenedFile, openJsonFile, type ReadFile } from "../files/json-file.ts";
import { EMPTY_SNAPSHOT_FILE, type SnapshotFile } from "./snapshot-rows.ts";
import type { Table } from "./table.ts";
import { TABLE_NAMES, Tables } from "./tables.ts";
import type { LoggedChanges } from "./transaction.ts";

export const CHECKPOINT_NAME = "checkpoint.json";
export const SNAPSHOT_NAME = "snapshot.json";

/** Content of `checkpoint.json`: the files that make up the rows. Files that it does not name are not part of them. */
export interface CheckpointFile {
  /** Number of the log at which the replay starts. */
  readonly changes: number;
  /** Number of the first transaction in that log. */
  readonly first: number;
  /** Number and checksum of each segment, by table. */
  readonly segments: Readonly<Record<string, readonly (readonly [number, string])[]>>;
  /** Number of a transaction that `snapshot.json` includes. Absent if the file is of an earlier schema. */
  readonly snapshot?: number;
}

const NO_CHECKPOINT: CheckpointFile = { changes: 1, first: 1, segments: {} };

/** Content of a segment's file. */
export type SegmentRows = readonly (readonly [string, unknown])[];

export interface ChangesFile {
  readonly number: number;
  readonly path: string;
  readonly read: LogContent<LoggedChanges>;
}

export interface StoredRows {
  readonly checkpoint: OpenedFile<CheckpointFile>;
  readonly snapshot: OpenedFile<SnapshotFile>;
  /** The rows after the replay. */
  readonly tables: Tables;
  /** Logs that were replayed, oldest first; empty if there is no checkpoint. */
  readonly logs: readonly ChangesFile[];
  /** Number of the last transaction. */
  readonly last: number;
  /** True if files that precede a purge may exist. */
  readonly hasPurge: boolean;
}

/** Whether the checkpoint lists the snapshot and all tables. If not, it is of an earlier schema, or there is none. */
export function isComplete(rows: StoredRows): boolean {
  return rows.checkpoint.low.data.snapshot !== undefined && unlistedTables(rows).length === 0;
}

/** Tables that the checkpoint does not list: it is of an earlier schema, or there is none. */
export function unlistedTables({ checkpoint, tables }: StoredRows): readonly Table<unknown>[] {
  const { segments } = checkpoint.low.data;
  return tables.all().filter(({ name }) => !Object.hasOwn(segments, name));
}

export function segmentName(table: string, number: number): string {
  return `${table}-${padded(number)}.json`;
}

export function changesName(number: number): string {
  return `changes-${padded(number)}.log`;
}

function padded(number: number): string {
  return String(number).padStart(6, "0");
}

/** Whether `name` is that of a segment or a log of changes, listed or not. */
export function isRowFileName(name: string): boolean {
  const [, table = "", extension] = /^(.+)-\d{6,}\.(json|log)$/.exec(name) ?? [];
  return extension === "json" ? TABLE_NAMES.has(table) : extension === "log" && table === "changes";
}

/** Names of the files that make up the rows. */
export function rowFileNames({ checkpoint, logs }: StoredRows): readonly string[] {
  const segments = Object.entries(checkpoint.low.data.segments).flatMap(([table, files]) =>
    files.map(([number]) => segmentName(table, number)),
  );
  return [...segments, ...logs.map(({ number }) => changesName(number))];
}

/**
 * Reads all rows and changes no file. Throws a StoreError for a file that is damaged, missing or of another checkpoint. The order
 * gives the rows of one moment even while another process writes: the logs, which are last, have all that the other files have.
 */
export async function readRows(disk: Disk, dir: string, readFile: ReadFile): Promise<StoredRows> {
  const checkpoint = await openJsonFile(disk, join(dir, CHECKPOINT_NAME), NO_CHECKPOINT, readFile);
  const tables = new Tables();
  const { segments, changes, first } = checkpoint.low.data;
  for (const table of tables.all()) {
    for (const [number, crc] of segments[table.name] ?? [])
      await loadSegment(table, { disk, path: join(dir, segmentName(table.name, number)), number, crc, readFile });
  }
  const snapshot = await openJsonFile(disk, join(dir, SNAPSHOT_NAME), EMPTY_SNAPSHOT_FILE, readFile);
  const opened = { checkpoint, snapshot, tables };
  if (!checkpoint.exists) return { ...opened, logs: [], last: 0, hasPurge: false };
  if (checkpoint.low.data.snapshot !== undefined) loadSnapshot(opened);
  const logs = await readLogs(dir, changes, readFile);
  const last = replay(tables, logs, first - 1);
  if (snapshot.exists && snapshot.low.data.transaction > last)
    throw damagedFileError(
      logs.at(-1)?.path ?? dir,
      `is older than ${snapshot.path}: it ends with transaction ${last}`,
    );
  const hasPurge = logs.some(({ read }) => read.entries.some(({ purge }) => purge));
  return { ...opened, logs, last, hasPurge };
}

function loadSnapshot({ checkpoint, snapshot, tables }: Pick<StoredRows, "checkpoint" | "snapshot" | "tables">): void {
  const { data } = snapshot.low;
  if (!snapshot.exists) throw damagedFileError(snapshot.path, "is missing");
  if (data.transaction < (checkpoint.low.data.snapshot ?? 0))
    throw damagedFileError(snapshot.path, `is older than ${checkpoint.path}`);
  tables.snapshot.load(data);
}

interface ListedSegment {
  readonly disk: Disk;
  readonly path: string;
  readonly number: number;
  readonly crc: string;
  readonly readFile: ReadFile;
}

async function loadSegment(table: Table<unknown>, listed: ListedSegment): Promise<void> {
  const { disk, path, number, crc, readFile } = listed;
  const adapter = new DurableJson<SegmentRows>(disk, path, readFile);
  const rows = await adapter.read();
  if (rows === null) throw damagedFileError(path, "is missing");
  if (adapter.crc !== crc) throw damagedFileError(path, `is not the file that ${CHECKPOINT_NAME} lists`);
  table.load({ number, crc, sizeBytes: adapter.sizeBytes }, rows);
}

/**
 * Reads consecutive logs. Later logs without a transaction are left out: an interrupted checkpoint created them, and nothing in
 * them was acknowledged. A log is complete if the next one exists, so their number is determined first.
 */
async function readLogs(dir: string, firstNumber: number, readFile: ReadFile): Promise<readonly ChangesFile[]> {
  const names = new Set(await readdir(dir));
  const logs: ChangesFile[] = [];
  for (let number = firstNumber; number === firstNumber || names.has(changesName(number)); number += 1) {
    const path = join(dir, changesName(number));
    const bytes = await readFile(path);
    if (bytes === null) throw damagedFileError(path, "is missing");
    if (number > firstNumber && !bytes.includes("\n")) break;
    const read = parseLog<LoggedChanges>(path, bytes);
    if (number > firstNumber && read.entries.length === 0) break;
    logs.push({ number, path, read });
  }
  return logs;
}

/** Applies the logs to the tables and returns the number of the last transaction. */
function replay(tables: Tables, logs: readonly ChangesFile[], before: number): number {
  let last = before;
  for (const file of logs) {
    const isTornInside = file.read.torn !== null && file !== logs.at(-1);
    if (file.read.head.mark !== last + 1 || isTornInside)
      throw damagedFileError(file.path, `does not continue after transaction ${last}`);
    last = replayFile(tables, file, last);
  }
  return last;
}

function replayFile(tables: Tables, { path, read }: ChangesFile, before: number): number {
  let last = before;
  let isContinued = false;
  for (const { n, more, ops } of read.entries) {
    if (n !== (isContinued ? last : last + 1) || !ops.every((op) => tables.apply(op, n)))
      throw damagedFileError(path, `is damaged: transaction ${n} does not follow ${last}`);
    last = n;
    isContinued = more === true;
  }
  return last;
}
