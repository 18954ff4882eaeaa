import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMPLETE_RUN, runOnce } from "../support/built-files.ts";
import { Processes } from "../support/process.ts";

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
  for (const name of ["dist", "config", "package.json"])
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
