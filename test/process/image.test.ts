import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMPLETE_RUN, runOnce } from "../support/built-files.ts";
import { DIST, Processes } from "../support/process.ts";

const root = join(import.meta.dirname, "../..");
const processes = new Processes();
let folder = "";

/** The files of the container image, as the Dockerfile copies them. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-image-"));
  await promisify(execFile)(process.execPath, [
    join(root, "scripts/runtime-packages.mjs"),
    join(folder, "app/node_modules"),
  ]);
  await cp(DIST, join(folder, "app/dist"), { recursive: true });
  for (const name of ["bin", "config", "package.json"])
    await cp(join(root, name), join(folder, "app", name), { recursive: true });
  await mkdir(join(folder, "data"));
});

afterAll(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

it("contains every file that splitwatch needs, also for pictures and a readable log", async () => {
  expect(await runOnce(processes, { dist: join(folder, "app/dist"), cwd: join(folder, "data") })).toEqual(COMPLETE_RUN);
});

it("contains no fonts and folders that splitwatch never reads", async () => {
  const files = await readdir(join(folder, "app/node_modules"), { recursive: true });
  const fonts = files.filter((path) => path.endsWith(".ttf")).map((path) => basename(path));
  expect(fonts.toSorted()).toEqual(["DejaVuSans-Bold.ttf", "DejaVuSans.ttf"]);
  expect(files.filter((path) => /(?:^|\/)(?:test|\.github)(?:$|\/)/.test(path))).toEqual([]);
});

it("names the command of the image in its hints", async () => {
  const program = join(folder, "splitwatch");
  await symlink("app/bin/splitwatch.js", program);
  const splitwatch = processes.start({ program, args: ["start"], cwd: join(folder, "data") });
  await splitwatch.ready;
  splitwatch.signal("SIGTERM");
  await splitwatch.ended;
  expect(splitwatch.out()).toMatch(/^Next: +run `splitwatch doctor` to see why no source can be read$/m);
});
