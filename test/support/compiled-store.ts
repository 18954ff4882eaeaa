import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");

/** Store compiled to JavaScript for use in child processes, which it starts and kills. */
export class CompiledStore {
  readonly #dir: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** `others`: further source files that scripts import from `./out`. */
  static async compile(...others: readonly string[]): Promise<CompiledStore> {
    const dir = await mkdtemp(join(tmpdir(), "splitwatch-compiled-"));
    const config = {
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        outDir: join(dir, "out"),
        rootDir: join(ROOT, "src"),
        typeRoots: [join(ROOT, "node_modules/@types")],
      },
      files: ["src/store/lowdb/open.ts", ...others].map((file) => join(ROOT, file)),
      include: [],
    };
    await writeFile(join(dir, "tsconfig.json"), JSON.stringify(config));
    await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
    await symlink(join(ROOT, "node_modules"), join(dir, "node_modules"));
    await promisify(execFile)(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", dir]);
    return new CompiledStore(dir);
  }

  /** Starts a process that runs `script`, in which `openStore(dir, holder)` opens a store. */
  async run(script: string, ...args: readonly string[]): Promise<StoreProcess> {
    const file = join(this.#dir, `${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(file, `${PRELUDE}\n${script}`);
    const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
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
import { openLowdbStore } from "./out/store/lowdb/open.js";
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)) };
const openStore = (dir, holder) => openLowdbStore({ dir, clock, log, ...(holder ? { holder } : {}), checkpointAboveBytes: 20_000 });
const say = (text) => process.stdout.write(text + "\\n");
const [dir, ...args] = process.argv.slice(2);
`;

export class StoreProcess {
  readonly #child: ChildProcess;
  readonly lines: string[] = [];
  readonly #ended: Promise<void>;
  #heard: () => void = () => undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = new Promise((ended) => child.once("close", () => ended()));
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
      const end = this.#ended.then(() => "ended" as const);
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
    await this.#ended;
    return this.lines;
  }
}
