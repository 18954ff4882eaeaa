import { join } from "node:path";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Installation } from "../../../ports/state-records.ts";
import type { SettingsRow } from "../collections/destination-settings.ts";
import { installationKey } from "../collections/installations.ts";
import { fillRules } from "../collections/rules.ts";
import type { Tables } from "../rows/tables.ts";
import { type Disk, damagedFileError } from "./disk.ts";
import { openJsonFile, type ReadFile } from "./json-file.ts";

/** Files of schemas 1 to 5 whose contents are rows since schema 6. */
export const EARLIER_FILE_NAMES = [
  "rules.json",
  "watchlists.json",
  "people.json",
  "settings.json",
  "calendars.json",
  "imports.json",
  "installations.json",
  "sessions.json",
] as const;

type EarlierName = (typeof EARLIER_FILE_NAMES)[number];

/** Schema that added `sessions.json`. */
const SESSIONS_SINCE = 5;

interface EarlierContents {
  readonly "rules.json": {
    readonly rules: readonly Rule[];
    readonly lastNumbers: Readonly<Record<DestinationKey, number>>;
  };
  /** Space-separated tickers. */
  readonly "watchlists.json": Readonly<Record<DestinationKey, string>>;
  readonly "people.json": Readonly<Record<DestinationKey, string>>;
  readonly "settings.json": Readonly<Record<DestinationKey, SettingsRow>>;
  /** By token. */
  readonly "calendars.json": Readonly<Record<string, Person>>;
  readonly "imports.json": readonly PendingImport[];
  readonly "installations.json": {
    readonly installations: readonly Installation[];
    readonly used: Readonly<Record<string, Instant>>;
  };
  readonly "sessions.json": readonly { readonly id: string; readonly until: Instant }[];
}

const EMPTY: EarlierContents = {
  "rules.json": { rules: [], lastNumbers: {} },
  "watchlists.json": {},
  "people.json": {},
  "settings.json": {},
  "calendars.json": {},
  "imports.json": [],
  "installations.json": { installations: [], used: {} },
  "sessions.json": [],
};

/**
 * Fills the tables with the contents of earlier files. `schema`: of the folder; null if it has no journal yet, so that files may
 * be missing.
 */
export async function readEarlierFiles(
  source: { readonly disk: Disk; readonly dir: string; readonly readFile: ReadFile },
  tables: Tables,
  schema: number | null,
): Promise<void> {
  const { disk, dir, readFile } = source;
  const read = async <N extends EarlierName>(name: N): Promise<EarlierContents[N]> => {
    const path = join(dir, name);
    const { low, exists } = await openJsonFile<EarlierContents[N]>(disk, path, EMPTY[name], readFile);
    const isExpected = schema !== null && (name !== "sessions.json" || schema >= SESSIONS_SINCE);
    if (!exists && isExpected) throw damagedFileError(path, "is missing");
    return low.data;
  };
  const { rules, lastNumbers } = await read("rules.json");
  fillRules(tables.rules, rules, lastNumbers);
  putAll(tables.watchlists, await read("watchlists.json"));
  putAll(tables.directChannels, await read("people.json"));
  putAll(tables.settings, await read("settings.json"));
  for (const [token, person] of Object.entries(await read("calendars.json")))
    tables.calendars.put(destinationKey(person), token);
  for (const pending of await read("imports.json")) tables.imports.put(pending.id, pending);
  const { installations, used } = await read("installations.json");
  for (const installation of installations) tables.installations.put(installationKey(installation), installation);
  putAll(tables.usedTokens, used);
  for (const { id, until } of await read("sessions.json")) tables.sessions.put(id, until);
}

function putAll<V>(table: { put(key: string, value: V): void }, values: Readonly<Record<string, V>>): void {
  for (const [key, value] of Object.entries(values)) table.put(key, value);
}
