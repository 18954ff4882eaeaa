import type { Destination } from "../domain/alert/destination.ts";
import { type PlaceSettings, writeQuietHours } from "../domain/settings/destination-settings.ts";
import {
  noChannelCard,
  type SettingsView,
  settingsCard,
  settingsChangedCard,
  type WayBack,
} from "../messages/answers/settings-answer.ts";
import { defineCommand, type OptionSpecs, type OptionsOf } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { placeIn, SCOPE, stateOf } from "./held-destinations.ts";
import { LONGEST_BUTTON_LINE, writeCommandLine } from "./parser/words.ts";

const OPTIONS = {
  timezone: { kind: "timezone", leads: true, summary: "The time zone of your times" },
  reminders: { kind: "switch", summary: "Reminders before the ex date" },
  digest: { kind: "switch", summary: "Alerts together, at a set time of the day, instead of one by one" },
  quiet: { kind: "hours", summary: "Hours in which nothing is told; it is told after" },
  scope: SCOPE,
} as const satisfies OptionSpecs;

type SettingsOptions = OptionsOf<typeof OPTIONS>;
type Patch = Partial<Omit<PlaceSettings, "mutedUntil">>;

export const settings = defineCommand({
  name: "settings",
  summary: "Time zone, reminders, digest and quiet hours: yours, or this channel's",
  example: "settings timezone:Pacific/Auckland quiet:22:00-07:00",
  options: OPTIONS,
  managesChannel: true,
  managesWith: (options) => options.scope === "channel" && Object.keys(patchOf(options)).length > 0,
  async run(options, call, context) {
    const place = placeIn(options.scope, call);
    if (place === null) return [noChannelCard("settings")];
    const patch = patchOf(options);
    const before = await viewOf(place, context);
    if (Object.keys(patch).length === 0) return [settingsCard(before)];
    const changed = await context.store.placeSettings.change(place, patch);
    const after = await viewOf(place, context);
    const undo = changed.before === changed.after ? null : wayBack(lineOf(changed.before, patch, place));
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
function lineOf(before: PlaceSettings, patch: Patch, place: Destination): string {
  const { timezone, reminders, digest, quiet } = before;
  return writeCommandLine("settings", {
    timezone: "timezone" in patch ? (timezone ?? "default") : undefined,
    reminders: "reminders" in patch ? switchWord(reminders) : undefined,
    digest: "digest" in patch ? switchWord(digest) : undefined,
    quiet: "quiet" in patch ? quietWord(quiet) : undefined,
    scope: scopeOf(place),
  });
}

function switchWord(isOn: boolean): string {
  return isOn ? "on" : "off";
}

function quietWord(quiet: PlaceSettings["quiet"]): string {
  return quiet === null ? "off" : writeQuietHours(quiet);
}

/** One's own is what is meant where nothing is said. */
export function scopeOf({ kind }: Destination): string | undefined {
  return kind === "channel" ? "channel" : undefined;
}

export async function viewOf(place: Destination, context: CommandContext): Promise<SettingsView> {
  return { ...(await stateOf(place, context)), whose: place.kind, now: context.clock.now() };
}

export function wayBack(line: string): WayBack {
  return { line, fits: line.length <= LONGEST_BUTTON_LINE };
}
