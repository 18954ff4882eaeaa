import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Config, readConfig } from "../../config/index.ts";
import type { Instant } from "../../domain/time/day.ts";
import { systemClock } from "../../lib/clock.ts";
import { syncFolder, temporaryPath } from "../../lib/durable-file.ts";
import { readVersion } from "../../lib/package.ts";
import type { Clock } from "../../ports/clock.ts";
import type { StateRecord } from "../../ports/state-records.ts";
import { StoreSettingError } from "../../ports/store.ts";
import {
  EXIT,
  type Invocation,
  noStateProblem,
  printProblem,
  reportStoreError,
  StopRequestedError,
  untilStopRequested,
} from "../invocation.ts";
import { BackupSummary, describeCounts, FORMAT, type Head, VERSION } from "./backup-format.ts";

/** `-` means standard output. */
const STANDARD_OUTPUT = "-";

/** Lines that are written together. */
const BLOCK_CHARACTERS = 128 * 1024;

/**
 * Writes a consistent copy of the whole state into a new file and prints a summary. Takes no lock and changes nothing in
 * the store, so it works while splitwatch is running.
 */
export async function backup(file: string, invocation: Invocation, clock: Clock = systemClock): Promise<number> {
  const config = readConfig(invocation);
  const records = untilStopRequested(recordsIn(config), invocation);
  const madeAt = clock.now();
  try {
    if (file === STANDARD_OUTPUT) {
      const backupSummary = await writeAll(standardOutput(invocation), records, madeAt);
      for (const text of summaryLines(backupSummary, config.store.location, "standard output")) invocation.err(text);
      return EXIT.ok;
    }
    const path = resolve(invocation.folder, file);
    const backupSummary = await writeAll(await fileTarget(path), records, madeAt);
    for (const text of summaryLines(backupSummary, config.store.location, path)) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    return reportFailure(error, config, invocation);
  }
}

/** The records of the store, of which there must be at least one. */
async function* recordsIn({ store }: Config): AsyncGenerator<StateRecord> {
  let isEmpty = true;
  for await (const record of store.readState()) {
    isEmpty = false;
    yield record;
  }
  if (isEmpty) throw new StoreSettingError(noStateProblem(store));
}

function reportFailure(error: unknown, config: Config, invocation: Invocation): number {
  if (error instanceof StopRequestedError) return error.exitCode;
  if (!(error instanceof TargetError)) return reportStoreError(error, config, invocation);
  printProblem(error.message, config, invocation);
  return error.exitCode;
}

function summaryLines({ tail }: BackupSummary, location: string, target: string): readonly string[] {
  return [`Backed up ${location} to ${target}`, describeCounts(tail.counts), `SHA-256 ${tail.sha256}`];
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
    for await (const lines of backupBlocks(head, records, backupSummary)) await target.write(Buffer.from(lines));
    await target.finish();
  } catch (error) {
    await target.discard();
    throw error;
  }
  return backupSummary;
}

/** The lines of the backup, in blocks of limited size. */
async function* backupBlocks(
  head: Head,
  records: AsyncIterable<StateRecord>,
  backupSummary: BackupSummary,
): AsyncGenerator<string> {
  const headLine = JSON.stringify(head);
  backupSummary.add(headLine);
  let block = `${headLine}\n`;
  for await (const record of records) {
    const line = JSON.stringify(record);
    backupSummary.add(line, record.kind);
    block += `${line}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield block;
    block = "";
  }
  yield `${block}${JSON.stringify(backupSummary.tail)}\n`;
}

/** The file or stream that a backup is written to. */
interface BackupTarget {
  /** `lines`: complete lines; used until the promise resolves. */
  write(lines: Buffer): Promise<void>;
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

/** Writes to a temporary file that only its owner can read, and renames it when it is complete. */
async function fileTarget(path: string): Promise<BackupTarget> {
  await assertNew(path);
  const temporary = temporaryPath(path);
  const file = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? `there is no folder ${dirname(path)}` : error.message;
    throw new TargetError(`FILE: got ${path}, which cannot be written: ${reason}`, EXIT.usage);
  });
  return {
    write: (lines) => withTargetError(path, () => file.writeFile(lines)),
    finish: async () => {
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
    write: async (lines) => {
      if (invocation.outputClosed.aborted) throw new TargetError("standard output was closed", EXIT.failed);
      invocation.out(lines.toString("utf8", 0, lines.length - 1));
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
