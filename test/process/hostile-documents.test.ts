import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createQuarantine } from "../../src/sources/reading/quarantine.ts";
import { ReaderThread } from "../../src/sources/reading/reader-thread.ts";
import {
  acceptedDocument,
  allReaders,
  describeDocument,
  type HostileDocument,
  POSITIONS,
  type ReaderUnderTest,
  readDocument,
  writeDocument,
} from "../support/hostile/documents.ts";
import { SHAPES } from "../support/hostile/shapes.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { READER_SCRIPT } from "../support/process.ts";
import { recordedLog } from "../support/recorded-log.ts";

/** The soak reads all shapes with the deadline and the size limits of the program, and measures how long they take. */
const DOCUMENTS_PER_READER = 5;
const MAX_CPU_MS = 1_000;
const SIZES = { min: 20_000, max: 500_000 };

const readers = allReaders();
let thread: ReaderThread;

beforeAll(() => {
  const parts = { quarantine: createQuarantine(), clock: new ManualClock(), log: recordedLog() };
  thread = new ReaderThread({ ...parts, maxCpuMs: MAX_CPU_MS, script: READER_SCRIPT });
});

afterAll(() => thread.close());

function anyDocument(reader: ReaderUnderTest): fc.Arbitrary<HostileDocument> {
  return fc
    .record({
      shape: fc.constantFrom(...SHAPES),
      position: fc.constantFrom(...POSITIONS),
      sizeBytes: fc.integer(SIZES),
    })
    .map((parts) => {
      const document = { reader, ...parts };
      return { ...document, [fc.toStringMethod]: () => describeDocument(document) };
    });
}

it("knows at least 60 shapes of hostile documents", () => {
  const names = new Set(SHAPES.map(({ name }) => name));
  expect(names.size).toBe(SHAPES.length);
  expect(names.size).toBeGreaterThanOrEqual(60);
});

describe.each(readers)("$name", (reader) => {
  it("reads an ordinary document", async () => {
    expect(await readDocument(thread, writeDocument(acceptedDocument(reader)))).toBe("read");
  });

  it("reads, refuses or quarantines a hostile document", async () => {
    const property = fc.asyncProperty(anyDocument(reader), async (document) => {
      expect(await readDocument(thread, writeDocument(document))).toMatch(/^(?:read|refused|quarantined)$/);
    });
    await fc.assert(property, { numRuns: DOCUMENTS_PER_READER, endOnFailure: true });
  });
});
