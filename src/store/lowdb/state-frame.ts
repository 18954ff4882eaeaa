import type { StateKind } from "../../ports/state-records.ts";
import type { StateChunk } from "../state-chunks.ts";
import type { JsonSlice } from "./rows/json-bytes.ts";

/** Size of a chunk, except for a larger single record. */
const CHUNK_BYTES = 1024 * 1024;

const LINE_END = Buffer.from("}\n");

/** Frames values as the lines of a backup without parsing them. All chunks share one buffer. */
export class StateFrame {
  #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #length = 0;

  async *chunks(kind: StateKind, batches: AsyncIterable<Iterable<JsonSlice>>): AsyncGenerator<StateChunk> {
    const lineStart = Buffer.from(`{"kind":"${kind}","value":`);
    let count = 0;
    for await (const values of batches) {
      for (const value of values) {
        const size = lineStart.length + value.to - value.from + LINE_END.length;
        if (count > 0 && this.#length + size > this.#buffer.length) {
          yield this.#take(kind, count);
          count = 0;
        }
        this.#add(lineStart, value, size);
        count += 1;
      }
    }
    if (count > 0) yield this.#take(kind, count);
  }

  #add(lineStart: Buffer, { bytes, from, to }: JsonSlice, size: number): void {
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(size);
    this.#length += lineStart.copy(this.#buffer, this.#length);
    this.#length += bytes.copy(this.#buffer, this.#length, from, to);
    this.#length += LINE_END.copy(this.#buffer, this.#length);
  }

  #take(kind: StateKind, count: number): StateChunk {
    const lines = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return { kind, count, lines };
  }
}
