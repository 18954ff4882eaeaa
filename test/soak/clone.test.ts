import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { errorMessage } from "../../src/lib/error-text.ts";
import { type Clone, type CloneOptions, createClone } from "../support/clone.ts";

const NPX = "npx splitwatch --version";
const START = "npm start";
const TEST = "npm test -- src/lib/collections.test.ts";

/** The commands of the README and of CONTRIBUTING after `npm ci`, in the orders in which people run them. */
const ORDERS = [
  [NPX, START, TEST],
  [START, TEST, NPX],
  [TEST, NPX, START],
  [NPX, TEST, START],
  [START, NPX, TEST],
  [TEST, START, NPX],
];

const NODE_VERSIONS = ["20.20", "24", "26"];

const IS_LONG = Number(process.env.SOAK_MINUTES) > 1;

/** A soak of up to one minute has time for one order per version, and not to install the packages with a version of npm. */
const RUNS = NODE_VERSIONS.flatMap((node, index) =>
  (IS_LONG ? ORDERS : ORDERS.slice(index, index + 1)).map((order) => ({ node, order, commands: order.join(", ") })),
);
const NPM_VERSIONS = IS_LONG ? ["10", "11"] : [];

const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/** Creates a clone for one test. */
async function open(options?: CloneOptions): Promise<Clone> {
  const clone = await createClone(options);
  onTestFinished(() => clone.remove());
  return clone;
}

/** Runs the commands, and returns whether each does what the documentation promises. */
async function runAll(clone: Clone, order: readonly string[]): Promise<readonly boolean[]> {
  const results: boolean[] = [];
  for (const line of order) results.push(await succeeds(clone, line));
  return results;
}

async function succeeds(clone: Clone, line: string): Promise<boolean> {
  if (line !== START) {
    const { stdout } = await clone.run(line);
    return line === NPX ? /^\d+\.\d+\.\d+\n$/.test(stdout) : / passed/.test(stdout);
  }
  const logs: string[] = [];
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const running = await clone.start(line);
    const page = await fetch(`${running.address}/`);
    logs.push(page.status === 200 ? await running.stop(signal) : "");
  }
  return logs.every((log) => log.includes('"msg":"stopped"'));
}

/** Exit codes of commands that fail: an invalid argument, and a test file that doesn't exist. */
async function exitCodes(clone: Clone): Promise<readonly unknown[]> {
  const lines = ["npx splitwatch strat", "npm test -- src/lib/no-such.test.ts"];
  return Promise.all(
    lines.map((line) =>
      clone.run(line).then(
        () => 0,
        (error: unknown) => (error as { readonly code: unknown }).code,
      ),
    ),
  );
}

const run = promisify(execFile);

/** Folder with the program of a version of Node.js. Rejects without a network, which the clone needs, even if npm has a copy. */
async function fetchNode(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-node-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await run("npm", ["view", `node@${version}`, "version", "--fetch-retries=0", "--cache", join(folder, "cache")]);
  const options = ["--yes", "--prefer-offline", `node@${version}`, "--print", "process.execPath"];
  const { stdout } = await run("npx", options);
  await symlink(stdout.trim(), join(folder, "node"));
  return folder;
}

/** Folder of the programs of a version of npm. */
async function fetchNpm(version: string): Promise<string> {
  const path = 'dirname "$(command -v npx)"';
  const { stdout } = await run("npm", ["exec", "--yes", `--package=npm@${version}`, "-c", path]);
  return stdout.trim();
}

/** Runs `npm ci` with a version of npm. Returns the options of clones that use both. */
async function install(version: string): Promise<CloneOptions> {
  const programs = [await fetchNpm(version)];
  const clone = await open({ programs, packages: null });
  await clone.run("npm ci");
  return { programs, packages: join(clone.folder, "node_modules") };
}

/** Skips the test if what it needs can't be fetched. */
async function fetched<T>(what: string, fetching: Promise<T>, skip: (reason: string) => never): Promise<T> {
  return fetching.catch((error: unknown) => {
    const message = errorMessage(error);
    if (!NO_NETWORK.test(message)) throw error;
    process.stdout.write(`skipped: ${what} can't be fetched (${message.split("\n", 1)[0]})\n`);
    return skip(`${what} can't be fetched`);
  });
}

describe("a clone", () => {
  it.for(RUNS)("works on Node.js $node with $commands", async ({ node, order }, { skip }) => {
    const programs = [await fetched(`Node.js ${node}`, fetchNode(node), skip)];
    const clone = await open({ programs });
    expect(await runAll(clone, order)).toEqual(order.map(() => true));
    expect(await exitCodes(clone)).toEqual([2, 1]);
  });

  it.for(NPM_VERSIONS)("works in every order with npm %s, from npm ci on", async (version, { skip }) => {
    const installed = await fetched(`npm ${version} and the packages`, install(version), skip);
    for (const order of ORDERS) expect(await runAll(await open(installed), order)).toEqual(order.map(() => true));
  });
});
