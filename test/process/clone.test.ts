import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clone, createClone } from "../support/clone.ts";
import { waitUntil } from "../support/wait-until.ts";
import { readMetric } from "../support/web-chat-client.ts";

/** The line of standard error before a build. */
const BUILDING = /^Building splitwatch, which takes some seconds after each change of its code\.\n/;

const VERSION = /^\d+\.\d+\.\d+\n$/;

/** Module that makes the process appear to run on an old version of Node.js. */
const OLD_NODE = `data:text/javascript,${encodeURIComponent(`
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });
`)}`;

let clone: Clone;

beforeAll(async () => {
  clone = await createClone();
});

afterAll(() => clone.remove());

/** Starts the program of `npx splitwatch` itself, so that signals reach it. */
function launch(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [join(clone.folder, "bin/splitwatch.js"), ...args], {
    cwd: clone.folder,
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const part of child.stderr ?? []) text += String(part);
  return text;
}

it("states in one line what is wrong if the clone can't be built", async () => {
  const child = launch(["help"], { NODE_OPTIONS: `--import=${OLD_NODE}` });
  const [text, ended] = await Promise.all([textOf(child), once(child, "exit")]);
  expect(text).toMatch(
    /^splitwatch: Node\.js: got version 18\.20\.4, expected 20\.19 or newer; install the current .*\n$/,
  );
  expect(ended).toEqual([2, null]);
});

it("stops at a signal while it builds", async () => {
  const child = launch(["start"]);
  const ended = once(child, "exit");
  for await (const part of child.stderr ?? []) {
    expect(String(part)).toMatch(BUILDING);
    child.kill("SIGTERM");
    break;
  }
  expect(await ended).toEqual([0, null]);
});

it("runs npm start and npx splitwatch, also at the same time, before and after each build", async () => {
  const [asked, running] = await Promise.all([clone.run("npx splitwatch --version"), clone.start("npm start")]);
  expect(asked.stdout).toMatch(VERSION);
  expect(asked.stderr).toMatch(BUILDING);
  expect(running.stderr).toMatch(BUILDING);
  expect(await clone.run("npx splitwatch --version")).toEqual({ stdout: asked.stdout, stderr: "" });
  await waitUntil(
    "the process keeps its code",
    async () => (await readMetric(running.address, "process_open_fds")) > 40,
  );

  // Builds another version, while the process runs.
  await appendFile(join(clone.folder, "src/lib/render-png.ts"), '\nReflect.set(globalThis, "version", 2);\n');
  expect((await clone.run("npx splitwatch --version")).stderr).toMatch(BUILDING);
  expect((await fetch(`${running.address}/calendar/upcoming.png`)).status).toBe(200);
  await running.stop();

  const again = await clone.start("npm start");
  expect(again.stderr).not.toMatch(BUILDING);
  await again.stop();
  expect(await clone.run("npx splitwatch --version")).toEqual({ stdout: asked.stdout, stderr: "" });
  expect((await readdir(clone.folder)).filter((name) => name.startsWith("dist."))).toEqual([]);
});
