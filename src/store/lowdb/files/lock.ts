import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { StoreError } from "../../../ports/store.ts";

/** How long we wait for the words of a process that is there, but busy. */
const ANSWER_MS = 400;
/** How long one waits for others that start at the same moment, or that are there and say nothing. */
const TIE_MS = 400;
const RETRY_MS = 20;

/** `lock.<process id>.<random>`; `.new` until it answers. */
const NAME = /^lock\.(\d+)\.[0-9a-f]{8}$/;
const UNFINISHED = /^lock\.\d+\.[0-9a-f]{8}\.new$/;

/** Some systems cut a socket's path at 103 bytes, and do not always say so. */
const LONGEST_PATH = 100;

export interface Lock {
  release(): Promise<void>;
}

/** One that holds the folder or asks for it. */
interface Rival {
  readonly name: string;
  readonly pid: number;
  readonly holder: string;
  /** Null: it did not say. */
  readonly holds: boolean | null;
}

/**
 * Takes the folder for this process, or throws a StoreError that names the process that has it.
 *
 * Everyone who wants the folder listens on a socket of its own in it, and only then looks for others. The kernel tells the
 * living from the dead: a dead process's socket refuses, whatever became of its process id, in whatever container. As each is
 * to be seen before it looks, of two at least one sees the other, so never do both go on. Names are not used twice: what is
 * dead stays dead and can be removed without a race.
 */
export async function acquireLock(dir: string, holder: string): Promise<Lock> {
  const own = { name: `lock.${process.pid}.${randomBytes(4).toString("hex")}`, holds: false };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(JSON.stringify({ pid: process.pid, holder, holds: own.holds }));
    socket.unref();
  });
  server.unref();
  const release = async (): Promise<void> => {
    await rm(join(dir, own.name), { force: true });
    server.close();
  };
  try {
    await appear(server, dir, own.name);
    await outlastRivals(dir, own.name);
  } catch (error) {
    await release();
    throw error instanceof StoreError
      ? error
      : new StoreError(`cannot lock ${dir}: ${String(error)}`, { cause: error });
  }
  own.holds = true;
  await removeUnfinished(dir);
  return { release };
}

/** The name is given to a socket that answers already: one that refuses is dead for certain. */
async function appear(server: Server, dir: string, name: string): Promise<void> {
  await withShortPath(dir, async (short) => {
    await new Promise<void>((listening, failed) => {
      server.on("error", failed);
      server.listen(join(short, `${name}.new`), listening);
    });
  });
  await chmod(join(dir, `${name}.new`), 0o600);
  await rename(join(dir, `${name}.new`), join(dir, name));
}

async function outlastRivals(dir: string, own: string): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const rivals = await rivalsIn(dir, own);
    const [first] = rivals;
    if (!first) return;
    // Of two that ask at once, the one with the greater name gives way. One that says nothing may be about to go.
    const stronger = rivals.find(({ holds, name }) => holds === true || (holds === false && own > name));
    if (stronger || performance.now() - begun >= TIE_MS) throw inUse(dir, stronger ?? first);
    await pass(RETRY_MS);
  }
}

/** Those that live; what the dead left is removed. */
async function rivalsIn(dir: string, own: string): Promise<readonly Rival[]> {
  const names = (await readdir(dir)).filter((name) => NAME.test(name) && name !== own);
  const rivals = await Promise.all(names.map((name) => askOrRemove(dir, name)));
  return rivals.flatMap((rival) => rival ?? []);
}

async function askOrRemove(dir: string, name: string): Promise<Rival | null> {
  const answer = await ask(dir, name);
  if (answer === null) {
    await rm(join(dir, name), { force: true });
    return null;
  }
  const pid = Number(NAME.exec(name)?.[1]);
  return { name, pid, holder: `pid ${pid}`, holds: null, ...parseAnswer(answer) };
}

/** What the process behind the socket says, perhaps nothing; null when there is no process any more. */
async function ask(dir: string, name: string): Promise<string | null> {
  return withShortPath(
    dir,
    (short) =>
      new Promise((answered) => {
        const socket = connect(join(short, name));
        let text = "";
        const stop = (answer: string | null): void => {
          socket.destroy();
          answered(answer);
        };
        socket.setEncoding("utf8");
        socket.setTimeout(ANSWER_MS, () => stop(text));
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
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== "object" || answer === null) return {};
    const { pid, holder, holds } = answer as Partial<Record<keyof Rival, unknown>>;
    if (typeof pid !== "number" || typeof holder !== "string" || typeof holds !== "boolean") return {};
    return { pid, holder, holds };
  } catch {
    return {};
  }
}

function inUse(dir: string, { pid, holder }: Rival): StoreError {
  const name = holder.includes(`pid ${pid}`) ? holder : `pid ${pid}, ${holder}`;
  return new StoreError(
    `${dir} is in use by another splitwatch (${name}). Stop that one first, or give this one another DATA_DIR`,
  );
}

async function removeUnfinished(dir: string): Promise<void> {
  for (const name of (await readdir(dir)).filter((one) => UNFINISHED.test(one)))
    if ((await ask(dir, name)) === null) await rm(join(dir, name), { force: true });
}

/** A path to the folder that leaves room for a socket's name: its own, or a link to it for as long as `use` runs. */
async function withShortPath<R>(dir: string, use: (short: string) => Promise<R>): Promise<R> {
  if (Buffer.byteLength(join(dir, "lock.4194304.89abcdef.new")) <= LONGEST_PATH) return use(dir);
  const folder = await mkdtemp(join(tmpdir(), "sw-"));
  try {
    const link = join(folder, "d");
    await symlink(resolve(dir), link);
    return await use(link);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
