import type { ListedSymbol } from "../../domain/split/symbol-directory.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/day.ts";
import { type CheckResult, pass, warn } from "../../lib/check-result.ts";
import type { OfficialSourceSettings } from "../official-source.ts";
import type { OpenSource, SourceCheckContext, SourceParts } from "../source-definition.ts";
import { describeCondition, initialStatus, logStatus, nextStatus, type SourceReading } from "../source-status.ts";
import type { ListedSymbols } from "../symbol-table.ts";
import { FetchError, toFetchError } from "../web/fetch-error.ts";
import { DEFAULT_AGENT, userAgent } from "../web/user-agent.ts";
import { validatorsOf } from "../web/validators.ts";
import { createWeb, type Web } from "../web/web.ts";
import { readSymbolFile } from "./symbol-file.ts";

export type SymbolSettings = OfficialSourceSettings<"url">;

const NAME = "symbols";
/** The first one lists the symbols of other exchanges than Nasdaq. The second one, of all exchanges, takes precedence. */
const FILES = ["otherlisted.txt", "nasdaqtraded.txt"] as const;
const PATH = "/dynamic/SymDir/";
const PACE_MS = 2_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** A file that can't be read is tried again after this time. */
const RETRY_MS = HOUR_MS;
const CHECK_TIMEOUT_MS = 25_000;
const AGENT = `${DEFAULT_AGENT}/{version} (+{contact})`;

/** Reads the directories at their interval into the shared table. */
export async function openSymbols({ everyMs, origins }: SymbolSettings, parts: SourceParts): Promise<OpenSource> {
  const { clock, log, directory } = parts;
  const web = connect(origins.url, parts);
  const read = createFileReader(origins.url, web);
  const stopping = new AbortController();
  const { signal } = stopping;
  const listeners = new Set<() => void>();
  let status = initialStatus(NAME, clock.now());

  async function poll(): Promise<void> {
    const { listed, ...reading } = await readFiles(read, signal);
    if (signal.aborted) return;
    if (listed.size > 0) directory.replace(listed);
    const before = status;
    status = nextStatus(before, { ...reading, requests: web.requestCount }, clock.now());
    logStatus(before, status, log);
    for (const listener of listeners) listener();
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      await poll();
      // A disabled source is not opened.
      await clock.sleep(status.problem === null ? (everyMs ?? DAY_MS) : RETRY_MS, signal);
    }
  }

  const ended = follow();
  return {
    statuses: () => [status],
    hasUntriedPages: () => false,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      await ended;
      await web.close();
    },
  };
}

export async function checkSymbols(
  label: string,
  { origins }: SymbolSettings,
  context: SourceCheckContext,
): Promise<readonly CheckResult[]> {
  const web = connect(origins.url, context);
  try {
    const reading = await readFiles(createFileReader(origins.url, web), AbortSignal.timeout(CHECK_TIMEOUT_MS));
    const status = nextStatus(initialStatus(NAME, context.clock.now()), reading, context.clock.now());
    const text = `${label}: ${describeCondition(status)}`;
    return [status.problem === null ? pass(text) : warn(text)];
  } finally {
    await web.close();
  }
}

type FileReader = (file: string, signal: AbortSignal) => Promise<ListedSymbols>;

/** Requests files conditionally: an unchanged one is not transferred again. */
function createFileReader(origin: string, web: Web): FileReader {
  const cached = new Map<
    string,
    { readonly validators: Readonly<Record<string, string>>; readonly symbols: ListedSymbols }
  >();
  return async (file, signal) => {
    const before = cached.get(file);
    const headers = { accept: "text/plain", ...before?.validators };
    const answer = await web.request(`${origin}${PATH}${file}`, {
      kind: "feed",
      headers,
      maxBytes: MAX_BYTES,
      paceMs: PACE_MS,
      signal,
    });
    if (answer.status === 304 && before) return before.symbols;
    const symbols = await readSymbolFile(answer);
    cached.set(file, { validators: validatorsOf(answer), symbols });
    return symbols;
  };
}

interface FilesReading extends SourceReading {
  readonly listed: ListedSymbols;
}

async function readFiles(read: FileReader, signal: AbortSignal): Promise<FilesReading> {
  const listed = new Map<Ticker, ListedSymbol>();
  const failures: FetchError[] = [];
  for (const file of FILES) {
    const symbols = await read(file, signal).catch(toFetchError);
    if (symbols instanceof FetchError) failures.push(symbols);
    else for (const [ticker, symbol] of symbols) listed.set(ticker, symbol);
  }
  return { items: [...listed.keys()], failures, listed };
}

function connect(origin: string, { clock, queue, ...identity }: SourceCheckContext | SourceParts): Web {
  const agent = userAgent(AGENT, identity);
  return createWeb({ clock, queue, userAgentFor: () => agent, configured: [origin] });
}
