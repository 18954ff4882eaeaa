import { resolve } from "node:path";
import { type Day, parseDay } from "../domain/time/day.ts";
import { findDateline, findDatelineWire } from "../extraction/dateline.ts";
import { extractFacts } from "../extraction/extract.ts";
import { toPlainText } from "../extraction/plain-text.ts";
import { splitSentences } from "../extraction/sentences.ts";
import { regularFileStream } from "../lib/bounded-file.ts";
import { fileReadProblem, quoteValue } from "../lib/error-text.ts";
import { isJsonObject, parseJson } from "../lib/json.ts";
import { type TextLine, textLines } from "../lib/lines.ts";
import { type ExtractedRecord, readableRecord, recordsOf } from "./extracted-record.ts";
import { EXIT, type Invocation } from "./invocation.ts";

const STANDARD_INPUT = "-";

export interface ExtractRequest {
  /** Null: standard input. */
  readonly file: string | null;
  /** Prints JSON lines on a terminal too. */
  readonly json: boolean;
}

/**
 * Prints a record for each split in an article, and one for an article without splits: as text on a terminal, else as JSON
 * lines. The input is one release as text, or article records as JSON lines; invalid records are reported and skipped.
 */
export async function extract({ file, json }: ExtractRequest, invocation: Invocation): Promise<number> {
  const format = json || !invocation.outputIsTerminal ? JSON.stringify : readableRecord;
  try {
    return await extractInput(openInput(file, invocation), format, invocation);
  } catch (error) {
    const reason = fileReadProblem(error);
    if (reason === undefined) throw error;
    invocation.err(
      `splitwatch: FILE: got ${quoteValue(file)}, which ${reason}, expected a file of article records or the text of a release`,
    );
    return EXIT.usage;
  }
}

interface Input {
  /** Name of the input in error messages. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

function openInput(file: string | null, invocation: Invocation): Input {
  if (file !== null && file !== STANDARD_INPUT) {
    return { name: file, chunks: regularFileStream(resolve(invocation.folder, file)) };
  }
  const chunks = invocation.input();
  if ("isTTY" in chunks && chunks.isTTY === true) {
    invocation.err(
      "Reading from standard input: the text of a release, or article records as JSON lines. Press Ctrl+D to finish.",
    );
  }
  return { name: "standard input", chunks };
}

type Format = (record: ExtractedRecord) => string;

/** The input is read as JSON lines if its first nonblank line begins like JSON, otherwise as the text of one release. */
async function extractInput({ name, chunks }: Input, format: Format, invocation: Invocation): Promise<number> {
  const lines = textLines(chunks);
  const first = await findFirstContent(lines);
  if (!first) return EXIT.ok;
  const inputLines = { name, lines: prepend(first, lines) };
  const isJson = first.text === null || JSON_START.test(first.text);
  return isJson ? extractLines(inputLines, format, invocation) : extractText(inputLines, format, invocation);
}

const JSON_START = /^\s*[[{]/;

async function findFirstContent(lines: AsyncGenerator<TextLine>): Promise<TextLine | undefined> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    if (next.value.text?.trim() !== "") return next.value;
  }
  return undefined;
}

async function* prepend(first: TextLine, rest: AsyncGenerator<TextLine>): AsyncGenerator<TextLine> {
  yield first;
  yield* rest;
}

interface InputLines {
  readonly name: string;
  readonly lines: AsyncIterable<TextLine>;
}

async function extractLines({ name, lines }: InputLines, format: Format, invocation: Invocation): Promise<number> {
  let code: number = EXIT.ok;
  for await (const { number, text } of lines) {
    if (invocation.outputClosed.aborted) break;
    if (text?.trim() === "") continue;
    const parsed = readArticleLine(text);
    if ("problem" in parsed) {
      invocation.err(`splitwatch: ${name} line ${number}: ${parsed.problem}`);
      code = EXIT.failed;
      // The line is too long, and may never end.
      if (text === null) break;
      continue;
    }
    printRecords(parsed.article, format, invocation);
    await invocation.drained();
  }
  return code;
}

function printRecords(article: InputArticle, format: Format, invocation: Invocation): void {
  for (const record of recordsOf(article, extractFacts(article))) invocation.out(format(record));
}

/** In characters. */
const MAX_TEXT_LENGTH = 2_000_000;

async function extractText({ name, lines }: InputLines, format: Format, invocation: Invocation): Promise<number> {
  const collected: string[] = [];
  let length = 0;
  for await (const { text } of lines) {
    length += (text?.length ?? MAX_TEXT_LENGTH) + 1;
    if (length > MAX_TEXT_LENGTH) {
      invocation.err(
        `splitwatch: ${name}: got more than ${MAX_TEXT_LENGTH} characters, expected the text of one release`,
      );
      return EXIT.failed;
    }
    collected.push(text ?? "");
  }
  printRecords(articleFromText(collected), format, invocation);
  return EXIT.ok;
}

const MAX_HEADING_LENGTH = 300;

/** Uses the first line as the heading if `isHeading` accepts it. */
function articleFromText([first = "", ...following]: readonly string[]): InputArticle {
  const [heading, content] = isHeading(first, following) ? [first.trim(), following] : ["", [first, ...following]];
  return { id: undefined, url: null, heading, content: content.join("\n"), published: null };
}

/** A heading is short, doesn't end with a period, and precedes more text. A dateline or a wrapped sentence isn't a heading. */
function isHeading(first: string, [next = "", ...following]: readonly string[]): boolean {
  if (first.length > MAX_HEADING_LENGTH || /[.!]\s*$/.test(first)) return false;
  if (hasDateline(first) || /^\s*\p{Ll}/u.test(next)) return false;
  return [next, ...following].some((line) => line.trim() !== "");
}

function hasDateline(line: string): boolean {
  return findDatelineWire(line) !== null || findDateline(splitSentences(toPlainText(line), false)).day !== null;
}

type ParsedLine = { readonly article: InputArticle } | { readonly problem: string };

const EXPECTED = 'expected an article record, such as {"heading": "…", "content": "…", "url": "…"}';

/** Parses a line of article records. Null: the line was too long. */
function readArticleLine(text: string | null): ParsedLine {
  if (text === null) return { problem: `got a line that is too long, ${EXPECTED}` };
  const value = parseJson(text);
  if (!isJsonObject(value)) return { problem: `got ${quoteValue(text)}, ${EXPECTED}` };
  const { id, url, heading, content, date_published } = value;
  const problems = [...textProblem("heading", heading), ...textProblem("content", content)];
  if ([heading, content].every((field) => field === undefined || field === null)) {
    problems.push(`got neither heading nor content, ${EXPECTED}`);
  }
  if (problems.length > 0) return { problem: problems.join("; ") };
  return {
    article: {
      id,
      url: typeof url === "string" ? url : null,
      heading: asText(heading),
      content: asText(content),
      published: parseDay(asText(date_published).slice(0, 10)) ?? null,
    },
  };
}

function textProblem(field: string, value: unknown): string[] {
  if (value === undefined || value === null || typeof value === "string") return [];
  return [`${field}: got ${quoteValue(value)}, expected text`];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Input record of `splitwatch extract`. Only a heading or content is required. */
interface InputArticle {
  /** Copied to the records if defined. */
  readonly id: unknown;
  readonly url: string | null;
  readonly heading: string;
  readonly content: string;
  /** Null: missing or not a date. */
  readonly published: Day | null;
}
