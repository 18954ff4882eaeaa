import { type Destination, destinationKey } from "../../../domain/alert/destination.ts";
import {
  DEFAULT_SETTINGS,
  type DestinationSettings,
  withDefaults,
} from "../../../domain/settings/destination-settings.ts";
import { createListeners } from "../../../lib/listeners.ts";
import type { DestinationSettingsStore } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";

/** The values that differ from the defaults. */
export interface SettingsRow {
  readonly to: Destination;
  readonly settings: Partial<DestinationSettings>;
}

export class LowdbDestinationSettings implements DestinationSettingsStore {
  readonly #log: ChangeLog;
  readonly #table: Table<SettingsRow>;
  readonly #listeners = createListeners<[Destination]>();
  readonly onChange = this.#listeners.add;

  constructor(log: ChangeLog) {
    this.#log = log;
    this.#table = log.tables.settings;
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
    if (result.after !== result.before) this.#listeners.notify(to);
    return result;
  }

  async all(): Promise<readonly { readonly to: Destination; readonly settings: DestinationSettings }[]> {
    return [...this.#table.values()].map((row) => ({ to: row.to, settings: settingsIn(row) }));
  }
}

function settingsIn(row: SettingsRow | undefined): DestinationSettings {
  return row ? withDefaults(row.settings) : DEFAULT_SETTINGS;
}

function overridesIn(settings: DestinationSettings): Partial<DestinationSettings> {
  const defaults = Object.entries(DEFAULT_SETTINGS);
  return Object.fromEntries(
    defaults.flatMap(([name, defaultValue]) => {
      const value = settings[name as keyof DestinationSettings];
      return value === defaultValue ? [] : [[name, value]];
    }),
  );
}
