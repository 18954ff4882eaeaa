import { execFile } from "node:child_process";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { storeFileNames } from "../../src/store/lowdb/files/folder.ts";
import { readState } from "../../src/store/lowdb/read-state.ts";
import { CHECKPOINT_NAME } from "../../src/store/lowdb/rows/stored-rows.ts";
import type { StateChunk } from "../../src/store/state-chunks.ts";
import type { Random } from "../support/random.ts";
import { withFlipped } from "../support/store-folder.ts";
import type { ProcessControl } from "./controlled-process.ts";
import type { FaultyState } from "./state.ts";

const run = promisify(execFile);

/** More than the disk holds. */
const FILLER_BYTES = 4 * 1024 * 1024;

type Control = Pick<ProcessControl, "killAfterWrites">;

/** Disk with the data folder of a process: a small mounted disk, or a plain folder if mounting isn't permitted. */
export class Disk implements FaultyState {
  readonly kind = "files";
  readonly startSpeed = 4;
  readonly speed = 30;
  readonly failedStart = null;
  readonly #control: Control | undefined;
  readonly #folder: string;
  /** False for a plain folder, which is never full or read-only. */
  readonly isMounted: boolean;
  #isReadOnly = false;
  #freesWhenWritable = false;

  private constructor(folder: string, parts: { readonly isMounted: boolean; readonly control: Control | undefined }) {
    this.#folder = folder;
    this.isMounted = parts.isMounted;
    this.#control = parts.control;
  }

  /** `control`: of the process that uses the disk; without one, `killAfterWrites` does nothing. */
  static async open({ folder, control }: { readonly folder: string; readonly control?: Control }): Promise<Disk> {
    await mkdir(folder, { recursive: true });
    const isMounted = await run("mount", ["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", folder]).then(
      () => true,
      () => false,
    );
    return new Disk(folder, { isMounted, control });
  }

  get dataDir(): string {
    return join(this.#folder, "data");
  }

  get env(): Readonly<Record<string, string>> {
    return { DATA_DIR: this.dataDir };
  }

  read(): AsyncIterable<StateChunk> {
    return readState(this.dataDir);
  }

  killAfterWrites(writes: number): void {
    this.#control?.killAfterWrites(writes);
  }

  async fill(): Promise<void> {
    if (this.isMounted) await writeFile(this.#filler, Buffer.alloc(FILLER_BYTES)).catch(() => undefined);
  }

  /** Frees the space, on a read-only disk as soon as it is writable again. */
  async free(): Promise<void> {
    if (this.#isReadOnly) this.#freesWhenWritable = true;
    else await rm(this.#filler, { force: true });
  }

  /** Makes the disk read-only; no file may be open for writing. Returns the function that makes it writable again. */
  async makeReadOnly(): Promise<() => Promise<void>> {
    if (!this.isMounted) return async () => undefined;
    this.#isReadOnly = true;
    await run("mount", ["-o", "remount,ro", this.#folder]);
    return async () => {
      await run("mount", ["-o", "remount,rw", this.#folder]);
      this.#isReadOnly = false;
      if (this.#freesWhenWritable) await this.free();
      this.#freesWhenWritable = false;
    };
  }

  /** Appends a part of a record to the log of changes, as a power cut does. */
  async tearLog(random: Random): Promise<void> {
    const logs = (await storeFileNames(this.dataDir)).filter((name) => name.endsWith(".log")).toSorted();
    const path = join(this.dataDir, logs.at(-1) ?? "changes-000001.log");
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    const last = bytes.subarray(bytes.lastIndexOf("\n", -2) + 1);
    if (last.length > 1)
      await appendFile(path, last.subarray(0, 1 + random.below(last.length - 1))).catch(throwUnlessFull);
  }

  /** Flips a bit of a state file, but not in the last record of a log. Returns the function that repairs the file. */
  async flipBit(random: Random): Promise<() => Promise<void>> {
    const names = (await storeFileNames(this.dataDir)).toSorted();
    const path = join(this.dataDir, names[random.below(names.length)] ?? CHECKPOINT_NAME);
    const bytes = await readFile(path);
    const end = path.endsWith(".log") ? bytes.lastIndexOf("\n", -2) : bytes.length;
    if (end > 0) await writeFile(path, withFlipped(bytes, random.below(end * 8)));
    return () => writeFile(path, bytes);
  }

  async close(): Promise<void> {
    if (this.isMounted) await run("umount", ["--lazy", this.#folder]);
  }

  get #filler(): string {
    return join(this.#folder, "filler");
  }
}

/** A full disk accepts no part of a record, so nothing is torn. */
function throwUnlessFull(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOSPC") throw error;
}
