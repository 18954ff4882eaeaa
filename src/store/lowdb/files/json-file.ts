import { crc32 } from "node:zlib";
import { type Adapter, Low } from "lowdb";
import { type Disk, damagedFileError, otherSchemaError } from "./disk.ts";
import { type FileReader, fileReader } from "./file-reader.ts";

const SCHEMA = 2;

/**
 * Format of a file: this head, the state and the tail. The checksum covers the state's bytes, because a flipped bit inside a string
 * is still valid JSON.
 */
const HEAD = /^\{"schema":([1-9]\d{0,5}),"crc":"([0-9a-f]{8})","state":/;
const TAIL = "}\n";

/** Longer than any head. */
const MAX_HEAD_BYTES = 64;

/** The state in a file, as bytes. */
export interface CheckedState {
  readonly bytes: Buffer;
  readonly crc: string;
}

/** Returns the state in the bytes of a file; throws a StoreError if they are damaged. */
export function checkedState(path: string, file: Buffer): CheckedState {
  if (file.length === 0) throw damagedFileError(path, "is empty");
  const [head = "", schema, expected] = HEAD.exec(file.toString("latin1", 0, MAX_HEAD_BYTES)) ?? [];
  const end = file.length - TAIL.length;
  if (schema === undefined || end <= head.length || file.toString("latin1", end) !== TAIL)
    throw damagedFileError(path, "is damaged: it was cut short or changed");
  if (Number(schema) !== SCHEMA) throw otherSchemaError(path, Number(schema), SCHEMA);
  const bytes = file.subarray(head.length, end);
  const crc = checksum(bytes);
  if (crc !== expected) throw damagedFileError(path, "is damaged: its checksum does not match");
  return { bytes, crc };
}

/** Durable lowdb adapter with a checksum. Reads a missing file as null; throws a StoreError for a damaged one. */
export class DurableJson<S> implements Adapter<S> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #reader: Pick<FileReader, "readFile">;
  readonly #stringify: (data: S) => string;
  #crc = "";
  #sizeBytes = 0;

  constructor(
    disk: Disk,
    path: string,
    reader: Pick<FileReader, "readFile"> = fileReader,
    stringify: (data: S) => string = JSON.stringify,
  ) {
    this.#disk = disk;
    this.#path = path;
    this.#reader = reader;
    this.#stringify = stringify;
  }

  /** Checksum of the state that was read or written last. */
  get crc(): string {
    return this.#crc;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async read(): Promise<S | null> {
    const bytes = await this.#reader.readFile(this.#path);
    if (bytes === null) return null;
    const checked = checkedState(this.#path, bytes);
    this.#crc = checked.crc;
    this.#sizeBytes = bytes.length;
    return JSON.parse(checked.bytes.toString("utf8")) as S;
  }

  async write(data: S): Promise<void> {
    const state = this.#stringify(data);
    const crc = checksum(state);
    const text = `{"schema":${SCHEMA},"crc":"${crc}","state":${state}}\n`;
    await this.#disk.replace(this.#path, text);
    this.#crc = crc;
    this.#sizeBytes = Buffer.byteLength(text);
  }
}

export interface OpenedFile<S> {
  readonly low: Low<S>;
  readonly path: string;
  /** False if the file does not exist yet; `low` then contains the initial state. */
  readonly exists: boolean;
  /** True if the state differs from the initial state. */
  readonly isUsed: boolean;
}

export async function openJsonFile<S>(
  disk: Disk,
  path: string,
  initial: S,
  reader: Pick<FileReader, "readFile"> = fileReader,
): Promise<OpenedFile<S>> {
  const adapter = new DurableJson<S>(disk, path, reader);
  const storedState = await adapter.read();
  const state = storedState ?? initial;
  const isUsed = JSON.stringify(state) !== JSON.stringify(initial);
  return { low: new Low(adapter, state), path, exists: storedState !== null, isUsed };
}

export function checksum(text: string | Buffer, seed = 0): string {
  return checksumText(crc32(text, seed));
}

/** Returns a CRC-32 as it is written in files. */
export function checksumText(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
