import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Observation } from "../../../catalog/observation.ts";
import type { Release } from "../../../catalog/release.ts";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { collect } from "../../../lib/collections.ts";
import { byteLines } from "../../../lib/lines.ts";
import { TimeSlice } from "../../../lib/slices.ts";
import type { Installation, Posting, SourceReads } from "../../../ports/state-records.ts";
import { type KeyOf, observationKey, releaseKey, sourceReadsKey } from "../../../ports/store.ts";
import type { SettingsRow } from "../collections/destination-settings.ts";
import { installationKey } from "../collections/installations.ts";
import { LAST_NUMBER } from "../collections/postings.ts";
import { purgeTables } from "../collections/purge.ts";
import { fillRules } from "../collections/rules.ts";
import { type Disk, damagedFileError } from "../files/disk.ts";
import type { FileReader } from "../files/file-reader.ts";
import { openJsonFile } from "../files/json-file.ts";
import { entriesIn, headIn, type LogHead, scanLog } from "../files/log-lines.ts";
import { isRowFileName, type StoredRows, unlistedTables } from "../rows/stored-rows.ts";
import type { Tables } from "../rows/tables.ts";
import { PendingRows, Transaction } from "../rows/transaction.ts";
import { fillFromJournal, type HistoryFile, type JournalFiles, type JournalRecord } from "./journal.ts";

interface Source {
  readonly disk: Disk;
  readonly dir: string;
  readonly reader: FileReader;
}

/** A file of earlier schemas, whose contents are rows now. */
interface EarlierFile {
  /** Names of the tables that it fills. */
  readonly tables: readonly string[];
  /** Schema that introduced the file. The file must exist in a folder with this or a later schema. */
  readonly since: number;
  /** Returns false if the file does not exist. */
  fill(source: Source, path: string, tables: Tables): Promise<boolean>;
}

function json<S>(initial: S, fill: (tables: Tables, state: S) => void): EarlierFile["fill"] {
  return async ({ disk, reader }, path, tables) => {
    const { low, exists } = await openJsonFile(disk, path, initial, reader);
    fill(tables, low.data);
    return exists;
  };
}

/** A line of a log of source records. The last line for a key applies. */
type SourceRecordEntry<T> = { readonly kept: T } | { readonly dropped: readonly string[] };

function sourceRecords<T>(name: "releases" | "observations" | "sourceReads", keyOf: KeyOf<T>): EarlierFile["fill"] {
  return async ({ reader }, path, tables) => {
    const log = await openLog<SourceRecordEntry<T>>(reader, path);
    if (log === null) return false;
    for await (const entry of log.entries) {
      if ("kept" in entry) tables[name].put(keyOf(entry.kept), entry.kept as never);
      else for (const key of entry.dropped) tables[name].remove(key);
    }
    return true;
  };
}

const NO_RULES = { rules: [] as readonly Rule[], lastNumbers: {} as Readonly<Record<DestinationKey, number>> };

const NO_INSTALLATIONS = {
  installations: [] as readonly Installation[],
  used: {} as Readonly<Record<string, Instant>>,
};

const EARLIER_FILES: Readonly<Record<string, EarlierFile>> = {
  "rules.json": {
    tables: ["rules"],
    since: 1,
    fill: json(NO_RULES, (tables, { rules, lastNumbers }) => fillRules(tables.rules, rules, lastNumbers)),
  },
  "watchlists.json": {
    tables: ["watchlists"],
    since: 1,
    fill: json<Readonly<Record<DestinationKey, string>>>({}, (tables, lists) => putAll(tables.watchlists, lists)),
  },
  "people.json": {
    tables: ["direct-channels"],
    since: 1,
    fill: json<Readonly<Record<DestinationKey, string>>>({}, (tables, ids) => putAll(tables.directChannels, ids)),
  },
  "settings.json": {
    tables: ["settings"],
    since: 1,
    fill: json<Readonly<Record<DestinationKey, SettingsRow>>>({}, (tables, rows) => putAll(tables.settings, rows)),
  },
  "calendars.json": {
    tables: ["calendars"],
    since: 1,
    fill: json<Readonly<Record<string, Person>>>({}, (tables, people) => {
      for (const [token, person] of Object.entries(people)) tables.calendars.put(destinationKey(person), token);
    }),
  },
  "imports.json": {
    tables: ["imports"],
    since: 1,
    fill: json<readonly PendingImport[]>([], (tables, imports) => {
      for (const pending of imports) tables.imports.put(pending.id, pending);
    }),
  },
  "installations.json": {
    tables: ["installations", "used-tokens"],
    since: 1,
    fill: json(NO_INSTALLATIONS, (tables, { installations, used }) => {
      for (const installation of installations) tables.installations.put(installationKey(installation), installation);
      putAll(tables.usedTokens, used);
    }),
  },
  "sessions.json": {
    tables: ["sessions"],
    since: 5,
    fill: json<readonly { readonly id: string; readonly until: Instant }[]>([], (tables, sessions) => {
      for (const { id, until } of sessions) tables.sessions.put(id, until);
    }),
  },
  "releases.log": { tables: ["releases"], since: 1, fill: sourceRecords<Release>("releases", releaseKey) },
  "observations.log": {
    tables: ["observations"],
    since: 3,
    fill: sourceRecords<Observation>("observations", observationKey),
  },
  "source-reads.log": {
    tables: ["source-reads"],
    since: 4,
    fill: sourceRecords<SourceReads>("sourceReads", sourceReadsKey),
  },
};

const JOURNAL = "journal.log";
const HISTORY = "history.json";
const POSTINGS = "postings.log";

/** Names of the files of earlier schemas whose contents are rows now. */
export const EARLIER_FILE_NAMES: readonly string[] = [...Object.keys(EARLIER_FILES), JOURNAL, HISTORY, POSTINGS];

const EMPTY_HISTORY: HistoryFile = { commit: 0, events: [], messages: [] };

/** Schema that introduced `checkpoint.json` and the files that it lists. */
const ROWS_SINCE = 6;

/**
 * Fills the tables that the checkpoint does not list with the contents of earlier files. Throws a StoreError for a lost file,
 * because starting without it would repeat or lose alerts. `journal.log` was created last: if it exists, all other files must
 * exist; if it is missing, they must be empty.
 */
export async function readEarlierFiles(source: Source, rows: StoredRows): Promise<void> {
  const path = join(source.dir, JOURNAL);
  const log = await openLog<JournalRecord>(source.reader, path);
  const journal = log && { path, head: log.head, entries: await collect(log.entries) };
  const schema = journal ? journal.head.schema : null;
  if (await isCheckpointLost(source, rows, schema)) throw damagedFileError(rows.checkpoint.path, "is missing");
  await fillUnlisted(source, rows, schema);
  const history = await openJsonFile(source.disk, join(source.dir, HISTORY), EMPTY_HISTORY, source.reader);
  const hasPostings = await fillPostings(source, rows.tables);
  if (!journal) {
    if (isUsed(rows) || history.isUsed) throw damagedFileError(path, "is missing");
    return;
  }
  if (!hasPostings) throw damagedFileError(join(source.dir, POSTINGS), "is missing");
  await fillAlerts(rows, history, journal);
}

/** Whether a checkpoint existed and is now missing. */
async function isCheckpointLost(source: Source, { checkpoint }: StoredRows, schema: number | null): Promise<boolean> {
  if (checkpoint.exists) return false;
  return schema === null ? hasRowFiles(source) : schema >= ROWS_SINCE;
}

async function fillAlerts(
  rows: StoredRows,
  history: JournalFiles["history"],
  journal: JournalFiles["journal"],
): Promise<void> {
  const snapshot: JournalFiles["snapshot"] = { ...rows.snapshot, data: rows.snapshot.low.data };
  for (const file of [snapshot, history]) if (!file.exists) throw damagedFileError(file.path, "is missing");
  const purges = fillFromJournal(rows.tables, { snapshot, history, journal });
  for (const { person, tests } of purges) await purgeAll(rows.tables, person, tests);
}

/** Removes everything about a person whose purge was not complete. */
export async function purgeAll(tables: Tables, person: Person, testMessageIds: readonly string[]): Promise<void> {
  const transaction = new Transaction(new PendingRows(tables));
  await purgeTables(transaction, new TimeSlice(), { tables, person, testMessageIds });
  for (const op of transaction.ops) tables.apply(op, 0);
}

function isUsed({ tables, snapshot }: StoredRows): boolean {
  return snapshot.low.data.header.source !== "" || tables.all().some(({ size }) => size > 0);
}

/** Whether a segment exists, or a log of changes with a transaction. An interrupted first start leaves neither. */
async function hasRowFiles({ dir, reader }: Source): Promise<boolean> {
  const names = await readdir(dir).catch(() => []);
  for (const name of names.filter(isRowFileName)) {
    if (name.endsWith(".json") || (await hasTwoLines(reader.readChunks(join(dir, name))))) return true;
  }
  return false;
}

async function hasTwoLines(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const { number, isTerminated } of byteLines(chunks)) if (number === 2 && isTerminated) return true;
  return false;
}

/** `schema`: schema of the folder; null before the first journal, when files may be missing. */
async function fillUnlisted(source: Source, rows: StoredRows, schema: number | null): Promise<void> {
  const unlisted = new Set(unlistedTables(rows));
  for (const [name, file] of Object.entries(EARLIER_FILES)) {
    if (!file.tables.some((table) => unlisted.has(table))) continue;
    const path = join(source.dir, name);
    const exists = await file.fill(source, path, rows.tables);
    if (!exists && schema !== null && schema >= file.since) throw damagedFileError(path, "is missing");
  }
}

/** Returns false if the file does not exist. */
async function fillPostings({ dir, reader }: Source, { postings, postingNumber }: Tables): Promise<boolean> {
  const log = await openLog<Posting>(reader, join(dir, POSTINGS));
  if (log === null) return false;
  let last = log.head.mark;
  for await (const posting of log.entries) {
    postings.put(posting.messageId, posting);
    last = Math.max(last, posting.number);
  }
  if (last > 0) postingNumber.put(LAST_NUMBER, last);
  return true;
}

interface EarlierLog<E> {
  readonly head: LogHead;
  readonly entries: AsyncIterable<E>;
}

/** Checks a log; null if it does not exist. */
async function openLog<E>(reader: FileReader, path: string): Promise<EarlierLog<E> | null> {
  if (!(await reader.exists(path))) return null;
  const extent = await scanLog(path, reader.readChunks(path));
  const head = headIn(path, extent);
  return { head, entries: entriesIn<E>(path, reader.readChunks(path, extent.end.offset), head) };
}

function putAll<V>(table: { put(key: string, value: V): void }, values: Readonly<Record<string, V>>): void {
  for (const [key, value] of Object.entries(values)) table.put(key, value);
}
