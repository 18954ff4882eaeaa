import * as fc from "fast-check";
import { expect } from "vitest";
import { anyCharacter } from "./any-character.ts";
import { IS_FULL_SOAK, repetitions } from "./soak.ts";
import { measureStallMs } from "./stall.ts";

/** Maximum time for which one input may block the event loop, checked in a soak of at least 10 minutes. */
const MAX_STALL_MS = 100;
const MAX_PRINTED_LENGTH = 200;

/** Largest part of a repeated piece, in characters. */
const MAX_REPEATED_LENGTH = 20_000;

export interface FuzzRuns {
  readonly short: number;
  readonly full: number;
}

/**
 * Checks random inputs and prints their number and the longest stall with its input. A failure prints the smallest failing input
 * and the seed. A stall is measured again before it counts, so `check` must accept the same input twice.
 */
export async function fuzz<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  runs: FuzzRuns,
  check: (input: T) => Promise<void>,
): Promise<void> {
  let longest = { ms: 0, input: "" };
  const numRuns = repetitions(runs);
  const property = fc.asyncProperty(inputs, async (input) => {
    let ms = await measureStallMs(() => check(input));
    for (let again = 0; again < 2 && ms > longest.ms; again += 1)
      ms = Math.min(ms, await measureStallMs(() => check(input)));
    if (ms > longest.ms) longest = { ms, input: fc.stringify(input).slice(0, MAX_PRINTED_LENGTH) };
    if (IS_FULL_SOAK) expect(ms).toBeLessThan(MAX_STALL_MS);
  });
  await fc.assert(property, { numRuns });
  process.stdout.write(`fuzz: ${numRuns} ${name}, longest stall ${longest.ms.toFixed(1)} ms by ${longest.input}\n`);
}

/** A change of the bytes of a document. `at` is a part of its length, below 1. */
interface Mutation {
  readonly kind: "flip" | "cut" | "insert" | "double" | "remove" | "swap";
  readonly at: number;
  readonly length: number;
  readonly piece: string;
}

const PIECES = [
  "{",
  "[",
  '"',
  "<",
  ">",
  "</",
  "<a ",
  "<div>",
  "<item>",
  "</item>",
  "<!--",
  "<![CDATA[",
  "]]>",
  "&amp;",
  "&#x0;",
  "\0",
  "\uFEFF",
  "\u2028",
  "null",
  "-1e999",
  "1e400",
  '"__proto__":{"a":1},',
  '"constructor":1,',
  '"ticker":"ACME",',
  ",",
  "\\ud800",
  "\\u0000",
  "2026-02-30",
  "1:0",
  "0:0",
  "(NASDAQ: ",
  "one-for-",
  "  \n",
  "'",
];

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("flip", "cut", "insert", "double", "remove", "swap"),
  at: fc.nat(9_999).map((n) => n / 10_000),
  length: fc.oneof({ weight: 9, arbitrary: fc.nat(64) }, { weight: 1, arbitrary: fc.nat(MAX_REPEATED_LENGTH) }),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: anyCharacter, maxLength: 8 })),
});

/** A document and changes of its bytes, which shrink to fewer changes. */
export function mutated<T>(documents: fc.Arbitrary<T>, bytesOf: (document: T) => Buffer): fc.Arbitrary<Mutated<T>> {
  return fc
    .record({ document: documents, mutations: fc.array(mutation, { maxLength: 6 }) })
    .map(({ document, mutations }) => new Mutated(document, bytesOf(document), mutations));
}

/** A document with mutations, printed without its bytes. */
export class Mutated<T> {
  readonly document: T;
  readonly mutations: readonly Mutation[];
  readonly #original: Buffer;

  constructor(document: T, original: Buffer, mutations: readonly Mutation[]) {
    this.document = document;
    this.mutations = mutations;
    this.#original = original;
  }

  [fc.toStringMethod](): string {
    return `${fc.stringify(this.mutations)} of ${fc.stringify(this.document)}`;
  }

  get bytes(): Buffer {
    return mutateAll(this.#original, this.mutations);
  }
}

/** Applies the mutations in order. */
export function mutateAll(original: Buffer, mutations: readonly Mutation[]): Buffer {
  let bytes = original;
  for (const one of mutations) bytes = mutate(bytes, one);
  return bytes;
}

function mutate(bytes: Buffer, { kind, at, length, piece }: Mutation): Buffer {
  const start = Math.floor(at * bytes.length);
  const [before, part] = [bytes.subarray(0, start), bytes.subarray(start, start + length)];
  const after = bytes.subarray(start + length);
  switch (kind) {
    case "flip":
      return Buffer.concat([
        before,
        Buffer.from([(bytes[start] ?? 0) ^ (1 << (length % 8))]),
        bytes.subarray(start + 1),
      ]);
    case "cut":
      return before;
    case "insert":
      return Buffer.concat([before, repeated(piece, length), bytes.subarray(start)]);
    case "double":
      return Buffer.concat([before, part, part, after]);
    case "remove":
      return Buffer.concat([before, after]);
    case "swap":
      return Buffer.concat([before, repeated(piece, 1), after]);
  }
}

/** Mutations of any document, for inputs that are not documents themselves. */
export const anyMutations = fc.array(mutation, { maxLength: 6 });

function repeated(piece: string, times: number): Buffer {
  return Buffer.from(piece.repeat(Math.max(1, Math.min(times, Math.floor(MAX_REPEATED_LENGTH / (piece.length || 1))))));
}
