import { lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, temporaryPath } from "../../lib/durable-file.ts";
import { EXIT, type Invocation } from "../invocation.ts";

/** Where the lines of a backup go. */
export interface BackupTarget {
  write(line: string): Promise<void>;
  /** After it the backup is there, whole and durable. */
  finish(): Promise<void>;
  /** Leaves nothing. */
  giveUp(): Promise<void>;
}

/** What keeps the backup from being written as asked; the message is for the operator. */
export class TargetError extends Error {
  override readonly name = "TargetError";
  /** What the process is to end with. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** In characters. */
const BUFFERED = 1024 * 1024;

/** Written under another name beside `path`, so that under its own it is whole; for its owner's eyes alone. */
export async function fileTarget(path: string): Promise<BackupTarget> {
  await assertNew(path);
  const temporary = temporaryPath(path);
  const file = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? `there is no folder ${dirname(path)}` : error.message;
    throw new TargetError(`FILE: got ${path}, which cannot be written: ${why}`, EXIT.misused);
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
      if (length >= BUFFERED) await flush();
    },
    finish: async () => {
      await flush();
      await writing(path, () => file.sync());
      await file.close();
      await assertNew(path);
      await writing(path, () => rename(temporary, path));
      await writing(path, () => syncFolder(dirname(path)));
    },
    giveUp: async () => {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

export function standardOutput(invocation: Invocation): BackupTarget {
  return {
    write: async (text) => {
      if (invocation.outputClosed.aborted)
        throw new TargetError("standard output: nobody reads it any more", EXIT.failed);
      invocation.out(text);
      await invocation.drained();
    },
    finish: () => Promise.resolve(),
    giveUp: () => Promise.resolve(),
  };
}

async function writing(path: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: Error) => {
    throw new TargetError(`${path} cannot be written: ${error.message}. No backup was made`, EXIT.failed);
  });
}

async function assertNew(path: string): Promise<void> {
  // A link to nothing is something that is there, too.
  if ((await lstat(path).catch(() => null)) === null) return;
  throw new TargetError(
    `FILE: got ${path}, which is there already, expected a new name: a backup overwrites nothing`,
    EXIT.misused,
  );
}
