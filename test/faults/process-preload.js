// Loaded with `node --import` into a process under test: scales its time, jumps its clock, resolves the names of the test's
// servers as the test says, kills itself after a write, and reports how long the event loop was blocked.
import dns from "node:dns";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { DatabaseSync } from "node:sqlite";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isMainThread } from "node:worker_threads";

const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout, setInterval: realSetInterval } = timers;
const realPerformanceNow = performance.now.bind(performance);
const realNow = () => performance.timeOrigin + realPerformanceNow();

/** `virtual`: the time of the test at the real time `real`; `jumpMs`: the error of the wall clock. */
let time = { real: 0, virtual: 0, speed: 1, jumpMs: 0 };
let lastMonotonic = 0;
/** Address or error code by host name. */
let names = {};

/** Milliseconds of the test's time; never goes back. */
function monotonic() {
  lastMonotonic = Math.max(lastMonotonic, time.virtual + (realNow() - time.real) * time.speed);
  return lastMonotonic;
}

function wallClock() {
  return Math.floor(monotonic() + time.jumpMs);
}

const liveTimers = new Set();

/** Timer in scaled time, rearmed when the speed changes. */
class ScaledTimer {
  #callback;
  #args;
  #delayMs;
  #repeats;
  #due = 0;
  #native = null;
  #isRef = true;

  constructor(callback, delayMs, args, repeats) {
    if (typeof callback !== "function") throw new TypeError("The callback of a timer must be a function");
    this.#callback = callback;
    this.#args = args;
    this.#delayMs = delayMs >= 1 && delayMs <= 2 ** 31 - 1 ? Math.trunc(delayMs) : 1;
    this.#repeats = repeats;
    this.refresh();
  }

  refresh() {
    this.#due = monotonic() + this.#delayMs;
    this.rearm();
    return this;
  }

  rearm() {
    realClearTimeout(this.#native);
    liveTimers.add(this);
    this.#native = realSetTimeout(() => this.#fire(), Math.max(1, (this.#due - monotonic()) / time.speed));
    if (!this.#isRef) this.#native.unref();
  }

  close() {
    realClearTimeout(this.#native);
    liveTimers.delete(this);
    return this;
  }

  ref() {
    this.#isRef = true;
    this.#native.ref();
    return this;
  }

  unref() {
    this.#isRef = false;
    this.#native.unref();
    return this;
  }

  hasRef() {
    return this.#isRef;
  }

  [Symbol.toPrimitive]() {
    return Number(this.#native);
  }

  [Symbol.dispose]() {
    this.close();
  }

  #fire() {
    if (this.#repeats) this.refresh();
    else liveTimers.delete(this);
    this.#callback.apply(this, this.#args);
  }
}

function scaledSetTimeout(callback, delayMs, ...args) {
  return new ScaledTimer(callback, delayMs, args, false);
}

function scaledSetInterval(callback, delayMs, ...args) {
  return new ScaledTimer(callback, delayMs, args, true);
}

function scaledClear(timer) {
  if (timer instanceof ScaledTimer) timer.close();
  else realClearTimeout(timer);
}

function abortError() {
  return Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" });
}

/** `setTimeout` of node:timers/promises. */
function sleep(delayMs, value, { signal, ref = true } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortError());
      return;
    }
    const onAbort = () => {
      timer.close();
      reject(abortError());
    };
    const timer = scaledSetTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    }, delayMs);
    if (!ref) timer.unref();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function abortSignalTimeout(delayMs) {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  scaledSetTimeout(abort, delayMs).unref();
  return controller.signal;
}

function scaleTime() {
  const RealDate = Date;
  RealDate.now = wallClock;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [wallClock()] : args, newTarget),
    apply: () => new RealDate(wallClock()).toString(),
  });
  const startedAt = monotonic();
  performance.now = () => monotonic() - startedAt;
  process.hrtime.bigint = () => BigInt(Math.round(monotonic() * 1e6));
  os.uptime = () => monotonic() / 1_000;
  AbortSignal.timeout = abortSignalTimeout;
  scaledSetTimeout[promisify.custom] = sleep;
  const scaled = {
    setTimeout: scaledSetTimeout,
    setInterval: scaledSetInterval,
    clearTimeout: scaledClear,
    clearInterval: scaledClear,
  };
  Object.assign(globalThis, scaled);
  Object.assign(timers, scaled);
  timersPromises.setTimeout = sleep;
}

/** Names that end in `.test` are the servers of the test. */
function resolveTestNames() {
  const realLookup = dns.lookup;
  dns.lookup = (name, options, callback = options) => {
    if (!name.endsWith(".test")) {
      realLookup(name, options, callback);
      return;
    }
    const address = names[name] ?? "127.0.0.1";
    const error = address.startsWith("E")
      ? Object.assign(new Error(`getaddrinfo ${address} ${name}`), { code: address })
      : null;
    process.nextTick(() => {
      if (error !== null) callback(error);
      else if (options.all) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    });
  };
}

/** Durable writes until the process kills itself; 0: it doesn't. */
let writesLeft = 0;

function countWrite() {
  if (writesLeft === 0) return;
  writesLeft -= 1;
  if (writesLeft === 0) process.kill(process.pid, "SIGKILL");
}

/** Lets the process die after a commit or the write of a file, and before whatever follows it. */
async function killAfterWrites() {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (text) {
    exec.call(this, text);
    if (text === "commit") countWrite();
  };
  const file = await fs.promises.open(fileURLToPath(import.meta.url));
  const files = Object.getPrototypeOf(file);
  await file.close();
  const { datasync } = files;
  files.datasync = async function (...args) {
    await datasync.apply(this, args);
    countWrite();
  };
}

const TICK_MS = 20;
const MIN_REPORTED_STALL_MS = 20;

/** CPU time of the main thread in milliseconds; where Linux doesn't report it, of the process. */
function mainThreadCpu() {
  try {
    return Number(fs.readFileSync("/proc/self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** Reports the longest stall so far: the time by which a tick is late, but at most the CPU time that the event loop used. */
function reportStalls() {
  let worstMs = MIN_REPORTED_STALL_MS;
  let lastAt = realPerformanceNow();
  let lastCpu = mainThreadCpu();
  realSetInterval(() => {
    const now = realPerformanceNow();
    const cpu = mainThreadCpu();
    const stallMs = Math.min(now - lastAt - TICK_MS, cpu - lastCpu);
    lastAt = now;
    lastCpu = cpu;
    if (stallMs <= worstMs) return;
    worstMs = stallMs;
    process.send({ stallMs });
  }, TICK_MS).unref();
}

function apply({ time: newTime, names: newNames, measure, writes }) {
  if (newNames) names = newNames;
  if (writes) writesLeft = writes;
  if (measure) reportStalls();
  if (!newTime) return;
  time = newTime;
  for (const timer of liveTimers) timer.rearm();
}

async function control() {
  apply(JSON.parse(process.env.FAULTS_START));
  scaleTime();
  resolveTestNames();
  await killAfterWrites();
  syncBuiltinESMExports();
  process.on("message", apply);
  process.channel.unref();
  // A killed test must not leave its processes.
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
}

// The thread that reads documents uses no time, no names and no files.
if (isMainThread) await control();
