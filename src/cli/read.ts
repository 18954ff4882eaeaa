import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Instant, parseDay } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../domain/time/wall-clock.ts";
import { readBytes, readStreamBytes } from "../lib/bounded-file.ts";
import { systemClock } from "../lib/clock.ts";
import { fileReadProblem, NotRegularFileError, quoteValue } from "../lib/error-text.ts";
import type { Clock } from "../ports/clock.ts";
import { type Capture, type CaptureIndex, readCapture, readCaptureIndex } from "../sources/capture-folder.ts";
import { type CapturedAnswer, MAX_CAPTURE_BYTES, readCapturedAnswer } from "../sources/captured-answer.ts";
import { SOURCES } from "../sources/index.ts";
import type { SourceDefinition } from "../sources/source-definition.ts";
import { type ReadRequest, unknownWord } from "./arguments.ts";
import { EXIT, type Invocation } from "./invocation.ts";
import {
  type DocumentFields,
  type ReadRecord,
  readableReading,
  readingRecords,
  refusedRecord,
} from "./reading-records.ts";

const STANDARD_INPUT = "-";
/** Selects every source of a folder. */
const ALL = "all";

/** Parts that tests replace. */
interface ReadParts {
  readonly sources?: readonly SourceDefinition[];
  readonly clock?: Pick<Clock, "now">;
}

/**
 * Prints what the reader of a source makes of captured documents: as text on a terminal, else as JSON lines. It needs neither
 * configuration nor state.
 */
export async function read(
  request: ReadRequest,
  invocation: Invocation,
  { sources = SOURCES, clock = systemClock }: ReadParts = {},
): Promise<number> {
  const inputs = await openInputs(request, invocation);
  const problems = [...argumentProblems(request, sources, inputs), ...inputs.flatMap(({ problems: all }) => all)];
  for (const problem of problems) invocation.err(`splitwatch: ${problem}`);
  if (problems.length > 0) return EXIT.usage;
  const printing: Printing = {
    invocation,
    format: request.json || !invocation.outputIsTerminal ? jsonLines : readableReading,
    sources,
    type: request.type,
    now: timeOf(request.at) ?? null,
    clock,
  };
  let code: number = EXIT.ok;
  for (const input of inputs) code = Math.max(code, await readInput(input, request, printing));
  return code;
}

/** A FILE of the command line. */
interface Input {
  readonly file: string;
  readonly path: string;
  /** Documents of a folder; null: a single document. */
  readonly index: CaptureIndex | null;
  readonly problems: readonly string[];
}

function openInputs({ files }: ReadRequest, { folder }: Invocation): Promise<readonly Input[]> {
  return Promise.all(files.map((file) => openInput(file, resolve(folder, file))));
}

async function openInput(file: string, path: string): Promise<Input> {
  const input = { file, path, index: null, problems: [] };
  if (file === STANDARD_INPUT) return input;
  try {
    const stats = await stat(path);
    if (stats.isFile()) return input;
    if (!stats.isDirectory()) throw new NotRegularFileError(file);
    const index = await readCaptureIndex(path);
    if (index !== null) return { ...input, index };
    const got = `FILE: got ${quoteValue(file)}, a folder without index.jsonl and expected.jsonl`;
    return { ...input, problems: [`${got}, expected a captured document or a folder of "sources record"`] };
  } catch (error) {
    return { ...input, problems: [fileProblem(file, error)] };
  }
}

/** Throws an error that has nothing to do with the file. */
function fileProblem(file: string, error: unknown): string {
  const reason = fileReadProblem(error);
  if (reason === undefined) throw error;
  return `FILE: got ${quoteValue(file)}, which ${reason}, expected a captured document`;
}

function argumentProblems(
  request: ReadRequest,
  sources: readonly SourceDefinition[],
  inputs: readonly Input[],
): readonly string[] {
  return [
    sourceProblem(request, sources, inputs),
    inputs.filter(({ file }) => file === STANDARD_INPUT).length > 1
      ? "FILE: got - twice, but standard input can be read only once"
      : null,
    timeProblem(request),
    addressProblem(request, inputs),
    typeProblem(request),
  ].filter((problem) => problem !== null);
}

function sourceProblem(
  { source }: ReadRequest,
  sources: readonly SourceDefinition[],
  inputs: readonly Input[],
): string | null {
  if (source !== ALL) {
    const names = [...sources.map(({ name }) => name), ...sources.flatMap(({ partNames = [] }) => partNames), ALL];
    return sourceNamed(source, sources) === undefined ? unknownWord("SOURCE", source, names) : null;
  }
  const document = inputs.find(({ index, problems }) => index === null && problems.length === 0);
  return document === undefined
    ? null
    : `SOURCE: got all, expected the source of ${quoteValue(document.file)}, which is not a folder`;
}

function timeProblem({ at }: ReadRequest): string | null {
  if (at === null || timeOf(at) !== undefined) return null;
  return `--at: got ${quoteValue(at)}, expected a day such as 2026-03-09 or a time such as 2026-03-09T19:50-05:00`;
}

function addressProblem({ url }: ReadRequest, inputs: readonly Input[]): string | null {
  if (url === null) return null;
  if (!isAddress(url)) return `--url: got ${quoteValue(url)}, expected an http or https address`;
  if (inputs.length === 1 && inputs[0]?.index === null) return null;
  return `--url: got ${quoteValue(url)} for several documents, expected one FILE: an address belongs to one document`;
}

const CONTENT_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;[\x20-\x7e]{0,200})?$/;

function typeProblem({ type }: ReadRequest): string | null {
  if (type === null || CONTENT_TYPE.test(type)) return null;
  return `--type: got ${quoteValue(type)}, expected a content type such as text/html`;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Finds a source by its name or that of one of its parts. */
function sourceNamed(name: string, sources: readonly SourceDefinition[]): SourceDefinition | undefined {
  return sources.find((definition) => definition.name === name || definition.partNames?.includes(name) === true);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Instant of a day, at noon in New York, or of a time with a zone; undefined if the text is neither. */
function timeOf(text: string | null): Instant | undefined {
  const day = parseDay(text ?? "");
  if (day !== undefined) return instantAt(day, MINUTES_PER_DAY / 2, MARKET_ZONE);
  const at = TIME.test(text ?? "") ? Date.parse(text ?? "") : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

interface Printing {
  readonly invocation: Invocation;
  readonly format: (records: readonly ReadRecord[], of: DocumentFields) => string;
  readonly sources: readonly SourceDefinition[];
  /** Content type of --type; null: not given. */
  readonly type: string | null;
  /** Time of --at; null: not given. */
  readonly now: Instant | null;
  readonly clock: Pick<Clock, "now">;
}

function jsonLines(records: readonly ReadRecord[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}

/** Reads a document or the documents of a folder. Returns the exit code. */
async function readInput(input: Input, request: ReadRequest, printing: Printing): Promise<number> {
  const { invocation, sources } = printing;
  if (input.index !== null) return readFolder(input, input.index, request, printing);
  const definition = sourceNamed(request.source, sources);
  if (definition === undefined) return EXIT.usage;
  try {
    const body = await readBody(input, invocation);
    const url = request.url === null ? null : new URL(request.url);
    const captured = {
      source: request.source,
      url,
      name: input.file,
      status: 200,
      type: request.type,
      headers: {},
      body,
    };
    return await printReading(definition, captured, null, printing);
  } catch (error) {
    invocation.err(`splitwatch: ${fileProblem(input.file, error)}`);
    return EXIT.usage;
  }
}

async function readBody({ file, path }: Input, invocation: Invocation): Promise<Buffer> {
  if (file !== STANDARD_INPUT) return readBytes(path, MAX_CAPTURE_BYTES);
  const chunks = invocation.input();
  if ("isTTY" in chunks && chunks.isTTY === true)
    invocation.err("Reading from standard input: a document of the source. Press Ctrl+D to finish.");
  return readStreamBytes("standard input", chunks, MAX_CAPTURE_BYTES);
}

async function readFolder(
  { file, path }: Input,
  { captures, problems }: CaptureIndex,
  request: ReadRequest,
  printing: Printing,
): Promise<number> {
  const { invocation, sources } = printing;
  let code: number = problems.length > 0 ? EXIT.failed : EXIT.ok;
  for (const problem of problems) invocation.err(`splitwatch: ${file}: ${problem}`);
  const wanted = sourceNamed(request.source, sources);
  for (const capture of captures) {
    if (invocation.outputClosed.aborted) break;
    const definition = sourceNamed(capture.source, sources);
    if (wanted !== undefined && definition !== wanted) continue;
    code = Math.max(code, await readCaptured(path, capture, definition, printing));
    await invocation.drained();
  }
  return code;
}

async function readCaptured(
  folder: string,
  capture: Capture,
  definition: SourceDefinition | undefined,
  printing: Printing,
): Promise<number> {
  const { source, name: file, url } = capture;
  const refuse = (reason: string): number => {
    const of = { source, file, url: url?.href ?? null };
    printing.invocation.out(printing.format([refusedRecord(reason, of)], of));
    return EXIT.failed;
  };
  if (definition === undefined) return refuse(`there is no source ${quoteValue(source)}`);
  try {
    const body = await readCapture(folder, capture);
    return await printReading(
      definition,
      { ...capture, type: printing.type ?? capture.type, body },
      capture.at,
      printing,
    );
  } catch (error) {
    const reason = fileReadProblem(error);
    if (reason === undefined) throw error;
    return refuse(`the file ${reason}`);
  }
}

async function printReading(
  definition: SourceDefinition,
  captured: CapturedAnswer,
  at: Instant | null,
  { invocation, format, now, clock }: Printing,
): Promise<number> {
  const of = { source: definition.name, file: captured.name, url: captured.url?.href ?? null };
  const reading = await readCapturedAnswer(definition, captured, now ?? at ?? clock.now());
  const records = reading instanceof Error ? [refusedRecord(reading.message, of)] : readingRecords(reading, of);
  invocation.out(format(records, of));
  return records.some(({ record }) => record === "refused") ? EXIT.failed : EXIT.ok;
}
