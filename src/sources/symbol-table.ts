import { join } from "node:path";
import { z } from "zod";
import { parseExchange } from "../domain/split/exchange.ts";
import type { DirectoryEntry, ListedSymbol, SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { DAY_MS, type Instant, instantSchema } from "../domain/time/day.ts";
import { readIfExists, writeDurably } from "../lib/durable-file.ts";
import { parseJson } from "../lib/json.ts";
import { forEachInSlices } from "../lib/slices.ts";

export type ListedSymbols = ReadonlyMap<Ticker, ListedSymbol>;

/** Name of each directory in user-facing texts. The most reliable directory is first. */
const DIRECTORIES = {
  nasdaqtraded: "Nasdaq's symbol directory",
  otherlisted: "Nasdaq's symbol directory",
  "company-tickers": "the SEC's list of companies",
} as const;

export type DirectoryName = keyof typeof DIRECTORIES;

const DIRECTORY_NAMES = Object.keys(DIRECTORIES) as readonly DirectoryName[];

/** Content of a directory at its last read. */
export interface SymbolList {
  readonly url: string;
  readonly readAt: Instant;
  /** Headers of a conditional request for the directory. */
  readonly validators: Readonly<Record<string, string>>;
  readonly listed: ListedSymbols;
}

/** The directories in memory, with copies on disk that survive a restart. */
export interface SymbolTable extends SymbolDirectory {
  list(name: DirectoryName): SymbolList | null;
  /** Replaces a directory, then its copy. Rejects if the copy can't be written; the directory is replaced anyway. */
  replace(name: DirectoryName, list: SymbolList): Promise<void>;
  /** Reads the copies. A missing, damaged or outdated copy is ignored, because its source can be read again. */
  load(now: Instant): Promise<void>;
}

/** The listings of an older copy may be outdated. */
const MAX_COPY_AGE_MS = 30 * DAY_MS;

/** @param folder Folder of the copies; null: no copies. */
export function createSymbolTable(folder: string | null = null): SymbolTable {
  const lists = new Map<DirectoryName, SymbolList>();
  return {
    find: (ticker) => DIRECTORY_NAMES.flatMap((name) => entryOf(name, lists.get(name)?.listed.get(ticker))),
    list: (name) => lists.get(name) ?? null,
    async replace(name, list) {
      lists.set(name, list);
      if (folder !== null) await writeDurably(pathOf(folder, name), serialize(list));
    },
    async load(now) {
      if (folder === null) return;
      for (const name of DIRECTORY_NAMES) {
        const list = await readCopy(pathOf(folder, name));
        if (list !== null && now - list.readAt <= MAX_COPY_AGE_MS) lists.set(name, list);
      }
    },
  };
}

function entryOf(name: DirectoryName, listed: ListedSymbol | undefined): readonly DirectoryEntry[] {
  return listed === undefined ? [] : [{ ...listed, directory: DIRECTORIES[name] }];
}

function pathOf(folder: string, name: DirectoryName): string {
  return join(folder, `directory-${name}.json`);
}

/** Version of the copies' format; a copy of another version is ignored. */
const COPY_VERSION = 1;

const copySchema = z.object({
  version: z.literal(COPY_VERSION),
  url: z.string(),
  readAt: instantSchema,
  validators: z.record(z.string(), z.string()),
  listed: z.array(z.unknown()),
});

const rowSchema = z.tuple([z.string(), z.string(), z.string().nullable()]);

/** Ticker, company, exchange. */
type CopiedRow = z.infer<typeof rowSchema>;

function serialize({ listed, ...list }: SymbolList): string {
  const rows = [...listed].map(([ticker, { company, exchange }]): CopiedRow => [ticker, company, exchange]);
  const copy: z.input<typeof copySchema> = { version: COPY_VERSION, ...list, listed: rows };
  return `${JSON.stringify(copy)}\n`;
}

async function readCopy(path: string): Promise<SymbolList | null> {
  const bytes = await readIfExists(path).catch(() => null);
  const parsed = copySchema.safeParse(bytes === null ? null : parseJson(bytes.toString("utf8")));
  if (!parsed.success) return null;
  const { version: _, listed, ...list } = parsed.data;
  const symbols = new Map<Ticker, ListedSymbol>();
  await forEachInSlices(listed, (row) => addRow(row, symbols));
  return { ...list, listed: symbols };
}

function addRow(row: unknown, symbols: Map<Ticker, ListedSymbol>): void {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) return;
  const [symbol, company, code] = parsed.data;
  const ticker = parseTicker(symbol);
  const exchange = code === null ? null : parseExchange(code);
  if (ticker !== undefined && exchange !== undefined) symbols.set(ticker, { company, exchange });
}
