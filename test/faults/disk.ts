import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { StateRecord } from "../../src/ports/state-records.ts";
import { DATABASE_FILE } from "../../src/store/engines/sqlite/folder.ts";
import { readFolder } from "../../src/store/engines/sqlite/state.ts";
import { SNAPSHOT_FILE } from "../../src/store/snapshot/snapshot-file.ts";
import { tearLog } from "../support/database-log.ts";
import type { Random } from "../support/random.ts";
import type { ProcessControl } from "./controlled-process.ts";
import type { FaultyState } from "./state.ts";

const run = promisify(execFile);

/** Room for the database and for its log, which is copied into the database at about 4 MiB. */
const SIZE_MIB = 16;

type Control = Pick<ProcessControl, "killAfterWrites">;

/** Disk with the data folder of a process: a small mounted disk, or a plain folder if mounting isn't permitted. */
export class Disk implements FaultyState {
  readonly kind = "files";
  readonly startSpeed = 4;
  readonly speed = 30;
  readonly failedStart = /: database or disk is full$/;
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
    const isMounted = await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MIB}m,mode=700`, "tmpfs", folder]).then(
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

  read(): AsyncIterable<StateRecord> {
    return readFolder(this.dataDir);
  }

  killAfterWrites(writes: number): void {
    this.#control?.killAfterWrites(writes);
  }

  async fill(): Promise<void> {
    if (this.isMounted) await writeFile(this.#filler, Buffer.alloc(SIZE_MIB * 2 ** 20)).catch(() => undefined);
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

  /** Tears the end of the log, as a power cut does. */
  async tearLog(random: Random): Promise<void> {
    await tearLog(this.dataDir, random).catch(throwUnlessFull);
  }

  /** Cuts the snapshot, or removes the database beside it. Returns the function that repairs the file. */
  async damageFile(random: Random): Promise<() => Promise<void>> {
    const name = random.pick([DATABASE_FILE, SNAPSHOT_FILE]);
    const path = join(this.dataDir, name);
    if (!existsSync(join(this.dataDir, SNAPSHOT_FILE))) return async () => undefined;
    const bytes = await readFile(path);
    if (name === DATABASE_FILE) await rm(path);
    else await truncate(path, random.below(bytes.length));
    return () => writeFile(path, bytes, { mode: 0o600 });
  }

  async close(): Promise<void> {
    if (this.isMounted) await run("umount", ["--lazy", this.#folder]);
  }

  get #filler(): string {
    return join(this.#folder, "filler");
  }
}

/** A full disk accepts no part of a frame, so nothing is torn. */
function throwUnlessFull(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOSPC") throw error;
}
