import type { Home } from "../../../commands/home.ts";
import { formatQuietHours } from "../../../domain/settings/destination-settings.ts";
import { capitalize } from "../../../messages/format.ts";
import { button } from "../../../messages/message.ts";
import {
  header,
  initialOptions,
  mrkdwn,
  option,
  plain,
  section,
  type ViewBlock,
  type ViewElement,
} from "../block-kit/blocks.ts";
import { buttonElement } from "../block-kit/card.ts";
import { inert } from "../block-kit/text.ts";
import { HOME_ACTION, SWITCHES } from "./actions.ts";

/** The settings, each with an input to change it. */
export function settingsBlocks({ settings }: Home, stamp: string): readonly ViewBlock[] {
  const [zone, quiet, mute] = (["Time zone", "Quiet hours", "Muted"] as const).map((name) => factText(name, settings));
  return [
    header("Settings"),
    section(mrkdwn(inert(settings.now, 600))),
    { type: "section", block_id: `zone:${stamp}`, text: mrkdwn(zone ?? ""), accessory: zonePicker(settings) },
    { type: "actions", block_id: `switches:${stamp}`, elements: [switches(settings)] },
    section(mrkdwn(`${quiet}${settings.values.quiet === null ? "; pick a start and an end" : ""}`)),
    { type: "actions", block_id: `quiet:${stamp}`, elements: quietPickers(settings) },
    section(mrkdwn(mute ?? "")),
    { type: "actions", block_id: `mute:${stamp}`, elements: [mutePicker(settings), ...unmute(settings)] },
  ];
}

type Settings = Home["settings"];

/** A setting as the `settings` command shows it. */
function factText(name: string, { facts }: Settings): string {
  const value = facts.find(({ label }) => label === name)?.value ?? "";
  return `*${name}:* ${inert(value, 300)}`;
}

function zonePicker({ zone }: Settings): ViewElement {
  return {
    type: "external_select",
    action_id: HOME_ACTION.timezone,
    placeholder: plain("Type a city"),
    initial_option: option(zone, zone),
    min_query_length: 0,
  };
}

function switches({ values, facts }: Settings): ViewElement {
  const factValue = (label: string): string => facts.find((fact) => fact.label === label)?.value ?? "";
  const options = [
    option("reminders", "Reminders before an ex date", values.reminders ? "" : capitalize(factValue("Reminders"))),
    option("digest", "A digest instead of single alerts", values.digest ? capitalize(factValue("Digest")) : ""),
  ];
  const isOn = SWITCHES.filter((name) => values[name]);
  return { type: "checkboxes", action_id: HOME_ACTION.switches, options, ...initialOptions(options, isOn) };
}

function quietPickers({ values }: Settings): readonly ViewElement[] {
  const [from, to] = values.quiet === null ? [] : formatQuietHours(values.quiet).split("-");
  return [
    timePicker(HOME_ACTION.quietFrom, "From", from),
    timePicker(HOME_ACTION.quietTo, "To", to),
    ...(values.quiet === null
      ? []
      : [buttonElement(button("Turn off quiet hours", "settings quiet:off"), "run:quiet:0")]),
  ];
}

function timePicker(actionId: string, name: string, time: string | undefined): ViewElement {
  return {
    type: "timepicker",
    action_id: actionId,
    placeholder: plain(name),
    ...(time === undefined ? {} : { initial_time: time }),
  };
}

const MUTE_LENGTHS = [
  ["1h", "1 hour"],
  ["4h", "4 hours"],
  ["8h", "8 hours"],
  ["1d", "1 day"],
  ["3d", "3 days"],
  ["1w", "1 week"],
  ["2w", "2 weeks"],
] as const;

function mutePicker({ isMuted }: Settings): ViewElement {
  return {
    type: "static_select",
    action_id: HOME_ACTION.mute,
    placeholder: plain(isMuted ? "Mute again for" : "Mute for"),
    options: MUTE_LENGTHS.map(([length, text]) => option(length, text)),
  };
}

function unmute({ isMuted }: Settings): readonly ViewElement[] {
  return isMuted ? [buttonElement(button("Unmute", "unmute", "primary"), "run:unmute:0")] : [];
}
