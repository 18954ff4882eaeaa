import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { parseDay } from "../../domain/time/day.ts";
import { extractFacts } from "../../extraction/extract.ts";
import { fileReadProblem, quoteValue } from "../../lib/error-text.ts";
import { isJsonObject, parseJson } from "../../lib/json.ts";
import { type TextLine, textLines } from "../../lib/lines.ts";
import { EXIT, type Invocation } from "../invocation.ts";
import { type ExtractedRecord, type InputArticle, readableRecord, recordsOf } from "./extracted-record.ts";

const STANDARD_INPUT = "-";

export interface ExtractRequest {
  /** Null: standard input. */
  readonly file: string | null;
  /** Prints JSON lines on a terminal, too. */
  readonly json: boolean;
}

/**
 * Prints a record for each split that an article describes, at least one per article: as JSON lines, or on a terminal as
 * text. The input is article records as JSON lines, of which invalid ones are reported and skipped, or one release as text.
 */
export async function extract({ file, json }: ExtractRequest, invocation: Invocation): Promise<number> {
  const input = open(file, invocation);
  const format = json || !invocation.outputIsTerminal ? JSON.stringify : readableRecord;
  try {
    return await extractInput(input, format, invocation);
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
  /** Name of the input in problems. */
  readonly name: string;
  readonly chunks: Readable;
}

function open(file: string | null, invocation: Invocation): Input {
  if (file !== null && file !== STANDARD_INPUT) {
    return { name: file, chunks: createReadStream(resolve(invocation.folder, file)) };
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

/** Articles are JSON lines if the first line with content begins as JSON. Any other input is one release as text. */
async function extractInput({ name, chunks }: Input, format: Format, invocation: Invocation): Promise<number> {
  const lines = textLines(chunks);
  const first = await firstWithContent(lines);
  if (!first) return EXIT.ok;
  const source = { name, lines: startingWith(first, lines) };
  const isJson = first.text === null || JSON_START.test(first.text);
  return isJson ? extractLines(source, format, invocation) : extractText(source, format, invocation);
}

const JSON_START = /^\s*[[{]/;

async function firstWithContent(lines: AsyncGenerator<TextLine>): Promise<TextLine | undefined> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    if (next.value.text?.trim() !== "") return next.value;
  }
  return undefined;
}

async function* startingWith(first: TextLine, rest: AsyncGenerator<TextLine>): AsyncGenerator<TextLine> {
  yield first;
  yield* rest;
}

interface Source {
  readonly name: string;
  readonly lines: AsyncIterable<TextLine>;
}

async function extractLines({ name, lines }: Source, format: Format, invocation: Invocation): Promise<number> {
  let code: number = EXIT.ok;
  for await (const { number, text } of lines) {
    if (invocation.outputClosed.aborted) break;
    if (text?.trim() === "") continue;
    const read = readArticleLine(text);
    if ("problem" in read) {
      invocation.err(`splitwatch: ${name} line ${number}: ${read.problem}`);
      code = EXIT.failed;
      continue;
    }
    printRecords(read.article, format, invocation);
    await invocation.drained();
  }
  return code;
}

function printRecords(article: InputArticle, format: Format, invocation: Invocation): void {
  for (const record of recordsOf(article, extractFacts(article))) invocation.out(format(record));
}

/** Longest text that is read as one release, in characters. */
const MAX_TEXT_LENGTH = 2_000_000;

async function extractText({ name, lines }: Source, format: Format, invocation: Invocation): Promise<number> {
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
  printRecords(pastedArticle(collected), format, invocation);
  return EXIT.ok;
}

const MAX_HEADING_LENGTH = 300;

/** A short first line without a final stop, before more text, is the heading. */
function pastedArticle([first = "", ...rest]: readonly string[]): InputArticle {
  const isHeading =
    first.length <= MAX_HEADING_LENGTH && !/[.!]\s*$/.test(first) && rest.some((line) => line.trim() !== "");
  const [heading, content] = isHeading ? [first.trim(), rest] : ["", [first, ...rest]];
  return { id: undefined, url: null, heading, content: content.join("\n"), published: null };
}

type ReadLine = { readonly article: InputArticle } | { readonly problem: string };

const EXPECTED = 'expected an article record, such as {"heading": "…", "content": "…", "url": "…"}';

/** Parses a line of article records. Null: the line was too long. */
function readArticleLine(text: string | null): ReadLine {
  if (text === null) return { problem: `got a line longer than any article, ${EXPECTED}` };
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
