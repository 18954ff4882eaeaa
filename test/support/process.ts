import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import { askSocket } from "./answering-socket.ts";
import { SETTINGS_FILES } from "./settings-files.ts";

/** The build that the tests start. */
export const DIST = await askSocket(inject("build"));

/** Code that earlier processes of the run have compiled: a start takes three quarters of its CPU time. */
export const COMPILED = { NODE_COMPILE_CACHE: `${DIST}-compiled` };

/** Script of its thread for documents. Its first calls take less CPU time and memory than those of the sources. */
export const READER_SCRIPT = pathToFileURL(`${DIST}/reader.js`);

/** One line of the log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process of the built splitwatch. */
export interface SplitwatchProcess {
  readonly pid: number;
  /** Address of the web chat once it is printed; rejects if the process ends before. */
  readonly ready: Promise<string>;
  /** Resolves after the end, when all output has been read. */
  readonly ended: Promise<Ending>;
  out(): string;
  err(): string;
  log(): readonly LogLine[];
  /** Lines of standard error that are not log lines. */
  stderrOutsideLog(): readonly string[];
  /** Resolves with the next log line with this message. */
  nextLog(msg: string): Promise<LogLine>;
  signal(signal: NodeJS.Signals): void;
  /** Sends a message over the IPC channel; ignored if there is none or the process has ended. */
  send(message: Readonly<Record<string, unknown>>): void;
  /** Kills the process with SIGKILL and waits for its end. */
  kill(): Promise<Ending>;
}

export interface ProcessOptions {
  readonly args?: readonly string[];
  /** Environment in addition to PATH, a free port and settings without reachable wires. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Folder of the program. Default: the build of this project. */
  readonly dist?: string;
  /** Path under which the program is started. Default: main.js in `dist`. */
  readonly program?: string;
  /** Receives the messages of an IPC channel. Default: no channel. */
  readonly onMessage?: (message: unknown) => void;
  /** Receives each log line. */
  readonly onLog?: (line: LogLine) => void;
}

/** The processes of a test; `endAll` kills those that still run. */
export class Processes {
  readonly #children = new Set<ChildProcess>();

  start({
    args = [],
    env = {},
    cwd,
    dist = DIST,
    program = `${dist}/main.js`,
    onMessage,
    onLog,
  }: ProcessOptions): SplitwatchProcess {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...COMPILED, PATH: process.env.PATH, PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.noWireAnswers, ...env },
      stdio: ["ignore", "pipe", "pipe", ...(onMessage ? ["ipc" as const] : [])],
    });
    if (onMessage) child.on("message", onMessage);
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    const collected = collect(child);
    if (onLog) collected.onLog.add(onLog);
    return follow(child, collected);
  }

  async endAll(): Promise<void> {
    const alive = [...this.#children].map((child) => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      return gone;
    });
    await Promise.all(alive);
  }
}

interface Collected {
  out: string;
  err: string;
  readonly log: LogLine[];
  readonly complaints: string[];
  readonly onOut: Set<() => void>;
  readonly onLog: Set<(line: LogLine) => void>;
}

function collect(child: ChildProcess): Collected {
  const collected: Collected = { out: "", err: "", log: [], complaints: [], onOut: new Set(), onLog: new Set() };
  let unfinished = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    collected.out += text;
    for (const listener of collected.onOut) listener();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    collected.err += text;
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) collectLine(collected, line);
  });
  return collected;
}

function collectLine(collected: Collected, text: string): void {
  const line = parseLogLine(text);
  if (line === null) {
    collected.complaints.push(text);
    return;
  }
  collected.log.push(line);
  for (const listener of collected.onLog) listener(line);
}

function parseLogLine(text: string): LogLine | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null && "msg" in line ? (line as LogLine) : null;
  } catch {
    return null;
  }
}

function follow(child: ChildProcess, collected: Collected): SplitwatchProcess {
  const ended = once(child, "close").then(([code, signal]): Ending => ({ code, signal }));
  const ready = new Promise<string>((resolve, reject) => {
    collected.onOut.add(() => {
      const address = /^Web chat: +(\S+)\/$/m.exec(collected.out)?.[1];
      if (address !== undefined) resolve(address);
    });
    const rejectAtEnd = async (): Promise<void> => {
      const { code, signal } = await ended;
      reject(new Error(`splitwatch ended with ${code ?? signal} before it was ready:\n${collected.err}`));
    };
    void rejectAtEnd();
  });
  // Tests that do not await `ready` must not fail with an unhandled rejection.
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    out: () => collected.out,
    err: () => collected.err,
    log: () => collected.log,
    stderrOutsideLog: () => collected.complaints,
    nextLog: (msg) => nextLine(collected, msg),
    signal: (signal) => void child.kill(signal),
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    kill: async () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

function nextLine(collected: Collected, msg: string): Promise<LogLine> {
  return new Promise((resolve) => {
    const listener = (line: LogLine): void => {
      if (line.msg !== msg) return;
      collected.onLog.delete(listener);
      resolve(line);
    };
    collected.onLog.add(listener);
  });
}
