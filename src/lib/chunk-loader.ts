import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Loads a chunk of the bundle and returns its exports. */
export type LoadChunk = (path: string) => unknown;

/** A chunk as a function; its arguments are those of a CommonJS module. */
type ChunkFunction = (...args: readonly unknown[]) => void;

/**
 * Loads the CommonJS chunks of the bundle with the code that the build has compiled (`NAME.cjs.cache`). A chunk is compiled if
 * there is none, or if it belongs to another source, another version of V8 or other flags.
 */
export function createChunkLoader(): LoadChunk {
  const loaded = new Map<string, { exports: unknown }>();
  const load: LoadChunk = (path) => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const folder = dirname(path);
    const requirePackage = createRequire(path);
    const require = (id: string): unknown => (id.startsWith(".") ? load(join(folder, id)) : requirePackage(id));
    compile(path)(module.exports, require, module, path, folder);
    return module.exports;
  };
  return load;
}

function compile(path: string): ChunkFunction {
  const source = readFileSync(path);
  const cachedData = readCompiledCode(path, source);
  // The bundler writes ASCII, which V8 keeps in one byte per character.
  const text = source.toString("latin1");
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  return script.runInThisContext() as ChunkFunction;
}

/** Returns null without compiled code for this source. V8 itself checks neither the source nor the code for damage. */
function readCompiledCode(path: string, source: Buffer): Buffer | null {
  const cachePath = `${path}.cache`;
  if (!existsSync(cachePath)) return null;
  const file = readFileSync(cachePath);
  const code = file.subarray(CHECKSUM_BYTES);
  const isWhole = file.length > CHECKSUM_BYTES && file.readUInt32BE() === checksum(source, code);
  return isWhole ? code : null;
}

const CHECKSUM_BYTES = 4;

function checksum(source: Buffer, code: Buffer): number {
  return crc32(code, crc32(source));
}

/** Saves the code that V8 has compiled of a chunk so far. */
export function saveCompiledCode(path: string, script: Pick<Script, "createCachedData">): void {
  const code = script.createCachedData();
  const start = Buffer.alloc(CHECKSUM_BYTES);
  start.writeUInt32BE(checksum(readFileSync(path), code));
  writeFileSync(`${path}.cache`, Buffer.concat([start, code]));
}
