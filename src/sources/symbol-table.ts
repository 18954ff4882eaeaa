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

/** Directories by the name of their file, the most reliable one first, with their names as users read them. */
const DIRECTORIES = {
  nasdaqtraded: "Nasdaq's symbol directory",
  otherlisted: "Nasdaq's symbol directory",
  "company-tickers": "the SEC's list of companies",
} as const;

export type DirectoryName = keyof typeof DIRECTORIES;

const NAMES = Object.keys(DIRECTORIES) as readonly DirectoryName[];

/** A directory as it was last read. */
export interface SymbolList {
  readonly url: string;
  readonly readAt: Instant;
  /** Headers of a conditional request for it. */
  readonly validators: Readonly<Record<string, string>>;
  readonly listed: ListedSymbols;
}

/** The directories in memory, with a copy in a folder that survives a restart. */
export interface SymbolTable extends SymbolDirectory {
  list(name: DirectoryName): SymbolList | null;
  /** Replaces a directory, then its copy. Rejects if the copy can't be written; the directory is replaced anyway. */
  replace(name: DirectoryName, list: SymbolList): Promise<void>;
  /** Reads the copies. One that is missing, damaged or too old is ignored: it can be read again from its source. */
  load(now: Instant): Promise<void>;
}

/** A copy that is older was not renewed for long, so its listings may be outdated. */
const MAX_AGE_MS = 30 * DAY_MS;

/** @param folder Folder of the copies; null: none are kept. */
export function createSymbolTable(folder: string | null = null): SymbolTable {
  const lists = new Map<DirectoryName, SymbolList>();
  return {
    find: (ticker) => NAMES.flatMap((name) => entryOf(name, lists.get(name)?.listed.get(ticker))),
    list: (name) => lists.get(name) ?? null,
    async replace(name, list) {
      lists.set(name, list);
      if (folder !== null) await writeDurably(pathOf(folder, name), toText(list));
    },
    async load(now) {
      if (folder === null) return;
      for (const name of NAMES) {
        const list = await readCopy(pathOf(folder, name));
        if (list !== null && now - list.readAt <= MAX_AGE_MS) lists.set(name, list);
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
const VERSION = 1;

const copySchema = z.object({
  version: z.literal(VERSION),
  url: z.string(),
  readAt: instantSchema,
  validators: z.record(z.string(), z.string()),
  listed: z.array(z.unknown()),
});

const copiedRow = z.tuple([z.string(), z.string(), z.string().nullable()]);

/** Ticker, company, exchange. */
type CopiedRow = z.infer<typeof copiedRow>;

function toText({ listed, ...list }: SymbolList): string {
  const rows = [...listed].map(([ticker, { company, exchange }]): CopiedRow => [ticker, company, exchange]);
  const copy: z.input<typeof copySchema> = { version: VERSION, ...list, listed: rows };
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
  const parsed = copiedRow.safeParse(row);
  if (!parsed.success) return;
  const [symbol, company, code] = parsed.data;
  const ticker = parseTicker(symbol);
  const exchange = code === null ? null : parseExchange(code);
  if (ticker !== undefined && exchange !== undefined) symbols.set(ticker, { company, exchange });
}
