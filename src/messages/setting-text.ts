import type { Hold } from "../domain/alert/hold.ts";
import {
  type DestinationSettings,
  PORTABLE_SETTING_NAMES,
  type PortableSettingName,
  type PortableSettings,
  SETTING_NAMES,
  type SettingName,
} from "../domain/settings/destination-settings.ts";
import { formatQuietHours } from "../domain/settings/setting-values.ts";
import type { Instant } from "../domain/time/day.ts";
import { formatTime } from "./format.ts";
import { type Button, button, type Fact } from "./message.ts";

/** Settings of a person or a channel, with their current effect. */
export interface SettingsView {
  readonly destinationKind: "person" | "channel";
  readonly settings: DestinationSettings;
  /** Effective time zone, in which times are shown. */
  readonly zone: string;
  /** Hold of a new alert; null if it would be sent immediately. */
  readonly hold: Hold | null;
  /** Number of held alerts. */
  readonly heldCount: number;
  readonly nextDigest: Instant | null;
  readonly now: Instant;
}

/** Texts of one setting. */
interface SettingText<V> {
  readonly label: string;
  /** The value and its current effect. */
  readonly describe: (view: SettingsView) => string;
  /** Button that changes a person's setting. */
  readonly change?: (value: V, now: Instant) => Button;
}

/** Texts of a setting that users change with an option of the command `settings`. */
interface OptionText<V> extends Omit<SettingText<V>, "describe"> {
  /** Summary in help and option fields. */
  readonly summary: string;
  /** Label of the field in a form; default: `label`. */
  readonly inForm?: string;
  /** Text of the value: `on`, `22:00-07:00` */
  readonly value: (value: V) => string;
  /** Default: the text of the value. */
  readonly describe?: (view: SettingsView) => string;
}

type TextOf<N extends SettingName> = N extends PortableSettingName
  ? OptionText<DestinationSettings[N]>
  : SettingText<DestinationSettings[N]>;

export const SETTING_TEXT: { readonly [N in SettingName]: TextOf<N> } = {
  timezone: {
    label: "Time zone",
    summary: "The time zone for displayed times, quiet hours and digests",
    value: (zone) => zone ?? "default",
    describe: ({ settings, zone, now }) =>
      `${zone}${settings.timezone === null ? " (the default)" : ""}, now ${formatTime(now, zone)}`,
  },
  reminders: {
    ...onOffTexts("reminders", "Reminders"),
    summary: "Reminders before the ex date",
    inForm: "Reminders before an ex date",
    describe: ({ settings }) => (settings.reminders ? "on" : "off; the alert on the ex date is still sent"),
  },
  digest: {
    ...onOffTexts("digest", "Digest"),
    summary: "Alerts together at a set time of day instead of one by one",
    inForm: "A digest instead of single alerts",
    describe: ({ settings, nextDigest, zone }) => {
      const next = nextDigest === null ? "" : `, next ${formatTime(nextDigest, zone)}`;
      return settings.digest ? `on${next}` : "off";
    },
  },
  quiet: {
    label: "Quiet hours",
    summary: "Hours without alerts; held alerts are delivered afterward",
    value: (hours) => (hours === null ? "off" : formatQuietHours(hours)),
    describe: ({ settings: { quiet } }) => (quiet === null ? "off" : `${formatQuietHours(quiet)}, every day`),
    change: (hours) =>
      hours === null
        ? button("Set quiet hours", "settings quiet:22:00-07:00")
        : button("Turn off quiet hours", "settings quiet:off"),
  },
  mutedUntil: {
    label: "Muted",
    describe: ({ settings: { mutedUntil }, now, zone }) =>
      isMutedAt(mutedUntil, now) ? `until ${formatTime(mutedUntil, zone)}` : "no",
    change: (until, now) =>
      isMutedAt(until, now) ? button("Unmute", "unmute") : button("Mute for 8 hours", "mute for:8h"),
  },
};

function onOff(isOn: boolean): string {
  return isOn ? "on" : "off";
}

function onOffTexts(name: string, label: string) {
  return {
    label,
    value: onOff,
    change: (isOn: boolean) => button(`${label} ${onOff(!isOn)}`, `settings ${name}:${onOff(!isOn)}`),
  };
}

export function isMutedAt(mutedUntil: Instant | null, now: Instant): mutedUntil is Instant {
  return mutedUntil !== null && mutedUntil > now;
}

/** Label of the setting's field in a form. */
export function settingFormLabel(name: PortableSettingName): string {
  const { label, inForm = label } = SETTING_TEXT[name];
  return inForm;
}

/** Every setting with its value and current effect. */
export function settingFacts(view: SettingsView): Readonly<Record<SettingName, Fact>> {
  const facts = SETTING_NAMES.map((name) => [name, { label: SETTING_TEXT[name].label, value: describe(name, view) }]);
  return Object.fromEntries(facts);
}

function describe(name: SettingName, view: SettingsView): string {
  const text: Partial<OptionText<never>> = SETTING_TEXT[name];
  return text.describe?.(view) ?? text.value?.(view.settings[name] as never) ?? "";
}

/** Buttons that change a person's settings. */
export function settingButtons({ settings, now }: Pick<SettingsView, "settings" | "now">): readonly Button[] {
  return SETTING_NAMES.flatMap((name) => {
    const text: Partial<OptionText<never>> = SETTING_TEXT[name];
    return text.change?.(settings[name] as never, now) ?? [];
  });
}

/** Changed settings with their new values: `digest on`. */
export function settingChangeTexts(changes: PortableSettings): readonly string[] {
  return PORTABLE_SETTING_NAMES.filter((name) => changes[name] !== undefined).map((name) => {
    const { label, value }: OptionText<never> = SETTING_TEXT[name];
    return `${label.toLowerCase()} ${value(changes[name] as never)}`;
  });
}
