import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { errorMessage } from "../../src/lib/error-text.ts";
import { type Clone, type CloneOptions, createClone } from "../support/clone.ts";

const NPX = "npx splitwatch --version";

/** The commands of the README after `npm ci`, and builds, in the orders in which people run them. */
const ORDERS = [
  [NPX, "npm start", NPX, "npm start", NPX],
  ["npm start", NPX, "npm run build", NPX, "npm start"],
  ["npm run build", NPX, "npm start", NPX],
];

/** Versions of npm beside the installed one. A soak of up to one minute has no time to install the packages with them. */
const NPM_VERSIONS = Number(process.env.SOAK_MINUTES) > 1 ? ["10", "11"] : [];

const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/** Creates a clone for one test. */
async function open(options?: CloneOptions): Promise<Clone> {
  const clone = await createClone(options);
  onTestFinished(() => clone.remove());
  return clone;
}

/** Runs the commands, and returns whether each prints what the README promises. A build only has to succeed. */
async function runAll(clone: Clone, order: readonly string[]): Promise<readonly boolean[]> {
  const results: boolean[] = [];
  for (const line of order) results.push(await succeeds(clone, line));
  return results;
}

async function succeeds(clone: Clone, line: string): Promise<boolean> {
  if (line === "npm start") {
    const running = await clone.start(line);
    await running.stop();
    return true;
  }
  const { stdout } = await clone.run(line);
  return line !== NPX || /^\d+\.\d+\.\d+\n$/.test(stdout);
}

/** Folder of the programs of a version of npm. */
async function fetchNpm(version: string): Promise<string> {
  const path = 'dirname "$(command -v npx)"';
  const { stdout } = await promisify(execFile)("npm", ["exec", "--yes", `--package=npm@${version}`, "-c", path]);
  return stdout.trim();
}

/** Runs `npm ci` with a version of npm. Returns the options of clones that use both. */
async function install(version: string): Promise<CloneOptions> {
  const npm = await fetchNpm(version);
  const clone = await open({ npm, packages: null });
  await clone.run("npm ci");
  return { npm, packages: join(clone.folder, "node_modules") };
}

describe("a clone", () => {
  it.for(ORDERS.map((order) => ({ order, commands: order.join(", ") })))(
    "works with the installed npm and $commands",
    async ({ order }) => {
      expect(await runAll(await open(), order)).toEqual(order.map(() => true));
    },
  );

  it.for(NPM_VERSIONS)("works in every order with npm %s, from npm ci on", async (version, { skip }) => {
    const installed = await install(version).catch((error: unknown) => {
      const message = errorMessage(error);
      if (!NO_NETWORK.test(message)) throw error;
      process.stdout.write(
        `skipped: npm ${version} and the packages can't be fetched (${message.split("\n", 1)[0]})\n`,
      );
      return skip(`npm ${version} and the packages can't be fetched`);
    });
    for (const order of ORDERS) expect(await runAll(await open(installed), order)).toEqual(order.map(() => true));
  });
});
