import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./documentation.ts";
import { SETTINGS_FILES } from "./settings-files.ts";

/** Files of the repository that installing, running and testing need. */
const FILES = ["bin", "config", "package-lock.json", "package.json", "scripts", "src", "test", "vitest.config.ts"];

/** A folder with the files of a fresh clone, without a terminal and with an empty cache of npm. */
export interface Clone {
  readonly folder: string;
  /** Runs a command such as `npx splitwatch help` to its end. Rejects with its output if it fails. */
  run(line: string): Promise<{ readonly stdout: string; readonly stderr: string }>;
  /** Starts a command that runs until it is stopped, such as `npm start`, and resolves when the program is running. */
  start(line: string): Promise<Running>;
  /** Deletes the clone, and ends what still runs. */
  remove(): Promise<void>;
}

export interface Running {
  readonly address: string;
  readonly stderr: string;
  /** Stops it as Ctrl+C does, or with SIGTERM to npm alone, and resolves with the rest of its log. */
  stop(signal?: "SIGINT" | "SIGTERM"): Promise<string>;
}

export interface CloneOptions {
  /** Folders with the programs `node`, `npm` and `npx`. Default: those on PATH. */
  readonly programs?: readonly string[];
  /** Folder of installed packages, which is linked; null: none are installed. Default: those of this repository. */
  readonly packages?: string | null;
}

export async function createClone({
  programs = [],
  packages = join(ROOT, "node_modules"),
}: CloneOptions = {}): Promise<Clone> {
  const base = await mkdtemp(join(tmpdir(), "splitwatch clone "));
  const folder = join(base, "splitwatch");
  for (const name of FILES) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  if (packages !== null) await symlink(packages, join(folder, "node_modules"));
  const env = {
    PATH: [...programs, process.env.PATH].join(delimiter),
    HOME: base,
    PORT: "0",
    SPLITWATCH_CONFIG: SETTINGS_FILES.noWireAnswers,
    // npm announces its new versions on standard error.
    npm_config_update_notifier: "false",
    ...networkSettings(),
  };
  const groups: ChildProcess[] = [];
  return {
    folder,
    run: (line) => {
      const [program = "", ...args] = line.split(" ");
      return promisify(execFile)(program, args, { cwd: folder, env });
    },
    start: async (line) => {
      const [program = "", ...args] = line.split(" ");
      const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      groups.push(child);
      return started(child);
    },
    remove: async () => {
      for (const child of groups) signalGroup(child, "SIGKILL");
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** What npm needs to reach its registry. */
function networkSettings(): Readonly<Record<string, string>> {
  const names = /^(?:NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy|npm_config_registry)$/i;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) => (names.test(name) ? [[name, value]] : [])),
  );
}

async function started(child: ChildProcess): Promise<Running> {
  const output = { out: "", err: "" };
  const closed = once(child, "close");
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.err += text));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output.out += text;
      const found = /^Web chat: +(\S+)\/$/m.exec(output.out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void closed.then(() => reject(new Error(`ended before it was running:\n${output.out}${output.err}`)));
  });
  const { err: stderr } = output;
  return {
    address,
    stderr,
    async stop(signal = "SIGINT") {
      if (signal === "SIGINT") signalGroup(child, signal);
      else child.kill(signal);
      await closed;
      return output.err.slice(stderr.length);
    },
  };
}

/** Signals npm and the program, as a terminal does. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
