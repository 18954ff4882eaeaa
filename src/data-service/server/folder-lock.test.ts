import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { withFolderLock } from "./folder-lock.ts";

/** The id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid ?? 0;
}

async function lockHeldBy(owner: string): Promise<string> {
  const path = join(await temporaryFolder(), "lock");
  await mkdir(path);
  await writeFile(join(path, owner), "");
  return path;
}

it("lets one work at a time, and leaves nothing behind", async () => {
  const dir = await temporaryFolder();
  let working = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: 30 }, () =>
      withFolderLock(join(dir, "lock"), async () => {
        working += 1;
        expect(working).toBe(1);
        await new Promise(setImmediate);
        working -= 1;
        done += 1;
      }),
    ),
  );
  expect(done).toBe(30);
  expect(await readdir(dir)).toEqual([]);
});

it("takes over from a process that died, also where many try to at once", async () => {
  const path = await lockHeldBy(`${await deadPid()}-00000000`);
  let working = 0;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      withFolderLock(path, async () => {
        working += 1;
        expect(working).toBe(1);
        await new Promise(setImmediate);
        working -= 1;
      }),
    ),
  );
});

it("takes over from a process that had our id, as in a container that was started again", async () => {
  const path = await lockHeldBy(`${process.pid}-00000000`);
  expect(await withFolderLock(path, () => Promise.resolve("done"))).toBe("done");
});

it("takes over a folder without an owner", async () => {
  const path = join(await temporaryFolder(), "lock");
  await mkdir(path);
  expect(await withFolderLock(path, () => Promise.resolve("done"))).toBe("done");
});

it("is let go when the work fails", async () => {
  const path = join(await temporaryFolder(), "lock");
  await expect(withFolderLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFolderLock(path, () => Promise.resolve("done"))).toBe("done");
});

it("gives up after a while where a living process holds it, and names that", async () => {
  const path = await lockHeldBy(`${process.ppid}-00000000`);
  await expect(withFolderLock(path, () => Promise.resolve())).rejects.toThrow(
    `${path}: process ${process.ppid}-00000000 holds this lock`,
  );
});
