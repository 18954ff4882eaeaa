import type { Observation } from "../../../catalog/observation.ts";
import type { Release } from "../../../catalog/release.ts";
import type { PendingImport } from "../../../domain/settings/pending-import.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Installation, SourceReads } from "../../../ports/state-records.ts";
import type { SettingsRow } from "../collections/destination-settings.ts";
import type { RulesRow } from "../collections/rules.ts";
import { Table } from "./table.ts";
import type { Operation } from "./transaction.ts";

/** All tables. Destinations and people are keys in the form of `destinationKey`. */
export class Tables {
  /** Space-separated tickers per person, which need a twentieth of the space of objects. */
  readonly watchlists = new Table<string>("watchlists");
  /** By destination. */
  readonly rules = new Table<RulesRow>("rules");
  /** The direct-message channel of each person. */
  readonly directChannels = new Table<string>("direct-channels");
  /** By destination. */
  readonly settings = new Table<SettingsRow>("settings");
  /** Tokens of the calendar addresses, by person. */
  readonly calendars = new Table<string>("calendars");
  readonly imports = new Table<PendingImport>("imports");
  readonly installations = new Table<Installation>("installations");
  /** Consumed single-use tokens, with the time until which they must be kept. */
  readonly usedTokens = new Table<Instant>("used-tokens");
  /** Sessions of the web page, with their end. */
  readonly sessions = new Table<Instant>("sessions");
  readonly releases = new Table<Release>("releases");
  readonly observations = new Table<Observation>("observations");
  readonly sourceReads = new Table<SourceReads>("source-reads");
  readonly #byName: ReadonlyMap<string, Table<unknown>>;

  constructor() {
    const tables = Object.values(this) as Table<unknown>[];
    this.#byName = new Map(tables.map((table) => [table.name, table]));
  }

  all(): readonly Table<unknown>[] {
    return [...this.#byName.values()];
  }

  /** Returns false if there is no such table. */
  apply([kind, name, key, value]: Operation): boolean {
    const table = this.#byName.get(name);
    if (kind === "put") table?.put(key, value);
    else table?.remove(key);
    return table !== undefined;
  }
}

/** Names of the tables, which begin the names of their files. */
export const TABLE_NAMES: ReadonlySet<string> = new Set(new Tables().all().map(({ name }) => name));
