import { resolve } from "node:path";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import { type Config, readConfig, sourceContact } from "../config/index.ts";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import { systemClock } from "../lib/clock.ts";
import { errorMessage, fileReadProblem, quoteValue } from "../lib/error-text.ts";
import { createMutex } from "../lib/mutex.ts";
import { readVersion } from "../lib/package.ts";
import { createRedactor } from "../lib/redact.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { SourceReads } from "../ports/state-records.ts";
import { observationKey, releaseKey, type SourceRecords, sourceReadsKey } from "../ports/store.ts";
import { type CaptureWriter, isRecordable, openCaptureWriter } from "../sources/capture-folder.ts";
import { openCatalog } from "../sources/live/live-state.ts";
import type { DocumentReader } from "../sources/reading/document-reader.ts";
import { createQuarantine } from "../sources/reading/quarantine.ts";
import { ReaderThread } from "../sources/reading/reader-thread.ts";
import { openRecordCache } from "../sources/record-cache.ts";
import type { ConfiguredSource, OpenSource, SourceParts } from "../sources/source-definition.ts";
import { createSymbolTable } from "../sources/symbol-table.ts";
import { FetchError } from "../sources/web/fetch-error.ts";
import { createHostQueue, type HostQueue } from "../sources/web/host-queue.ts";
import type { DocumentAnswer } from "../sources/web/web.ts";
import { EXIT, exitCodeOf, type Invocation, type Stop } from "./invocation.ts";

/** Limits of a recording. A round of all sources takes a few minutes and stores about 200 answers. */
const MAX_MS = 20 * MINUTE_MS;
const MAX_ANSWERS = 2_000;
const MAX_TOTAL_BYTES = 500 * 1024 * 1024;
/** Limits of one source for each of its hosts. */
const MAX_REQUESTS = { feed: 60, page: 20 } as const;

/** A source that has sent no request for this time has ended its poll. */
const IDLE_MS = 5_000;
const CHECK_EVERY_MS = 500;

/** Parts that tests replace. */
interface RecordParts {
  readonly clock?: Clock;
  readonly queue?: HostQueue;
  /** Default: a thread. */
  readonly reader?: DocumentReader;
}

/**
 * Stores the raw answers of one poll of every configured source in a folder. It keeps its own state in memory, so it also
 * works while splitwatch runs.
 */
export async function record(
  folder: string,
  invocation: Invocation,
  { clock = systemClock, queue = createHostQueue(clock), reader }: RecordParts = {},
): Promise<number> {
  const config = readConfig(invocation);
  const path = resolve(invocation.folder, folder);
  const redact = createRedactor(config.secrets, config.credentialPatterns);
  const writer = await openFolder(path, clock, redact).catch(fileProblemOf);
  if (typeof writer === "string") {
    invocation.err(`splitwatch: DIR: got ${quoteValue(folder)}, ${writer}`);
    return EXIT.usage;
  }
  const recording = new Recording(writer, clock, invocation);
  const thread = new ReaderThread({ quarantine: createQuarantine(), clock, log: SILENT_LOG });
  const stop = await recordRound(config, recording, invocation, { clock, queue, reader: reader ?? thread });
  await thread.close();
  if (recording.problem !== null) invocation.err(`splitwatch: an answer can't be stored: ${redact(recording.problem)}`);
  invocation.out(`Stored ${recording.count} ${recording.count === 1 ? "answer" : "answers"} in ${path}`);
  if (recording.count > 0) invocation.err(`To read them: splitwatch read all ${folder}`);
  if (stop !== null) return exitCodeOf(stop);
  return recording.count > 0 && recording.problem === null ? EXIT.ok : EXIT.failed;
}

async function openFolder(
  path: string,
  clock: Clock,
  redact: (text: string) => string,
): Promise<CaptureWriter | string> {
  if (!(await isRecordable(path)))
    return `which contains other files, expected a new or empty folder, or one of "sources record"`;
  return openCaptureWriter(path, clock.now(), redact);
}

/** Throws an error that has nothing to do with the folder. */
function fileProblemOf(error: unknown): string {
  const reason = fileReadProblem(error);
  if (reason === undefined) throw error;
  return `which ${reason}, expected a folder that exists or can be created (${errorMessage(error)})`;
}

/** Polls all sources. Resolves with the reason to end early; null: the round is complete, or a limit is reached. */
async function recordRound(
  { sources, ...config }: Config,
  recording: Recording,
  invocation: Invocation,
  { clock, queue, reader }: Required<RecordParts>,
): Promise<Stop | null> {
  const contact = sourceContact(config);
  const parts = await memoryParts({ clock, queue, reader, version: readVersion(), contact });
  const rounds = await Promise.all(
    sources.map(async ({ definition, settings }) => {
      const reason = definition.offReason(settings, contact);
      if (reason === null) return startRound({ definition, settings }, parts, recording);
      invocation.err(`${definition.label}: off; ${reason}`);
      return null;
    }),
  );
  const ended = Promise.all(
    rounds.map(
      async (round) => round && invocation.err(`${round.name}: ${await untilPolled(round, recording, clock)}`),
    ),
  );
  const limit = clock.sleep(MAX_MS, recording.signal);
  const stop = await Promise.race([ended.then(() => null), limit.then(() => null), invocation.stopRequested]);
  recording.stop();
  await ended;
  await recording.flush();
  return stop;
}

/** Records that are kept in memory only, by the caches on top of them. */
function memoryRecords<T>(): SourceRecords<T> {
  return {
    all: async () => [],
    put: async () => undefined,
    remove: async () => undefined,
    onChange: () => () => undefined,
  };
}

async function memoryParts(
  request: Pick<SourceParts, "clock" | "queue" | "reader" | "version" | "contact">,
): Promise<SourceParts> {
  const records = {
    releases: await openRecordCache(memoryRecords<Release>(), releaseKey),
    observations: await openRecordCache(memoryRecords<Observation>(), observationKey),
    sourceReads: await openRecordCache(memoryRecords<SourceReads>(), sourceReadsKey),
  };
  const directory = createSymbolTable();
  const splits = await openCatalog(records, directory);
  return { ...request, ...records, splits, directory, log: SILENT_LOG };
}

/** A source that is polled. */
interface Round {
  readonly name: string;
  readonly source: OpenSource;
  readonly meter: RequestMeter;
  /** Number of answers received. */
  readonly answerCount: () => number;
}

async function startRound(
  { definition, settings }: ConfiguredSource,
  parts: SourceParts,
  recording: Recording,
): Promise<Round> {
  const { name } = definition;
  const meter = createRequestMeter(parts.queue, parts.clock);
  let count = 0;
  const onAnswer = (document: DocumentAnswer): void => {
    count += 1;
    recording.add(name, document);
  };
  const source = await definition.open(settings, { ...parts, queue: meter.queue, onAnswer });
  return { name, source, meter, answerCount: () => count };
}

/** Stops the source when it waits for its next poll. Returns its result as text. */
async function untilPolled(
  { source, meter, answerCount }: Round,
  { signal }: Recording,
  clock: Clock,
): Promise<string> {
  while (!signal.aborted && !(isPolled(source) && meter.idleMs() >= IDLE_MS)) await clock.sleep(CHECK_EVERY_MS, signal);
  const problems = source.statuses().flatMap(({ name, problem }) => (problem === null ? [] : `${name}: ${problem}`));
  await source.stop();
  const count = answerCount();
  return [`${count} ${count === 1 ? "answer" : "answers"}`, ...problems].join("; ");
}

function isPolled(source: OpenSource): boolean {
  return source.statuses().every(({ lastReadAt }) => lastReadAt !== null);
}

interface RequestMeter {
  /** The shared queue with this source's limits. */
  readonly queue: HostQueue;
  /** Time since the last request ended; 0 while one is queued or in flight. */
  idleMs(): number;
}

function createRequestMeter(queue: HostQueue, clock: Clock): RequestMeter {
  const counts = new Map<string, number>();
  let pending = 0;
  let lastEnd: MonotonicTime = clock.monotonic();
  const assertBelowLimit = (host: string, kind: keyof typeof MAX_REQUESTS): void => {
    const key = `${kind} ${host}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= MAX_REQUESTS[kind]) return;
    throw new FetchError(
      "unreadable",
      `${host}: not requested: a recording has at most ${MAX_REQUESTS[kind]} of its ${kind}s`,
    );
  };
  return {
    queue: {
      backoff: queue.backoff,
      run: async (options, request) => {
        if (options.kind !== "robots") assertBelowLimit(options.host, options.kind);
        pending += 1;
        try {
          return await queue.run(options, request);
        } finally {
          pending -= 1;
          lastEnd = clock.monotonic();
        }
      },
    },
    idleMs: () => (pending > 0 ? 0 : clock.monotonic() - lastEnd),
  };
}

/** Stores answers in the order of their arrival, until a limit is reached or a write fails. */
class Recording {
  /** Answers stored so far. */
  count = 0;
  /** Error of a write; null: none failed. */
  problem: string | null = null;
  readonly #writer: CaptureWriter;
  readonly #clock: Clock;
  readonly #invocation: Invocation;
  readonly #stopping = new AbortController();
  readonly #runExclusively = createMutex();
  #sizeBytes = 0;
  #isFull = false;

  constructor(writer: CaptureWriter, clock: Clock, invocation: Invocation) {
    this.#writer = writer;
    this.#clock = clock;
    this.#invocation = invocation;
  }

  /** Aborts when no more requests are to be sent. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  stop(): void {
    this.#stopping.abort();
  }

  add(source: string, document: DocumentAnswer): void {
    const at = this.#clock.now();
    void this.#runExclusively(() => this.#store(source, document, at)).catch((error: unknown) => {
      this.problem ??= errorMessage(error);
      this.stop();
    });
  }

  /** Resolves when all answers are stored. */
  async flush(): Promise<void> {
    await this.#runExclusively(async () => undefined);
  }

  async #store(source: string, document: DocumentAnswer, at: Instant): Promise<void> {
    if (this.#isFull || this.problem !== null) return;
    const { answer } = document;
    const size = answer.body.length;
    if (this.count >= MAX_ANSWERS || this.#sizeBytes + size > MAX_TOTAL_BYTES) {
      this.#isFull = true;
      this.#invocation.err("The recording is full: no more answers are stored");
      this.stop();
      return;
    }
    const stored = await this.#writer.write(source, document, at);
    if (stored === null) return;
    this.count += 1;
    this.#sizeBytes += size;
    this.#invocation.err(`${stored.file}: ${answer.status}, ${size} bytes, ${stored.url}`);
  }
}
