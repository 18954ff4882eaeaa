import { join } from "node:path";
import { Low } from "lowdb";
import { yieldToEventLoop } from "../../../lib/slices.ts";
import { AppendOnlyLog } from "../files/append-only-log.ts";
import type { Disk } from "../files/disk.ts";
import { DurableJson, type OpenedFile } from "../files/json-file.ts";
import type { LogPosition } from "./change-log.ts";
import { changesName } from "./changes-files.ts";
import { createSharedJson, type SharedJson } from "./row-json.ts";
import { type CheckpointFile, type SegmentRows, type StoredRows, segmentName } from "./stored-rows.ts";
import { type Row, Segment, type SegmentFile, type Table } from "./table.ts";
import type { Tables } from "./tables.ts";

/** Maximum size of a segment's file, except for a larger single row. Serializing it takes about 2 ms. */
export const MAX_SEGMENT_BYTES = 256 * 1024;

/** Neighboring segments that a checkpoint writes again. */
interface RetiredRun {
  readonly table: Table<unknown>;
  readonly segments: readonly Segment[];
}

export type RetiredSegments = readonly RetiredRun[];

export function retireSegments(tables: Tables, maxBytes: number): RetiredSegments {
  return tables
    .all()
    .flatMap((table) => table.retireSegments(maxBytes).map((segments): RetiredRun => ({ table, segments })));
}

interface CheckpointParts {
  readonly disk: Disk;
  readonly dir: string;
  readonly file: OpenedFile<CheckpointFile>;
  /** Makes `snapshot.json` current and returns the number of its last transaction. */
  readonly flushSnapshot: () => Promise<number>;
  readonly maxSegmentBytes?: number;
  /** Highest number of a segment that no checkpoint lists yet. */
  readonly lastSegment?: number;
}

/** Writes checkpoints: new files for changed segments, one at a time, and then the list that names them. */
export class CheckpointWriter {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #low: Low<CheckpointFile>;
  readonly #flushSnapshot: () => Promise<number>;
  readonly #maxBytes: number;
  readonly #obsolete = new Set<string>();
  #nextNumber: number;

  constructor(parts: CheckpointParts) {
    const { disk, dir, file, flushSnapshot, maxSegmentBytes = MAX_SEGMENT_BYTES, lastSegment = 0 } = parts;
    this.#disk = disk;
    this.#dir = dir;
    this.#flushSnapshot = flushSnapshot;
    this.#low = file.low;
    this.#maxBytes = maxSegmentBytes;
    this.#nextNumber = Math.max(lastNumber(file.low.data), lastSegment) + 1;
  }

  /** Number of the log at which the replay starts. */
  get changes(): number {
    return this.#low.data.changes;
  }

  /**
   * Writes the rows of retired segments and makes `position` the start of the replay. Rows may change meanwhile: a file has
   * each row as it was at some time after `position`, and the log has every change since then. After an error, the previous
   * checkpoint is in use and complete.
   */
  async write(tables: Tables, retired: RetiredSegments, position: LogPosition): Promise<void> {
    const written: WrittenSegment[] = [];
    const shared = createSharedJson();
    try {
      for (const { table, segments } of retired) {
        const [first] = segments as [Segment];
        for (const draft of divided(segments, this.#maxBytes, (row) => rowJson(table, row, shared))) {
          table.insertSegment(draft.segment, first);
          written.push({ table, segment: draft.segment });
          await this.#writeSegment(table.name, draft);
          await yieldToEventLoop();
        }
        table.removeSegments(segments);
      }
      const snapshot = await this.#flushSnapshot();
      const { number: changes, first } = position;
      await this.#publish({ changes, first, segments: listOf(tables), snapshot });
    } catch (error) {
      for (const { segments } of retired) for (const segment of segments) segment.isDirty = true;
      for (const { table, segment } of written) await this.#discard(table.name, segment);
      throw error;
    }
    await this.removeObsolete();
  }

  /** Removes the files that only earlier checkpoints name. */
  async removeObsolete(): Promise<void> {
    if (this.#obsolete.size === 0) return;
    for (const name of this.#obsolete) await this.#disk.remove(join(this.#dir, name));
    await this.#disk.syncFolder(this.#dir);
    this.#obsolete.clear();
  }

  async #writeSegment(name: string, { segment, lines }: SegmentDraft): Promise<void> {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    segment.file = await writeSegment(this.#disk, join(this.#dir, segmentName(name, number)), number, lines);
  }

  async #publish(next: CheckpointFile): Promise<void> {
    const previous = this.#low.data;
    this.#low.data = next;
    try {
      await this.#low.write();
    } catch (error) {
      this.#low.data = previous;
      throw error;
    }
    const listed = new Set(fileNames(next));
    for (const name of fileNames(previous)) if (!listed.has(name)) this.#obsolete.add(name);
    for (let number = previous.changes; number < next.changes; number += 1) this.#obsolete.add(changesName(number));
  }

  /**
   * The next checkpoint writes the rows of the segment again, and then removes the file if it still exists: now it is kept if the
   * list may name it, unlike `#low`.
   */
  async #discard(name: string, segment: Segment): Promise<void> {
    const { file } = segment;
    segment.isDirty = true;
    segment.file = null;
    if (!file) return;
    const fileName = segmentName(name, file.number);
    this.#obsolete.add(fileName);
    if (!(await this.#mayBeListed(name, file.number))) await this.#disk.remove(join(this.#dir, fileName)).catch(ignore);
  }

  /** Whether the list on the disk names the file: replacing it may fail after the new list has its name. */
  async #mayBeListed(name: string, number: number): Promise<boolean> {
    const stored = await this.#low.adapter.read().catch(() => null);
    return stored === null || (stored.segments[name] ?? []).some(([listed]) => listed === number);
  }
}

/**
 * Creates a log and a checkpoint with all rows. `checkpoint.json` is last, so an interrupted creation is repeated. `lastSegment`:
 * highest number of a segment that is written already.
 */
export async function createRows(disk: Disk, dir: string, rows: StoredRows, lastSegment = 0): Promise<void> {
  const { checkpoint, snapshot, tables, logs, last } = rows;
  const position = { number: (logs.at(-1)?.number ?? 0) + 1, first: last + 1 };
  const log = await AppendOnlyLog.create(disk, join(dir, changesName(position.number)), position.first);
  await log.close();
  const flushSnapshot = async (): Promise<number> => {
    snapshot.low.data = tables.snapshot.file;
    await snapshot.low.write();
    return tables.snapshot.transaction;
  };
  const writer = new CheckpointWriter({ disk, dir, file: checkpoint, flushSnapshot, lastSegment });
  await writer.write(tables, retireSegments(tables, MAX_SEGMENT_BYTES), position);
}

/** Writes the file of a segment. `lines`: its rows as JSON. */
export async function writeSegment(
  disk: Disk,
  path: string,
  number: number,
  lines: readonly string[],
): Promise<SegmentFile> {
  const adapter = new DurableJson<SegmentRows>(disk, path, undefined, () => `[\n${lines.join(",\n")}\n]`);
  await new Low<SegmentRows>(adapter, NOT_READ).write();
  return { number, crc: adapter.crc, sizeBytes: adapter.sizeBytes };
}

interface WrittenSegment {
  readonly table: Table<unknown>;
  readonly segment: Segment;
}

function ignore(): void {
  // The next checkpoint or start removes the file.
}

function lastNumber({ segments }: CheckpointFile): number {
  let last = 0;
  for (const files of Object.values(segments)) for (const [number] of files) last = Math.max(last, number);
  return last;
}

function listOf(tables: Tables): CheckpointFile["segments"] {
  const lists = tables.all().map((table) => {
    return [table.name, table.files().map(({ number, crc }) => [number, crc] as const)] as const;
  });
  return Object.fromEntries(lists);
}

function fileNames({ segments }: CheckpointFile): readonly string[] {
  return Object.entries(segments).flatMap(([table, files]) => files.map(([number]) => segmentName(table, number)));
}

/** Data of an adapter that writes the rows' JSON instead. */
const NOT_READ: SegmentRows = [];

interface SegmentDraft {
  readonly segment: Segment;
  /** The rows as JSON. */
  readonly lines: readonly string[];
}

/** Moves the rows of the segments to new segments of limited size, in the same order. */
function* divided(
  retired: readonly Segment[],
  maxBytes: number,
  toJson: (row: Row<unknown>) => string,
): Generator<SegmentDraft> {
  let draft = new DraftedSegment();
  for (const segment of retired) {
    for (const row of segment.drain()) {
      if (draft.sizeBytes >= maxBytes) {
        yield draft;
        draft = new DraftedSegment();
      }
      if (row.segment === segment) draft.add(row, toJson(row));
    }
  }
  if (draft.lines.length > 0) yield draft;
}

function rowJson(table: Table<unknown>, { key, value }: Row<unknown>, shared: SharedJson): string {
  const keyJson = JSON.stringify(key);
  return `[${keyJson},${table.toJson(value, keyJson, shared)}]`;
}

class DraftedSegment implements SegmentDraft {
  readonly segment = new Segment(null, false);
  readonly lines: string[] = [];
  sizeBytes = 0;

  add(row: Row<unknown>, line: string): void {
    row.segment = this.segment;
    this.segment.add(row);
    this.lines.push(line);
    this.sizeBytes += line.length;
  }
}
