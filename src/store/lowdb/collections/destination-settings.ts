import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import {
  DEFAULT_SETTINGS,
  type DestinationSettings,
  overridesIn,
  withDefaults,
} from "../../../domain/settings/destination-settings.ts";
import { inPages } from "../../../lib/collections.ts";
import { createListeners } from "../../../lib/listeners.ts";
import { type DestinationSettingsStore, PAGE_SIZE } from "../../../ports/store.ts";
import type { Claims } from "../indexes/claims.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Row, RowIndex, Table } from "../rows/table.ts";

/** The values that differ from the defaults. */
export interface SettingsRow {
  readonly to: Destination;
  readonly settings: Partial<DestinationSettings>;
}

export class LowdbDestinationSettings implements DestinationSettingsStore {
  readonly #log: ChangeLog;
  readonly #claims: Claims;
  readonly #table: Table<SettingsRow>;
  readonly #listeners = createListeners<[Destination]>();
  readonly #timezones = new TimezoneIndex();
  readonly onChange = this.#listeners.add;

  constructor(log: ChangeLog, claims: Claims) {
    this.#log = log;
    this.#claims = claims;
    this.#table = log.tables.settings;
    this.#table.addIndex(this.#timezones);
  }

  async of(to: Destination): Promise<DestinationSettings> {
    return settingsIn(this.#table.get(destinationKey(to)));
  }

  async change(
    to: Destination,
    patch: Partial<DestinationSettings>,
  ): Promise<{ readonly before: DestinationSettings; readonly after: DestinationSettings }> {
    const key = destinationKey(to);
    const result = await this.#log.change((transaction) => {
      const before = settingsIn(transaction.get(this.#table, key));
      const after = { ...before, ...patch };
      const overrides = overridesIn(after);
      if (JSON.stringify(overrides) === JSON.stringify(overridesIn(before))) return { before, after: before };
      if (Object.keys(overrides).length === 0) transaction.remove(this.#table, key);
      else transaction.put(this.#table, key, { to, settings: overrides });
      return { before, after };
    });
    if (result.after === result.before) return result;
    this.#claims.recheck(key);
    this.#listeners.notify(to);
    return result;
  }

  async *all(): AsyncGenerator<readonly { readonly to: Destination; readonly settings: DestinationSettings }[]> {
    for (const rows of inPages(this.#table.values(), PAGE_SIZE))
      yield rows.map((row) => ({ to: row.to, settings: settingsIn(row) }));
  }

  async timezones(): Promise<readonly string[]> {
    return this.#timezones.all();
  }
}

export function settingsIn(row: SettingsRow | undefined): DestinationSettings {
  return row ? withDefaults(row.settings) : DEFAULT_SETTINGS;
}

/** Numbers of the destinations with each time zone. */
class TimezoneIndex implements RowIndex<SettingsRow> {
  readonly #counts = new Map<string, number>();

  all(): readonly string[] {
    return [...this.#counts.keys()];
  }

  changed(_row: Row<SettingsRow>, before: SettingsRow | undefined, after: SettingsRow | undefined): void {
    this.#count(settingsIn(before).timezone, -1);
    this.#count(settingsIn(after).timezone, 1);
  }

  #count(zone: string | null, change: number): void {
    if (zone === null) return;
    const count = (this.#counts.get(zone) ?? 0) + change;
    if (count > 0) this.#counts.set(zone, count);
    else this.#counts.delete(zone);
  }
}
