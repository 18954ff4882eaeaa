import { reextractRelease } from "../../catalog/extract-release.ts";
import type { Release } from "../../catalog/release.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/day.ts";
import { validatorsOf } from "../../http/validators.ts";
import { type CheckResult, off, pass, warn } from "../../lib/check-result.ts";
import { groupBy } from "../../lib/collections.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
import { releaseKey } from "../../ports/store.ts";
import type { OfficialSourceSettings } from "../official/official-source.ts";
import { pollSource } from "../poll-source.ts";
import { contactProblem } from "../sec-hosts.ts";
import type { OpenSource, SourceCheckContext, SourceParts } from "../source-definition.ts";
import { describeCondition, initialStatus, nextStatus, type SourceReading } from "../source-status.ts";
import type { SymbolList, SymbolTable } from "../symbol-table.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import { connectDirectories, type DirectoryFile, type DirectoryOrigin } from "./directory-files.ts";

export type SymbolSettings = OfficialSourceSettings<DirectoryOrigin>;

const NAME = "symbols";
const MAX_BYTES = 8 * 1024 * 1024;
/** A file that can't be read is tried again after this time. */
const RETRY_MS = HOUR_MS;
const CHECK_TIMEOUT_MS = 45_000;

/** Reads the directories at their interval into the shared table, which has those of an earlier run from the start. */
export async function openSymbols({ everyMs, origins }: SymbolSettings, parts: SourceParts): Promise<OpenSource> {
  const { clock, log, directory } = parts;
  const connection = connectDirectories(origins, parts);

  const use = async (file: DirectoryFile, list: SymbolList): Promise<void> => {
    await directory.replace(file.name, list).catch((error: unknown) => {
      log.warn("symbol directory not saved", { directory: file.name, error });
    });
  };

  async function read(signal: AbortSignal): Promise<SourceReading> {
    const reading = await readFiles(connection.files, { known: directory, now: clock.now(), signal, use });
    if (!signal.aborted)
      await completeListings(parts).catch((error: unknown) => log.error("release not saved", { error }));
    return { ...reading, requests: connection.requestCount };
  }

  await directory.load(clock.now());
  // A disabled source is not opened.
  const polled = pollSource(
    { name: NAME, read, intervalMs: ({ problem }) => (problem === null ? (everyMs ?? DAY_MS) : RETRY_MS) },
    parts,
  );
  return {
    ...polled,
    async stop() {
      await polled.stop();
      await connection.close();
    },
  };
}

/** Reads each directory once; a line for those of the exchanges, and one for that of the SEC. */
export async function checkSymbols(
  label: string,
  { origins }: SymbolSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const { clock, contact } = context;
  const connection = connectDirectories(origins, context);
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const problem = contactProblem(contact);
  try {
    const results: CheckResult[] = [];
    for (const [name, files] of groupBy(connection.files, ({ publisher }) => publisher)) {
      const reading = await readFiles(files, { known: null, now: clock.now(), signal, use: () => undefined });
      const status = nextStatus(initialStatus(NAME, clock.now()), reading, clock.now());
      const text = `${label}, ${name}: ${describeCondition(status)}`;
      results.push(status.problem === null ? pass(text) : warn(text));
    }
    return problem === null ? results : [...results, off(`${label}, SEC: off; ${problem}`)];
  } finally {
    await connection.close();
  }
}

interface FilesRequest {
  /** Directories that were read before, which are not transferred again if unchanged; null: none. */
  readonly known: SymbolTable | null;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly use: (file: DirectoryFile, list: SymbolList) => Promise<void> | void;
}

/** Reads the files one after the other and passes each to `use`. */
async function readFiles(
  files: readonly DirectoryFile[],
  { known, now, signal, use }: FilesRequest,
): Promise<SourceReading> {
  const symbols = new Set<string>();
  const failures: FetchError[] = [];
  for (const file of files) {
    const list = await readFile(file, known?.list(file.name) ?? null, { now, signal }).catch(toFetchError);
    if (list instanceof FetchError) {
      failures.push(list);
      continue;
    }
    await use(file, list);
    for (const symbol of list.listed.keys()) symbols.add(symbol);
  }
  return { items: [...symbols], failures };
}

async function readFile(
  { url, accept, paceMs, web, read }: DirectoryFile,
  known: SymbolList | null,
  { now, signal }: Pick<FilesRequest, "now" | "signal">,
): Promise<SymbolList> {
  // Validators belong to an address.
  const before = known?.url === url ? known : null;
  const headers = { accept, ...before?.validators };
  const answer = await web.request(url, { kind: "feed", headers, maxBytes: MAX_BYTES, paceMs, signal });
  if (answer.status === 304 && before) return { ...before, readAt: now };
  return { url, readAt: now, validators: validatorsOf(answer), listed: await read(answer) };
}

/** Releases that were found within this time are extracted again. */
const RECENT_MS = 10 * DAY_MS;

/**
 * Extracts recent releases without a ticker or exchange again: they may have been read before the directories, or before the
 * symbol was listed.
 */
async function completeListings({ releases, directory, clock }: SourceParts): Promise<void> {
  const since = clock.now() - RECENT_MS;
  const recent = [...releases.all()].filter((release) => release.foundAt >= since && missingFields(release) > 0);
  for (const key of recent.map(releaseKey)) {
    // The release may have been corrected meanwhile.
    await releases.update(() => {
      const known = releases.get(key);
      if (known === undefined) return [];
      const extracted = reextractRelease(known, directory);
      return missingFields(extracted) < missingFields(known) ? [extracted] : [];
    });
    await yieldToEventLoop();
  }
}

/** Number of tickers and exchanges that a release about a split does not state. */
function missingFields({ facts }: Release): number {
  if (facts === null || facts.kind === "other") return 0;
  const securities = facts.splits.length > 0 ? facts.splits : [facts.security];
  return securities.flatMap(({ ticker, exchange }) => [ticker, exchange]).filter((field) => field === null).length;
}
