import { dirname } from "node:path";
import { errorMessage } from "../../../lib/error-text.ts";
import { StoreError } from "../../../ports/store.ts";

/** Primary result codes of SQLite: sqlite.org/rescode.html. */
const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Extended code. SQLite calls it an I/O error that the index of the log doesn't fit on a full disk. */
const NO_ROOM_FOR_INDEX = 4874;

/** True if another process writes. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** True if the disk, or the right to use it, is the cause. */
export function isDiskError(error: unknown): boolean {
  return [READ_ONLY, IO_ERROR, FULL, CANNOT_OPEN].includes(codeOf(error) ?? -1);
}

/** The error for a damaged file; null for other errors. To start without the file would repeat old alerts or lose new ones. */
export function damageOf(error: unknown, path: string): StoreError | null {
  const code = codeOf(error);
  if (code === CORRUPT) return damagedFileError(path, "is damaged", error);
  return code === NOT_A_DATABASE ? damagedFileError(path, "is damaged: it is no database", error) : null;
}

/** `problem`: what is wrong with the file, which is not changed. */
export function damagedFileError(path: string, problem: string, cause?: unknown): StoreError {
  return new StoreError(
    `${path} ${problem}. No file was changed. Move the folder ${dirname(path)} away; then restore the folder from a backup ` +
      "(splitwatch restore FILE), or start with an empty folder: rules, watchlists and the record of sent alerts are lost, and the " +
      "first poll is a first run",
    { cause },
  );
}

/** Error for a log whose file was deleted: a stop saves what it contains, and a kill would lose it. */
export function lostLogError(): Error {
  return Object.assign(new Error("its log was deleted; restart splitwatch, which saves the log, and don't kill it"), {
    errcode: IO_ERROR,
  });
}

/** What is wrong, in SQLite's words. */
export function problemOf(error: unknown): string {
  if (extendedCodeOf(error) === NO_ROOM_FOR_INDEX) return "database or disk is full";
  if (codeOf(error) !== CANNOT_OPEN) return errorMessage(error);
  return `${errorMessage(error)} or its log; on a read-only disk, copy the folder to one that can be written`;
}

/** Null for an error that is none of SQLite. */
function codeOf(error: unknown): number | null {
  const code = extendedCodeOf(error);
  // Extended codes have the primary code in the lowest byte.
  return Number.isNaN(code) ? null : code & 0xff;
}

function extendedCodeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : Number.NaN;
}
