import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Loads chunks of the bundle. */
export interface ChunkLoader {
  /** Loads a chunk and returns its exports. */
  load(path: string): unknown;
  /** Opens the chunks in a folder that are not loaded yet: a later build, which replaces the folder, doesn't affect them. */
  hold(folder: string): void;
}

/** Content of a chunk's file: a function whose arguments are those of a CommonJS module. */
type ChunkFunction = (...args: readonly unknown[]) => void;

/**
 * Loads the CommonJS chunks of the bundle with the code that the build has compiled (`NAME.cjs.cache`). A chunk is compiled if
 * there is none, or if it belongs to another source, another version of V8 or other flags.
 */
export function createChunkLoader(): ChunkLoader {
  const loaded = new Map<string, { exports: unknown }>();
  const held = new Map<string, number>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const folder = dirname(path);
    const requirePackage = createRequire(path);
    const require = (id: string): unknown => (id.startsWith(".") ? load(join(folder, id)) : requirePackage(id));
    const file = held.get(path) ?? openSync(path, "r");
    held.delete(path);
    compile(path, file)(module.exports, require, module, path, folder);
    return module.exports;
  };
  const hold = (folder: string): void => {
    try {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        if (name.endsWith(".cjs") && !loaded.has(path)) held.set(path, openSync(path, "r"));
      }
    } catch {
      // Such as a low limit of open files. The other chunks are opened when they are loaded.
    }
  };
  return { load, hold };
}

/** `file`: the open file of the chunk, which is closed. */
function compile(path: string, file: number): ChunkFunction {
  const size = readInto(buffers.source, file);
  const source = buffers.source.bytes.subarray(0, size);
  const cachedData = readCompiledCode(path, source);
  // The bundler writes ASCII, which V8 keeps in one byte per character.
  const script = new Script(source.toString("latin1"), { filename: path, ...(cachedData && { cachedData }) });
  return script.runInThisContext() as ChunkFunction;
}

/** Returns null without compiled code for this source. V8 itself checks neither the source nor the code for damage. */
function readCompiledCode(path: string, source: Buffer): Buffer | null {
  const size = readCacheFile(path);
  const code = buffers.code.bytes.subarray(CHECKSUM_BYTES, size);
  const isWhole = size > CHECKSUM_BYTES && buffers.code.bytes.readUInt32BE() === checksum(source, code);
  return isWhole ? code : null;
}

/** Reads the compiled code. Returns its size; 0 if there is none or it can't be read, because the source is enough. */
function readCacheFile(path: string): number {
  try {
    return existsSync(`${path}.cache`) ? readInto(buffers.code, openSync(`${path}.cache`, "r")) : 0;
  } catch {
    return 0;
  }
}

/** Memory that is used for all files: what an idle process has read is not freed before it needs memory again. */
const buffers = { source: { bytes: Buffer.alloc(0) }, code: { bytes: Buffer.alloc(0) } };

/** Reads and closes a file, and returns its size. */
function readInto(buffer: { bytes: Buffer }, file: number): number {
  try {
    const { size } = fstatSync(file);
    if (buffer.bytes.length < size) buffer.bytes = Buffer.allocUnsafeSlow(size);
    return readSync(file, buffer.bytes, 0, size, 0);
  } finally {
    closeSync(file);
  }
}

/** V8 copies code that is not aligned to 8 bytes. */
const CHECKSUM_BYTES = 8;

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
