import { SETTING_NAMES } from "../../domain/settings/destination-settings.ts";
import type { Instant } from "../../domain/time/day.ts";
import { holdText } from "../event-text.ts";
import { formatCount, formatTime } from "../format.ts";
import { type Button, button, type Card, card } from "../message.ts";
import { type SettingsView, settingButtons, settingFacts } from "../setting-text.ts";

/** Command that undoes a change. */
export interface UndoCommand {
  readonly line: string;
  /** True if a button can hold the command. */
  readonly fitsButton: boolean;
}

export function settingsCard(view: SettingsView): Card {
  return card({
    title: view.destinationKind === "person" ? "Your settings" : "This channel's settings",
    lines: [...effectLines(view), `To change them: /splits settings ${EXAMPLE}${scopeOption(view)}`],
    facts: SETTING_NAMES.map((name) => settingFacts(view)[name]),
    buttons: settingButtons(view).map(({ label, command }) => button(label, `${command}${scopeOption(view)}`)),
  });
}

const EXAMPLE = "timezone:Europe/London quiet:22:00-07:00";

/** Answer to a change of settings. `undo`: null if nothing changed. */
export function settingsChangedCard(before: SettingsView, after: SettingsView, undo: UndoCommand | null): Card {
  const settingsName = after.destinationKind === "person" ? "Your settings" : "This channel's settings";
  const [old, facts] = [settingFacts(before), settingFacts(after)];
  if (undo === null)
    return card({
      title: `${settingsName} already have these values. Nothing was changed.`,
      facts: SETTING_NAMES.map((name) => facts[name]),
    });
  const changed = SETTING_NAMES.filter(
    (name) => JSON.stringify(before.settings[name]) !== JSON.stringify(after.settings[name]),
  );
  return card({
    tone: "good",
    title: `${settingsName} were changed`,
    lines: [...effectLines(after), ...undoLines(undo)],
    facts: changed.map((name) => ({ ...facts[name], was: old[name].value })),
    buttons: [...undoButtons(undo), button("All settings", `settings${scopeOption(after)}`)],
  });
}

export function mutedCard(view: SettingsView, until: Instant, undo: UndoCommand): Card {
  return card({
    tone: "good",
    title: `${subject(view)} muted until ${formatTime(until, view.zone)}`,
    lines: [
      "Alerts are held until then and sent together afterward. None is lost.",
      ...laterHoldLines(view, until),
      ...heldLines(view),
      ...undoLines(undo),
    ],
    buttons: [...undoButtons(undo), button("All settings", `settings${scopeOption(view)}`)],
  });
}

/** Line about the hold that remains after the mute; empty if there is none. */
function laterHoldLines({ hold, zone }: SettingsView, until: Instant): readonly string[] {
  if (hold === null || hold.until <= until) return [];
  const reasons = hold.reasons.filter((reason) => reason !== "muted");
  return [`After that, alerts are held ${holdText({ ...hold, reasons }, zone)}.`];
}

export function unmutedCard(view: SettingsView, undo: UndoCommand): Card {
  return card({
    tone: "good",
    title: `${subject(view)} no longer muted`,
    lines: [...effectLines(view), ...undoLines(undo)],
    buttons: undoButtons(undo),
  });
}

export function notMutedCard(view: SettingsView): Card {
  return card({
    title: view.destinationKind === "person" ? "Your alerts weren't muted" : "This channel's alerts weren't muted",
    lines: ["Nothing was changed.", ...effectLines(view)],
    buttons: [button("All settings", `settings${scopeOption(view)}`)],
  });
}

export function noChannelCard(line: string): Card {
  return card({
    tone: "bad",
    title: "There's no channel here. Nothing was changed.",
    lines: ["In a direct message, you can change only your own settings.", `Example: /splits ${line}`],
    buttons: [button(`/splits ${line}`, line)],
  });
}

function subject({ destinationKind }: SettingsView): string {
  return `${destinationKind === "person" ? "Your" : "This channel's"} alerts are`;
}

function scopeOption({ destinationKind }: SettingsView): string {
  return destinationKind === "person" ? "" : " scope:channel";
}

/** Lines about the current effect of the settings on alerts. */
function effectLines(view: SettingsView): readonly string[] {
  const { hold, settings, zone, heldCount } = view;
  if (hold === null) return ["Alerts are sent immediately."];
  const exemption = settings.digest ? [DIGEST_EXEMPTION] : [];
  const heldText = heldCount === 0 ? "" : ` ${formatCount(heldCount, "held alert")} will be sent together then.`;
  return [`New alerts are held ${holdText(hold, zone)}.${heldText}`, ...exemption];
}

const DIGEST_EXEMPTION = "Alerts about splits with an ex date before the next digest are sent immediately.";

function heldLines({ heldCount }: SettingsView): readonly string[] {
  return heldCount === 0 ? [] : [`${formatCount(heldCount, "alert is", "alerts are")} already held.`];
}

function undoLines(undo: UndoCommand): readonly string[] {
  return undo.fitsButton ? [] : [`To undo this: /splits ${undo.line}`];
}

function undoButtons(undo: UndoCommand): readonly Button[] {
  return undo.fitsButton ? [button("Undo", undo.line)] : [];
}
