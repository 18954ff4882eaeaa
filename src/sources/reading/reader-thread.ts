import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { isMainThread, Worker } from "node:worker_threads";
import { errorMessage } from "../../lib/error-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { isSymbolTable, type NamedLists, type SymbolTable } from "../symbol-table.ts";
import { type DocumentReader, type ForeignDocument, ReaderUnavailableError } from "./document-reader.ts";
import { type Quarantine, quarantineError } from "./quarantine.ts";
import {
  type FromThread,
  isAnswer,
  receivedError,
  type SentCall,
  sentDocument,
  type ThreadData,
  type ToThread,
} from "./thread-messages.ts";

export interface ReaderThreadParts {
  readonly quarantine: Quarantine;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** CPU time for reading one document, in milliseconds. Default: 5 s, many times what the largest accepted documents take. */
  readonly maxCpuMs?: number;
  /** Limit of the thread's heap in megabytes. Default: 512. */
  readonly maxHeapMb?: number;
  /** Script of the thread. Default: the one of the sources, or of the bundle. */
  readonly script?: URL;
}

const MAX_CPU_MS = 5_000;
const MAX_HEAP_MB = 512;
/** Interval at which the CPU time of the running call is checked. */
const CHECK_INTERVAL_MS = 100;
/** Limits of the calls that are sent together. The thread receives one copy of an argument that several of them have. */
const MAX_CALLS = 16;
const MAX_BYTES = 4 * 1024 * 1024;
/** Call ids are 32-bit integers. */
const MAX_ID = 2 ** 31 - 1;

const CLOSED = "The reader of documents was closed.";

interface Call {
  readonly sent: SentCall;
  readonly document: ForeignDocument;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads documents in one thread, which starts with the first call, or earlier with `start`. A thread that takes too long for a
 * document, or crashes, is replaced. The document is quarantined, and the calls that waited behind it are repeated.
 */
export class ReaderThread implements DocumentReader {
  readonly #parts: Required<ReaderThreadParts>;
  readonly #waiting: Call[] = [];
  readonly #sent = new Map<number, Call>();
  #thread: Thread | null = null;
  /** The last table that was an argument. There is one in a process. */
  #table: SymbolTable | null = null;
  #lastId = 0;
  #isClosed = false;

  constructor({ maxCpuMs = MAX_CPU_MS, maxHeapMb = MAX_HEAP_MB, script = THREAD_FILE, ...parts }: ReaderThreadParts) {
    this.#parts = { ...parts, maxCpuMs, maxHeapMb, script };
  }

  start(): void {
    if (!this.#isClosed) this.#startedThread();
  }

  #startedThread(): Thread {
    this.#thread ??= new Thread(this.#parts, {
      onAnswer: (answer) => this.#settle(answer),
      onEnd: (end) => this.#replace(end),
    });
    return this.#thread;
  }

  get queued(): number {
    return this.#waiting.length + this.#sent.size;
  }

  async read<R>(readers: { readonly name: string }, name: string, ...args: readonly unknown[]): Promise<R> {
    if (this.#isClosed) throw new ReaderUnavailableError(CLOSED);
    const [document, ...rest] = args as readonly [ForeignDocument, ...unknown[]];
    const reader = `${readers.name}.${name}`;
    const quarantined = this.#parts.quarantine.find(reader, document);
    if (quarantined !== null) throw quarantineError(quarantined);
    this.#lastId = (this.#lastId % MAX_ID) + 1;
    const tableAt = rest.findIndex(isSymbolTable);
    const table = rest[tableAt];
    if (isSymbolTable(table)) this.#table = table;
    const sent: SentCall = {
      id: this.#lastId,
      reader,
      document: sentDocument(document),
      args: rest.map((arg, index) => (index === tableAt ? null : arg)),
      tableAt,
    };
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sent, document, resolve: resolve as Call["resolve"], reject });
      this.#send();
    });
  }

  /** Rejects the calls without an answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
    this.#thread = null;
  }

  /** Sends the next calls if the last ones are answered. */
  #send(): void {
    if (this.#sent.size > 0 || this.#waiting.length === 0 || this.#isClosed) return;
    const calls = this.#waiting.splice(0, callsPerMessage(this.#waiting));
    for (const call of calls) this.#sent.set(call.sent.id, call);
    try {
      this.#startedThread().send(
        calls.map(({ sent }) => sent),
        this.#table?.lists() ?? [],
      );
    } catch (error) {
      // An argument that can't be copied.
      this.#rejectAll(error);
    }
  }

  #settle(answer: FromThread): void {
    const call = this.#sent.get(answer.id);
    this.#sent.delete(answer.id);
    if ("error" in answer) call?.reject(receivedError(answer.error));
    else call?.resolve(answer.value);
    if (this.#sent.size > 0) return;
    this.#thread?.rest();
    this.#send();
  }

  #rejectAll(error: unknown): void {
    const calls = [...this.#sent.values(), ...this.#waiting.splice(0)];
    this.#sent.clear();
    for (const { reject } of calls) reject(error);
  }

  /** Replaces a thread that has ended, quarantines the document that it was reading, and repeats the calls behind it. */
  #replace({ id, reason }: ThreadEnd): void {
    this.#thread = null;
    if (this.#isClosed) this.#rejectAll(new ReaderUnavailableError(CLOSED));
    else if (id === null) {
      this.#parts.log.error("reader thread failed", { problem: reason });
      this.#rejectAll(new ReaderUnavailableError(`The thread that reads documents has failed: ${reason}`));
    } else this.#repeatOthers(id, reason);
  }

  #repeatOthers(id: number, reason: string): void {
    const guilty = this.#sent.get(id);
    this.#sent.delete(id);
    this.#waiting.unshift(...this.#sent.values());
    this.#sent.clear();
    // It may have been answered while the thread was ended.
    if (guilty !== undefined) this.#quarantine(guilty, reason);
    this.#send();
  }

  #quarantine({ sent, document, reject }: Call, reason: string): void {
    const { quarantine, clock, log } = this.#parts;
    const { reader } = sent;
    const entry = quarantine.add(reader, document, reason, clock.now());
    log.error("document quarantined", { reader, url: entry.url, reason });
    reject(quarantineError(entry));
    quarantine.save().catch((error: unknown) => log.error("quarantine not saved", { error }));
  }
}

/** Number of the first calls that are sent in one message; at least one. */
function callsPerMessage(calls: readonly Call[]): number {
  let bytes = 0;
  const end = calls.findIndex(({ document }, index) => {
    bytes += sizeOf(document);
    return index > 0 && (index >= MAX_CALLS || bytes > MAX_BYTES);
  });
  return end < 0 ? calls.length : end;
}

function sizeOf(document: ForeignDocument): number {
  return isAnswer(document) ? document.body.length : document.content.length;
}

interface ThreadEnd {
  /** Call that was running; null: none. */
  readonly id: number | null;
  /** Worded to follow "reading it". */
  readonly reason: string;
}

interface ThreadListeners {
  readonly onAnswer: (answer: FromThread) => void;
  /** Called once. */
  readonly onEnd: (end: ThreadEnd) => void;
}

type ThreadLimits = Required<Pick<ReaderThreadParts, "maxCpuMs" | "maxHeapMb" | "script">>;

/** One thread, from its start to its end. */
class Thread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  /** Shared with the thread, which can't send messages while it is reading. */
  readonly #running: ThreadData["running"] = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #checks: NodeJS.Timeout | null = null;
  /** The call that was running at the last check, and the times at the first check that found it. */
  #observed: { readonly id: number; readonly since: CpuTimes } | null = null;
  /** The lists of the symbol table that the thread has. */
  #lists: NamedLists = [];
  /** Why it has crashed or is ended, with the call that was running. */
  #end: ThreadEnd | null = null;

  constructor(limits: ThreadLimits, { onAnswer, onEnd }: ThreadListeners) {
    this.#limits = limits;
    const workerData: ThreadData = { running: this.#running };
    const resourceLimits = { maxOldGenerationSizeMb: limits.maxHeapMb };
    this.#worker = new Worker(limits.script, { name: "reader", workerData, resourceLimits });
    this.#worker.unref();
    this.#worker.on("message", onAnswer);
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      this.#end ??= { id: this.#runningId(), reason: crashReason(error, limits) };
    });
    this.#worker.on("exit", (code) => {
      this.rest();
      onEnd(this.#end ?? { id: this.#runningId(), reason: `ended the thread with exit code ${code}` });
    });
  }

  /** Sends calls, and checks the thread until `rest`. Throws if an argument can't be copied. */
  send(calls: readonly SentCall[], lists: NamedLists): void {
    if (calls.some(({ tableAt }) => tableAt >= 0) && !areSameLists(lists, this.#lists)) {
      this.#post({ kind: "table", lists });
      this.#lists = lists;
    }
    this.#post({ kind: "calls", calls });
    this.#worker.ref();
    this.#checks ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
  }

  /** Call when all calls are answered. */
  rest(): void {
    this.#worker.unref();
    if (this.#checks !== null) clearInterval(this.#checks);
    this.#checks = null;
    this.#observed = null;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #runningId(): number | null {
    const id = Atomics.load(this.#running, 0);
    return id === 0 ? null : id;
  }

  #check(): void {
    const id = this.#runningId();
    const times = this.#cpuTimes();
    if (id === null || id !== this.#observed?.id) this.#observed = id === null ? null : { id, since: times };
    else if (cpuMsOf(this.#observed.since, times) > this.#limits.maxCpuMs) {
      this.#end ??= { id, reason: `took more than ${this.#limits.maxCpuMs / 1_000} s of CPU time` };
      void this.close();
    }
  }

  #cpuTimes(): CpuTimes {
    const { user, system } = process.cpuUsage();
    return {
      processMs: (user + system) / 1_000,
      mainMs: mainThreadMs(),
      threadMs: this.#worker.performance.eventLoopUtilization().active,
    };
  }
}

/** Times since the start of the process, in milliseconds. */
interface CpuTimes {
  /** CPU time of all threads. */
  readonly processMs: number;
  /** CPU time of the main thread. */
  readonly mainMs: number;
  /** Time in which the event loop of the thread was not waiting. */
  readonly threadMs: number;
}

/** CPU time, time waiting for a CPU, and number of turns, in nanoseconds. Linux has this file. */
const MAIN_THREAD_TIMES = `/proc/self/task/${process.pid}/schedstat`;
const HAS_MAIN_THREAD_TIMES = isMainThread && existsSync(MAIN_THREAD_TIMES);

/**
 * CPU time of the main thread in milliseconds. Elsewhere, the time in which its event loop was not waiting, which is longer if the
 * thread waits for a CPU or a disk: then documents may take longer.
 */
function mainThreadMs(): number {
  if (!HAS_MAIN_THREAD_TIMES) return performance.eventLoopUtilization().active;
  return Number(readFileSync(MAIN_THREAD_TIMES, "latin1").split(" ", 1)[0]) / 1e6;
}

/** CPU time of the thread, as far as it can be known from outside: the process's without the main thread's. */
function cpuMsOf(since: CpuTimes, now: CpuTimes): number {
  const othersMs = now.processMs - since.processMs - (now.mainMs - since.mainMs);
  return Math.min(now.threadMs - since.threadMs, othersMs);
}

function crashReason(error: NodeJS.ErrnoException, { maxHeapMb }: ThreadLimits): string {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return `took more than ${maxHeapMb} MB of memory`;
  return `ended the thread: ${errorMessage(error)}`;
}

function areSameLists(one: NamedLists, other: NamedLists): boolean {
  return one.length === other.length && one.every(([, listed], index) => listed === other[index]?.[1]);
}

/** Script of the thread: of the sources, or of the bundle. */
const THREAD_FILE = new URL(import.meta.url.endsWith(".ts") ? "../../reader.ts" : "./reader.js", import.meta.url);
