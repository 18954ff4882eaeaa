import { join } from "node:path";
import { type Disk, damagedFileError } from "../files/disk.ts";
import type { FileReader } from "../files/file-reader.ts";
import { DurableJson, type OpenedFile, openJsonFile } from "../files/json-file.ts";
import { type ApplyLine, type ChangesFile, changesName, checkLogs, paddedNumber, replayLogs } from "./changes-files.ts";
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
  return `${table}-${paddedNumber(number)}.json`;
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
export async function readRows(disk: Disk, dir: string, reader: FileReader): Promise<StoredRows> {
  const checkpoint = await openJsonFile(disk, join(dir, CHECKPOINT_NAME), NO_CHECKPOINT, reader);
  const tables = new Tables();
  const { segments, changes, first } = checkpoint.low.data;
  for (const table of tables.all()) {
    for (const [number, crc] of segments[table.name] ?? [])
      await loadSegment(table, { disk, path: join(dir, segmentName(table.name, number)), number, crc, reader });
  }
  const snapshot = await openJsonFile(disk, join(dir, SNAPSHOT_NAME), EMPTY_SNAPSHOT_FILE, reader);
  const opened = { checkpoint, snapshot, tables };
  if (!checkpoint.exists) return { ...opened, logs: [], last: 0, hasPurge: false };
  if (checkpoint.low.data.snapshot !== undefined) loadSnapshot(opened);
  const logs = await checkLogs(dir, changes, reader);
  const apply: ApplyLine = ({ json }, { n }) => {
    const { ops } = JSON.parse(json.toString("utf8")) as LoggedChanges;
    return ops.every((op) => tables.apply(op, n));
  };
  const { last, hasPurge } = await replayLogs(logs, reader, first - 1, apply);
  if (snapshot.exists && snapshot.low.data.transaction > last)
    throw damagedFileError(
      logs.at(-1)?.path ?? dir,
      `is older than ${snapshot.path}: it ends with transaction ${last}`,
    );
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
  readonly reader: FileReader;
}

async function loadSegment(table: Table<unknown>, listed: ListedSegment): Promise<void> {
  const { disk, path, number, crc, reader } = listed;
  const adapter = new DurableJson<SegmentRows>(disk, path, reader);
  const rows = await adapter.read();
  if (rows === null) throw damagedFileError(path, "is missing");
  if (adapter.crc !== crc) throw damagedFileError(path, `is not the file that ${CHECKPOINT_NAME} lists`);
  table.load({ number, crc, sizeBytes: adapter.sizeBytes }, rows);
}
