import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { TimeSlice } from "../../../lib/slices.ts";
import { damagedFileError } from "../files/disk.ts";
import type { FileReader } from "../files/file-reader.ts";
import { entryLines, headIn, type LogExtent, type LogLine, scanLog } from "../files/log-lines.ts";

/** A log of changes whose lines are valid. */
export interface ChangesFile {
  readonly number: number;
  readonly path: string;
  readonly extent: LogExtent;
}

export function changesName(number: number): string {
  return `changes-${paddedNumber(number)}.log`;
}

/** Returns a number as it is part of a file's name. */
export function paddedNumber(number: number): string {
  return String(number).padStart(6, "0");
}

/**
 * Checks consecutive logs. Later logs without a transaction are left out: an interrupted checkpoint created them, and nothing in
 * them was acknowledged. A log is complete if the next one exists, so their number is determined first.
 */
export async function checkLogs(dir: string, firstNumber: number, reader: FileReader): Promise<readonly ChangesFile[]> {
  const names = new Set(await readdir(dir));
  const logs: ChangesFile[] = [];
  for (let number = firstNumber; number === firstNumber || names.has(changesName(number)); number += 1) {
    const path = join(dir, changesName(number));
    const extent = await scanLog(path, reader.readChunks(path));
    if (number === firstNumber) headIn(path, extent);
    else if (extent.end.lineCount <= 1) break;
    logs.push({ number, path, extent });
  }
  return logs;
}

/** Number of a transaction and marks at the beginning of each of its lines. */
export interface LineHeader {
  readonly n: number;
  readonly isPurge: boolean;
  /** True if the next line continues the transaction. */
  readonly isContinued: boolean;
  /** Position of the operations in the line. */
  readonly opsAt: number;
}

/** Applies the operations of a line. Returns false if they can't be applied. */
export type ApplyLine = (line: LogLine, header: LineHeader, file: ChangesFile) => boolean;

export interface Replay {
  /** Number of the last transaction. */
  readonly last: number;
  /** True if files that precede a purge may exist. */
  readonly hasPurge: boolean;
}

/** Passes the lines of the logs, which are read in chunks, to `apply`. `before`: number of the transaction before the first log. */
export async function replayLogs(
  logs: readonly ChangesFile[],
  reader: FileReader,
  before: number,
  apply: ApplyLine,
): Promise<Replay> {
  let replay: Replay = { last: before, hasPurge: false };
  for (const file of logs) {
    const isTornInside = file.extent.torn !== null && file !== logs.at(-1);
    if (headIn(file.path, file.extent).mark !== replay.last + 1 || isTornInside)
      throw damagedFileError(file.path, `does not continue after transaction ${replay.last}`);
    replay = await replayFile(file, reader, replay, apply);
  }
  return replay;
}

async function replayFile(file: ChangesFile, reader: FileReader, before: Replay, apply: ApplyLine): Promise<Replay> {
  const slice = new TimeSlice();
  let { last, hasPurge } = before;
  let isContinued = false;
  for await (const line of entryLines(file.path, reader.readChunks(file.path, file.extent.end.offset))) {
    await slice.next();
    const header = headerOf(line.json);
    const isNext = header?.n === (isContinued ? last : last + 1);
    if (!header || !isNext || !apply(line, header, file))
      throw damagedFileError(file.path, `is damaged: transaction ${header?.n} does not follow ${last}`);
    last = header.n;
    isContinued = header.isContinued;
    hasPurge ||= header.isPurge;
  }
  return { last, hasPurge };
}

const HEADER = /^\{"n":(\d{1,16})(,"purge":true)?(,"more":true)?,"ops":/;
const MAX_HEADER_LENGTH = 64;

function headerOf(json: Buffer): LineHeader | null {
  const match = HEADER.exec(json.toString("latin1", 0, MAX_HEADER_LENGTH));
  if (!match) return null;
  const [{ length: opsAt }, n, purge, more] = match;
  return { n: Number(n), isPurge: purge !== undefined, isContinued: more !== undefined, opsAt };
}
