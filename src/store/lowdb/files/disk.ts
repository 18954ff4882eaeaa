import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { syncFolder, writeDurably } from "../../../lib/durable-file.ts";
import { StoreError } from "../../../ports/store.ts";

/** All that the store does to the disk while it runs, in one place: tests put a disk here that is full. */
export interface Disk {
  /** Puts `text` in the place of the file, durably and whole. */
  replace(path: string, text: string): Promise<void>;
  /** Makes the file when there is none; only its owner may read it. */
  open(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

export interface DiskFile {
  /** Writes all of `bytes` from `position` on, in bytes. Durable only after `sync`. */
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
      let done = 0;
      while (done < bytes.length) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    sync: () => file.datasync(),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  };
}

export interface WriteOutcomes {
  worked(): void;
  failed(reason: string): void;
}

/** The same disk, with every failure as a StoreError that names the file, and every outcome told to `outcomes`. */
export function watchedDisk(disk: Disk, outcomes: WriteOutcomes): Disk {
  const attempt = async <R>(path: string, work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (cause) {
      const reason = `cannot write ${path}: ${cause instanceof Error ? cause.message : String(cause)}`;
      outcomes.failed(reason);
      throw new StoreError(reason, { cause });
    }
  };
  const durably = async (path: string, work: () => Promise<void>): Promise<void> => {
    await attempt(path, work);
    outcomes.worked();
  };
  return {
    replace: (path, text) => durably(path, () => disk.replace(path, text)),
    open: async (path) => {
      const file = await attempt(path, () => disk.open(path));
      // A sync shows that there is room only when bytes were written before it: one also follows what a full disk refused.
      let wrote = false;
      return {
        write: async (bytes, position) => {
          wrote = false;
          await attempt(path, () => file.write(bytes, position));
          wrote = true;
        },
        sync: () => (wrote ? durably : attempt)(path, () => file.sync()),
        truncate: (size) => attempt(path, () => file.truncate(size)),
        close: () => file.close(),
      };
    },
    rename: (from, to) => attempt(to, () => disk.rename(from, to)),
    remove: (path) => attempt(path, () => disk.remove(path)),
    syncFolder: (path) => attempt(path, () => disk.syncFolder(path)),
  };
}
