import type { StateKind, StateRecord } from "../ports/state-records.ts";

/** Records of one kind, as the lines of a backup. */
export interface StateChunk {
  readonly kind: StateKind;
  /** Number of records. */
  readonly count: number;
  /** `{"kind":"rule","value":{…}}` and a line end per record, in UTF-8. Valid until the next chunk is requested. */
  readonly lines: Buffer;
}

/** Size above which a chunk is complete. */
const CHUNK_CHARACTERS = 128 * 1024;

/** Returns the line of a record without its line end. `json`: the value. */
function recordLine(kind: StateKind, json: string): string {
  return `{"kind":"${kind}","value":${json}}`;
}

/** Divides records of one kind into chunks. `values`: their JSON. */
export async function* chunksOfJson(kind: StateKind, values: AsyncIterable<string>): AsyncGenerator<StateChunk> {
  const lines = new ChunkLines(kind);
  for await (const json of values) {
    lines.add(json);
    if (lines.isComplete) yield lines.take();
  }
  if (!lines.isEmpty) yield lines.take();
}

/** The lines of the next chunk. */
class ChunkLines {
  readonly #kind: StateKind;
  #lines: string[] = [];
  #length = 0;

  constructor(kind: StateKind) {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isComplete(): boolean {
    return this.#length >= CHUNK_CHARACTERS;
  }

  add(json: string): void {
    const line = recordLine(this.#kind, json);
    this.#lines.push(line);
    this.#length += line.length;
  }

  take(): StateChunk {
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    return { kind: this.#kind, count: lines.length, lines: Buffer.from(`${lines.join("\n")}\n`) };
  }
}

/** Parses the records of the given kinds; default: all. */
export async function* stateRecords<K extends StateKind = StateKind>(
  chunks: AsyncIterable<StateChunk>,
  kinds?: readonly K[],
): AsyncGenerator<Extract<StateRecord, { readonly kind: K }>> {
  const wanted = kinds ? new Set<StateKind>(kinds) : null;
  for await (const { kind, lines } of chunks) {
    if (wanted && !wanted.has(kind)) continue;
    for (const line of lines.toString("utf8").trimEnd().split("\n"))
      yield JSON.parse(line) as Extract<StateRecord, { readonly kind: K }>;
  }
}
