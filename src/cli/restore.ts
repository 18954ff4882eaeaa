import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { readConfig } from "../config.ts";
import { StoreError } from "../ports/store.ts";
import { countWords, type Head, type Tail } from "./backup-format.ts";
import { BackupError, BackupReading } from "./backup-reading.ts";
import { type CommandLine, EXIT } from "./command-line.ts";
import { Interrupted, untilInterrupted } from "./interrupted.ts";
import { readingProblem } from "./reading-problem.ts";
import { folderPlace } from "./state-place.ts";

/**
 * Puts the state of a backup into a DATA_DIR that holds none. The whole file is checked before anything is touched; a kill at any
 * moment leaves no state, or all of it.
 */
export async function restore(file: string, line: CommandLine): Promise<number> {
  const place = folderPlace(readConfig(line).dataDir);
  const path = resolve(line.folder, file);
  const read = (): BackupReading => new BackupReading(path, createReadStream(path));
  try {
    const checked = await check(read(), line);
    const reading = read();
    await place.fill(untilInterrupted(reading.records(), line));
    for (const text of told(checked, { path, into: place.name })) line.out(text);
    return EXIT.done;
  } catch (error) {
    return failure(error, path, line);
  }
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
  line.err(`splitwatch: FILE: got ${path}, ${reason}, expected a backup that "splitwatch backup" wrote`);
  return EXIT.misused;
}
