import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FillableDisk, parseLog, StoreFolders, withFlipped } from "../../../../test/support/store-folder.ts";
import { StoreError } from "../../../ports/store.ts";
import { AppendOnlyLog, emptyLog } from "./append-only-log.ts";
import { type Disk, realDisk } from "./disk.ts";
import { checksum } from "./json-file.ts";

type Line = { readonly n: number; readonly text: string };

const folders = new StoreFolders();
let path: string;

beforeEach(async () => {
  path = join(await folders.make(), "journal.log");
  await writeFile(path, emptyLog());
});

afterEach(() => folders.removeAll());

const line = (n: number): Line => ({ n, text: `line ${n}: “1-for-${n}”` });
const lines = (count: number): Line[] => Array.from({ length: count }, (_, n) => line(n + 1));

async function read(): ReturnType<typeof parseLog> {
  return parseLog(path, await readFile(path));
}

async function open(disk: Disk = realDisk): Promise<AppendOnlyLog> {
  return AppendOnlyLog.continue(disk, path, await read());
}

function append(log: AppendOnlyLog, entries: readonly unknown[]): Promise<void> {
  return log.append(entries.map((entry) => JSON.stringify(entry)));
}

async function linesOrRefusal(bytes: Buffer): Promise<readonly unknown[] | "refused"> {
  try {
    return (await parseLog(path, bytes)).entries;
  } catch (error) {
    if (error instanceof StoreError && error.message.includes(path)) return "refused";
    throw error;
  }
}

function rejectTruncate(): Promise<void> {
  return Promise.reject(new Error("EIO: i/o error, ftruncate"));
}

/** A closed log with these lines. */
async function bytesOfLog(entries: readonly Line[]): Promise<Buffer> {
  const journal = await open();
  for (const entry of entries) await append(journal, [entry]);
  await journal.close();
  return readFile(path);
}

describe("an append-only log", () => {
  it("returns the appended entries after restarts", async () => {
    let journal = await open();
    await append(journal, [line(1), line(2)]);
    await journal.close();
    journal = await open();
    await append(journal, [line(3)]);

    const { head, entries, torn } = await read();
    expect(head).toEqual({ schema: 8, mark: 0 });
    expect(entries).toEqual(lines(3));
    expect(torn).toBeNull();
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
  });

  it("is created with access for its owner only", async () => {
    const created = `${path}.new`;
    const journal = await AppendOnlyLog.create(realDisk, created, 40);
    await append(journal, [line(1)]);
    await journal.close();
    const { head, entries } = await parseLog(created, await readFile(created));
    expect(head).toEqual({ schema: 8, mark: 40 });
    expect(entries).toEqual([line(1)]);
    expect((await stat(created)).mode & 0o777).toBe(0o600);
  });

  it("reports its size", async () => {
    const journal = await open();
    await append(journal, lines(3));
    expect(journal.sizeBytes).toBe((await stat(path)).size);
    await journal.close();
  });

  it("writes large entries in parts and syncs once", async () => {
    const disk = new FillableDisk(realDisk);
    const journal = await open(disk);
    const large = Array.from({ length: 8 }, (_, n) => ({ n, text: "x".repeat(100_000) }));
    await append(journal, large);
    await append(journal, [line(9)]);
    await journal.close();
    expect(disk.synced).toBe(2);
    expect((await read()).entries).toEqual([...large, line(9)]);
  });

  it("drops the lines of an entry that lacks its last line, and can be continued", async () => {
    const part = (n: number) => ({ n, more: true, text: line(n).text });
    const whole = await bytesOfLog([line(1), part(2), part(2), line(2)]);
    const ends = [...whole.toString("latin1").matchAll(/\n/g)].map(({ index }) => index + 1);
    for (const [index, length] of ends.slice(1, 4).entries()) {
      await writeFile(path, whole.subarray(0, length));
      const { entries, torn } = await read();
      expect(entries).toEqual([line(1)]);
      expect(torn).toEqual(index === 0 ? null : { line: 3, bytes: length - (ends[1] ?? 0) });
      const journal = await open();
      await append(journal, [line(9)]);
      await journal.close();
      expect((await read()).entries).toEqual([line(1), line(9)]);
    }
  });

  it("drops only the torn last line, wherever it is torn, and can be continued", async () => {
    const whole = await bytesOfLog(lines(3));
    const lastStart = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let length = lastStart; length < whole.length; length += 1) {
      await writeFile(path, whole.subarray(0, length));
      const { entries, torn } = await read();
      expect(entries).toEqual(lines(2));
      expect(torn).toEqual(length === lastStart ? null : { line: 4, bytes: length - lastStart });

      const journal = await open();
      await append(journal, [line(9)]);
      await journal.close();
      expect((await read()).entries).toEqual([line(1), line(2), line(9)]);
    }
  });

  it("drops a partial last line with zeros after it, as a power failure leaves them", async () => {
    const whole = await bytesOfLog(lines(3));
    const lastStart = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (const length of [lastStart, lastStart + 1, lastStart + 12, whole.length - 1]) {
      const bytes = Buffer.concat([whole.subarray(0, length), Buffer.alloc(length === whole.length - 1 ? 0 : 700)]);
      const { entries, torn } = await parseLog(path, bytes);
      expect(entries).toEqual(lines(2));
      expect(torn).toEqual({ line: 4, bytes: bytes.length - lastStart });
    }
  });

  it.each(["garbage\n", "\n", "deadbeef {}\n", "garbage\ngarbage\n"])(
    "is rejected with a complete but invalid last line: %j",
    async (tail) => {
      await writeFile(path, Buffer.concat([await bytesOfLog(lines(2)), Buffer.from(tail)]));
      await expect(read()).rejects.toThrow(`${path} is damaged in line 4`);
    },
  );

  it("is rejected for any flipped bit", async () => {
    const good = await bytesOfLog(lines(4));
    for (let bit = 0; bit < good.length * 8; bit += 1)
      expect(await linesOrRefusal(withFlipped(good, bit)), `bit ${bit}`).toBe("refused");
  });

  it("is rejected for any flipped bit of the last complete line, even if a partial line follows", async () => {
    const whole = await bytesOfLog(lines(3));
    const lastStart = whole.lastIndexOf("\n", whole.length - 2) + 1;
    const firstBit = (whole.lastIndexOf("\n", lastStart - 2) + 1) * 8;
    for (const torn of [1, 8, 9, 20]) {
      const good = whole.subarray(0, lastStart + torn);
      for (let bit = firstBit; bit < lastStart * 8; bit += 1)
        expect(await linesOrRefusal(withFlipped(good, bit)), `bit ${bit}, ${torn} bytes`).toBe("refused");
    }
  });

  it.each([
    ["a line is missing", (all: string[]) => all.toSpliced(2, 1)],
    ["a line is there twice", (all: string[]) => all.toSpliced(2, 0, all[2] ?? "")],
    ["two lines are swapped", (all: string[]) => [all[0], all[2], all[1], all[3], all[4]].map(String)],
  ])("is rejected if %s", async (_, change) => {
    const good = (await bytesOfLog(lines(4))).toString("utf8").trimEnd().split("\n");
    await writeFile(path, `${change(good).join("\n")}\n`);

    await expect(read()).rejects.toThrow(/is damaged in line \d/);
  });

  it("is rejected if it is empty, has no head, or was written by a newer version or an earlier build", async () => {
    await writeFile(path, "");
    await expect(read()).rejects.toThrow(`${path} is empty`);
    await writeFile(path, emptyLog().slice(0, -2));
    await expect(read()).rejects.toThrow(/damaged in line 1/);
    for (const [schema, problem] of [
      [9, "its schema is 9, this version reads 8"],
      [7, `${path} was written by an earlier build`],
    ] as const) {
      const head = JSON.stringify({ schema, mark: 0 });
      await writeFile(path, `${checksum(head)} ${head}\n`);
      await expect(read()).rejects.toThrow(problem);
    }
  });

  it("has exactly the acknowledged lines even if the disk is full repeatedly", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), free: fc.option(fc.nat(120)) }), { maxLength: 12 }),
        async (appends) => {
          await writeFile(path, emptyLog());
          const disk = new FillableDisk(realDisk);
          const journal = await open(disk);
          const kept: Line[] = [];
          for (const [n, { count, free }] of appends.entries()) {
            disk.free = free ?? Number.POSITIVE_INFINITY;
            const entries = Array.from({ length: count }, () => line(n));
            const appended = await append(journal, entries).then(
              () => true,
              () => false,
            );
            if (appended) kept.push(...entries);
            expect((await read()).entries).toEqual(kept);
          }
          await journal.close();
          expect(await readdir(dirname(path))).toEqual([basename(path)]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("appends nothing after a partial line that it could not remove", async () => {
    let broken = true;
    const disk: Disk = {
      ...realDisk,
      open: async (name) => {
        const file = await realDisk.open(name);
        return {
          ...file,
          sync: async () => {
            if (broken) throw new Error("EIO: i/o error, fdatasync");
            await file.sync();
          },
          truncate: async (size) => {
            if (broken) throw new Error("EIO: i/o error, ftruncate");
            await file.truncate(size);
          },
        };
      },
    };
    const journal = await open(disk);
    await expect(append(journal, [line(1)])).rejects.toThrow("fdatasync");
    await expect(append(journal, [line(2)])).rejects.toThrow("ftruncate");

    broken = false;
    await append(journal, [line(3)]);
    await journal.close();
    expect((await read()).entries).toEqual([line(3)]);
  });

  it("is closed if its partial line can't be removed", async () => {
    const bytes = await bytesOfLog([line(1)]);
    await writeFile(path, bytes.subarray(0, -1));
    let closed = 0;
    const disk: Disk = {
      ...realDisk,
      open: async (name) => {
        const file = await realDisk.open(name);
        const close = async (): Promise<void> => {
          closed += 1;
          await file.close();
        };
        return { ...file, truncate: rejectTruncate, close };
      },
    };
    await expect(AppendOnlyLog.continue(disk, path, await read())).rejects.toThrow("ftruncate");
    expect(closed).toBe(1);
  });
});
