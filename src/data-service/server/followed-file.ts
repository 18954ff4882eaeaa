import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { readText } from "../../lib/bounded-file.ts";
import { fileStamp } from "../../lib/durable-file.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { cutText } from "../../lib/external-text.ts";
import { parseJson } from "../../lib/json.ts";
import type { Clock } from "../../ports/clock.ts";
import { nameOfRow, type RowResult } from "../rows.ts";

/** A JSON Lines file that other programs change while it is served. */
export interface FollowedFile<T> {
  /** Rows of the last successful read. */
  readonly rows: readonly T[];
  /** The read error, if there is one, and the quarantined lines. */
  problems(): readonly string[];
  /** Reason why the file can't be read; null if it can. */
  readError(): string | null;
  /** Reads the file if it has changed and is completely written. Returns true if `rows` or the problems changed. */
  refresh(): Promise<boolean>;
}

/** Time after which a file is read even if it keeps changing or its last line is incomplete. */
const MAX_SETTLE_MS = 2_000;
/** A larger file is an error: the whole text is held in memory while it is parsed. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_PROBLEMS = 100;
const MAX_PROBLEM_LENGTH = 500;

/** Reads the file, and follows its changes when `refresh` is called. Rejects if the file can't be read. */
export async function followFile<T>(
  path: string,
  readRow: (value: unknown) => RowResult<T>,
  clock: Clock,
): Promise<FollowedFile<T>> {
  const file = basename(path);
  let servedStamp = await stampOf(path);
  let lines = parseLines(await readText(path, MAX_FILE_BYTES), file, readRow);
  let readError: string | null = null;
  /** A change that may not be completely written: the file's stamp at the last check, and the time of detection. */
  let pendingChange: { readonly stamp: string; readonly detectedAt: number } | null = null;

  async function readChange(stamp: string, detectedAt: number): Promise<boolean> {
    const isOverdue = clock.monotonic() - detectedAt >= MAX_SETTLE_MS;
    // A file that is being written may be incomplete, so it is read only after two checks find the same stamp.
    if (stamp !== pendingChange?.stamp && !isOverdue) {
      pendingChange = { stamp, detectedAt };
      return false;
    }
    const parsed = parseLines(await readText(path, MAX_FILE_BYTES), file, readRow);
    if ((parsed.isTruncated || (await stampOf(path)) !== stamp) && !isOverdue) return false;
    lines = parsed;
    servedStamp = stamp;
    pendingChange = null;
    return true;
  }

  return {
    get rows() {
      return lines.rows;
    },
    problems: () => (readError === null ? lines.problems : [readError, ...lines.problems]),
    readError: () => readError,
    async refresh() {
      const previousError = readError;
      try {
        const stamp = await stampOf(path);
        readError = null;
        if (stamp !== servedStamp) return await readChange(stamp, pendingChange?.detectedAt ?? clock.monotonic());
        pendingChange = null;
      } catch (error) {
        readError = `${file}: cannot be read (${errorMessage(error)}); its last valid content is served`;
      }
      return readError !== previousError;
    },
  };
}

/** Value that changes with every change of the file. Rejects if the file does not exist. */
async function stampOf(path: string): Promise<string> {
  return fileStamp(await stat(path, { bigint: true }));
}

interface ParsedLines<T> {
  readonly rows: readonly T[];
  /** `splits.jsonl line 4, ACME: ex_date: got "soon", expected a day as YYYY-MM-DD` */
  readonly problems: readonly string[];
  /** True if the last line is incomplete, because it may not be written completely yet. */
  readonly isTruncated: boolean;
}

/** Parses each line separately. Quarantines invalid lines and ignores blank lines. */
function parseLines<T>(text: string, file: string, readRow: (value: unknown) => RowResult<T>): ParsedLines<T> {
  const rows: T[] = [];
  const problems: string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  let isTruncated = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const value = parseJson(line);
    // Only the last line can lack a line break.
    isTruncated = value === undefined && index === lines.length - 1;
    const result = value === undefined ? notJson(isTruncated) : readRow(value);
    if (result.ok) rows.push(result.row);
    else problems.push(cutText(`${nameOfLine(file, index, value)}: ${result.reason}`, MAX_PROBLEM_LENGTH));
  }
  return { rows, problems: limitProblems(problems, file), isTruncated };
}

/** `splits.jsonl line 4, ACME`; only the line number if nothing in the line identifies it. */
function nameOfLine(file: string, index: number, value: unknown): string {
  const name = nameOfRow(value);
  return `${file} line ${index + 1}${name === undefined ? "" : `, ${name}`}`;
}

function notJson(isTruncated: boolean): RowResult<never> {
  return {
    ok: false,
    reason: isTruncated ? "incomplete, expected a complete JSON object" : "not JSON, expected an object",
  };
}

function limitProblems(problems: readonly string[], file: string): readonly string[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), `${file}: ${problems.length - MAX_PROBLEMS} more lines are quarantined`];
}
