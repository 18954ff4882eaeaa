import { join } from "node:path";
import type { Observation } from "../../../catalog/observation.ts";
import type { Release } from "../../../catalog/release.ts";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Installation, SourceReads } from "../../../ports/state-records.ts";
import { type KeyOf, observationKey, releaseKey, sourceReadsKey } from "../../../ports/store.ts";
import type { SettingsRow } from "../collections/destination-settings.ts";
import { installationKey } from "../collections/installations.ts";
import { fillRules } from "../collections/rules.ts";
import { parseLog } from "../log/append-only-log.ts";
import { type StoredRows, unlistedTables } from "../rows/stored-rows.ts";
import type { Tables } from "../rows/tables.ts";
import { type Disk, damagedFileError } from "./disk.ts";
import { openJsonFile, type ReadFile } from "./json-file.ts";

interface Source {
  readonly disk: Disk;
  readonly dir: string;
  readonly readFile: ReadFile;
}

/** A file of earlier schemas, whose contents are rows now. */
interface EarlierFile {
  /** Names of the tables that it fills. */
  readonly tables: readonly string[];
  /** Schema of the journal that introduced the file; it must exist in a folder with this or a later schema. */
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

/** Names of the files of earlier schemas whose contents are rows now. */
export const EARLIER_FILE_NAMES = Object.keys(EARLIER_FILES);

/**
 * Fills the tables that the checkpoint does not list with the contents of earlier files. `schema`: of the folder; null if it has
 * no journal yet, so that files may be missing.
 */
export async function readEarlierFiles(source: Source, rows: StoredRows, schema: number | null): Promise<void> {
  const unlisted = new Set(unlistedTables(rows).map(({ name }) => name));
  for (const [name, file] of Object.entries(EARLIER_FILES)) {
    if (!file.tables.some((table) => unlisted.has(table))) continue;
    const path = join(source.dir, name);
    const exists = await file.fill(source, path, rows.tables);
    if (!exists && schema !== null && schema >= file.since) throw damagedFileError(path, "is missing");
  }
}

function putAll<V>(table: { put(key: string, value: V): void }, values: Readonly<Record<string, V>>): void {
  for (const [key, value] of Object.entries(values)) table.put(key, value);
}
