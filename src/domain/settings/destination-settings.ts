import { z } from "zod";
import type { Infer } from "../schema-parts.ts";
import { isTimeZone } from "../time/time-zone.ts";
import { SETTING_DEFINITIONS } from "./setting-definitions.ts";

type Definitions = typeof SETTING_DEFINITIONS;

export type SettingName = keyof Definitions;

/** Settings that are options of `settings` and can be exported. */
export type PortableSettingName = {
  [N in SettingName]: Definitions[N]["option"] extends null ? never : N;
}[SettingName];

export const SETTING_NAMES = Object.keys(SETTING_DEFINITIONS) as readonly SettingName[];

export const PORTABLE_SETTING_NAMES = SETTING_NAMES.filter(
  (name): name is PortableSettingName => SETTING_DEFINITIONS[name].option !== null,
);

const destinationSettingsSchema = z.object(
  shapeOf(SETTING_NAMES, ({ schema }) => schema) as { readonly [N in SettingName]: Definitions[N]["schema"] },
);

/** Settings of a person or a channel. */
export type DestinationSettings = Infer<typeof destinationSettingsSchema>;

/** Changed settings. In the store: the settings that differ from their defaults. */
export const destinationSettingsPatchSchema = z.object(patchShape(SETTING_NAMES));

/** Settings that have the same meaning for every destination. */
export const portableSettingsSchema = z.object(patchShape(PORTABLE_SETTING_NAMES));

export type PortableSettings = Infer<typeof portableSettingsSchema>;

export const DEFAULT_SETTINGS = shapeOf(SETTING_NAMES, ({ initial }) => initial) as DestinationSettings;

/** Returns all settings of a destination from those that differ from their defaults. An unknown time zone becomes the default. */
export function withDefaults(overrides: Partial<DestinationSettings>): DestinationSettings {
  const settings = { ...DEFAULT_SETTINGS, ...overrides };
  return settings.timezone === null || isTimeZone(settings.timezone) ? settings : { ...settings, timezone: null };
}

/** The values that differ from the defaults. */
export function overridesIn(settings: DestinationSettings): Partial<DestinationSettings> {
  const defaults = Object.entries(DEFAULT_SETTINGS);
  return Object.fromEntries(
    defaults.flatMap(([name, defaultValue]) => {
      const value = settings[name as keyof DestinationSettings];
      return value === defaultValue ? [] : [[name, value]];
    }),
  );
}

function patchShape<N extends SettingName>(names: readonly N[]) {
  return shapeOf(names, ({ schema }) => z.exactOptional(schema)) as {
    readonly [K in N]: z.ZodExactOptional<Definitions[K]["schema"]>;
  };
}

function shapeOf(
  names: readonly SettingName[],
  select: (definition: Definitions[SettingName]) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, select(SETTING_DEFINITIONS[name])]));
}
