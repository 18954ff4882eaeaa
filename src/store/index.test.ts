import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allVariables, readConfig } from "../config/index.ts";
import { invalid } from "../config/value-schemas.ts";
import { systemClock } from "../lib/clock.ts";
import { collect } from "../lib/collections.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { StateRecord } from "../ports/state-records.ts";
import { StoreError } from "../ports/store.ts";
import { configuredStore, STORES } from "./index.ts";
import type { StoreDefinition } from "./store-definition.ts";

const here = new URL("./", import.meta.url);
const root = new URL("../../", here);
const folders = readdirSync(new URL("engines/", here), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** A benchmark names the store that it measures. */
function isProduction(path: string): boolean {
  return /\.(ts|mjs)$/.test(path) && !path.endsWith(".test.ts") && !path.startsWith("scripts/bench");
}

/** The production files and scripts that import the engine, relative to the repository. */
function filesImporting(engine: string): readonly string[] {
  const sources = ["src/", "scripts/"].flatMap((part) =>
    readdirSync(new URL(part, root), { recursive: true, encoding: "utf8" }).map((name) => part + name),
  );
  return sources
    .filter(isProduction)
    .filter((path) => readFileSync(new URL(path, root), "utf8").includes(`engines/${engine}`));
}

describe("the registry of stores", () => {
  it("names every folder and nothing else", () => {
    expect(STORES.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  });

  it.each(folders)("has the contract suite for %s", (folder) => {
    expect(existsSync(new URL(`engines/${folder}/contract.test.ts`, here))).toBe(true);
  });

  it.each(folders)("is the only file outside its folder that imports %s", (folder) => {
    const outside = filesImporting(folder).filter((path) => !path.startsWith(`src/store/engines/${folder}/`));
    expect(outside).toEqual(["src/store/index.ts"]);
  });
});

async function* recordsInMemory(): AsyncGenerator<StateRecord> {
  yield { kind: "posting-number", value: { last: 7 } };
}

describe("a store that is added as one definition", () => {
  const refusal = new StoreError("memory: not available");
  const memory: StoreDefinition = {
    name: "memory",
    variables: [{ name: "MEMORY_URL", isSecret: true, comment: "Address of the memory. Secret." }],
    select({ env }) {
      const url = env.read("MEMORY_URL", "memory:", (text) => (text === "memory:" ? { value: text } : invalid()));
      if (url === undefined) return null;
      return {
        location: "the memory",
        isShared: false,
        open: () => Promise.reject(refusal),
        readState: recordsInMemory,
        restore: () => Promise.reject(refusal),
        apiKeys: () => Promise.reject(refusal),
        check: () => Promise.resolve([{ status: "fail", text: refusal.message }]),
      };
    },
  };
  const stores = [memory, ...STORES];
  const read = (env: Readonly<Record<string, string>>) =>
    readConfig({ env, folder: "/proc/no-such-folder", isTerminal: false }, { stores });

  it("is used for everything when its variable selects it", async () => {
    const { store } = read({ MEMORY_URL: "memory:" });

    await expect(store.open({ clock: systemClock, log: SILENT_LOG })).rejects.toThrow(refusal);
    expect(await collect(store.readState())).toEqual([{ kind: "posting-number", value: { last: 7 } }]);
    expect(await store.check()).toEqual([{ status: "fail", text: "memory: not available" }]);
  });

  it("doesn't match the settings of other stores", async () => {
    const missing = "/proc/no-such-folder";
    expect(await collect(configuredStore({ dataDir: missing }, stores).readState())).toEqual([]);
    expect((await configuredStore({ dataDir: missing }, stores).check())[0]?.text).toContain(`DATA_DIR: ${missing}`);
    expect((await read({}).store.check())[0]?.text).toContain("DATA_DIR: /proc/no-such-folder/data");
  });

  it("has its variables validated, masked and documented with all others", () => {
    expect(() => read({ MEMORY_URL: "disk:" })).toThrow("MEMORY_URL: got an invalid value, expected memory:");
    expect(read({ MEMORY_URL: "memory:" }).secrets).toEqual(["memory:"]);
    expect(allVariables(undefined, stores).map(({ name }) => name)).toContain("MEMORY_URL");
  });
});
