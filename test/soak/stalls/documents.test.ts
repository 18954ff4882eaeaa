import { afterAll, beforeAll, expect, it } from "vitest";
import { createQuarantine } from "../../../src/sources/reading/quarantine.ts";
import { ReaderThread } from "../../../src/sources/reading/reader-thread.ts";
import {
  allReaders,
  describeDocument,
  documentsFor,
  type HostileDocument,
  type Outcome,
  readDocument,
  writeDocument,
} from "../../support/hostile/documents.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { measureStallMs } from "../../support/stall.ts";
import { cpuTimeMs } from "../../support/timing.ts";

/** Several times the size of a long release, and the limit of the reader. */
const SIZES = [250_000, Number.POSITIVE_INFINITY];
/** The deadline of the program. */
const MAX_CPU_MS = 5_000;
/** CPU time for noticing that the deadline has passed, and for a new thread. */
const MAX_EXCESS_MS = 1_500;
const MAX_STALL_MS = 100;
const PRINTED_ROWS = 40;

const readers = allReaders();
const slowest: { readonly cpuMs: number; readonly text: string }[] = [];
let thread: ReaderThread;

beforeAll(() => {
  thread = new ReaderThread({ quarantine: createQuarantine(), clock: new ManualClock(), log: recordedLog() });
});

afterAll(async () => {
  await thread.close();
  const lines = slowest.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, PRINTED_ROWS);
  process.stdout.write(`slowest of ${slowest.length} documents:\n${lines.map(({ text }) => `${text}\n`).join("")}`);
});

async function problemOf(document: HostileDocument): Promise<string | null> {
  const written = writeDocument(document);
  const startMs = cpuTimeMs();
  let outcome: Outcome | null = null;
  const stallMs = await measureStallMs(async () => {
    outcome = await readDocument(thread, written);
  });
  const cpuMs = cpuTimeMs() - startMs;
  const text = `${cpuMs.toFixed(0).padStart(6)} ms  ${outcome}  ${describeDocument(document)}`;
  slowest.push({ cpuMs, text });
  if (stallMs > MAX_STALL_MS) return `${text}: blocked the event loop for ${stallMs.toFixed(0)} ms`;
  return cpuMs > MAX_CPU_MS + MAX_EXCESS_MS ? `${text}: ended late` : null;
}

it.each(readers)("$name reads, refuses or quarantines all hostile documents in time", async (reader) => {
  const problems: string[] = [];
  for (const document of SIZES.flatMap((sizeBytes) => documentsFor(reader, sizeBytes))) {
    const problem = await problemOf(document);
    if (problem !== null) problems.push(problem);
  }
  expect(problems).toEqual([]);
});
