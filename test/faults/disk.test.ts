import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Disk } from "./disk.ts";

it("frees a full disk that is read-only once it is writable again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fault-disk-"));
  const disk = await Disk.open({ folder });
  await disk.fill();
  const makeWritable = await disk.makeReadOnly();

  await disk.free();
  await makeWritable();

  await expect(writeFile(join(folder, "file"), "text")).resolves.toBeUndefined();
  await disk.close();
  await rm(folder, { recursive: true });
});
