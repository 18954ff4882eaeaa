import type { StateKind, StateRecord, StateValues } from "../ports/state-records.ts";

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

/** Divides records of one kind into chunks. */
export function* chunksOf<K extends StateKind>(kind: K, values: Iterable<StateValues[K]>): Generator<StateChunk> {
  let lines: string[] = [];
  let length = 0;
  for (const value of values) {
    const line = recordLine(kind, JSON.stringify(value));
    lines.push(line);
    length += line.length;
    if (length < CHUNK_CHARACTERS) continue;
    yield chunkOf(kind, lines);
    lines = [];
    length = 0;
  }
  if (lines.length > 0) yield chunkOf(kind, lines);
}

function chunkOf(kind: StateKind, lines: readonly string[]): StateChunk {
  return { kind, count: lines.length, lines: Buffer.from(`${lines.join("\n")}\n`) };
}

/** Parses the records of the given kinds; default: all. */
export async function* stateRecords<K extends StateKind = StateKind>(
  chunks: AsyncIterable<StateChunk>,
  kinds?: readonly K[],
): AsyncGenerator<Extract<StateRecord, { readonly kind: K }>> {
  const wanted: ReadonlySet<StateKind> | null = kinds ? new Set(kinds) : null;
  for await (const { kind, lines } of chunks) {
    if (wanted && !wanted.has(kind)) continue;
    for (const line of lines.toString("utf8").trimEnd().split("\n"))
      yield JSON.parse(line) as Extract<StateRecord, { readonly kind: K }>;
  }
}
