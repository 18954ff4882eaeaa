import type { FileHandle } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { lostLogError } from "./errors.ts";

/** Size of a log from which it is copied into the file, in bytes. */
export const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** Commits after which the log is copied: it is then written from its start again, so that its size doesn't show what is in it. */
const MAX_COMMITS = 500;

const THREAD = `
const { DatabaseSync } = require("node:sqlite");
const { parentPort, workerData } = require("node:worker_threads");

const database = new DatabaseSync(workerData);
database.exec("pragma synchronous = normal");
parentPort.on("message", (request) => {
  if (request === "close") {
    database.close();
    parentPort.close();
    return;
  }
  try {
    database.exec("pragma wal_checkpoint(passive)");
    parentPort.postMessage(null);
  } catch ({ message, errcode }) {
    parentPort.postMessage({ message, errcode });
  }
});
`;

/** An error of SQLite. */
interface CheckpointFailure {
  readonly message: string;
  readonly errcode?: number;
}

/** Copies the log of a database into its file, in a thread of its own, so that the event loop doesn't wait for the disk. */
export class Checkpoints {
  readonly #path: string;
  readonly #report: (error: unknown) => void;
  #worker: Worker | null = null;
  #running: PromiseWithResolvers<void> | null = null;
  /** Commits since the last copy, and the size of the log at that time. */
  #commits = 0;
  #copiedBytes = 0;

  /** `report` is called after each copy; null, or an error of the database, after which the log is copied again later. */
  constructor(path: string, report: (error: unknown) => void) {
    this.#path = path;
    this.#report = report;
  }

  /** Notes a commit, and starts a copy if the log is large. */
  async noteCommit(log: FileHandle): Promise<void> {
    this.#commits += 1;
    const { size, nlink } = await log.stat();
    if (nlink === 0) throw lostLogError();
    if (size < this.#copiedBytes) this.#copiedBytes = 0;
    const isLarge = size >= MAX_LOG_BYTES && size > this.#copiedBytes;
    if (this.#running !== null || !(isLarge || this.#commits >= MAX_COMMITS)) return;
    this.#copiedBytes = size;
    this.#begin();
  }

  #begin(): void {
    this.#commits = 0;
    this.#running = Promise.withResolvers();
    this.#worker ??= this.#start();
    this.#worker.postMessage("copy");
  }

  /** Copies the log as it is now. Resolves when it is copied, or when the error was reported. */
  async copy(): Promise<void> {
    await this.#idle();
    this.#begin();
    await this.#idle();
  }

  /** Resolves when no copy is in progress. The process doesn't end before. */
  async #idle(): Promise<void> {
    if (this.#running === null) return;
    this.#worker?.ref();
    await this.#running.promise;
    this.#worker?.unref();
  }

  /** Closes the connection of the thread: the last one of all moves the log into the file. */
  async close(): Promise<void> {
    await this.#idle();
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.ref();
    worker.postMessage("close");
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { eval: true, name: "checkpoints", workerData: this.#path, execArgv: [] });
    worker.unref();
    worker.on("message", (failure: CheckpointFailure | null) => this.#end(failure));
    worker.on("error", (error) => this.#end(error));
    worker.on("exit", () => {
      this.#worker = null;
      // A thread that fails doesn't answer what it was sent meanwhile.
      if (this.#running !== null) this.#end(new Error("the thread has ended"));
    });
    return worker;
  }

  #end(failure: CheckpointFailure | null): void {
    this.#running?.resolve();
    this.#running = null;
    this.#report(failure && Object.assign(new Error(failure.message), { errcode: failure.errcode }));
  }
}
