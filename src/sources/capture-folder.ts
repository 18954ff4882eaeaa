import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, realpath, writeFile } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { z } from "zod";
import type { Instant } from "../domain/time/day.ts";
import { redactUrl } from "../http/client.ts";
import { readBytes, readText } from "../lib/bounded-file.ts";
import { makeFolder } from "../lib/durable-file.ts";
import { quoteValue } from "../lib/error-text.ts";
import { isJsonObject, parseJson } from "../lib/json.ts";
import { type CapturedAnswer, MAX_CAPTURE_BYTES } from "./captured-answer.ts";
import { CHALLENGE_HEADERS } from "./web/answer-error.ts";
import type { DocumentAnswer } from "./web/web.ts";

/** File of a recorded folder with a line per answer. */
const INDEX_FILE = "index.jsonl";
/** File with a line per split that a person reads in the documents. */
const EXPECTED_FILE = "expected.jsonl";

const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const MAX_CAPTURES = 10_000;

/** A line of either file: it names a document, its source and its address. */
const captureSchema = z.object({
  file: z.string().min(1).refine(isWithinFolder),
  source: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }).nullish(),
  status: z.int().min(100).max(599).optional(),
  type: z.string().nullish(),
  /** Time of the answer. */
  at: z.iso.datetime({ offset: true }).transform(Date.parse).nullish(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** A document of a folder of captured answers. */
export interface Capture extends Omit<CapturedAnswer, "body"> {
  /** Null: unknown. */
  readonly at: Instant | null;
}

export interface CaptureIndex {
  /** Each file once, in the order of the lines. */
  readonly captures: readonly Capture[];
  /** One per unusable line: `index.jsonl line 3: got …, expected …`. */
  readonly problems: readonly string[];
}

/** Reads the lines of `index.jsonl` and `expected.jsonl`. Null: the folder has neither. Throws the file system's errors. */
export async function readCaptureIndex(folder: string): Promise<CaptureIndex | null> {
  const present = await readdir(folder);
  // The first line that names a document counts: the index contains more fields than the expected splits.
  const names = [INDEX_FILE, EXPECTED_FILE].filter((name) => present.includes(name));
  if (names.length === 0) return null;
  const lines = await Promise.all(names.map((name) => readLines(folder, name)));
  const problems: string[] = [];
  const captures = new Map<string, Capture>();
  for (const { place, text } of lines.flat()) {
    const capture = parseLine(text);
    if (typeof capture === "string") problems.push(`${place}: ${capture}`);
    else if (!captures.has(capture.name)) captures.set(capture.name, capture);
  }
  if (captures.size > MAX_CAPTURES)
    problems.push(`${INDEX_FILE}: got ${captures.size} documents, expected at most ${MAX_CAPTURES}`);
  return { captures: [...captures.values()].slice(0, MAX_CAPTURES), problems };
}

interface IndexLine {
  /** `index.jsonl line 3` */
  readonly place: string;
  readonly text: string;
}

/** Returns the lines that are not blank. */
async function readLines(folder: string, name: string): Promise<readonly IndexLine[]> {
  const lines = (await readText(join(folder, name), MAX_INDEX_BYTES)).split("\n");
  return lines
    .map((text, index) => ({ place: `${name} line ${index + 1}`, text }))
    .filter(({ text }) => text.trim() !== "");
}

const EXPECTED = 'expected {"file", "source", "url"} of a document in the folder';

/** Parses a line, or returns its problem. */
function parseLine(line: string): Capture | string {
  const value = parseJson(line);
  const parsed = captureSchema.safeParse(value);
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path[0];
    const got = isJsonObject(value) && key !== undefined ? { [String(key)]: value[String(key)] } : line;
    return `got ${quoteValue(got)}, ${EXPECTED}`;
  }
  const { file: name, url, at = null, source, status = 200, type = null, headers = {} } = parsed.data;
  return { name, source, url: url ? new URL(url) : null, status, type, at, headers };
}

function isWithinFolder(file: string): boolean {
  return !isAbsolute(file) && !file.split(/[\\/]/).includes("..");
}

/** Reads the body of a document. Throws the file system's errors, also for a link that leaves the folder. */
export async function readCapture(folder: string, { name }: Capture): Promise<Buffer> {
  const path = await realpath(join(folder, name));
  if (!path.startsWith((await realpath(folder)) + sep))
    throw Object.assign(new Error(`${name} leaves the folder`), { code: "ELOOP" });
  return readBytes(path, MAX_CAPTURE_BYTES);
}

/** Whether answers can be added to the folder: it is missing, empty, or was written by a CaptureWriter. */
export async function isRecordable(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown): readonly string[] => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  return names.length === 0 || names.includes(INDEX_FILE);
}

export interface CaptureWriter {
  /** Stores an answer, unless the same one was stored. Resolves with its line in the index; null: not stored. */
  write(source: string, document: DocumentAnswer, at: Instant): Promise<StoredAnswer | null>;
}

export interface StoredAnswer {
  readonly file: string;
  /** Without secrets. */
  readonly url: string;
}

/**
 * Creates the folder with mode 0700, and a writer that adds files and lines to it. A file is complete before its line is
 * written, so an interrupted write leaves no incomplete document in the index.
 * @param redact Masks secrets in addresses.
 */
export async function openCaptureWriter(
  folder: string,
  startedAt: Instant,
  redact: (text: string) => string,
): Promise<CaptureWriter> {
  await makeFolder(folder);
  const run = new Date(startedAt).toISOString().replace(/[-:]|\.\d+/g, "");
  const written = new Set<string>();
  let number = 0;
  return {
    async write(source, { url, answer }, at) {
      const { status, header, body } = answer;
      const hash = createHash("sha256").update(`${url.href} ${status} `).update(body).digest("base64");
      if (written.has(hash) || status === 304) return null;
      written.add(hash);
      number += 1;
      const type = header("content-type");
      const file = `${source}/${run}-${String(number).padStart(3, "0")}.${extensionOf(type)}`;
      await mkdir(join(folder, source), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, file), body, { mode: 0o600, flag: "wx" });
      const headers = CHALLENGE_HEADERS.map((name) => [name, header(name)] as const).filter(
        ([, value]) => value !== null,
      );
      const line = {
        file,
        source,
        url: withoutSecrets(url, redact),
        status,
        type,
        at: new Date(at).toISOString(),
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      };
      await appendFile(join(folder, INDEX_FILE), `${JSON.stringify(line)}\n`, { mode: 0o600 });
      return line;
    },
  };
}

function extensionOf(type: string | null): string {
  const [, kind = ""] = /\b(json|html|xml|csv)\b/i.exec(type ?? "") ?? [];
  return kind === "" ? "txt" : kind.toLowerCase();
}

const SECRET_PARAMETER = /key|token|secret|auth|sig|pass|pwd|session|sid$|credential/i;

/** Address without user, password, fragment and the values of query parameters whose names suggest a secret. */
function withoutSecrets({ href }: URL, redact: (text: string) => string): string {
  const url = new URL(href);
  url.username = "";
  url.password = "";
  url.hash = "";
  const secretNames = [...url.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
  // Setting a parameter changes the encoding of the whole query.
  for (const name of secretNames) url.searchParams.set(name, "***");
  return redact(redactUrl(url.href));
}
