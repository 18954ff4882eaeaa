import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Disk, damagedFileError, earlierBuildError } from "../files/disk.ts";
import { type FileReader, fileReader } from "../files/file-reader.ts";
import { DurableJson, type OpenedFile, openJsonFile } from "../files/json-file.ts";
import { scanLog } from "../files/log-lines.ts";
import { type ApplyLine, type ChangesFile, changesName, checkLogs, paddedNumber, replayLogs } from "./changes-files.ts";
import { EMPTY_SNAPSHOT_FILE, type SnapshotFile, type SnapshotRows } from "./snapshot-rows.ts";
import type { Table } from "./table.ts";
import { TABLE_NAMES, Tables } from "./tables.ts";
import type { LoggedChanges } from "./transaction.ts";

export const CHECKPOINT_NAME = "checkpoint.json";
export const SNAPSHOT_NAME = "snapshot.json";

/** A file of earlier builds. */
const EARLIER_LOG = "journal.log";

/** Content of `checkpoint.json`: the files that make up the rows. Files that it does not name are not part of them. */
export interface CheckpointFile {
  /** Number of the log at which the replay starts. */
  readonly changes: number;
  /** Number of the first transaction in that log. */
  readonly first: number;
  /** Number and checksum of each segment, by table. */
  readonly segments: Readonly<Record<string, readonly (readonly [number, string])[]>>;
  /** Number of a transaction that `snapshot.json` includes. */
  readonly snapshot: number;
}

const NO_CHECKPOINT: CheckpointFile = { changes: 1, first: 1, segments: {}, snapshot: 0 };

/** Content of a segment's file. */
export type SegmentRows = readonly (readonly [string, unknown])[];

/** Files that were read, and where the log ends. */
export interface StoredFiles {
  readonly checkpoint: OpenedFile<CheckpointFile>;
  readonly snapshot: OpenedFile<SnapshotFile>;
  /** Logs that were replayed, oldest first; empty if there is no checkpoint. */
  readonly logs: readonly ChangesFile[];
  /** Number of the last transaction. */
  readonly last: number;
  /** True if files that precede a purge may exist. */
  readonly hasPurge: boolean;
}

export interface StoredRows extends StoredFiles {
  /** The rows after the replay. */
  readonly tables: Tables;
}

export function segmentName(table: string, number: number): string {
  return `${table}-${paddedNumber(number)}.json`;
}

/** Whether `name` is that of a segment or a log of changes, listed or not. */
export function isRowFileName(name: string): boolean {
  const [, table = "", extension] = /^(.+)-\d{6,}\.(json|log)$/.exec(name) ?? [];
  return extension === "json" ? TABLE_NAMES.has(table) : extension === "log" && table === "changes";
}

/** Names of the files that make up the rows. */
export function rowFileNames({ checkpoint, logs }: StoredFiles): readonly string[] {
  const segments = Object.entries(checkpoint.low.data.segments).flatMap(([table, files]) =>
    files.map(([number]) => segmentName(table, number)),
  );
  return [...segments, ...logs.map(({ number }) => changesName(number))];
}

/** `checkpoint.json` and `snapshot.json`. */
const FIXED_FILES = 2;

export function fileCountOf(files: StoredFiles): number {
  return FIXED_FILES + rowFileNames(files).length;
}

/** Segment as `checkpoint.json` lists it. */
export interface ListedSegment {
  readonly path: string;
  readonly number: number;
  readonly crc: string;
}

/** Receives what the files contain, in this order. */
export interface StoredRowsTarget {
  addSegment(table: string, segment: ListedSegment): Promise<void>;
  readonly snapshot: SnapshotRows;
  readonly apply: ApplyLine;
}

/**
 * Reads all files and changes none. Throws a StoreError for a file that is damaged, missing, of another checkpoint or of an earlier
 * build. The order gives the rows of one moment even while another process writes: the logs, which are last, have all that the other
 * files have.
 */
export async function readStored(
  disk: Disk,
  dir: string,
  reader: FileReader,
  target: StoredRowsTarget,
): Promise<StoredFiles> {
  if (await reader.exists(join(dir, EARLIER_LOG))) throw earlierBuildError(join(dir, EARLIER_LOG));
  const checkpoint = await openJsonFile(disk, join(dir, CHECKPOINT_NAME), NO_CHECKPOINT, reader);
  const { segments, changes, first } = checkpoint.low.data;
  for (const table of TABLE_NAMES)
    for (const [number, crc] of segments[table] ?? [])
      await target.addSegment(table, { path: join(dir, segmentName(table, number)), number, crc });
  const snapshot = await openJsonFile(disk, join(dir, SNAPSHOT_NAME), EMPTY_SNAPSHOT_FILE, reader);
  const opened = { checkpoint, snapshot };
  if (!checkpoint.exists) {
    // It is created last: an interrupted first start leaves no other file with rows.
    if (snapshot.isUsed || (await hasRowFiles(dir, reader))) throw damagedFileError(checkpoint.path, "is missing");
    return { ...opened, logs: [], last: 0, hasPurge: false };
  }
  loadSnapshot(opened, target.snapshot);
  const logs = await checkLogs(dir, changes, reader);
  const { last, hasPurge } = await replayLogs(logs, reader, first - 1, target.apply);
  if (snapshot.exists && snapshot.low.data.transaction > last)
    throw damagedFileError(
      logs.at(-1)?.path ?? dir,
      `is older than ${snapshot.path}: it ends with transaction ${last}`,
    );
  return { ...opened, logs, last, hasPurge };
}

/** Whether a segment exists, or a log of changes with a transaction. */
async function hasRowFiles(dir: string, reader: FileReader): Promise<boolean> {
  const names = await readdir(dir).catch(() => []);
  for (const name of names.filter(isRowFileName)) {
    const path = join(dir, name);
    if (name.endsWith(".json") || (await scanLog(path, reader.readChunks(path))).end.lineCount > 1) return true;
  }
  return false;
}

/** Reads all rows into memory. */
export async function readRows(disk: Disk, dir: string, reader: FileReader = fileReader): Promise<StoredRows> {
  const tables = new Tables();
  const files = await readStored(disk, dir, reader, {
    addSegment: (name, segment) => loadSegment(tables.table(name), segment, { disk, reader }),
    snapshot: tables.snapshot,
    apply: ({ json }, { n }) => {
      const { ops } = JSON.parse(json.toString("utf8")) as LoggedChanges;
      return ops.every((op) => tables.apply(op, n));
    },
  });
  return { ...files, tables };
}

function loadSnapshot(
  { checkpoint, snapshot }: Pick<StoredFiles, "checkpoint" | "snapshot">,
  rows: SnapshotRows,
): void {
  const { data } = snapshot.low;
  if (!snapshot.exists) throw damagedFileError(snapshot.path, "is missing");
  if (data.transaction < checkpoint.low.data.snapshot)
    throw damagedFileError(snapshot.path, `is older than ${checkpoint.path}`);
  rows.load(data);
}

async function loadSegment(
  table: Table<unknown> | undefined,
  segment: ListedSegment,
  { disk, reader }: { readonly disk: Disk; readonly reader: FileReader },
): Promise<void> {
  const adapter = new DurableJson<SegmentRows>(disk, segment.path, reader);
  const rows = await adapter.read();
  if (rows === null) throw damagedFileError(segment.path, "is missing");
  assertListed(segment, adapter.crc);
  table?.load({ number: segment.number, crc: segment.crc, sizeBytes: adapter.sizeBytes }, rows);
}

export function assertListed(segment: ListedSegment, crc: string): void {
  if (segment.crc !== crc) throw damagedFileError(segment.path, `is not the file that ${CHECKPOINT_NAME} lists`);
}
