import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createChunkLoader, saveCompiledCode } from "./chunk-loader.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-chunks-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function asFunction(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
}

/** Writes a chunk and returns its path. */
function chunk(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, asFunction(source));
  return path;
}

/** Saves compiled code for a chunk: of another source of the same length, so that a test sees whether it is used. */
function saveOther(path: string, source: string): void {
  const script = new Script(asFunction(source), { filename: path });
  script.runInThisContext();
  saveCompiledCode(path, script);
}

describe("the loader of the bundle's chunks", () => {
  it("loads the chunks and packages that a chunk requires, each chunk once", () => {
    const shared = 'globalThis.loads = (globalThis.loads ?? 0) + 1; exports.join = require("node:path").join;';
    chunk("shared.cjs", shared);
    const main = chunk(
      "main.cjs",
      'const { join } = require("./shared.cjs"); require("./shared.cjs"); module.exports = join("a", "b");',
    );
    expect([createChunkLoader().load(main), Reflect.get(globalThis, "loads")]).toEqual([join("a", "b"), 1]);
    Reflect.deleteProperty(globalThis, "loads");
  });

  it("loads chunks that require each other", () => {
    chunk("b.cjs", 'const a = require("./a.cjs"); exports.read = () => a.value;');
    const a = chunk("a.cjs", 'const b = require("./b.cjs"); exports.value = 7; exports.read = b.read;');
    expect((createChunkLoader().load(a) as { read(): number }).read()).toBe(7);
  });

  it("loads the chunks of a folder that was replaced after it held them", () => {
    const [main, first] = [chunk("main.cjs", "exports.value = 1;"), chunk("first.cjs", "exports.value = 1;")];
    chunk("shared.cjs", "exports.value = 1;");
    const lazy = chunk("lazy.cjs", 'exports.value = require("./shared.cjs").value;');
    const loader = createChunkLoader();
    loader.load(first);
    loader.hold(folder);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    for (const name of ["main.cjs", "lazy.cjs"]) saveOther(chunk(name, "exports.value = 3;"), "exports.value = 2;");
    expect([main, first, lazy].map((path) => loader.load(path))).toEqual([{ value: 1 }, { value: 1 }, { value: 1 }]);
  });

  it("uses the compiled code of a chunk until its source changes", () => {
    const main = chunk("main.cjs", "exports.value = 1;");
    saveOther(main, "exports.value = 2;");
    expect(createChunkLoader().load(main)).toEqual({ value: 2 });
    chunk("main.cjs", "exports.value = 3;");
    expect(createChunkLoader().load(main)).toEqual({ value: 3 });
  });

  it("compiles a chunk whose compiled code is incomplete or damaged", () => {
    const main = chunk("main.cjs", "exports.value = 1;");
    saveOther(main, "exports.value = 2;");
    const file = readFileSync(`${main}.cache`);
    const zeroed = Buffer.concat([file.subarray(0, 100), Buffer.alloc(file.length - 100)]);
    for (const bytes of [Buffer.alloc(0), file.subarray(0, 10), file.subarray(0, 100), zeroed]) {
      writeFileSync(`${main}.cache`, bytes);
      expect(createChunkLoader().load(main)).toEqual({ value: 1 });
    }
  });

  it("compiles a chunk whose compiled code can't be read", () => {
    const main = chunk("main.cjs", "exports.value = 1;");
    mkdirSync(`${main}.cache`);
    expect(createChunkLoader().load(main)).toEqual({ value: 1 });
  });

  it("compiles a chunk whose compiled code V8 rejects", () => {
    const main = chunk("main.cjs", "exports.value = 1;");
    saveCompiledCode(main, { createCachedData: () => Buffer.alloc(64) });
    expect(createChunkLoader().load(main)).toEqual({ value: 1 });
  });
});
