import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Config, readConfig } from "../../config/index.ts";
import { KeysError, readKeys } from "../../data-service/server/key-file.ts";
import type { Instant } from "../../domain/time/day.ts";
import { systemClock } from "../../lib/clock.ts";
import { syncFolder, temporaryPath } from "../../lib/durable-file.ts";
import { readVersion } from "../../lib/package.ts";
import type { Clock } from "../../ports/clock.ts";
import type { StateRecord } from "../../ports/state-records.ts";
import { StoreError, StoreSettingError } from "../../ports/store.ts";
import { EXIT, exitCodeOfFailure, type Invocation, StopRequestedError, untilStopRequested } from "../invocation.ts";
import {
  BackupSummary,
  describeCounts,
  FORMAT,
  type Head,
  recordLine,
  recordProblem,
  VERSION,
} from "./backup-format.ts";

/** `-` means standard output. */
const STANDARD_OUTPUT = "-";

/**
 * Writes a consistent copy of the whole state into a new file and prints a summary. Takes no lock and changes nothing in
 * DATA_DIR, so it works while splitwatch is running.
 */
export async function backup(file: string, invocation: Invocation, clock: Clock = systemClock): Promise<number> {
  const config = readConfig(invocation);
  const records = untilStopRequested(recordsOf(config), invocation);
  const madeAt = clock.now();
  try {
    if (file === STANDARD_OUTPUT) {
      const backupSummary = await writeAll(standardOutput(invocation), records, madeAt);
      for (const text of summaryLines(backupSummary, config.dataDir, "standard output")) invocation.err(text);
      return EXIT.ok;
    }
    const path = resolve(invocation.folder, file);
    const backupSummary = await writeAll(await fileTarget(path), records, madeAt);
    for (const text of summaryLines(backupSummary, config.dataDir, path)) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    return reportFailure(error, invocation);
  }
}

/** The store's records and the API keys in DATA_DIR. */
async function* recordsOf({ dataDir: dir, store }: Config): AsyncGenerator<StateRecord> {
  const [state, keys] = [await store.readState(), await readKeys(dir)];
  if (state === null && keys.length === 0)
    throw new StoreSettingError(
      `DATA_DIR: got ${dir}, which contains no splitwatch data, expected the DATA_DIR of an installation`,
    );
  yield* state ?? [];
  for (const value of keys) yield { kind: "api-key", value };
}

function reportFailure(error: unknown, invocation: Invocation): number {
  if (error instanceof StopRequestedError) return error.exitCode;
  if (!(error instanceof StoreError || error instanceof KeysError || error instanceof TargetError)) throw error;
  invocation.err(`splitwatch: ${error.message}`);
  return error instanceof TargetError ? error.exitCode : exitCodeOfFailure(error);
}

function summaryLines({ tail }: BackupSummary, dataDir: string, target: string): readonly string[] {
  return [`Backed up ${dataDir} to ${target}`, describeCounts(tail.counts), `SHA-256 ${tail.sha256}`];
}

async function writeAll(
  target: BackupTarget,
  records: AsyncIterable<StateRecord>,
  madeAt: Instant,
): Promise<BackupSummary> {
  const backupSummary = new BackupSummary();
  const head: Head = {
    format: FORMAT,
    version: VERSION,
    madeAt: new Date(madeAt).toISOString(),
    splitwatch: readVersion(),
  };
  try {
    for await (const text of backupLines(head, records, backupSummary)) await target.write(text);
    await target.finish();
  } catch (error) {
    await target.discard();
    throw error;
  }
  return backupSummary;
}

async function* backupLines(
  head: Head,
  records: AsyncIterable<StateRecord>,
  backupSummary: BackupSummary,
): AsyncGenerator<string> {
  const headLine = JSON.stringify(head);
  backupSummary.add(headLine);
  yield headLine;
  for await (const record of records) {
    const problem = recordProblem(record);
    // Checked now: when the backup is restored, the original state may no longer exist.
    if (problem !== null) throw new StoreError(`no backup was made: a record can't be restored: ${problem}`);
    const text = recordLine(record);
    backupSummary.add(text, record.kind);
    yield text;
  }
  yield JSON.stringify(backupSummary.tail);
}

/** The file or stream that a backup is written to. */
interface BackupTarget {
  write(line: string): Promise<void>;
  /** Makes the backup visible and durable. */
  finish(): Promise<void>;
  /** Removes everything written. */
  discard(): Promise<void>;
}

/** Thrown if the backup can't be written. The message is for the operator. */
class TargetError extends Error {
  override readonly name = "TargetError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

const MAX_BUFFERED_CHARACTERS = 1024 * 1024;

/** Writes to a temporary file that only its owner can read, and renames it when it is complete. */
async function fileTarget(path: string): Promise<BackupTarget> {
  await assertNew(path);
  const temporary = temporaryPath(path);
  const file = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? `there is no folder ${dirname(path)}` : error.message;
    throw new TargetError(`FILE: got ${path}, which cannot be written: ${reason}`, EXIT.usage);
  });
  const lines: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    await withTargetError(path, () => file.writeFile(lines.splice(0).join("")));
    length = 0;
  };
  return {
    write: async (line) => {
      lines.push(line, "\n");
      length += line.length;
      if (length >= MAX_BUFFERED_CHARACTERS) await flush();
    },
    finish: async () => {
      await flush();
      await withTargetError(path, () => file.sync());
      await file.close();
      await assertNew(path);
      await withTargetError(path, () => rename(temporary, path));
      await withTargetError(path, () => syncFolder(dirname(path)));
    },
    discard: async () => {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

function standardOutput(invocation: Invocation): BackupTarget {
  return {
    write: async (text) => {
      if (invocation.outputClosed.aborted) throw new TargetError("standard output was closed", EXIT.failed);
      invocation.out(text);
      await invocation.drained();
    },
    finish: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

async function withTargetError(path: string, write: () => Promise<void>): Promise<void> {
  await write().catch((error: Error) => {
    throw new TargetError(`${path} cannot be written: ${error.message}. No backup was made`, EXIT.failed);
  });
}

async function assertNew(path: string): Promise<void> {
  // Also detects dangling links.
  if ((await lstat(path).catch(() => null)) === null) return;
  throw new TargetError(
    `FILE: got ${path}, which already exists, expected a new name: backups never overwrite files`,
    EXIT.usage,
  );
}
