import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig } from "../../config/index.ts";
import { StoreError } from "../../ports/store.ts";
import { Interrupted, untilInterrupted } from "../interrupted.ts";
import { type CommandLine, EXIT } from "../invocation.ts";
import { readingProblem } from "../read-error.ts";
import { folderPlace } from "./folder-state.ts";
import { countWords, EXPECTED, type Head, type Tail } from "./format.ts";
import { BackupError, BackupReading } from "./reading.ts";

/**
 * Puts the state of a backup into a DATA_DIR that holds none. The whole file is checked before anything is touched; a kill at any
 * moment leaves no state, or all of it.
 */
export async function restore(file: string, line: CommandLine): Promise<number> {
  const place = folderPlace(readConfig(line).dataDir);
  const path = resolve(line.folder, file);
  const read = (): BackupReading => new BackupReading(path, createReadStream(path));
  try {
    if (!(await canBeReadTwice(path))) return misused(path, "which is no plain file", line);
    const checked = await check(read(), line);
    const reading = read();
    await place.fill(untilInterrupted(reading.records(), line));
    for (const text of told(checked, { path, into: place.name })) line.out(text);
    return EXIT.done;
  } catch (error) {
    return failure(error, path, line);
  }
}

/** A pipe gives what it has only once, or waits for a writer that never comes. */
async function canBeReadTwice(path: string): Promise<boolean> {
  const found = await stat(path);
  // That a folder is one shows as it is read.
  return found.isFile() || found.isDirectory();
}

interface Checked {
  readonly head: Head | null;
  readonly tail: Tail;
}

async function check(reading: BackupReading, line: CommandLine): Promise<Checked> {
  const records = untilInterrupted(reading.records(), line);
  for (let next = await records.next(); next.done !== true; next = await records.next());
  return { head: reading.head, tail: reading.tail };
}

function told(
  { head, tail }: Checked,
  { path, into }: { readonly path: string; readonly into: string },
): readonly string[] {
  return [
    `Restored ${path} into ${into}, as it was at ${head?.madeAt}`,
    countWords(tail.counts),
    `SHA-256 ${tail.sha256}`,
    ...(tail.counts.installation === undefined
      ? []
      : ["The installations in it are encrypted: ENCRYPTION_KEY has to be the one that they were made with"]),
  ];
}

function failure(error: unknown, path: string, line: CommandLine): number {
  if (error instanceof Interrupted) return error.code;
  if (error instanceof BackupError || error instanceof StoreError) {
    line.err(`splitwatch: ${error.message}`);
    return EXIT.failed;
  }
  const reason = readingProblem(error);
  if (reason === undefined) throw error;
  return misused(path, reason, line);
}

function misused(path: string, reason: string, line: CommandLine): number {
  line.err(`splitwatch: FILE: got ${path}, ${reason}, ${EXPECTED}`);
  return EXIT.misused;
}
