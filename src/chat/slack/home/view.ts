import type { Home, TickerRow } from "../../../commands/home.ts";
import { optionKind } from "../../../commands/parser/option-kinds.ts";
import { PORTABLE_SETTING_NAMES, type PortableSettingName } from "../../../domain/settings/destination-settings.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { SETTING_DEFINITIONS } from "../../../domain/settings/setting-definitions.ts";
import { formatQuietHours, type QuietHours } from "../../../domain/settings/setting-values.ts";
import { EXAMPLE_TICKER } from "../../../messages/example-tickers.ts";
import { capitalize, formatCount } from "../../../messages/format.ts";
import { button, type Card, type Row } from "../../../messages/message.ts";
import { describeRule } from "../../../messages/rule-text.ts";
import { settingFormLabel } from "../../../messages/setting-text.ts";
import {
  type Block,
  context,
  type HomeTab,
  header,
  initialOptions,
  LIMITS,
  mrkdwn,
  option,
  plain,
  section,
  type ViewBlock,
  type ViewElement,
} from "../block-kit/blocks.ts";
import { ACTION, buttonElement, cardBlocks, editButton } from "../block-kit/card.ts";
import { formatLink, toMrkdwn, toPlainText } from "../block-kit/mrkdwn.ts";
import { type ElementState, selectedValues, stateOf, type ViewState } from "../commands/payloads.ts";

/** Action ids of the home tab's inputs; a setting's id ends with its name. Other buttons run a command line or open a form. */
export const HOME_ACTION = {
  watch: `${ACTION.home}:watch`,
  switches: `${ACTION.home}:switches`,
  setting: `${ACTION.home}:setting:`,
  quietStart: `${ACTION.home}:from:`,
  quietEnd: `${ACTION.home}:to:`,
  mute: `${ACTION.home}:mute`,
} as const;

/** Settings that are on or off; one group of checkboxes shows them. */
const SWITCHES = PORTABLE_SETTING_NAMES.filter((name) => SETTING_DEFINITIONS[name].option.kind === "switch");

type HomeAction = ElementState & { readonly action_id: string };

/** Returns the command line that an action runs; null if another input has to be filled in first. */
export function commandLineOf(action: HomeAction, state: ViewState): string | null {
  const selected = selectedValues(action);
  const [choice] = selected;
  switch (action.action_id) {
    case HOME_ACTION.watch:
      return `watch ${action.value ?? ""}`;
    case HOME_ACTION.switches:
      return `settings ${SWITCHES.map((name) => `${name}:${selected.includes(name) ? "on" : "off"}`).join(" ")}`;
    case HOME_ACTION.mute:
      return choice === undefined ? null : `mute for:${choice}`;
    default:
      return settingsCommandLine(action, state) ?? action.value ?? null;
  }
}

function settingsCommandLine(action: HomeAction, state: ViewState): string | null {
  const name = settingOfAction(action.action_id);
  if (name === null) return null;
  const value = selectedValues(action)[0] ?? selectedHours(name, action, state);
  return value === null ? null : `settings ${name}:${value}`;
}

/** Returns the setting that an input changes, or null. */
export function settingOfAction(id: string): PortableSettingName | null {
  const { setting, quietStart, quietEnd } = HOME_ACTION;
  return (
    PORTABLE_SETTING_NAMES.find((name) =>
      [setting, quietStart, quietEnd].some((action) => id === `${action}${name}`),
    ) ?? null
  );
}

/** Returns quiet hours such as `22:00-07:00`; null until both a start and an end are selected. */
function selectedHours(name: PortableSettingName, action: HomeAction, state: ViewState): string | null {
  const [start, end] = [HOME_ACTION.quietStart, HOME_ACTION.quietEnd].map((prefix) => {
    const id = `${prefix}${name}`;
    return (action.action_id === id ? action : stateOf(state, id))?.selected_time;
  });
  return start && end ? `${start}-${end}` : null;
}

const MAX_RULES = 8;
const WATCHED_MARK = " · ★ watched";
const MAX_ROW_LENGTH = 600;
const MAX_STATUS_LINES = 6;
const MAX_STATUS_LINE_LENGTH = 300;
/** Maximum number of blocks with the result of the last action. */
const MAX_NOTICE_BLOCKS = 25;

/**
 * Renders a home tab. `notice`: result of the last action; `home`: null if it could not be read. Slack keeps the entered values
 * of a block whose id stays the same, so ids contain `stamp`, which is new each time: the inputs then show the current settings.
 */
export function homeView(home: Home | null, notice: readonly Card[], stamp: string): HomeTab {
  const blocks = [
    ...noticeBlocks(notice.map((card) => withoutRowsOf(home, card))),
    ...(home === null ? [] : homeBlocks(home, stamp)),
  ];
  return { type: "home", blocks: blocks.slice(0, LIMITS.viewBlocks) };
}

function homeBlocks(home: Home, stamp: string): readonly ViewBlock[] {
  return [
    ...statusBlocks(home),
    ...watchlistBlocks(home, stamp),
    { type: "divider" },
    ...upcomingBlocks(home),
    { type: "divider" },
    ...settingsBlocks(home, stamp),
    { type: "divider" },
    ...ruleBlocks(home),
    { type: "divider" },
    ...linkBlocks(home),
  ];
}

/** Removes the rows of a notice that the watchlist section also shows. */
function withoutRowsOf(home: Home | null, card: Card): Card {
  const shownRows = new Set(home?.watchlist.rows.map(({ title, detail }) => `${title}\n${detail}`));
  return { ...card, rows: card.rows.filter(({ title, detail }) => !shownRows.has(`${title}\n${detail}`)) };
}

function noticeBlocks(cards: readonly Card[]): readonly ViewBlock[] {
  const blocks = cards.flatMap((card, number) => {
    return cardBlocks(card, (action, index) => `${action}:notice:${number}:${index}`);
  });
  return blocks.length === 0 ? [] : [...blocks.slice(0, MAX_NOTICE_BLOCKS), { type: "divider" }];
}

function watchlistBlocks({ watchlist, sample }: Home, stamp: string): readonly ViewBlock[] {
  const { total, rows } = watchlist;
  const hiddenCount = total - rows.length;
  return [
    header(total === 0 ? "Your watchlist" : `Your watchlist: ${formatCount(total, "ticker")}`),
    ...(total === 0 ? smallText("Empty. Add tickers to get alerts about them as direct messages.") : []),
    ...rows.map((row, index): ViewBlock => {
      const visibleRow = sample ? { ...row, detail: "" } : row;
      return rowWithButton(visibleRow, button("Unwatch", `unwatch ${row.ticker}`), `run:unwatch:${index}`);
    }),
    ...(hiddenCount > 0 ? smallText(`And ${formatCount(hiddenCount, "more ticker")}: /splits watchlist`) : []),
    {
      type: "input",
      block_id: `watch:${stamp}`,
      label: plain("Add tickers"),
      dispatch_action: true,
      element: {
        type: "plain_text_input",
        action_id: HOME_ACTION.watch,
        max_length: LIMITS.inputText,
        placeholder: plain(`${EXAMPLE_TICKER}, BRK.B, then Enter`),
        dispatch_action_config: { trigger_actions_on: ["on_enter_pressed"] },
      },
    },
  ];
}

function upcomingBlocks({ upcoming, sample }: Home): readonly ViewBlock[] {
  const title = header("Upcoming ex dates");
  if (sample) return [title, ...smallText("No live data yet. Sample data isn't shown on Slack.")];
  if (upcoming === null) return [title, ...smallText("No list of splits has been read yet.")];
  const { rows, total } = upcoming;
  const hiddenCount = total - rows.length;
  return [
    title,
    ...(total === 0 ? smallText("The source lists no reverse splits with an ex date from today on.") : []),
    ...rows.map((row, index): ViewBlock => {
      if (row.isWatched) return section(mrkdwn(rowText(row, WATCHED_MARK)));
      return rowWithButton(row, button("Watch", `watch ${row.ticker}`), `run:watch:${index}`);
    }),
    ...(hiddenCount > 0 ? smallText(`And ${formatCount(hiddenCount, "more ex date")}: /splits calendar`) : []),
  ];
}

function ruleBlocks({ rules, pauseReason }: Home): readonly ViewBlock[] {
  const hiddenCount = rules.length - MAX_RULES;
  return [
    header("Your rules"),
    ...smallText(
      rules.length === 0
        ? "None. Rules send you alerts beyond your watchlist, such as all splits of an exchange or above a ratio."
        : "You get alerts that match these rules as direct messages, in addition to your watchlist.",
    ),
    ...(pauseReason === null ? [] : smallText(`⚠️ Alerts to you are paused: ${pauseReason}.`)),
    ...rules.slice(0, MAX_RULES).map(ruleBlock),
    ...(hiddenCount > 0
      ? smallText(`And ${formatCount(hiddenCount, "more rule")}: /splits subscriptions in your direct messages here`)
      : []),
    { type: "actions", elements: [editButton(null, "New rule", "edit:new:0")] },
  ];
}

function ruleBlock(rule: Rule, index: number): ViewBlock {
  const text = mrkdwn(rowText({ title: `Rule ${rule.number}`, detail: describeRule({ ...rule, mention: null }) }));
  return { type: "section", text, accessory: editButton(rule.number, "Edit", `edit:own:${index}`) };
}

function statusBlocks({ status }: Home): readonly Block[] {
  const prefix = status.tone === "good" ? "" : "⚠️ ";
  const lines = [status.title, ...status.lines]
    .slice(0, MAX_STATUS_LINES)
    .map((line) => toMrkdwn(line, MAX_STATUS_LINE_LENGTH));
  return context([mrkdwn(`${prefix}${lines.join("\n")}`)]);
}

function linkBlocks({ calendar }: Home): readonly Block[] {
  const calendarLinks = calendar === null ? [] : [formatLink("Follow all ex dates in your own calendar", calendar)];
  return context([
    mrkdwn([...calendarLinks, "More about the data: /splits status", "All commands: /splits help"].join(" · ")),
  ]);
}

function rowWithButton(row: Row | TickerRow, rowButton: ReturnType<typeof button>, actionId: string): ViewBlock {
  return { type: "section", text: mrkdwn(rowText(row)), accessory: buttonElement(rowButton, actionId) };
}

function rowText({ title, detail, badges = [] }: Row, mark = ""): string {
  const marks = badges.map((badge) => ` \`${toMrkdwn(badge, 40)}\``).join("");
  return [`*${toMrkdwn(title, 200)}*${marks}${mark}`, toMrkdwn(detail, MAX_ROW_LENGTH)]
    .filter((line) => line !== "")
    .join("\n");
}

function smallText(text: string): readonly Block[] {
  return context([plain(toPlainText(text, LIMITS.contextElement))]);
}

/** The settings, each with an input to change it. */
function settingsBlocks({ settings }: Home, stamp: string): readonly ViewBlock[] {
  return [
    header("Settings"),
    section(mrkdwn(toMrkdwn(settings.summary, 600))),
    ...PORTABLE_SETTING_NAMES.flatMap((name) => settingBlocks(name, settings, stamp)),
    section(mrkdwn(factText("mutedUntil", settings))),
    { type: "actions", block_id: `mute:${stamp}`, elements: [mutePicker(settings), ...unmuteButtons(settings)] },
  ];
}

type Settings = Home["settings"];

/** Blocks of a setting; its input depends on the kind of its option. */
function settingBlocks(name: PortableSettingName, settings: Settings, stamp: string): readonly ViewBlock[] {
  const text = factText(name, settings);
  const blockId = `${name}:${stamp}`;
  const { kind }: { readonly kind: string } = SETTING_DEFINITIONS[name].option;
  switch (kind) {
    case "switch":
      // One group of checkboxes contains all switches; it is shown in place of the first one.
      if (name !== SWITCHES[0]) return [];
      return [{ type: "actions", block_id: blockId, elements: [switchCheckboxes(settings)] }];
    case "quietHours": {
      const hours = settings.values[name] as QuietHours | null;
      const hint = hours === null ? "; pick a start and an end" : "";
      return [
        section(mrkdwn(`${text}${hint}`)),
        { type: "actions", block_id: blockId, elements: hoursPickers(name, hours) },
      ];
    }
    default:
      return [{ type: "section", block_id: blockId, text: mrkdwn(text), accessory: valuePicker(name, settings) }];
  }
}

/** A setting as the `settings` command shows it. */
function factText(name: keyof Settings["facts"], { facts }: Settings): string {
  const { label, value } = facts[name];
  return `*${label}:* ${toMrkdwn(value, 300)}`;
}

/** Select menu of a setting's value. Slack requests the choices from splitwatch while the user types. */
function valuePicker(name: PortableSettingName, { zone, values }: Settings): ViewElement {
  const definition = SETTING_DEFINITIONS[name].option;
  const isDefaultZone = definition.kind === "timezone" && values[name] === null;
  const currentValue = isDefaultZone ? zone : optionKind(definition).write(values[name]);
  return {
    type: "external_select",
    action_id: `${HOME_ACTION.setting}${name}`,
    placeholder: plain(definition.kind === "timezone" ? "Type a city" : "Type a value"),
    initial_option: option(currentValue, currentValue),
    min_query_length: 0,
  };
}

function switchCheckboxes({ values, facts }: Settings): ViewElement {
  const options = SWITCHES.map((name) => {
    const { value } = facts[name];
    return option(name, settingFormLabel(name), value === "on" || value === "off" ? "" : capitalize(value));
  });
  const enabledSwitches = SWITCHES.filter((name) => values[name]);
  return { type: "checkboxes", action_id: HOME_ACTION.switches, options, ...initialOptions(options, enabledSwitches) };
}

function hoursPickers(name: PortableSettingName, hours: QuietHours | null): readonly ViewElement[] {
  const [start, end] = hours === null ? [] : formatQuietHours(hours).split("-");
  const label = `Turn off ${settingFormLabel(name).toLowerCase()}`;
  return [
    timePicker(`${HOME_ACTION.quietStart}${name}`, "From", start),
    timePicker(`${HOME_ACTION.quietEnd}${name}`, "To", end),
    ...(hours === null ? [] : [buttonElement(button(label, `settings ${name}:off`), `run:${name}:0`)]),
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
    placeholder: plain(isMuted ? "Change mute to" : "Mute for"),
    options: MUTE_LENGTHS.map(([length, text]) => option(length, text)),
  };
}

function unmuteButtons({ isMuted }: Settings): readonly ViewElement[] {
  return isMuted ? [buttonElement(button("Unmute", "unmute", "primary"), "run:unmute:0")] : [];
}
