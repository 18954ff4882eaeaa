import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { folderProblem, syncFolder, writeDurably } from "../../../lib/durable-file.ts";
import { errorMessage } from "../../../lib/error-text.ts";
import { StoreError, StoreSettingError } from "../../../ports/store.ts";

/** Disk operations of the running store. Tests replace them to simulate full and slow disks. */
export interface Disk {
  /** Replaces the content of the file, durably and atomically. */
  replace(path: string, text: string): Promise<void>;
  /** Opens the file, or creates it with access for its owner only. */
  open(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

export interface DiskFile {
  /** Writes all bytes at the position. Durable only after `sync`. */
  write(bytes: Buffer, position: number): Promise<void>;
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

export const realDisk: Disk = {
  replace: writeDurably,
  open: async (path) => diskFile(await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

function diskFile(file: FileHandle): DiskFile {
  return {
    write: async (bytes, position) => {
      let offset = 0;
      while (offset < bytes.length) {
        const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, position + offset);
        offset += bytesWritten;
      }
    },
    sync: () => file.datasync(),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  };
}

export interface WriteOutcomes {
  succeeded(): void;
  failed(reason: string): void;
}

/** Wraps a disk: errors become StoreErrors that name the file, and each result is reported to `outcomes`. */
export function watchedDisk(disk: Disk, outcomes: WriteOutcomes): Disk {
  const attempt = async <R>(path: string, work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (cause) {
      const reason = `cannot write ${path}: ${errorMessage(cause)}`;
      outcomes.failed(reason);
      throw new StoreError(reason, { cause });
    }
  };
  const durably = async (path: string, work: () => Promise<void>): Promise<void> => {
    await attempt(path, work);
    outcomes.succeeded();
  };
  return {
    replace: (path, text) => durably(path, () => disk.replace(path, text)),
    open: async (path) => {
      const file = await attempt(path, () => disk.open(path));
      // A sync without a successful write is no success: the repair of a failed write also syncs.
      let hasWritten = false;
      return {
        write: async (bytes, position) => {
          hasWritten = false;
          await attempt(path, () => file.write(bytes, position));
          hasWritten = true;
        },
        sync: () => (hasWritten ? durably : attempt)(path, () => file.sync()),
        truncate: (size) => attempt(path, () => file.truncate(size)),
        close: () => file.close(),
      };
    },
    rename: (from, to) => attempt(to, () => disk.rename(from, to)),
    remove: (path) => attempt(path, () => disk.remove(path)),
    syncFolder: (path) => attempt(path, () => disk.syncFolder(path)),
  };
}

/**
 * Whether writes succeed. After a failure, a write that succeeds proves little: on a full disk, the last block of a file can have
 * space for a short one. So each such write starts `check`, which ends the failure if it succeeds.
 */
export class WriteHealth implements WriteOutcomes {
  /** Writes enough to find out whether the disk works. */
  check: () => Promise<void> = async () => undefined;
  #reason: string | null = null;
  #closed = false;
  #isChecking = false;

  succeeded(): void {
    if (this.#reason !== null) void this.#runCheck();
  }

  failed(reason: string): void {
    this.#reason = reason;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * Returns the reason of the last failure, or null if writes succeed. After a failure, each call starts `check`: a process that
   * is not ready receives no work, so no other write would show that the disk works again.
   */
  reason(): string | null {
    if (this.#closed) return "the store is closed";
    if (this.#reason !== null) void this.#runCheck();
    return this.#reason;
  }

  async #runCheck(): Promise<void> {
    if (this.#isChecking || this.#closed) return;
    this.#isChecking = true;
    try {
      await this.check();
      this.#reason = null;
    } catch {
      // `failed` has the reason.
    } finally {
      this.#isChecking = false;
    }
  }
}

/** Wraps errors of `work` in StoreErrors that name the folder. */
export async function asStoreError<R>(dir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const problem = folderProblem(dir, error);
    if (problem !== null) throw new StoreSettingError(problem, { cause: error });
    throw new StoreError(`cannot use ${dir}: ${errorMessage(error)}`, { cause: error });
  }
}

/** Error for a damaged file, which is not changed: to start without it would repeat old alerts or lose new ones. */
export function damagedFileError(path: string, problem: string): StoreError {
  return new StoreError(
    `${path} ${problem}. No file was changed. Move the folder ${dirname(path)} away; then restore the folder from a backup ` +
      "(splitwatch restore FILE), or start with an empty folder: rules, watchlists and the record of sent alerts are lost, and the " +
      "first poll is a first run",
  );
}

/** Error for a file whose schema is not the one that this build reads. */
export function otherSchemaError(path: string, schema: number, expected: number): StoreError {
  if (schema < expected) return earlierBuildError(path);
  return new StoreError(
    `${path} was written by a newer splitwatch: its schema is ${schema}, this version reads ${expected}. Run the newer version again, ` +
      "or restore the folder from a backup of this version",
  );
}

/** Error for a file that only earlier builds read. */
export function earlierBuildError(path: string): StoreError {
  return new StoreError(
    `${path} was written by an earlier build of splitwatch. No file was changed. Back up the folder with that build ` +
      `(splitwatch backup FILE), move the folder ${dirname(path)} away, and restore the backup with this build (splitwatch restore FILE)`,
  );
}
