import { crc32 } from "node:zlib";
import { type Adapter, Low } from "lowdb";
import { renameFields } from "../../../domain/renamed-fields.ts";
import { readIfExists } from "../../../lib/durable-file.ts";
import { damaged, newerSchema } from "./damage.ts";
import type { Disk } from "./disk.ts";
import { WriteGate } from "./write-gate.ts";

/** Files of schema 1 hold older names of some fields. */
const SCHEMA = 2;

/** The checksum is taken over the text of the state: a flipped bit inside a string would still be good JSON. */
const FILE = /^\{"schema":(\d+),"crc":"([0-9a-f]{8})","state":(.*)\}\n$/s;

/** lowdb's way to a file, durable and checked. A missing file reads as null; a damaged one is a StoreError, never a default. */
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
    if (bytes.length === 0) throw damaged(this.#path, "is empty");
    const [, schema, crc, state] = FILE.exec(bytes.toString("utf8")) ?? [];
    if (schema === undefined || state === undefined)
      throw damaged(this.#path, "is damaged: it was cut short or changed");
    if (Number(schema) > SCHEMA) throw newerSchema(this.#path, Number(schema), SCHEMA);
    if (Number(schema) < 1 || checksum(state) !== crc)
      throw damaged(this.#path, "is damaged: its checksum does not match");
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
  /** False: there is no such file yet, and `low` holds the state to begin with. */
  readonly found: boolean;
  /** It holds more than the state to begin with. */
  readonly used: boolean;
}

/** Gives what a file holds; null where there is none. */
export type ReadFile = (path: string) => Promise<Buffer | null>;

export async function openJsonFile<S>(
  disk: Disk,
  path: string,
  beginning: S,
  readFile: ReadFile = readIfExists,
): Promise<OpenedFile<S>> {
  const adapter = new DurableJson<S>(disk, path, readFile);
  const found = await adapter.read();
  const state = found ?? beginning;
  const used = JSON.stringify(state) !== JSON.stringify(beginning);
  return { low: new Low(adapter, state), path, found: found !== null, used };
}

export function checksum(text: string | Buffer, seed = 0): string {
  return crc32(text, seed).toString(16).padStart(8, "0");
}

/**
 * A state that is never changed in place, kept in one lowdb file. Steps are taken from the last state that is on disk, in the
 * order in which they came, as many as wait with one write. When the write fails, none of them was taken.
 */
export class StateFile<S> {
  readonly #low: Low<S>;
  readonly #gate: WriteGate<(state: S) => S>;
  #saved: S;

  constructor(low: Low<S>) {
    this.#low = low;
    this.#saved = low.data;
    this.#gate = new WriteGate((steps) => this.#take(steps));
  }

  /** As it is on disk. */
  get state(): S {
    return this.#saved;
  }

  /** `step` gives the next state and what the caller wants to know; the same state again costs no write. */
  async change<R>(step: (state: S) => readonly [S, R]): Promise<R> {
    const results: R[] = [];
    await this.#gate.submit((state) => {
      const [next, result] = step(state);
      results.push(result);
      return next;
    });
    return results[0] as R;
  }

  /** Writes it as it is, to see whether writing works. */
  async rewrite(): Promise<void> {
    await this.#gate.alone(() => this.#low.write());
  }

  async close(): Promise<void> {
    await this.#gate.close();
  }

  async #take(steps: readonly ((state: S) => S)[]): Promise<void> {
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
