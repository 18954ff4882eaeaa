import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileStamp } from "../../lib/durable-file.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RowResult } from "../rows.ts";
import { type ParsedLines, parseLines } from "./json-lines.ts";

/** A file of JSON lines that others change while we serve it. */
export interface FollowedFile<T> {
  /** As last read well. */
  readonly rows: readonly T[];
  /** Set-aside lines, and why the file cannot be read; empty when all is well. */
  problems(): readonly string[];
  /** Why the file cannot be read now; null when it can. */
  readError(): string | null;
  /** Looks whether the file has changed and come to rest; true when `rows` or the problems are new. */
  refresh(): Promise<boolean>;
}

/** A file that keeps changing, or whose last line stays torn, is taken as it is after this time. */
const PATIENCE_MS = 2_000;

/** Reads the file once, now; rejects when it cannot be read. */
export async function followFile<T>(
  path: string,
  read: (value: unknown) => RowResult<T>,
  clock: Clock,
): Promise<FollowedFile<T>> {
  const file = basename(path);
  let served = await stampOf(path);
  let lines: ParsedLines<T> = parseLines(await readFile(path, "utf8"), file, read);
  let unreadable: string | null = null;
  /** A change that has not come to rest: the file as it was at the last look, and when the change was first seen. */
  let pending: { readonly stamp: string; readonly since: number } | null = null;

  async function readChange(stamp: string, since: number): Promise<boolean> {
    const impatient = clock.now() - since >= PATIENCE_MS;
    // A file that is written in place is empty or cut short for a while: it is read when it has rested from look to look.
    if (stamp !== pending?.stamp && !impatient) {
      pending = { stamp, since };
      return false;
    }
    const fresh = parseLines(await readFile(path, "utf8"), file, read);
    if ((fresh.truncated || (await stampOf(path)) !== stamp) && !impatient) return false;
    lines = fresh;
    served = stamp;
    pending = null;
    return true;
  }

  return {
    get rows() {
      return lines.rows;
    },
    problems: () => (unreadable === null ? lines.problems : [unreadable, ...lines.problems]),
    readError: () => unreadable,
    async refresh() {
      const before = unreadable;
      try {
        const stamp = await stampOf(path);
        unreadable = null;
        if (stamp !== served) return await readChange(stamp, pending?.since ?? clock.now());
        pending = null;
      } catch (error) {
        unreadable = `${file}: cannot be read (${(error as Error).message}); its last good content is served`;
      }
      return unreadable !== before;
    },
  };
}

/** Rejects when there is no such file. */
async function stampOf(path: string): Promise<string> {
  return fileStamp(await stat(path, { bigint: true }));
}
