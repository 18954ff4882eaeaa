import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "./clock.ts";
import { errorMessage } from "./error-text.ts";
import { isJsonObject, parseJson } from "./json.ts";
import { createKeyedMutex } from "./mutex.ts";

/** Timeout for the answer of another process, which then counts as silent. */
const ANSWER_TIMEOUT_MS = 400;
/** Time that an attempt waits for silent processes to end. */
const SILENCE_TIMEOUT_MS = 400;
/** Time that an attempt waits for simultaneous attempts to give way, which takes milliseconds on an idle machine. */
const TIE_TIMEOUT_MS = 5_000;
const TIE_POLL_MS = 20;
const DEFAULT_WAIT_MS = 5_000;
const MIN_RETRY_MS = 10;
const MAX_RETRY_MS = 40;

/** Some systems truncate a socket's path at 103 bytes without an error. */
const MAX_SOCKET_PATH_BYTES = 100;

/** Suffixes of a socket's name after the lock's name: `.<process id>.<random>`, and `.new` until the socket answers. */
const SUFFIX = /^\.(\d+)\.[0-9a-f]{8}$/;
const NEW_SUFFIX = /^\.\d+\.[0-9a-f]{8}\.new$/;

export interface LockRequest {
  /** An existing folder. */
  readonly dir: string;
  /** Prefix of the sockets' names in the folder. */
  readonly name: string;
  /** Description of this process for processes that are refused: `pid 4711, http://127.0.0.1:8080`. */
  readonly holder: string;
}

export interface ProcessLock {
  release(): Promise<void>;
}

/** Another process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = "LockHeldError";
  /** Description of the other process, which it supplies if it answers: `pid 4711, http://127.0.0.1:8080`. */
  readonly holder: string;

  constructor({ dir, name }: LockRequest, { pid, holder }: Rival) {
    const description = holder.includes(`pid ${pid}`) ? holder : `pid ${pid}, ${holder}`;
    super(
      `cannot lock ${join(dir, name)}: another process holds the lock (${description}); wait for it to finish or stop it, then try again`,
    );
    this.holder = description;
  }
}

/** Another process that holds the lock or is acquiring it. */
interface Rival {
  readonly socket: string;
  readonly pid: number;
  readonly holder: string;
  /** Whether it holds the lock; null if it did not answer. */
  readonly holds: boolean | null;
}

/**
 * Acquires the lock until it is released or the process ends. Throws a LockHeldError within a second if another live
 * process holds it. See docs/decisions/store.md.
 */
export async function acquireProcessLock(request: LockRequest): Promise<ProcessLock> {
  // Each process listens on a socket in the folder, then searches for other sockets. The socket of a dead process refuses
  // connections, across containers and reused process ids. A socket is visible before its process searches, so at least
  // one of two competitors finds the other. Socket names are not reused, so removing a dead socket cannot cause a race.
  const { dir, name, holder } = request;
  const ownSocket = { name: `${name}.${process.pid}.${randomBytes(4).toString("hex")}`, holds: false };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(JSON.stringify({ pid: process.pid, holder, holds: ownSocket.holds }));
    socket.unref();
  });
  server.unref();
  const release = async (): Promise<void> => {
    await rm(join(dir, ownSocket.name), { force: true });
    server.close();
  };
  try {
    await publish(server, dir, ownSocket.name);
    await outlastRivals(request, ownSocket.name);
  } catch (error) {
    await release();
    if (error instanceof LockHeldError) throw error;
    const reason = errorMessage(error);
    throw new Error(`cannot lock ${dir}: ${reason}; check that splitwatch can write in this folder`, { cause: error });
  }
  ownSocket.holds = true;
  await removeUnpublished(dir, name);
  return { release };
}

const mutexes = createKeyedMutex();

/** Runs `work` while holding the lock exclusively among all processes. Throws a LockHeldError after waiting `waitMs`. */
export function withProcessLock<T>(request: LockRequest, work: () => Promise<T>, waitMs = DEFAULT_WAIT_MS): Promise<T> {
  return mutexes(join(resolve(request.dir), request.name), async () => {
    const lock = await acquireWithin(request, waitMs);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  });
}

async function acquireWithin(request: LockRequest, waitMs: number): Promise<ProcessLock> {
  const deadline = systemClock.monotonic() + waitMs;
  for (;;) {
    try {
      return await acquireProcessLock(request);
    } catch (error) {
      if (!(error instanceof LockHeldError) || systemClock.monotonic() >= deadline) throw error;
    }
    // Random, so that two waiting processes do not retry in step.
    await systemClock.sleep(MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS));
  }
}

/** Gives the socket its final name once it accepts connections, because a socket that refuses them counts as dead. */
async function publish(server: Server, dir: string, socket: string): Promise<void> {
  await withShortPath(dir, socket.length + ".new".length, async (shortDir) => {
    await new Promise<void>((listening, failed) => {
      server.on("error", failed);
      server.listen(join(shortDir, `${socket}.new`), listening);
    });
  });
  await chmod(join(dir, `${socket}.new`), 0o600);
  await rename(join(dir, `${socket}.new`), join(dir, socket));
}

async function outlastRivals(request: LockRequest, ownName: string): Promise<void> {
  const startedAt = systemClock.monotonic();
  for (;;) {
    const rivals = await findRivals(request, ownName);
    const [first] = rivals;
    if (!first) return;
    // Of two simultaneous attempts, the one whose socket name sorts last gives way. A silent process may be ending.
    const winner = rivals.find(({ holds, socket }) => holds === true || (holds === false && ownName > socket));
    const silentRival = rivals.find(({ holds }) => holds === null);
    const waitedMs = systemClock.monotonic() - startedAt;
    if (winner || waitedMs >= (silentRival ? SILENCE_TIMEOUT_MS : TIE_TIMEOUT_MS))
      throw new LockHeldError(request, winner ?? silentRival ?? first);
    await systemClock.sleep(TIE_POLL_MS);
  }
}

/** Returns the live rivals and removes the sockets of dead processes. */
async function findRivals({ dir, name }: LockRequest, ownName: string): Promise<readonly Rival[]> {
  const sockets = (await socketsIn(dir, name, SUFFIX)).filter((socket) => socket !== ownName);
  const rivals = await Promise.all(sockets.map((socket) => queryOrRemove(dir, name, socket)));
  return rivals.flatMap((rival) => rival ?? []);
}

async function queryOrRemove(dir: string, name: string, socket: string): Promise<Rival | null> {
  const answer = await query(dir, socket);
  if (answer === null) {
    await rm(join(dir, socket), { force: true });
    return null;
  }
  const pid = Number(SUFFIX.exec(socket.slice(name.length))?.[1]);
  return { socket, pid, holder: `pid ${pid}`, holds: null, ...parseAnswer(answer) };
}

async function removeUnpublished(dir: string, name: string): Promise<void> {
  for (const socket of await socketsIn(dir, name, NEW_SUFFIX))
    if ((await query(dir, socket)) === null) await rm(join(dir, socket), { force: true });
}

async function socketsIn(dir: string, name: string, suffix: RegExp): Promise<readonly string[]> {
  return (await readdir(dir)).filter((entry) => entry.startsWith(name) && suffix.test(entry.slice(name.length)));
}

/** Returns the answer of the process behind the socket, possibly empty; null if the process has ended. */
async function query(dir: string, name: string): Promise<string | null> {
  return withShortPath(
    dir,
    name.length,
    (shortDir) =>
      new Promise((answered) => {
        const socket = connect(join(shortDir, name));
        const stopped = new AbortController();
        let text = "";
        const stop = (answer: string | null): void => {
          stopped.abort();
          socket.destroy();
          answered(answer);
        };
        socket.setEncoding("utf8");
        // If this process was suspended, first reads an answer that arrived in the meantime.
        void systemClock.sleep(ANSWER_TIMEOUT_MS, stopped.signal).then(() => setImmediate(() => stop(text)));
        socket.on("data", (part: string) => {
          text += part;
        });
        socket.on("end", () => stop(text));
        socket.on("error", (error: NodeJS.ErrnoException) => {
          stop(error.code === "ECONNREFUSED" || error.code === "ENOENT" ? null : text);
        });
      }),
  );
}

function parseAnswer(text: string): Partial<Rival> {
  const answer = parseJson(text);
  if (!isJsonObject(answer)) return {};
  const { pid, holder, holds } = answer;
  if (typeof pid !== "number" || typeof holder !== "string" || typeof holds !== "boolean") return {};
  return { pid, holder, holds };
}

/** Calls `work` with a path of the folder that is short enough for the socket's name: `dir`, or a temporary link. */
async function withShortPath<R>(dir: string, nameBytes: number, work: (shortDir: string) => Promise<R>): Promise<R> {
  if (Buffer.byteLength(dir) + 1 + nameBytes <= MAX_SOCKET_PATH_BYTES) return work(dir);
  const folder = await mkdtemp(join(tmpdir(), "sw-"));
  try {
    const link = join(folder, "d");
    await symlink(resolve(dir), link);
    return await work(link);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
