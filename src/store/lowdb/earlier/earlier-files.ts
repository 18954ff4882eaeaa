import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Observation } from "../../../catalog/observation.ts";
import type { Release } from "../../../catalog/release.ts";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import type { Instant } from "../../../domain/time/day.ts";
import { TimeSlice } from "../../../lib/slices.ts";
import type { Installation, Posting, SourceReads } from "../../../ports/state-records.ts";
import { type KeyOf, observationKey, releaseKey, sourceReadsKey } from "../../../ports/store.ts";
import type { SettingsRow } from "../collections/destination-settings.ts";
import { installationKey } from "../collections/installations.ts";
import { LAST_NUMBER } from "../collections/postings.ts";
import { purgeTables } from "../collections/purge.ts";
import { fillRules } from "../collections/rules.ts";
import { parseLog } from "../files/append-only-log.ts";
import { type Disk, damagedFileError } from "../files/disk.ts";
import { openJsonFile, type ReadFile } from "../files/json-file.ts";
import { isRowFileName, type StoredRows, unlistedTables } from "../rows/stored-rows.ts";
import type { Tables } from "../rows/tables.ts";
import { PendingRows, Transaction } from "../rows/transaction.ts";
import { fillFromJournal, type HistoryFile, type JournalFiles, type JournalRecord } from "./journal.ts";

interface Source {
  readonly disk: Disk;
  readonly dir: string;
  readonly readFile: ReadFile;
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
  return async ({ disk, readFile }, path, tables) => {
    const { low, exists } = await openJsonFile(disk, path, initial, readFile);
    fill(tables, low.data);
    return exists;
  };
}

/** A line of a log of source records. The last line for a key applies. */
type SourceRecordEntry<T> = { readonly kept: T } | { readonly dropped: readonly string[] };

function sourceRecords<T>(name: "releases" | "observations" | "sourceReads", keyOf: KeyOf<T>): EarlierFile["fill"] {
  return async ({ readFile }, path, tables) => {
    const bytes = await readFile(path);
    if (bytes === null) return false;
    for (const entry of parseLog<SourceRecordEntry<T>>(path, bytes).entries) {
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
  const bytes = await source.readFile(path);
  const journal = bytes && { path, read: parseLog<JournalRecord>(path, bytes) };
  const schema = journal ? journal.read.head.schema : null;
  if (await isCheckpointLost(source, rows, schema)) throw damagedFileError(rows.checkpoint.path, "is missing");
  await fillUnlisted(source, rows, schema);
  const history = await openJsonFile(source.disk, join(source.dir, HISTORY), EMPTY_HISTORY, source.readFile);
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
async function hasRowFiles({ dir, readFile }: Source): Promise<boolean> {
  const names = await readdir(dir).catch(() => []);
  for (const name of names.filter(isRowFileName)) {
    const bytes = await readFile(join(dir, name));
    const isOnlyHead = bytes === null || bytes.indexOf("\n") === bytes.lastIndexOf("\n");
    if (name.endsWith(".json") || !isOnlyHead) return true;
  }
  return false;
}

/** `schema`: schema of the folder; null before the first journal, when files may be missing. */
async function fillUnlisted(source: Source, rows: StoredRows, schema: number | null): Promise<void> {
  const unlisted = new Set(unlistedTables(rows).map(({ name }) => name));
  for (const [name, file] of Object.entries(EARLIER_FILES)) {
    if (!file.tables.some((table) => unlisted.has(table))) continue;
    const path = join(source.dir, name);
    const exists = await file.fill(source, path, rows.tables);
    if (!exists && schema !== null && schema >= file.since) throw damagedFileError(path, "is missing");
  }
}

/** Returns false if the file does not exist. */
async function fillPostings({ dir, readFile }: Source, { postings, postingNumber }: Tables): Promise<boolean> {
  const path = join(dir, POSTINGS);
  const bytes = await readFile(path);
  if (bytes === null) return false;
  const { head, entries } = parseLog<Posting>(path, bytes);
  for (const posting of entries) postings.put(posting.messageId, posting);
  const last = Math.max(head.mark, entries.at(-1)?.number ?? 0);
  if (last > 0) postingNumber.put(LAST_NUMBER, last);
  return true;
}

function putAll<V>(table: { put(key: string, value: V): void }, values: Readonly<Record<string, V>>): void {
  for (const [key, value] of Object.entries(values)) table.put(key, value);
}
