import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreFolders, withFlipped } from "../../../../test/support/store-folder.ts";
import { StoreError } from "../../../ports/store.ts";
import { realDisk } from "./disk.ts";
import { openJsonFile } from "./json-file.ts";

const folders = new StoreFolders();
let path: string;

beforeEach(async () => {
  path = join(await folders.make(), "rules.json");
});

afterEach(() => folders.removeAll());

describe("a lowdb file", () => {
  it("starts with the initial state and returns what was written", async () => {
    const { exists, isUsed } = await openJsonFile(realDisk, path, { text: "" });
    expect({ exists, isUsed }).toEqual({ exists: false, isUsed: false });

    const { low } = await openJsonFile(realDisk, path, { text: "" });
    low.data = { text: "“1-for-20” \n \u0000 \ud83d\udcc9" };
    await low.write();

    const again = await openJsonFile(realDisk, path, { text: "" });
    expect(again.low.data).toEqual(low.data);
    expect(again).toMatchObject({ exists: true, isUsed: true });
    expect(await readFile(path, "utf8")).toMatch(/^\{"schema":2,"crc":"[0-9a-f]{8}","state":\{.*\}\}\n$/);
  });

  it("is rejected by name if any bit flips", async () => {
    const { low } = await openJsonFile(realDisk, path, {});
    low.data = { "web:person:alice": "ACME BETA", "web:person:bob": "ZETA" };
    await low.write();
    const good = await readFile(path);

    for (let bit = 0; bit < good.length * 8; bit += 1) {
      await writeFile(path, withFlipped(good, bit));
      const error: unknown = await openJsonFile(realDisk, path, {}).catch((reason: unknown) => reason);
      expect(error, `bit ${bit}`).toBeInstanceOf(StoreError);
      expect(String(error)).toContain(path);
    }
  });

  it("is rejected if it is truncated anywhere, or empty", async () => {
    const { low } = await openJsonFile(realDisk, path, ["a", "b"]);
    await low.write();
    const good = await readFile(path);

    for (let length = 0; length < good.length; length += 1) {
      await writeFile(path, good.subarray(0, length));
      await expect(openJsonFile(realDisk, path, []), `${length} bytes`).rejects.toThrow(StoreError);
    }
    await writeFile(path, "");
    await expect(openJsonFile(realDisk, path, [])).rejects.toThrow(`${path} is empty`);
  });

  it.each([
    [3, "was written by a newer splitwatch: its schema is 3, this version reads 2"],
    [1, "was written by an earlier build of splitwatch"],
    [0, "is damaged"],
  ])("is rejected with the reason if its schema is %i", async (schema, reason) => {
    await writeFile(path, `{"schema":${schema},"crc":"00000000","state":{"sealed":true}}\n`);

    await expect(openJsonFile(realDisk, path, {})).rejects.toThrow(`${path} ${reason}`);
  });
});
