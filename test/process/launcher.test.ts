import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../support/documentation.ts";

/** Module that makes one process, but not those that it starts, appear to run on an old version of Node.js. */
const OLD_NODE = `data:text/javascript,${encodeURIComponent(`
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });
  delete process.env.NODE_OPTIONS;
`)}`;

const NOTICE =
  'splitwatch: Node.js 18.20.4 is older than 24.15, so this runs on Node.js 24 of the npm package "node"\n';

let folder = "";
let child: ChildProcess | null = null;

/** A clone whose program is one script, and a folder of programs with an npx that prints the path of Node.js. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch launcher "));
  for (const name of ["bin", "package.json"]) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, "src"));
  await mkdir(join(folder, "programs"));
  await symlink(process.execPath, join(folder, "programs/node"));
  await writeNpx(`echo "$npm_config_package$*" >> "${folder}/npx-calls"; echo "${folder}/programs/node"`);
});

afterEach(async () => {
  child?.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function writeNpx(script: string): Promise<void> {
  await writeFile(join(folder, "programs/npx"), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, "programs/npx"), 0o755);
}

async function npxCalls(): Promise<readonly string[]> {
  return (await readFile(join(folder, "npx-calls"), "utf8")).trim().split("\n");
}

interface Launch {
  readonly program: string;
  readonly args?: readonly string[];
  readonly isOld?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

async function launch({ program, args = [], isOld = true, env = {} }: Launch): Promise<ChildProcess> {
  await writeFile(join(folder, "src/main.ts"), program);
  child = spawn(process.execPath, [join(folder, "bin/splitwatch.js"), ...args], {
    env: {
      PATH: `${join(folder, "programs")}:/usr/bin:/bin`,
      ...(isOld && { NODE_OPTIONS: `--import=${OLD_NODE}` }),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return child;
}

async function outcomeOf(started: ChildProcess): Promise<unknown> {
  if (!started.stdout || !started.stderr) throw new Error("the process has no output");
  const [out, err, ended] = await Promise.all([text(started.stdout), text(started.stderr), once(started, "exit")]);
  return { out, err, ended };
}

const PRINT = "const line: string = JSON.stringify(process.argv.slice(2)); console.log(line);";

it("runs the program in its own process on a supported version of Node.js", async () => {
  const started = await launch({ program: "console.log(process.pid); process.exit(7);", isOld: false });
  expect(await outcomeOf(started)).toEqual({ out: `${started.pid}\n`, err: "", ended: [7, null] });
});

it("runs the program on Node.js 24 from npx on an older version, says so, and asks npx once", async () => {
  const expected = { out: '["a b","--c"]\n', err: NOTICE, ended: [0, null] };
  for (let run = 0; run < 2; run += 1)
    expect(await outcomeOf(await launch({ program: PRINT, args: ["a b", "--c"] }))).toEqual(expected);
  expect(await npxCalls()).toEqual([expect.stringMatching(/^--yes .*node@\^24\.15\.0 --print process\.execPath$/)]);
});

it("asks npx again after its copy of Node.js was removed", async () => {
  await mkdir(join(folder, ".cache"));
  await writeFile(join(folder, ".cache/node-24.15"), join(folder, "removed/node"));
  expect(await outcomeOf(await launch({ program: PRINT }))).toMatchObject({ err: NOTICE, ended: [0, null] });
  expect(await npxCalls()).toHaveLength(1);
});

it("hides the options of an npx that has started it from the npx that it starts", async () => {
  await outcomeOf(await launch({ program: PRINT, env: { npm_config_package: "splitwatch" } }));
  expect(await npxCalls()).toEqual([expect.stringMatching(/^--yes /)]);
});

it("runs if the clone can't be written to", async () => {
  await writeFile(join(folder, ".cache"), "");
  expect(await outcomeOf(await launch({ program: PRINT }))).toMatchObject({ err: NOTICE, ended: [0, null] });
});

it("keeps the exit code of the program", async () => {
  expect(await outcomeOf(await launch({ program: "process.exit(3);" }))).toMatchObject({ ended: [3, null] });
});

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("passes %s on", async (signal) => {
  const program = `process.on("${signal}", () => process.exit(5)); setInterval(() => undefined, 1_000); console.log("ready");`;
  const started = await launch({ program });
  started.stdout?.once("data", () => started.kill(signal));
  expect(await outcomeOf(started)).toMatchObject({ out: "ready\n", ended: [5, null] });
});

it.each([true, false])("stops with the shell of npm, which doesn't pass SIGTERM on; old version: %s", async (isOld) => {
  await writeFile(
    join(folder, "src/main.ts"),
    'process.on("SIGTERM", () => { console.log("stopped"); process.exit(0); }); setInterval(() => undefined, 1_000); console.log("ready");',
  );
  const shell = spawn("/bin/sh", ["-c", '"$NODE" "$PROGRAM"; true'], {
    env: {
      PATH: `${join(folder, "programs")}:/usr/bin:/bin`,
      NODE: process.execPath,
      PROGRAM: join(folder, "bin/splitwatch.js"),
      npm_lifecycle_event: "start",
      ...(isOld && { NODE_OPTIONS: `--import=${OLD_NODE}` }),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  shell.stdout.once("data", () => shell.kill("SIGTERM"));
  expect(await text(shell.stdout)).toBe("ready\nstopped\n");
});

it("ends with the signal that ended the program", async () => {
  const started = await launch({
    program: 'process.kill(process.pid, "SIGKILL"); setInterval(() => undefined, 1_000);',
  });
  expect(await outcomeOf(started)).toMatchObject({ ended: [null, "SIGKILL"] });
});

it.each([
  [
    "npx fails",
    'echo "npm error code ENOTFOUND\nnpm error network request failed" >&2; exit 1',
    "network request failed",
  ],
  ["npx prints no path", "echo /no/such/node", "npx printed no path"],
])("ends with one line that says what to do if %s", async (_, npx, problem) => {
  await writeNpx(npx);
  expect(await outcomeOf(await launch({ program: PRINT }))).toEqual({
    out: "",
    err: `${NOTICE}splitwatch: fetching Node.js 24 with npx failed: ${problem}; install Node.js 24.15 or newer from https://nodejs.org\n`,
    ended: [2, null],
  });
});
