import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Disk } from "./disk.ts";
import { RunFolder } from "./run-folder.ts";

it("removes the folders and disks of killed runs, and leaves those of running ones", async () => {
  const parent = await mkdtemp(join(tmpdir(), "run-folders-"));
  const endedPid = spawnSync("true").pid;
  const leftover = join(parent, `splitwatch-faults-${endedPid}-a`);
  await Disk.open({ folder: join(leftover, "1", "disk") });
  const other = new RunFolder(parent);
  await mkdir(join(other.path, "1"));

  const folder = new RunFolder(parent);

  expect(existsSync(leftover)).toBe(false);
  expect(existsSync(join(other.path, "1"))).toBe(true);
  folder.close();
  other.close();
  expect(existsSync(folder.path)).toBe(false);
  await rm(parent, { recursive: true });
});
