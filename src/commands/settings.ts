import type { Destination } from "../domain/alert/destination.ts";
import { type DestinationSettings, formatQuietHours } from "../domain/settings/destination-settings.ts";
import {
  noChannelCard,
  type SettingsView,
  settingsCard,
  settingsChangedCard,
  type UndoCommand,
} from "../messages/answers/settings-answer.ts";
import { defineCommand, type OptionSpecs, type OptionsOf } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { destinationIn, readDestinationState, SCOPE } from "./destination-state.ts";
import { MAX_BUTTON_LINE_LENGTH, writeCommandLine } from "./parser/words.ts";

const OPTIONS = {
  timezone: { kind: "timezone", isPrimary: true, summary: "The time zone of your times" },
  reminders: { kind: "switch", summary: "Reminders before the ex date" },
  digest: { kind: "switch", summary: "Alerts together, at a set time of the day, instead of one by one" },
  quiet: { kind: "hours", summary: "Hours in which nothing is told; it is told after" },
  scope: SCOPE,
} as const satisfies OptionSpecs;

type SettingsOptions = OptionsOf<typeof OPTIONS>;
type Patch = Partial<Omit<DestinationSettings, "mutedUntil">>;

export const settings = defineCommand({
  name: "settings",
  summary: "Time zone, reminders, digest and quiet hours: yours, or this channel's",
  example: "settings timezone:Pacific/Auckland quiet:22:00-07:00",
  options: OPTIONS,
  managesChannel: true,
  managesChannelWhen: (options) => options.scope === "channel" && Object.keys(patchOf(options)).length > 0,
  async run(options, call, context) {
    const destination = destinationIn(options.scope, call);
    if (destination === null) return [noChannelCard("settings")];
    const patch = patchOf(options);
    const before = await readSettingsView(destination, context);
    if (Object.keys(patch).length === 0) return [settingsCard(before)];
    const changed = await context.store.destinationSettings.change(destination, patch);
    const after = await readSettingsView(destination, context);
    const undo = changed.before === changed.after ? null : undoLine(lineOf(changed.before, patch, destination));
    return [settingsChangedCard(before, after, undo)];
  },
});

function patchOf({ timezone, reminders, digest, quiet }: SettingsOptions): Patch {
  return {
    ...(timezone === undefined ? {} : { timezone }),
    ...(reminders === undefined ? {} : { reminders }),
    ...(digest === undefined ? {} : { digest }),
    ...(quiet === undefined ? {} : { quiet }),
  };
}

/** The line that would set again what the patch changed. */
function lineOf(before: DestinationSettings, patch: Patch, destination: Destination): string {
  const { timezone, reminders, digest, quiet } = before;
  return writeCommandLine("settings", {
    timezone: "timezone" in patch ? (timezone ?? "default") : undefined,
    reminders: "reminders" in patch ? switchWord(reminders) : undefined,
    digest: "digest" in patch ? switchWord(digest) : undefined,
    quiet: "quiet" in patch ? quietWord(quiet) : undefined,
    scope: scopeWord(destination),
  });
}

function switchWord(isOn: boolean): string {
  return isOn ? "on" : "off";
}

function quietWord(quiet: DestinationSettings["quiet"]): string {
  return quiet === null ? "off" : formatQuietHours(quiet);
}

/** One's own is what is meant where nothing is said. */
export function scopeWord({ kind }: Destination): string | undefined {
  return kind === "channel" ? "channel" : undefined;
}

export async function readSettingsView(destination: Destination, context: CommandContext): Promise<SettingsView> {
  return { ...(await readDestinationState(destination, context)), whose: destination.kind, now: context.clock.now() };
}

export function undoLine(line: string): UndoCommand {
  return { line, fits: line.length <= MAX_BUTTON_LINE_LENGTH };
}
