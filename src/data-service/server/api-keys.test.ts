import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordingLog, temporaryFolder } from "../../../test/service/service-under-test.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { StoreError } from "../../ports/store.ts";
import { apiKeysIn } from "../../store/engines/sqlite/api-keys.ts";
import { openDatabase } from "../../store/engines/sqlite/open.ts";
import { addKey, generateKey, listKeys, revokeKey } from "./api-keys.ts";
import { createKeyring } from "./keyring.ts";

const AT = Date.parse("2026-03-02T14:00:00Z");

async function openKeyring(dir: string) {
  const clock = new ManualClock();
  const { log, lines } = recordingLog();
  const botKey = generateKey();
  return { clock, lines, botKey, keys: createKeyring({ keys: await apiKeysIn(dir).follow({ clock, log }), botKey }) };
}

describe("addKey", () => {
  it("returns a random key of 256 bits, and stores only its hash, readable by the owner", async () => {
    const dir = join(await temporaryFolder(), "not", "there", "yet");
    const [first, second] = [await addKey(apiKeysIn(dir), "first", AT), await addKey(apiKeysIn(dir), "second", AT)];
    expect(first).toMatch(/^sw_[A-Za-z0-9_-]{43}$/);
    expect(second).not.toBe(first);
    for (const name of await readdir(dir)) {
      expect(await readFile(join(dir, name), "latin1")).not.toContain(first.slice(3, 20));
      expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect(await listKeys(apiKeysIn(dir))).toEqual([
      { name: "first", created: "2026-03-02T14:00:00.000Z", revoked: null },
      { name: "second", created: "2026-03-02T14:00:00.000Z", revoked: null },
    ]);
  });

  it.each(["", " ", "a b", "ä", "a/b", "x".repeat(65), "(splitwatch)", "a\n"])("rejects the name %j", async (name) => {
    const dir = await temporaryFolder();
    await expect(addKey(apiKeysIn(dir), name)).rejects.toThrow(/^NAME: got .*expected 1 to 64/s);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each(["a", "x".repeat(64), "A.b_c-9"])("accepts the name %j", async (name) => {
    const dir = await temporaryFolder();
    await addKey(apiKeysIn(dir), name);
    expect((await listKeys(apiKeysIn(dir))).map((key) => key.name)).toEqual([name]);
  });

  it("rejects a name that is in use, and accepts it again once it is revoked", async () => {
    const dir = await temporaryFolder();
    await addKey(apiKeysIn(dir), "first", AT);
    await expect(addKey(apiKeysIn(dir), "first")).rejects.toThrow('NAME: a key "first" already exists');
    await revokeKey(apiKeysIn(dir), "first", AT);
    await addKey(apiKeysIn(dir), "first", AT);
    expect((await listKeys(apiKeysIn(dir))).map((key) => key.revoked)).toEqual(["2026-03-02T14:00:00.000Z", null]);
  });

  it("keeps all keys that are added concurrently", async () => {
    const dir = await temporaryFolder();
    const names = Array.from({ length: 20 }, (_, n) => `key-${n}`);
    await Promise.all(names.map((name) => addKey(apiKeysIn(dir), name)));
    expect((await listKeys(apiKeysIn(dir))).map((key) => key.name).toSorted()).toEqual(names.toSorted());
  });
});

describe("revokeKey", () => {
  it("rejects an unknown name, listing the known ones", async () => {
    const dir = await temporaryFolder();
    await expect(revokeKey(apiKeysIn(dir), "x")).rejects.toThrow('NAME: got "x", but there are no active keys');
    await addKey(apiKeysIn(dir), "first");
    await addKey(apiKeysIn(dir), "second");
    await addKey(apiKeysIn(dir), "third");
    await revokeKey(apiKeysIn(dir), "third");
    for (const name of ["x", "third"]) {
      await expect(revokeKey(apiKeysIn(dir), name)).rejects.toThrow(
        `NAME: got "${name}", expected one of first, second`,
      );
    }
  });
});

describe("keys in a damaged database", () => {
  it("are an error that names the file, which remains unchanged", async () => {
    const dir = await temporaryFolder();
    const path = join(dir, "splitwatch.db");
    const content = "no database ".repeat(500);
    await writeFile(path, content);
    for (const attempt of [
      () => listKeys(apiKeysIn(dir)),
      () => addKey(apiKeysIn(dir), "a"),
      () => revokeKey(apiKeysIn(dir), "a"),
      () => openKeyring(dir),
    ]) {
      await expect(attempt()).rejects.toThrow(StoreError);
      await expect(attempt()).rejects.toThrow(path);
    }
    expect(await readFile(path, "utf8")).toBe(content);
  });

  it("remain in use as last read while the service runs, which is logged once", async () => {
    const dir = await temporaryFolder();
    const key = await addKey(apiKeysIn(dir), "tester");
    const { keys, clock, lines } = await openKeyring(dir);
    const database = await openDatabase(join(dir, "splitwatch.db"), SILENT_LOG);
    await database.db.schema.dropTable("api_keys").execute();
    await database.close();
    for (let looks = 0; looks < 5; looks += 1) {
      await clock.advance(1_000);
      expect(keys.find(key)?.name).toBe("tester");
    }
    await expect
      .poll(() => lines)
      .toEqual([
        { level: "error", event: "keys unreadable", fields: { error: expect.stringContaining(dir), keysInUse: 1 } },
      ]);
  });
});

describe("a keyring", () => {
  it("finds the stored keys, and the bot's key, which has no limit", async () => {
    const dir = await temporaryFolder();
    const key = await addKey(apiKeysIn(dir), "tester");
    const { keys, botKey } = await openKeyring(dir);
    expect(keys.find(key)).toEqual({ name: "tester", isRateLimited: true });
    expect(keys.find(botKey)).toEqual({ name: "(splitwatch)", isRateLimited: false });
    for (const wrong of ["", "x", key.slice(0, -1), `${key} `, key.toUpperCase()]) {
      expect(keys.find(wrong)).toBeUndefined();
    }
  });

  it("notices an added or revoked key within a quarter of a second", async () => {
    const dir = await temporaryFolder();
    const { keys, clock } = await openKeyring(dir);
    const key = await addKey(apiKeysIn(dir), "tester");
    await clock.advance(250);
    await expect.poll(() => keys.find(key)?.name).toBe("tester");
    await revokeKey(apiKeysIn(dir), "tester");
    await clock.advance(249);
    expect(keys.find(key)?.name).toBe("tester");
    await clock.advance(1);
    await expect.poll(() => keys.find(key)).toBeUndefined();
  });
});

it("reports a folder that cannot be written as one error", async () => {
  const dir = await temporaryFolder();
  const file = join(dir, "file");
  await writeFile(file, "");
  await expect(addKey(apiKeysIn(file), "a")).rejects.toThrow(/^DATA_DIR: got .*file, expected a folder .* \(EEXIST/);
  await expect(listKeys(apiKeysIn(file))).rejects.toThrow(/^DATA_DIR: got .*file, expected a folder .* \(ENOTDIR/);
  await mkdir(join(dir, "splitwatch.db"));
  await expect(listKeys(apiKeysIn(dir))).rejects.toThrow(/^cannot use .*splitwatch\.db: /);
});
