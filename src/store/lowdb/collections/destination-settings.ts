import { type Destination, type DestinationKey, destinationKey } from "../../../domain/alert/destination.ts";
import { DEFAULT_SETTINGS, type DestinationSettings } from "../../../domain/settings/destination-settings.ts";
import { createListeners } from "../../../lib/listeners.ts";
import type { DestinationSettingsStore } from "../../../ports/store.ts";
import type { StateFile } from "../files/json-file.ts";

/** Content of `settings.json`: per destination, the values that differ from the defaults. */
export type SettingsFile = Readonly<Record<DestinationKey, SettingsEntry>>;

interface SettingsEntry {
  readonly to: Destination;
  readonly settings: Partial<DestinationSettings>;
}

export class LowdbDestinationSettings implements DestinationSettingsStore {
  readonly #file: StateFile<SettingsFile>;
  readonly #listeners = createListeners<[Destination]>();
  readonly onChange = this.#listeners.add;

  constructor(file: StateFile<SettingsFile>) {
    this.#file = file;
  }

  async of(destination: Destination): Promise<DestinationSettings> {
    return settingsIn(this.#file.state, destinationKey(destination));
  }

  async change(
    destination: Destination,
    patch: Partial<DestinationSettings>,
  ): Promise<{ readonly before: DestinationSettings; readonly after: DestinationSettings }> {
    const key = destinationKey(destination);
    const result = await this.#file.change((state) => {
      const before = settingsIn(state, key);
      const after = { ...before, ...patch };
      const overrides = overridesIn(after);
      if (JSON.stringify(overrides) === JSON.stringify(overridesIn(before))) return [state, { before, after: before }];
      const { [key]: _, ...remaining } = state;
      const next =
        Object.keys(overrides).length === 0
          ? remaining
          : { ...remaining, [key]: { to: destination, settings: overrides } };
      return [next, { before, after }];
    });
    if (result.after !== result.before) this.#listeners.notify(destination);
    return result;
  }

  async all(): Promise<readonly { readonly to: Destination; readonly settings: DestinationSettings }[]> {
    return Object.values(this.#file.state).map(({ to, settings }) => ({
      to,
      settings: { ...DEFAULT_SETTINGS, ...settings },
    }));
  }
}

function settingsIn(state: SettingsFile, key: DestinationKey): DestinationSettings {
  return Object.hasOwn(state, key) ? { ...DEFAULT_SETTINGS, ...state[key]?.settings } : DEFAULT_SETTINGS;
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
