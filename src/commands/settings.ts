import type { Destination } from "../domain/alert/destination.ts";
import {
  type DestinationSettings,
  PORTABLE_SETTING_NAMES,
  type PortableSettingName,
  type PortableSettings,
} from "../domain/settings/destination-settings.ts";
import { SETTING_DEFINITIONS } from "../domain/settings/setting-definitions.ts";
import {
  noChannelCard,
  settingsCard,
  settingsChangedCard,
  type UndoCommand,
} from "../messages/answers/settings-answer.ts";
import { MAX_BUTTON_LINE_LENGTH } from "../messages/message.ts";
import { SETTING_TEXT, type SettingsView } from "../messages/setting-text.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { destinationOfScope, readDestinationState, SCOPE } from "./destination-state.ts";
import type { OptionSpecs } from "./parser/option-kinds.ts";
import { writeLine } from "./parser/options.ts";

type SettingOptions = {
  readonly [N in PortableSettingName]: (typeof SETTING_DEFINITIONS)[N]["option"] & { readonly summary: string };
};

function settingOptions(): SettingOptions {
  const specs = PORTABLE_SETTING_NAMES.map((name) => {
    return [name, { ...SETTING_DEFINITIONS[name].option, summary: SETTING_TEXT[name].summary }];
  });
  return Object.fromEntries(specs);
}

const OPTIONS = { ...settingOptions(), scope: SCOPE } as const satisfies OptionSpecs;

export const settings = defineCommand({
  name: "settings",
  summary: "Time zone, reminders, digest and quiet hours: yours, or this channel's",
  example: "settings timezone:Pacific/Auckland quiet:22:00-07:00",
  options: OPTIONS,
  managesChannel: true,
  managesChannelWhen: ({ scope, ...patch }) => scope === "channel" && Object.keys(patch).length > 0,
  stores: true,
  storesWhen: (options) => Object.keys(options).some((name) => name !== "scope"),
  async run({ scope, ...patch }, call, context) {
    const destination = destinationOfScope(scope, call);
    if (destination === null) return [noChannelCard("settings")];
    const before = await readSettingsView(destination, context);
    if (Object.keys(patch).length === 0) return [settingsCard(before)];
    const changed = await context.store.destinationSettings.change(destination, patch);
    const after = await readSettingsView(destination, context);
    const undo = changed.before === changed.after ? null : undoLine(restoreLine(changed.before, patch, destination));
    return [settingsChangedCard(before, after, undo)];
  },
});

/** Command line that restores the settings that `patch` changed. */
function restoreLine(before: DestinationSettings, patch: PortableSettings, destination: Destination): string {
  const changed = Object.keys(patch).map((name) => [name, before[name as PortableSettingName]] as const);
  const values: PortableSettings = Object.fromEntries(changed);
  return writeLine({ name: "settings", options: OPTIONS }, { ...values, scope: scopeWord(destination) });
}

/** Value of `scope` for the destination; undefined: the person, which is the default. */
export function scopeWord({ kind }: Destination): string | undefined {
  return kind === "channel" ? "channel" : undefined;
}

export async function readSettingsView(destination: Destination, context: CommandContext): Promise<SettingsView> {
  return {
    ...(await readDestinationState(destination, context)),
    destinationKind: destination.kind,
    now: context.clock.now(),
  };
}

export function undoLine(line: string): UndoCommand {
  return { line, fitsButton: line.length <= MAX_BUTTON_LINE_LENGTH };
}
