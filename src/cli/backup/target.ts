import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, temporaryPath } from "../../lib/durable-file.ts";
import { EXIT, type Invocation } from "../invocation.ts";

/** The file or stream that a backup is written to. */
export interface BackupTarget {
  write(line: string): Promise<void>;
  /** Makes the backup visible and durable. */
  finish(): Promise<void>;
  /** Removes everything written. */
  discard(): Promise<void>;
}

/** The backup cannot be written; the message is for the operator. */
export class TargetError extends Error {
  override readonly name = "TargetError";
  /** Exit code of the process. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** In characters. */
const MAX_BUFFERED = 1024 * 1024;

/** Writes to a temporary file, readable by its owner only, and renames it when it is complete. */
export async function fileTarget(path: string): Promise<BackupTarget> {
  await assertNew(path);
  const temporary = temporaryPath(path);
  const file = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? `there is no folder ${dirname(path)}` : error.message;
    throw new TargetError(`FILE: got ${path}, which cannot be written: ${why}`, EXIT.usage);
  });
  const lines: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    await writing(path, () => file.writeFile(lines.splice(0).join("")));
    length = 0;
  };
  return {
    write: async (line) => {
      lines.push(line, "\n");
      length += line.length;
      if (length >= MAX_BUFFERED) await flush();
    },
    finish: async () => {
      await flush();
      await writing(path, () => file.sync());
      await file.close();
      await assertNew(path);
      await writing(path, () => rename(temporary, path));
      await writing(path, () => syncFolder(dirname(path)));
    },
    discard: async () => {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

export function standardOutput(invocation: Invocation): BackupTarget {
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

async function writing(path: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: Error) => {
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
