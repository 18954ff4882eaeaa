import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const ROOT = resolve(import.meta.dirname, "../..");

/** Child processes that use the sources, which this starts and kills. */
export class SourceProcesses {
  readonly #dir: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(dir: string) {
    this.#dir = dir;
  }

  static async open(): Promise<SourceProcesses> {
    return new SourceProcesses(await mkdtemp(join(tmpdir(), "splitwatch-processes-")));
  }

  /** Starts a process that runs `script`, in which `openStore(dir, holder)` opens a store, and SRC is the folder of the sources. */
  async run(script: string, ...args: readonly string[]): Promise<StoreProcess> {
    return this.#start([process.execPath, await this.#write(script), ...args]);
  }

  /** Runs a process to its end, and returns its system calls with file names and its syncs, one a line, as strace prints them. */
  async trace(script: string, ...args: readonly string[]): Promise<string> {
    const file = await this.#write(script);
    const options = ["-f", "-y", "-e", "trace=%file,fsync,fdatasync", "-o", `${file}.trace`];
    await this.#start(["strace", ...options, process.execPath, file, ...args]).ended;
    return readFile(`${file}.trace`, "utf8");
  }

  async #write(script: string): Promise<string> {
    const file = join(this.#dir, `${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(file, `${PRELUDE}\n${script}`.replaceAll("SRC/", `${pathToFileURL(join(ROOT, "src")).href}/`));
    return file;
  }

  #start([program = "", ...args]: readonly string[]): StoreProcess {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#children.add(child);
    return new StoreProcess(child);
  }

  /** Kills the processes and removes the files. */
  async remove(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await rm(this.#dir, { recursive: true, force: true });
  }
}

const PRELUDE = `
import { openSqliteStore } from "SRC/store/engines/sqlite/open.ts";
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)) };
const openStore = (dir, holder) => openSqliteStore({ dir, clock, log, ...(holder ? { holder } : {}) });
const say = (text) => process.stdout.write(text + "\\n");
const [dir, ...args] = process.argv.slice(2);
`;

export class StoreProcess {
  readonly #child: ChildProcess;
  readonly lines: string[] = [];
  readonly ended: Promise<void>;
  #heard: () => void = () => undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.ended = new Promise((ended) => child.once("close", () => ended()));
    if (!child.stdout) throw new Error("the process has no output");
    createInterface(child.stdout).on("line", (line) => {
      this.lines.push(line);
      this.#heard();
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves after at least `count` lines of output. */
  async says(count: number): Promise<readonly string[]> {
    while (this.lines.length < count) {
      const heard = new Promise<void>((resolveHeard) => {
        this.#heard = resolveHeard;
      });
      const end = this.ended.then(() => "ended" as const);
      if ((await Promise.race([heard, end])) === "ended" && this.lines.length < count)
        throw new Error(`the process ended after ${this.lines.length} lines, expected ${count}`);
    }
    return this.lines;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Kills the process with SIGKILL and returns its whole output. */
  async kill(): Promise<readonly string[]> {
    this.#child.kill("SIGKILL");
    await this.ended;
    return this.lines;
  }
}
