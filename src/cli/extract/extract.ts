import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { parseDay } from "../../domain/time/day.ts";
import { extractFacts } from "../../extraction/extract.ts";
import { fileReadProblem } from "../../lib/error-text.ts";
import { isJsonObject, parseJson } from "../../lib/json.ts";
import { textLines } from "../../lib/lines.ts";
import { quoteValue } from "../../lib/quote-value.ts";
import { EXIT, type Invocation } from "../invocation.ts";
import { type InputArticle, recordsOf } from "./extracted-record.ts";

const STANDARD_INPUT = "-";

/** Prints a record for each split that an article describes, at least one per article. Invalid lines are reported and skipped. */
export async function extract(file: string | null, invocation: Invocation): Promise<number> {
  const input = open(file, invocation);
  try {
    return await extractLines(input, invocation);
  } catch (error) {
    const reason = fileReadProblem(error);
    if (reason === undefined) throw error;
    invocation.err(`splitwatch: FILE: got ${quoteValue(file)}, which ${reason}, expected a file of article records`);
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
    invocation.err("Reading article records from standard input, one JSON object per line. Press Ctrl+D to finish.");
  }
  return { name: "standard input", chunks };
}

async function extractLines({ name, chunks }: Input, invocation: Invocation): Promise<number> {
  let code: number = EXIT.ok;
  for await (const { number, text } of textLines(chunks)) {
    if (invocation.outputClosed.aborted) break;
    if (text?.trim() === "") continue;
    const read = readArticleLine(text);
    if ("problem" in read) {
      invocation.err(`splitwatch: ${name} line ${number}: ${read.problem}`);
      code = EXIT.failed;
      continue;
    }
    for (const record of recordsOf(read.article, extractFacts(read.article))) invocation.out(JSON.stringify(record));
    await invocation.drained();
  }
  return code;
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
