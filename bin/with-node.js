// Runs a script on a supported version of Node.js: in this process, or on Node.js 24 of the npm package `node`, which npx fetches once.
// This file runs on Node.js 18 or newer: `node bin/with-node.js SCRIPT ARGUMENTS`.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const SELF = fileURLToPath(import.meta.url);
const root = join(dirname(SELF), "..");
/** The oldest version that runs splitwatch; from it on, `node:sqlite` prints no warning. */
const MIN_VERSION = "24.15";
const MAJOR = MIN_VERSION.split(".")[0];

/** Folder that only this user writes to, unlike the default of Node.js. */
const CACHE = join(root, ".cache");

/** File with the path of the fetched Node.js: npx takes a second to answer. */
const PATH_FILE = join(CACHE, `node-${MIN_VERSION}`);

const EXIT_USAGE = 2;
const PARENT_CHECK_MS = 500;
const PASSED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Settings of an npm or npx that has started this process, which must not apply to the npx that this process starts. */
const SETTINGS_OF_CALLER = /^npm_config_(?:call|global|include_workspace_root|package|workspaces?)$/i;

export async function runWithNode(script, args) {
  if (isSupported(process.versions.node)) {
    process.argv.splice(2, Infinity, ...args);
    // Threads and child processes read the variable.
    process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
    stopAfterNpm(() => process.kill(process.pid, "SIGTERM"));
    await import(pathToFileURL(script).href);
    return;
  }
  const reason = `Node.js ${process.versions.node} is older than ${MIN_VERSION}`;
  process.stderr.write(`splitwatch: ${reason}, so this runs on Node.js ${MAJOR} of the npm package "node"\n`);
  passOn(spawn(knownPath() ?? fetchNode(), [SELF, script, ...args], { stdio: "inherit" }));
}

function isSupported(version) {
  const [major, minor] = version.split(".").map(Number);
  const [minMajor, minMinor] = MIN_VERSION.split(".").map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
}

function knownPath() {
  const path = existsSync(PATH_FILE) ? readFileSync(PATH_FILE, "utf8") : "";
  return existsSync(path) ? path : null;
}

/** Returns the path of the Node.js that npx has in its cache or fetches. */
function fetchNode() {
  const options = ["--yes", "--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
  // A shell of Windows would drop the caret.
  const spec = process.platform === "win32" ? `"node@^${MIN_VERSION}.0"` : `node@^${MIN_VERSION}.0`;
  const { stdout, stderr, error } = spawnSync("npx", [...options, spec, "--print", "process.execPath"], {
    encoding: "utf8",
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS_OF_CALLER.test(name))),
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const path = stdout?.trim().split("\n").at(-1) ?? "";
  if (!existsSync(path)) fail(error?.message ?? firstProblem(stderr));
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(PATH_FILE, path);
  } catch {
    // Such as a folder of another user: npx is asked at each start.
  }
  return path;
}

/** The line of npm's report that names the problem. */
function firstProblem(report) {
  const lines = report.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) ?/, ""));
  return (
    lines.find((line) => line !== "" && !/^(?:npm warn|code |syscall |errno )/.test(line)) ?? "npx printed no path"
  );
}

function fail(problem) {
  process.stderr.write(
    `splitwatch: fetching Node.js ${MAJOR} with npx failed: ${problem}; install Node.js ${MIN_VERSION} or newer from https://nodejs.org\n`,
  );
  process.exit(EXIT_USAGE);
}

/** At SIGTERM npm and npx end their shell, which doesn't pass it on. */
function stopAfterNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    stop();
  }, PARENT_CHECK_MS).unref();
}

/** Makes this process end as the child does. */
function passOn(child) {
  stopAfterNpm(() => child.kill("SIGTERM"));
  const handlers = PASSED_SIGNALS.map((signal) => [signal, () => child.kill(signal)]);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  child.once("error", ({ message }) => fail(message));
  child.once("exit", (code, signal) => {
    for (const [name, handler] of handlers) process.off(name, handler);
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
    // The signal ends this process, unless it is ignored.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1_000);
  });
}

if (resolve(process.argv[1] ?? "") === SELF) {
  const [, , script, ...args] = process.argv;
  process.argv[1] = resolve(script);
  await runWithNode(resolve(script), args);
}
