import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMPLETE_RUN, runOnce } from "../support/built-files.ts";
import { DIST, Processes } from "../support/process.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** What is in the folder of a clone but not in the repository. */
const UNTRACKED = [".cache", ".git", "data", "dist", "node_modules"];

const processes = new Processes();
let folder = "";
let files: readonly string[] = [];

/** Installs the package that `npm pack` makes of the build, with the packages that it needs beside it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-package-"));
  const packages = join(folder, "node_modules");
  const sources = join(folder, "sources");
  for (const name of await readdir(root))
    if (!UNTRACKED.includes(name)) await cp(join(root, name), join(sources, name), { recursive: true });
  await cp(DIST, join(sources, "dist"), { recursive: true });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: sources });
  const archive = join(folder, `splitwatch-${await version()}.tgz`);
  const { stdout } = await run("tar", ["-tzf", archive]);
  files = stdout
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  await run("tar", ["-xzf", archive, "-C", folder]);
  await run(process.execPath, [join(root, "scripts/runtime-packages.mjs"), packages]);
  await rename(join(folder, "package"), join(packages, "splitwatch"));
  // As npm links the program that `npx splitwatch` runs.
  await mkdir(join(packages, ".bin"));
  await symlink("../splitwatch/bin/splitwatch.js", join(packages, ".bin/splitwatch"));
  await mkdir(join(folder, "work"));
});

afterAll(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

async function version(): Promise<string> {
  return (JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }).version;
}

it("contains the program, the settings and the documentation, and no sources or tests", () => {
  const expected =
    /^(?:bin|dist|config|docs|deploy)\/|^src\/chat\/\w+\/README\.md$|^(?:\w+\.md|LICENSE|package\.json|\.env\.example)$/;
  expect(files.filter((path) => !expected.test(path))).toEqual([]);
  const unwanted = /\.(?:ts|map|log)$|\.test\.|(?:^|\/)\.env$|^deploy\/secrets\/|^config\/local\.yaml$/;
  expect(files.filter((path) => unwanted.test(path))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(["bin/splitwatch.js", "dist/main.js", "config/default.yaml", "README.md", "LICENSE"]),
  );
});

it("contains every file that its README links to", async () => {
  const readme = await readFile(join(folder, "node_modules/splitwatch/README.md"), "utf8");
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path.replace(/\/$/, ""));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !files.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([]);
});

it("runs as npx splitwatch", async () => {
  const { stdout } = await run(join(folder, "node_modules/.bin/splitwatch"), ["--version"], {
    cwd: join(folder, "work"),
  });
  expect(stdout).toBe(`${await version()}\n`);
});

it("starts, also for pictures and a readable log", async () => {
  expect(
    await runOnce(processes, { dist: join(folder, "node_modules/splitwatch/dist"), cwd: join(folder, "work") }),
  ).toEqual(COMPLETE_RUN);
});
