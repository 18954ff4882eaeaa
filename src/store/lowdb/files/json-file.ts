import { crc32 } from "node:zlib";
import { type Adapter, Low } from "lowdb";
import { readIfExists } from "../../../lib/durable-file.ts";
import { renameFields } from "../../renamed-fields.ts";
import { type Disk, damagedFileError, newerSchemaError } from "./disk.ts";
import { WriteQueue } from "./write-queue.ts";

/** Current schema. Files of schema 1 use older names for some fields. */
const SCHEMA = 2;

/** Format of a file. The checksum covers the state's text, because a flipped bit inside a string is still valid JSON. */
const FILE = /^\{"schema":(\d+),"crc":"([0-9a-f]{8})","state":(.*)\}\n$/s;

/** Durable lowdb adapter with a checksum. Reads a missing file as null; throws a StoreError for a damaged one. */
class DurableJson<S> implements Adapter<S> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #readFile: ReadFile;

  constructor(disk: Disk, path: string, readFile: ReadFile) {
    this.#disk = disk;
    this.#path = path;
    this.#readFile = readFile;
  }

  async read(): Promise<S | null> {
    const bytes = await this.#readFile(this.#path);
    if (bytes === null) return null;
    if (bytes.length === 0) throw damagedFileError(this.#path, "is empty");
    const [, schema, crc, state] = FILE.exec(bytes.toString("utf8")) ?? [];
    if (schema === undefined || state === undefined)
      throw damagedFileError(this.#path, "is damaged: it was cut short or changed");
    if (Number(schema) > SCHEMA) throw newerSchemaError(this.#path, Number(schema), SCHEMA);
    if (Number(schema) < 1 || checksum(state) !== crc)
      throw damagedFileError(this.#path, "is damaged: its checksum does not match");
    const data: unknown = JSON.parse(state);
    return (Number(schema) < SCHEMA ? renameFields(data) : data) as S;
  }

  async write(data: S): Promise<void> {
    const state = JSON.stringify(data);
    await this.#disk.replace(this.#path, `{"schema":${SCHEMA},"crc":"${checksum(state)}","state":${state}}\n`);
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

/** Returns the content of a file; null if it does not exist. */
export type ReadFile = (path: string) => Promise<Buffer | null>;

export async function openJsonFile<S>(
  disk: Disk,
  path: string,
  initial: S,
  readFile: ReadFile = readIfExists,
): Promise<OpenedFile<S>> {
  const adapter = new DurableJson<S>(disk, path, readFile);
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

/**
 * An immutable state in one lowdb file. Changes apply to the last durable state in call order, and all waiting changes share
 * one write. If the write fails, none of them is applied.
 */
export class StateFile<S> {
  readonly #low: Low<S>;
  readonly #queue: WriteQueue<(state: S) => S>;
  #saved: S;

  constructor(low: Low<S>) {
    this.#low = low;
    this.#saved = low.data;
    this.#queue = new WriteQueue((steps) => this.#apply(steps));
  }

  /** The last durable state. */
  get state(): S {
    return this.#saved;
  }

  /** Changes the state. `step` returns the next state and the caller's result; the same state causes no write. */
  async change<R>(step: (state: S) => readonly [S, R]): Promise<R> {
    const results: R[] = [];
    await this.#queue.submit((state) => {
      const [next, result] = step(state);
      results.push(result);
      return next;
    });
    return results[0] as R;
  }

  /** Writes the unchanged state, to check that the file is writable. */
  async rewrite(): Promise<void> {
    await this.#queue.runExclusive(() => this.#low.write());
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #apply(steps: readonly ((state: S) => S)[]): Promise<void> {
    let next = this.#saved;
    for (const step of steps) next = step(next);
    if (next === this.#saved) return;
    this.#low.data = next;
    try {
      await this.#low.write();
    } catch (error) {
      this.#low.data = this.#saved;
      throw error;
    }
    this.#saved = next;
  }
}
