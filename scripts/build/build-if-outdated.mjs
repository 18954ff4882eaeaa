import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashInputs, isBuilt } from "./inputs.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Builds dist/ if it is missing or not a build of the current code. Ends the process if that fails, or at a stop signal. */
export async function buildIfOutdated() {
  if (isBuilt(join(root, "dist"), hashInputs())) return;
  const problem = findProblem();
  if (problem !== null) fail(problem, 2);
  // Standard output belongs to the command that runs after the build.
  const child = spawn(process.execPath, [join(root, "scripts/build.mjs")], { stdio: ["ignore", 2, 2] });
  const stop = () => {
    child.kill();
    process.exit(0);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  process.stderr.write("Building splitwatch, which takes some seconds after each change of its code.\n");
  const [code] = await once(child, "exit");
  process.off("SIGINT", stop).off("SIGTERM", stop);
  if (code !== 0) fail("the build failed; run `npm ci` and try again", 1);
}

function findProblem() {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number);
  if (major < minMajor || (major === minMajor && minor < minMinor))
    return `Node.js: got version ${process.versions.node}, expected ${minMajor}.${minMinor} or newer; install the current LTS version from https://nodejs.org`;
  if (!existsSync(join(root, "node_modules/rolldown"))) return "the packages are not installed; run `npm ci`";
  return null;
}

function fail(problem, code) {
  process.stderr.write(`splitwatch: ${problem}\n`);
  process.exit(code);
}
