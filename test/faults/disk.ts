import { execFile } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FILE_NAMES } from "../../src/store/lowdb/files/folder.ts";
import type { Random } from "../support/random.ts";
import { withFlipped } from "../support/store-folder.ts";

const run = promisify(execFile);

/** More than the disk holds. */
const FILLER_BYTES = 4 * 1024 * 1024;

/** The disk with the data folder of a process. It is a disk of its own where mounting is permitted. */
export class Disk {
  readonly #folder: string;
  /** False where mounting is not permitted: the disk is then never full or read-only. */
  readonly isOwn: boolean;
  #isReadOnly = false;
  #freesWhenWritable = false;

  private constructor(folder: string, isOwn: boolean) {
    this.#folder = folder;
    this.isOwn = isOwn;
  }

  static async open(folder: string): Promise<Disk> {
    await mkdir(folder, { recursive: true });
    const mounted = await run("mount", ["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", folder]).then(
      () => true,
      () => false,
    );
    return new Disk(folder, mounted);
  }

  get dataDir(): string {
    return join(this.#folder, "data");
  }

  async fill(): Promise<void> {
    if (this.isOwn) await writeFile(this.#filler, Buffer.alloc(FILLER_BYTES)).catch(() => undefined);
  }

  /** Frees the space, on a read-only disk as soon as it is writable again. */
  async free(): Promise<void> {
    if (this.#isReadOnly) this.#freesWhenWritable = true;
    else await rm(this.#filler, { force: true });
  }

  /** Returns the function that makes it writable again. Nothing may be open for writing. */
  async makeReadOnly(): Promise<() => Promise<void>> {
    if (!this.isOwn) return async () => undefined;
    this.#isReadOnly = true;
    await run("mount", ["-o", "remount,ro", this.#folder]);
    return async () => {
      await run("mount", ["-o", "remount,rw", this.#folder]);
      this.#isReadOnly = false;
      if (this.#freesWhenWritable) await this.free();
      this.#freesWhenWritable = false;
    };
  }

  /** Appends a part of a record to the log, as a power cut does. */
  async tearLog(random: Random): Promise<void> {
    const path = join(this.dataDir, FILE_NAMES.journal);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    const last = bytes.subarray(bytes.lastIndexOf("\n", -2) + 1);
    if (last.length > 1) await appendFile(path, last.subarray(0, 1 + random.below(last.length - 1)));
  }

  /** Flips a bit of a state file, but none of a last record. Returns the function that repairs it. */
  async flipBit(random: Random): Promise<() => Promise<void>> {
    const names = (await readdir(this.dataDir))
      .filter((name) => Object.values<string>(FILE_NAMES).includes(name))
      .toSorted();
    const path = join(this.dataDir, names[random.below(names.length)] ?? FILE_NAMES.journal);
    const bytes = await readFile(path);
    const end = path.endsWith(".log") ? bytes.lastIndexOf("\n", -2) : bytes.length;
    if (end > 0) await writeFile(path, withFlipped(bytes, random.below(end * 8)));
    return () => writeFile(path, bytes);
  }

  async close(): Promise<void> {
    if (this.isOwn) await run("umount", ["--lazy", this.#folder]);
  }

  get #filler(): string {
    return join(this.#folder, "filler");
  }
}
