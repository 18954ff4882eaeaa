import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { extractFacts } from "../../extraction/extract.ts";
import { textLines } from "../../lib/lines.ts";
import { EXIT, type Invocation } from "../invocation.ts";
import { readingProblem } from "../read-error.ts";
import { readArticleLine } from "./article-line.ts";
import { recordsOf } from "./extracted-record.ts";

/** As is usual, `-` is standard input too. */
const STANDARD_INPUT = "-";

/**
 * Reads article records, a JSON object a line, and prints what each says: a line per record found, at least one per
 * article. A line that is no article is told and left out; the others are done all the same.
 */
export async function extract(file: string | null, invocation: Invocation): Promise<number> {
  const input = open(file, invocation);
  try {
    return await extractLines(input, invocation);
  } catch (error) {
    const reason = readingProblem(error);
    if (reason === undefined) throw error;
    invocation.err(`splitwatch: FILE: got ${JSON.stringify(file)}, ${reason}, expected a file of article records`);
    return EXIT.misused;
  }
}

interface Input {
  /** How problems name it. */
  readonly name: string;
  readonly chunks: Readable;
}

function open(file: string | null, invocation: Invocation): Input {
  if (file !== null && file !== STANDARD_INPUT) {
    return { name: file, chunks: createReadStream(resolve(invocation.folder, file)) };
  }
  const chunks = invocation.input();
  if ("isTTY" in chunks && chunks.isTTY === true) {
    invocation.err("Article records are read from standard input, a JSON object a line; Ctrl-D ends them.");
  }
  return { name: "standard input", chunks };
}

async function extractLines({ name, chunks }: Input, invocation: Invocation): Promise<number> {
  let code: number = EXIT.done;
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
