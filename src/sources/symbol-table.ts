import { z } from "zod";
import { parseExchange } from "../domain/split/exchange.ts";
import type { DirectoryEntry, ListedSymbol, ListedSymbols, SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { DAY_MS, type Instant, instantSchema } from "../domain/time/day.ts";
import { parseJson } from "../lib/json.ts";
import { createListeners } from "../lib/listeners.ts";
import { forEachInSlices } from "../lib/slices.ts";
import type { Clock } from "../ports/clock.ts";
import type { Documents } from "../ports/store.ts";

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

/** The directories in memory, with copies in the store that survive a restart and are shared with other processes. */
export interface SymbolTable extends SymbolDirectory {
  /** Incremented whenever a directory is replaced. */
  readonly revision: number;
  /** Calls the listener whenever a directory is replaced. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
  list(name: DirectoryName): SymbolList | null;
  /** The directories that were read, the most reliable first. */
  all(): readonly ListedSymbols[];
  /** The same with their names: the data of `directoryOf`. */
  lists(): NamedLists;
  /** Replaces a directory, then its copy. Rejects if the copy can't be written; the directory is replaced anyway. */
  replace(name: DirectoryName, list: SymbolList): Promise<void>;
  /**
   * Reads the copies, at the first call and when another process replaces them. A missing, damaged or outdated copy is ignored,
   * because its source can be read again.
   */
  load(clock: Pick<Clock, "now">): Promise<void>;
}

/** Directories with their names, the most reliable first. */
export type NamedLists = readonly (readonly [DirectoryName, ListedSymbols])[];

export function directoryOf(lists: NamedLists): SymbolDirectory {
  return { find: (ticker) => lists.flatMap(([name, listed]) => entryOf(name, listed.get(ticker))) };
}

/** The listings of an older copy may be outdated. */
const MAX_COPY_AGE_MS = 30 * DAY_MS;

/** @param copies Null: the directories are kept in memory only. */
export function createSymbolTable(copies: Documents | null = null): SymbolTable {
  const lists = new Map<DirectoryName, SymbolList>();
  const listeners = createListeners();
  let loading: Promise<void> | null = null;
  let revision = 0;

  function set(name: DirectoryName, list: SymbolList): void {
    lists.set(name, list);
    revision += 1;
    listeners.notify();
  }

  async function load(name: DirectoryName, clock: Pick<Clock, "now">): Promise<void> {
    const list = await readCopy((await copies?.read(copyName(name))) ?? null);
    if (list !== null && clock.now() - list.readAt <= MAX_COPY_AGE_MS) set(name, list);
  }

  async function loadAll(clock: Pick<Clock, "now">): Promise<void> {
    copies?.onChange((changed) => {
      const name = DIRECTORY_NAMES.find((directory) => copyName(directory) === changed);
      // Without a reading of the copy, the directory in memory stays.
      if (name !== undefined) load(name, clock).catch(() => undefined);
    });
    for (const name of DIRECTORY_NAMES) await load(name, clock);
  }

  const namedLists = (): NamedLists =>
    DIRECTORY_NAMES.flatMap((name) => {
      const list = lists.get(name);
      return list === undefined ? [] : [[name, list.listed] as const];
    });

  const table: SymbolTable = {
    get revision() {
      return revision;
    },
    onChange: listeners.add,
    find: (ticker) => directoryOf(namedLists()).find(ticker),
    list: (name) => lists.get(name) ?? null,
    all: () => namedLists().map(([, listed]) => listed),
    lists: namedLists,
    async replace(name, list) {
      set(name, list);
      await copies?.write(copyName(name), serialize(list));
    },
    load(clock) {
      loading ??= loadAll(clock);
      return loading;
    },
  };
  tables.add(table);
  return table;
}

const tables = new WeakSet();

/** Whether a value is a table, and not a copy of its lists. */
export function isSymbolTable(value: unknown): value is SymbolTable {
  return typeof value === "object" && value !== null && tables.has(value);
}

function entryOf(name: DirectoryName, listed: ListedSymbol | undefined): readonly DirectoryEntry[] {
  return listed === undefined ? [] : [{ ...listed, directory: DIRECTORIES[name] }];
}

function copyName(name: DirectoryName): string {
  return `directory-${name}`;
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

async function readCopy(text: string | null): Promise<SymbolList | null> {
  const parsed = copySchema.safeParse(text === null ? null : parseJson(text));
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
