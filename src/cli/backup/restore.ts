import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig } from "../../config/index.ts";
import { fileReadProblem } from "../../lib/error-text.ts";
import { StoreError } from "../../ports/store.ts";
import { EXIT, type Invocation, StopRequestedError, untilStopRequested } from "../invocation.ts";
import { folderState } from "./folder-state.ts";
import { countWords, EXPECTED, type Head, type Tail } from "./format.ts";
import { BackupError, BackupReading } from "./reading.ts";

/**
 * Restores a backup into an empty DATA_DIR. The whole file is verified before anything is written; if the process is killed,
 * the folder contains either no state or all of it.
 */
export async function restore(file: string, invocation: Invocation): Promise<number> {
  const state = folderState(readConfig(invocation));
  const path = resolve(invocation.folder, file);
  const read = (): BackupReading => new BackupReading(path, createReadStream(path));
  try {
    if (!(await canBeReadTwice(path))) return usageError(path, "which is not a regular file", invocation);
    const checked = await check(read(), invocation);
    const reading = read();
    await state.fill(untilStopRequested(reading.records(), invocation));
    for (const text of summary(checked, { path, into: state.name })) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    return failure(error, path, invocation);
  }
}

/** A pipe can be read only once, and may block. */
async function canBeReadTwice(path: string): Promise<boolean> {
  const found = await stat(path);
  // Reading a folder fails with a clear error.
  return found.isFile() || found.isDirectory();
}

interface Checked {
  readonly head: Head | null;
  readonly tail: Tail;
}

async function check(reading: BackupReading, invocation: Invocation): Promise<Checked> {
  const records = untilStopRequested(reading.records(), invocation);
  for (let next = await records.next(); next.done !== true; next = await records.next());
  return { head: reading.head, tail: reading.tail };
}

function summary(
  { head, tail }: Checked,
  { path, into }: { readonly path: string; readonly into: string },
): readonly string[] {
  return [
    `Restored ${path} into ${into}, as it was at ${head?.madeAt}`,
    countWords(tail.counts),
    `SHA-256 ${tail.sha256}`,
    ...(tail.counts.installation === undefined
      ? []
      : ["The installations in it are encrypted: use the same ENCRYPTION_KEY"]),
  ];
}

function failure(error: unknown, path: string, invocation: Invocation): number {
  if (error instanceof StopRequestedError) return error.exitCode;
  if (error instanceof BackupError || error instanceof StoreError) {
    invocation.err(`splitwatch: ${error.message}`);
    return EXIT.failed;
  }
  const problem = fileReadProblem(error);
  if (problem === undefined) throw error;
  return usageError(path, `which ${problem}`, invocation);
}

function usageError(path: string, reason: string, invocation: Invocation): number {
  invocation.err(`splitwatch: FILE: got ${path}, ${reason}, ${EXPECTED}`);
  return EXIT.usage;
}
