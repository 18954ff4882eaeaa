import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMPILED, DIST } from "../support/process.ts";

const REPORT_RESOLVER = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => console.error(process.env.RES_OPTIONS));
`)}`;

let folder = "";
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-main-"));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

describe("the splitwatch process", () => {
  it.each([
    { args: ["--version"], code: 0, out: /^\d+\.\d+\.\d+\n$/, err: /^$/ },
    { args: ["help"], code: 0, out: /^splitwatch sends alerts/, err: /^$/ },
    { args: ["keys", "list"], code: 0, out: /^$/, err: /No API keys/ },
    { args: ["strat", "--force"], code: 2, out: /^$/, err: /"--force".*\n.*did you mean start\?\n/ },
    {
      args: ["start"],
      env: { DATA_DIR: "/dev/null/data" },
      code: 2,
      out: /^$/,
      err: /^splitwatch: DATA_DIR: got \/dev\/null\/data, expected a folder that exists or can be created, .* \(EEXIST: .*\)\n$/,
    },
    ...[
      ["/proc/data", "ENOENT"],
      ["/proc/self", "(?:ENOENT|EACCES|listen EACCES)"],
    ].map(([dataDir = "", reason = ""]) => ({
      args: ["start"],
      env: { DATA_DIR: dataDir },
      code: 2,
      out: /^$/,
      err: new RegExp(
        `^splitwatch: DATA_DIR: got ${dataDir}, expected a folder that exists or can be created, and that splitwatch \\(user \\d+\\) can read and write \\(${reason}: .*\\)\n$`,
      ),
    })),
    {
      args: ["coverage", "--month", "2026-03"],
      env: { DATA_DIR: "/no/such/folder" },
      code: 2,
      out: /^$/,
      err: /^splitwatch: DATA_DIR: got \/no\/such\/folder, which contains no splitwatch data, .*\n$/,
    },
    { args: ["start"], env: { PORT: "http" }, code: 2, out: /^$/, err: /^splitwatch: PORT: got "http", .*\n$/ },
  ])("exits after $args with code $code and no stack", async ({ args, env, code, out, err }) => {
    const child = run(args, env);
    const [stdout, stderr, ended] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      once(child, "exit"),
    ]);
    expect(ended).toEqual([code, null]);
    expect(stdout).toMatch(out);
    expect(stderr).toMatch(err);
    expect(stderr).not.toMatch(/\n +at /);
  });

  it.each([
    [{}, "timeout:2 attempts:2\n"],
    [{ RES_OPTIONS: "timeout:4" }, "timeout:4\n"],
  ])("waits at its exit for no long lookup, unless the operator sets other options: %j", async (env, expected) => {
    const child = run(["help"], { NODE_OPTIONS: `--import=${REPORT_RESOLVER}`, ...env });
    const [, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    expect(stderr).toBe(expected);
  });

  it("reads articles from standard input and stops silently when its output is closed", async () => {
    const article = JSON.stringify({ heading: "Acme Announces 1-for-20 Reverse Stock Split", content: "" });
    const child = run(["extract"]);
    const stderr = textOf(child.stderr);
    const ended = once(child, "exit");
    const endless = Readable.from(forever(`${article}\n`));
    endless.pipe(child.stdin).on("error", () => endless.destroy());
    const [first] = await once(child.stdout, "data");
    expect(JSON.parse(String(first).split("\n")[0] ?? "")).toMatchObject({ kind: "reverse_split", ticker: null });
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
    expect(await stderr).toBe("");
  });

  it("delivers its whole output to a slow reader with bounded memory", async () => {
    const lines = 4_000;
    const article = JSON.stringify({ heading: "Acme Announces 1-for-20 Reverse Stock Split", content: "" });
    await writeFile(join(folder, "articles.jsonl"), `${article}\n`.repeat(lines));
    const child = run(["extract", "articles.jsonl"]);
    const ended = once(child, "exit");
    await once(child.stdout, "readable");
    expect(child.exitCode).toBeNull();
    expect((await textOf(child.stdout)).split("\n")).toHaveLength(lines + 1);
    expect(await ended).toEqual([0, null]);
  });

  it("exits with success if its output is closed", async () => {
    const child = run(["help"]);
    child.stdout.destroy();
    const [stderr, ended] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
    expect(ended).toEqual([0, null]);
    expect(stderr).toBe("");
  });

  it.each(["SIGTERM", "SIGINT"] as const)("runs until %s and exits with success", async (signal) => {
    const child = run(["start"], { PORT: "0" });
    const logged = textOf(child.stderr);
    const address = await webChat(child.stdout);
    expect((await fetch(`${address}healthz`)).status).toBe(200);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await logged).toContain(`"signal":"${signal}"`);
    expect(await logged).not.toContain("stop timed out");
  });

  it("warns about a variable that is probably misspelled", async () => {
    const child = run(["start"], { PORT: "0", DISCORD_TOKNE: "x" });
    const logged = textOf(child.stderr);
    await webChat(child.stdout);
    child.kill("SIGTERM");
    const lines = (await logged)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        msg: "configuration warning",
        warning: "DISCORD_TOKNE: unknown variable; did you mean DISCORD_TOKEN?",
      }),
    );
  });

  it("reports a port in use in one line, before it reads anything", async () => {
    const first = run(["start"], { PORT: "0" });
    const { port } = new URL(await webChat(first.stdout));
    const second = run(["start"], { PORT: port, DATA_DIR: join(folder, "other"), LOG_LEVEL: "info" });
    const [stderr, ended] = await Promise.all([textOf(second.stderr), once(second, "exit")]);
    expect(ended).toEqual([1, null]);
    expect(stderr).toBe(
      `splitwatch: PORT: 127.0.0.1:${port} is in use by another program; end it, or set PORT to a free port (0 picks any)\n`,
    );
  });
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(DIST, "main.js"), ...args], {
    cwd: folder,
    env: { ...COMPILED, PATH: process.env.PATH, ...env },
    stdio: "pipe",
  });
  children.push(child);
  return child;
}

function* forever(text: string): Generator<string> {
  for (;;) yield text;
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

/** Resolves with the printed address. */
async function webChat(stdout: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const address = /^Web chat: +(\S+)$/m.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`no address in ${JSON.stringify(text)}`);
}
