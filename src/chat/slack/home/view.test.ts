import { describe, expect, it } from "vitest";
import { checkView } from "../../../../test/platforms/slack/server/view-checks.ts";
import { shownText } from "../../../../test/platforms/slack/users/message-text.ts";
import { ALICE } from "../../../../test/support/builders.ts";
import type { Home } from "../../../commands/home.ts";
import { DEFAULT_SETTINGS, SETTING_NAMES } from "../../../domain/settings/destination-settings.ts";
import { DEFAULT_FILTER } from "../../../domain/settings/rule.ts";
import { parseTicker, type Ticker } from "../../../domain/split/ticker.ts";
import { button, card } from "../../../messages/message.ts";
import { commandLineOf, HOME_ACTION, homeView } from "./view.ts";

function ticker(text: string): Ticker {
  const parsed = parseTicker(text);
  if (parsed === undefined) throw new Error(`${text} is not a ticker`);
  return parsed;
}

const [TIMEZONE, QUIET_FROM, QUIET_TO] = [
  `${HOME_ACTION.setting}timezone`,
  `${HOME_ACTION.quietStart}quiet`,
  `${HOME_ACTION.quietEnd}quiet`,
];
const HOSTILE = "<!channel> & <https://evil.example|safe> *bold* :wave: \u202E @here ".repeat(60);

function facts(value: string): Home["settings"]["facts"] {
  return Object.fromEntries(SETTING_NAMES.map((label) => [label, { label, value }])) as Home["settings"]["facts"];
}

const EMPTY: Home = {
  status: { tone: "good", title: "Up to date", lines: [] },
  sample: false,
  watchlist: { total: 0, rows: [] },
  upcoming: { total: 0, rows: [] },
  settings: {
    facts: facts("on"),
    summary: "Alerts are sent immediately.",
    zone: "Asia/Tokyo",
    values: DEFAULT_SETTINGS,
    isMuted: false,
  },
  rules: [],
  pauseReason: null,
  calendar: null,
};

const row = (index: number): Home["watchlist"]["rows"][number] => {
  return { title: HOSTILE, detail: HOSTILE, badges: [HOSTILE], ticker: ticker(`T${index}`) };
};

/** More entries than a home tab can have, with hostile texts of maximum length. */
const FULL: Home = {
  ...EMPTY,
  status: { tone: "warning", title: HOSTILE, lines: Array.from({ length: 6 }, () => HOSTILE) },
  watchlist: { total: 500, rows: Array.from({ length: 15 }, (_, index) => row(index)) },
  upcoming: {
    total: 900,
    rows: Array.from({ length: 8 }, (_, index) => ({ ...row(index), isWatched: index % 2 === 0 })),
  },
  settings: {
    facts: facts(HOSTILE),
    summary: HOSTILE,
    zone: "America/Argentina/ComodRivadavia",
    values: { ...DEFAULT_SETTINGS, reminders: false, digest: true, quiet: { from: 1_320, to: 420 } },
    isMuted: true,
  },
  rules: Array.from({ length: 25 }, (_, index) => ({
    ...DEFAULT_FILTER,
    number: index + 1,
    destination: ALICE,
    createdBy: ALICE,
    createdAt: 0,
    mention: "<!subteam^S1>",
  })),
  pauseReason: HOSTILE,
  calendar: "https://splits.example.com/calendar/all.ics",
};

const NOTICE = Array.from({ length: 4 }, () =>
  card({
    title: HOSTILE,
    lines: [HOSTILE],
    rows: Array.from({ length: 40 }, () => ({ title: HOSTILE, detail: HOSTILE })),
    buttons: Array.from({ length: 25 }, (_, index) => button(HOSTILE, `show T${index}`)),
    editableRules: Array.from({ length: 25 }, (_, index) => index + 1),
  }),
);

function idsOf(stamp: string): readonly unknown[] {
  return homeView(FULL, [], stamp).blocks.flatMap((block) => ("block_id" in block ? [block.block_id] : []));
}

describe("a home tab", () => {
  it.each([
    ["that is empty", EMPTY, []],
    ["with more entries than fit", FULL, NOTICE],
    ["that could not be read", null, [card({ title: "Sorry" })]],
    ["before the first list", { ...EMPTY, upcoming: null }, []],
    ["with sample data", { ...FULL, sample: true }, []],
  ] as const)("%s is within Slack's limits", (_, home, notice) => {
    expect(checkView(JSON.parse(JSON.stringify(homeView(home, notice, "s1"))), "home")).toEqual([]);
  });

  it("shows all inputs below an answer of any length", () => {
    const json = JSON.stringify(homeView(FULL, NOTICE, "s1"));
    const { watch, switches, mute } = HOME_ACTION;
    for (const actionId of [watch, TIMEZONE, switches, QUIET_FROM, QUIET_TO, mute])
      expect(json).toContain(`"${actionId}"`);
    expect(json).toContain('"New rule"');
  });

  it("shows no sample data", () => {
    const text = shownText({
      blocks: JSON.parse(JSON.stringify(homeView({ ...FULL, sample: true, status: EMPTY.status }, [], "s1").blocks)),
      attachments: [],
    });
    expect(text).toContain("Sample data isn't shown");
    expect(JSON.stringify(homeView({ ...EMPTY, sample: true, upcoming: FULL.upcoming }, [], "s1"))).not.toContain(
      "evil",
    );
  });

  it("has new block ids each time, so that inputs show the settings instead of earlier input", () => {
    expect(idsOf("a").length).toBeGreaterThan(0);
    expect(idsOf("a").filter((id) => idsOf("b").includes(id))).toEqual([]);
  });
});

const NO_STATE = { values: {} };

function stateOfTimes(from: string | null, to: string | null): typeof NO_STATE {
  const picked = { [QUIET_FROM]: { selected_time: from }, [QUIET_TO]: { selected_time: to } };
  return { values: { "quiet:1": picked } };
}

describe("an action in the home tab", () => {
  it.each([
    [{ action_id: "run:watch:1", value: "watch ACME" }, NO_STATE, "watch ACME"],
    [{ action_id: HOME_ACTION.watch, value: "ACME, $BRVO" }, NO_STATE, "watch ACME, $BRVO"],
    [{ action_id: HOME_ACTION.watch, value: null }, NO_STATE, "watch "],
    [{ action_id: TIMEZONE, selected_option: { value: "Asia/Tokyo" } }, NO_STATE, "settings timezone:Asia/Tokyo"],
    [{ action_id: TIMEZONE, selected_option: null }, NO_STATE, null],
    [
      { action_id: HOME_ACTION.switches, selected_options: [{ value: "digest" }] },
      NO_STATE,
      "settings reminders:off digest:on",
    ],
    [{ action_id: HOME_ACTION.switches, selected_options: [] }, NO_STATE, "settings reminders:off digest:off"],
    [{ action_id: QUIET_FROM, selected_time: "22:00" }, stateOfTimes(null, null), null],
    [{ action_id: QUIET_FROM, selected_time: "22:00" }, stateOfTimes("21:00", "07:00"), "settings quiet:22:00-07:00"],
    [{ action_id: QUIET_TO, selected_time: "06:30" }, stateOfTimes("21:00", null), "settings quiet:21:00-06:30"],
    [{ action_id: HOME_ACTION.mute, selected_option: { value: "8h" } }, NO_STATE, "mute for:8h"],
  ])("%j becomes a command line", (action, state, line) => {
    expect(commandLineOf(action, state)).toBe(line);
  });
});
