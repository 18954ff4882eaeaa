import type { Release } from "../../catalog/release.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/day.ts";
import { validatorsOf } from "../../http/validators.ts";
import { type CheckResult, off } from "../../lib/check-result.ts";
import { groupBy } from "../../lib/collections.ts";
import { releaseKey } from "../../ports/store.ts";
import type { OfficialSourceSettings } from "../official/official-source.ts";
import { pollSource } from "../poll-source.ts";
import { readFactsAgain } from "../reading/read-facts.ts";
import { contactProblem } from "../sec-hosts.ts";
import type { OpenSource, SourceCheckContext, SourceParts } from "../source-definition.ts";
import {
  checkResultOf,
  describeCondition,
  initialStatus,
  nextStatus,
  type SourcePollResult,
} from "../source-status.ts";
import type { SymbolList, SymbolTable } from "../symbol-table.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import { connectDirectories, type DirectoryFile, type DirectoryOrigin } from "./directory-files.ts";

export type SymbolSettings = OfficialSourceSettings<DirectoryOrigin>;

const NAME = "symbols";
const MAX_BYTES = 8 * 1024 * 1024;
/** Delay before an unreadable file is retried. */
const RETRY_MS = HOUR_MS;
const CHECK_TIMEOUT_MS = 45_000;

/** Loads the copies of an earlier run into the shared table, then polls the directories and updates the table. */
export async function openSymbols({ everyMs, origins }: SymbolSettings, parts: SourceParts): Promise<OpenSource> {
  const { clock, log, directory } = parts;
  const connection = connectDirectories(origins, parts);

  const onRead = async (file: DirectoryFile, list: SymbolList): Promise<void> => {
    await directory.replace(file.name, list).catch((error: unknown) => {
      log.warn("symbol directory not saved", { directory: file.name, error });
    });
  };

  async function read(signal: AbortSignal): Promise<SourcePollResult> {
    const result = await readFiles(connection.files, { previous: directory, now: clock.now(), signal, onRead });
    if (!signal.aborted)
      await completeListings(parts).catch((error: unknown) => log.error("release not saved", { error }));
    return { ...result, requests: connection.requestCount };
  }

  await directory.load(clock);
  // `everyMs` is null only for a disabled source, which is not opened.
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

/** Reads each directory once. Returns one result per publisher. */
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
      const result = await readFiles(files, { previous: null, now: clock.now(), signal, onRead: () => undefined });
      const status = nextStatus(initialStatus(NAME, clock.now()), result, clock.now());
      const text = `${label}, ${name}: ${describeCondition(status)}`;
      results.push(checkResultOf(status, text));
    }
    return problem === null ? results : [...results, off(`${label}, SEC: off; ${problem}`)];
  } finally {
    await connection.close();
  }
}

interface FilesRequest {
  /** Directories of earlier reads, for conditional requests; null: none. */
  readonly previous: SymbolTable | null;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onRead: (file: DirectoryFile, list: SymbolList) => Promise<void> | void;
}

/** Reads the files in order and passes each to `onRead`. */
async function readFiles(
  files: readonly DirectoryFile[],
  { previous, now, signal, onRead }: FilesRequest,
): Promise<SourcePollResult> {
  const symbols = new Set<string>();
  const failures: FetchError[] = [];
  for (const file of files) {
    const list = await readFile(file, previous?.list(file.name) ?? null, { now, signal }).catch(toFetchError);
    if (list instanceof FetchError) {
      failures.push(list);
      continue;
    }
    await onRead(file, list);
    for (const symbol of list.listed.keys()) symbols.add(symbol);
  }
  return { items: [...symbols], failures };
}

async function readFile(
  { url, accept, paceMs, web, read }: DirectoryFile,
  previous: SymbolList | null,
  { now, signal }: Pick<FilesRequest, "now" | "signal">,
): Promise<SymbolList> {
  // Validators are valid only for the address that sent them.
  const cached = previous?.url === url ? previous : null;
  const headers = { accept, ...cached?.validators };
  const answer = await web.request(url, { kind: "feed", headers, maxBytes: MAX_BYTES, paceMs, signal });
  if (answer.status === 304 && cached) return { ...cached, readAt: now };
  return { url, readAt: now, validators: validatorsOf(answer), listed: await read(answer) };
}

/** Releases that were found longer ago are not extracted again. */
const MAX_RELEASE_AGE_MS = 10 * DAY_MS;

/**
 * Repeats the extraction of recent releases that lack a ticker or exchange, because a directory that was just read may contain
 * them.
 */
async function completeListings({ releases, directory, clock, reader }: SourceParts): Promise<void> {
  const since = clock.now() - MAX_RELEASE_AGE_MS;
  const recent = [...releases.all()].filter((release) => release.foundAt >= since && missingFields(release) > 0);
  for (const key of recent.map(releaseKey)) {
    // The release may have been corrected meanwhile.
    await releases.update(async () => {
      const release = releases.get(key);
      if (release === undefined) return [];
      // A release that is quarantined keeps its facts.
      const read = await readFactsAgain(release, { reader, directory }).catch(() => release);
      return missingFields(read) < missingFields(release) ? [read] : [];
    });
  }
}

/** Number of tickers and exchanges that the extraction did not find in a release about a split. */
function missingFields({ facts }: Release): number {
  if (facts === null || facts.kind === "other") return 0;
  const securities = facts.splits.length > 0 ? facts.splits : [facts.security];
  return securities.flatMap(({ ticker, exchange }) => [ticker, exchange]).filter((field) => field === null).length;
}
