import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePipe } from "../../test/support/pipe.ts";
import { makeFolder, readIfExists, temporaryPath, temporaryTarget, writeDurably } from "./durable-file.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "durable-file-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe("writeDurably", () => {
  it("creates a file that only its owner can read, and leaves no other file", async () => {
    await writeDurably(join(dir, "rules.json"), "günstig\n");

    expect(await readFile(join(dir, "rules.json"), "utf8")).toBe("günstig\n");
    expect((await stat(join(dir, "rules.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).toEqual(["rules.json"]);
  });

  it("replaces the file and removes permissions of other users", async () => {
    await writeFile(join(dir, "rules.json"), "old and longer than the new text");
    await chmod(join(dir, "rules.json"), 0o644);

    await writeDurably(join(dir, "rules.json"), "new");

    expect(await readFile(join(dir, "rules.json"), "utf8")).toBe("new");
    expect((await stat(join(dir, "rules.json"))).mode & 0o777).toBe(0o600);
  });

  it("keeps the old file and leaves no temporary one after a failure", async () => {
    // A folder cannot be replaced by a file: the rename fails after the text was written.
    await mkdir(join(dir, "taken"));

    await expect(writeDurably(join(dir, "taken"), "text")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);

    expect(await readdir(dir)).toEqual(["taken"]);
  });

  it("keeps a file complete under concurrent writers", async () => {
    const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));

    await Promise.all(texts.map((text) => writeDurably(join(dir, "busy"), text)));

    expect(texts).toContain(await readFile(join(dir, "busy"), "utf8"));
    expect(await readdir(dir)).toEqual(["busy"]);
  });
});

describe("temporary names", () => {
  it("are recognized for their own file only", () => {
    const name = basename(temporaryPath(join(dir, "rules.json")));

    expect(temporaryTarget(name)).toBe("rules.json");
    expect(temporaryTarget("rules.json")).toBeNull();
    expect(temporaryTarget("rules.json.backup.tmp")).toBeNull();
  });
});

describe("readIfExists", () => {
  it("distinguishes a missing file from an empty one", async () => {
    await writeFile(join(dir, "empty"), "");

    expect(await readIfExists(join(dir, "missing"))).toBeNull();
    expect(await readIfExists(join(dir, "empty"))).toEqual(Buffer.alloc(0));
  });

  it("fails for a file that exists but cannot be read", async () => {
    await expect(readIfExists(dir)).rejects.toThrow(/EISDIR/);
    makePipe(join(dir, "pipe"));
    await expect(readIfExists(join(dir, "pipe"))).rejects.toThrow(/is not a regular file$/);
  });
});

describe("makeFolder", () => {
  it("creates a folder and its missing parents, which only their owner can use", async () => {
    await makeFolder(join(dir, "a/b/c"));
    await makeFolder(join(dir, "a/b/c"));
    for (const path of ["a", "a/b", "a/b/c"]) expect((await stat(join(dir, path))).mode & 0o777).toBe(0o700);
  });

  it.each(["a-file", "a-file/folder"])("rejects %s, where a file is in the way", async (path) => {
    await writeFile(join(dir, "a-file"), "");
    await expect(makeFolder(join(dir, path))).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  it("rejects a folder in a file system that has no new ones", async () => {
    await expect(makeFolder("/proc/splitwatch/data")).rejects.toThrow("ENOENT");
  });
});
