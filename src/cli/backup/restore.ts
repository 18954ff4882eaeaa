import { resolve } from "node:path";
import { type Config, readConfig } from "../../config/index.ts";
import { regularFileStream } from "../../lib/bounded-file.ts";
import { fileReadProblem, quoteValue } from "../../lib/error-text.ts";
import { oneLine } from "../../lib/external-text.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../lib/json.ts";
import { type ByteLine, byteLines } from "../../lib/lines.ts";
import type { StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import {
  EXIT,
  exitCodeOfFailure,
  type Invocation,
  printProblem,
  StopRequestedError,
  untilStopRequested,
} from "../invocation.ts";
import { BackupConsistency } from "./backup-consistency.ts";
import {
  BACKUP_EXPECTED,
  BackupSummary,
  describeCounts,
  FORMAT,
  type Head,
  headSchema,
  isStateKind,
  problemIn,
  recordProblem,
  type Tail,
  VERSION,
} from "./backup-format.ts";

/**
 * Restores a backup into an empty DATA_DIR or database. The whole file is verified before anything is written; if the process is
 * killed, the store contains either no state or all of it.
 */
export async function restore(file: string, invocation: Invocation): Promise<number> {
  const config = readConfig(invocation);
  const path = resolve(invocation.folder, file);
  const openBackup = (): BackupReader => new BackupReader(path, regularFileStream(path));
  try {
    const verified = await verify(openBackup(), invocation);
    const backup = openBackup();
    await writeState(config, untilStopRequested(backup.records(), invocation));
    for (const text of summaryLines(verified, { path, into: config.store.location })) invocation.out(text);
    return EXIT.ok;
  } catch (error) {
    return reportFailure(error, { path, config }, invocation);
  }
}

/** Writes all records into an empty store, or none of them if writing fails or is interrupted. */
async function writeState({ store }: Config, records: AsyncIterable<StateRecord>): Promise<void> {
  await store.restore(records, { holder: `pid ${process.pid}, splitwatch restore` });
}

interface VerifiedBackup {
  readonly head: Head | null;
  readonly tail: Tail;
}

async function verify(backup: BackupReader, invocation: Invocation): Promise<VerifiedBackup> {
  const consistency = new BackupConsistency();
  for await (const record of untilStopRequested(backup.records(), invocation)) {
    const problem = consistency.add(record);
    if (problem !== null) throw backup.problem(problem);
  }
  const problem = consistency.problem();
  if (problem !== null) throw backup.problem(`${problem}: the file was changed`);
  return { head: backup.head, tail: backup.tail };
}

function summaryLines(
  { head, tail }: VerifiedBackup,
  { path, into }: { readonly path: string; readonly into: string },
): readonly string[] {
  return [
    `Restored ${path} into ${into}, as it was at ${head?.madeAt}`,
    describeCounts(tail.counts),
    `SHA-256 ${tail.sha256}`,
    ...(tail.counts.installation === undefined
      ? []
      : ["The installations in the backup are encrypted: use the same ENCRYPTION_KEY"]),
  ];
}

function reportFailure(
  error: unknown,
  { path, config }: { readonly path: string; readonly config: Config },
  invocation: Invocation,
): number {
  if (error instanceof StopRequestedError) return error.exitCode;
  if (error instanceof BackupError || error instanceof StoreError) {
    printProblem(error.message, config, invocation);
    return exitCodeOfFailure(error);
  }
  const problem = fileReadProblem(error);
  if (problem === undefined) throw error;
  return usageError(path, `which ${problem}`, invocation);
}

function usageError(path: string, reason: string, invocation: Invocation): number {
  invocation.err(`splitwatch: FILE: got ${path}, ${reason}, ${BACKUP_EXPECTED}`);
  return EXIT.usage;
}

/** Thrown if the file is not a complete backup. The message names the file and the line. */
class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Large enough to quote the last line of a backup, which contains all counts. */
const MAX_PROBLEM_LENGTH = 4_000;

/** Reads a backup once. The backup is complete and undamaged if `records` ends without an error. */
class BackupReader {
  readonly #name: string;
  readonly #lines: AsyncGenerator<ByteLine>;
  readonly #summary = new BackupSummary();
  #lineNumber = 0;
  #head: Head | null = null;

  /** `name`: the file's name in messages. */
  constructor(name: string, chunks: AsyncIterable<Uint8Array>) {
    this.#name = name;
    this.#lines = byteLines(chunks);
  }

  /** The first line; null until it is read. */
  get head(): Head | null {
    return this.#head;
  }

  /** Tail computed from the lines read so far. Once `records` has ended, it equals the last line of the backup. */
  get tail(): Tail {
    return this.#summary.tail;
  }

  async *records(): AsyncGenerator<StateRecord> {
    await this.#readHead();
    for await (const line of this.#lines) {
      this.#lineNumber = line.number;
      const { bytes, record } = this.#parse(line);
      if (record.kind === "end") {
        await this.#checkEnd(bytes);
        return;
      }
      yield this.#check(bytes, record);
    }
    throw this.problem("the file ends after this line, expected more lines up to the checksum: it was truncated");
  }

  async #readHead(): Promise<void> {
    const first = await this.#lines.next();
    if (first.done === true) throw new BackupError(`${this.#name}: got an empty file, ${BACKUP_EXPECTED}`);
    this.#lineNumber = 1;
    const { bytes } = first.value;
    const json = bytes === null ? undefined : parseJson(bytes.toString("utf8"));
    if (bytes === null || !isJsonObject(json) || json.format !== FORMAT) throw this.#notABackup(bytes, json);
    const result = headSchema.safeParse(json);
    if (!result.success) throw this.problem(`invalid head: ${problemIn(result.error)}`);
    const { version, splitwatch } = result.data;
    if (version !== VERSION)
      throw this.problem(
        `version: got ${version}, written by splitwatch ${quoteValue(splitwatch)}, expected ${VERSION}. ` +
          "Restore it with that version of splitwatch",
      );
    this.#summary.add(bytes);
    this.#head = result.data;
  }

  #notABackup(bytes: Buffer | null, json: unknown): BackupError {
    const beginning = quoteValue((bytes ?? Buffer.alloc(0)).subarray(0, 24).toString("latin1"));
    if (bytes?.[0] === 0x1f && bytes[1] === 0x8b)
      return this.problem(`got compressed bytes, ${BACKUP_EXPECTED}: gunzip it first`);
    if (isJsonObject(json) && isStateKind(json.kind))
      return this.problem("got a record, expected the head of a backup: its first line is missing");
    return this.problem(`got a file that begins with ${beginning}, ${BACKUP_EXPECTED}`);
  }

  #parse({ bytes, isTerminated }: ByteLine): { readonly bytes: Buffer; readonly record: JsonObject } {
    if (!isTerminated) throw this.problem("the file ends within this line: it was truncated");
    const record = bytes === null ? undefined : parseJson(bytes.toString("utf8"));
    if (bytes !== null && isJsonObject(record)) return { bytes, record };
    throw this.problem("got a line without a JSON record: the file was damaged or changed");
  }

  #check(bytes: Buffer, { kind, value }: JsonObject): StateRecord {
    if (!isStateKind(kind)) throw this.problem(`got ${describeKind(kind)}, expected a kind that this version supports`);
    this.#summary.add(bytes, kind);
    const problem = recordProblem({ kind, value });
    if (problem !== null) throw this.problem(`${problem}: the file was changed or written by another version`);
    return { kind, value } as StateRecord;
  }

  /** Compares the counts and the checksum as JSON text, which is unambiguous. */
  async #checkEnd(bytes: Buffer): Promise<void> {
    const expected = JSON.stringify(this.tail);
    if (bytes.toString("latin1") !== expected)
      throw this.problem(
        `got ${bytes.subarray(0, 1_000).toString("latin1")}, expected ${expected} for the lines before it: ` +
          "the file was damaged or changed",
      );
    const next = await this.#lines.next();
    if (next.done === true) return;
    this.#lineNumber += 1;
    throw this.problem("got another line after the end of the backup");
  }

  /** Error that names the file and the line that was read last. */
  problem(text: string): BackupError {
    return new BackupError(`${this.#name} line ${this.#lineNumber}: ${oneLine(text, MAX_PROBLEM_LENGTH)}`);
  }
}

function describeKind(kind: unknown): string {
  return typeof kind === "string" ? `a record of the kind ${quoteValue(kind)}` : "a record without a kind";
}
