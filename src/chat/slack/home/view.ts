import type { Home, TickerRow } from "../../../commands/home.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { EXAMPLE_TICKER } from "../../../messages/example-tickers.ts";
import { formatCount } from "../../../messages/format.ts";
import { button, type Card, type Row } from "../../../messages/message.ts";
import { describeRule } from "../../../messages/rule-text.ts";
import type { HomeTab, ViewBlock } from "../block-kit/blocks.ts";
import { type Block, context, header, LIMITS, mrkdwn, plain, section } from "../block-kit/blocks.ts";
import { buttonElement, cardBlocks, editButton } from "../block-kit/card.ts";
import { inert, linked, plainText } from "../block-kit/text.ts";
import { HOME_ACTION } from "./actions.ts";
import { settingsBlocks } from "./settings.ts";

const MAX_RULES = 8;
const WATCHED = " · ★ watched";
const MAX_ROW_LENGTH = 600;
const MAX_STATUS_LINES = 6;
const MAX_STATUS_LINE_LENGTH = 300;
/** Blocks for the result of the last action. */
const MAX_NOTICE_BLOCKS = 25;

/**
 * Renders a home tab. `notice`: the result of the last action; `home`: null if it could not be read. Slack keeps the input of a
 * block id, so block ids contain `stamp` to show the current settings.
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
    ...comingBlocks(home),
    { type: "divider" },
    ...settingsBlocks(home, stamp),
    { type: "divider" },
    ...ruleBlocks(home),
    { type: "divider" },
    ...linkBlocks(home),
  ];
}

/** Removes rows that the watchlist below shows as well. */
function withoutRowsOf(home: Home | null, card: Card): Card {
  const shown = new Set(home?.watchlist.rows.map(({ title, detail }) => `${title}\n${detail}`));
  return { ...card, rows: card.rows.filter(({ title, detail }) => !shown.has(`${title}\n${detail}`)) };
}

function noticeBlocks(cards: readonly Card[]): readonly ViewBlock[] {
  const blocks = cards.flatMap((card, number) => {
    return cardBlocks(card, (action, index) => `${action}:notice:${number}:${index}`);
  });
  return blocks.length === 0 ? [] : [...blocks.slice(0, MAX_NOTICE_BLOCKS), { type: "divider" }];
}

function watchlistBlocks({ watchlist, sample }: Home, stamp: string): readonly ViewBlock[] {
  const { total, rows } = watchlist;
  const more = total - rows.length;
  return [
    header(total === 0 ? "Your watchlist" : `Your watchlist: ${formatCount(total, "ticker")}`),
    ...(total === 0 ? small("Empty. You get alerts about the tickers you add here as direct messages.") : []),
    ...rows.map((row, index): ViewBlock => {
      const shown = sample ? { ...row, detail: "" } : row;
      return rowWithButton(shown, button("Unwatch", `unwatch ${row.ticker}`), `run:unwatch:${index}`);
    }),
    ...(more > 0 ? small(`And ${formatCount(more, "more ticker")}: /splits watchlist`) : []),
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

function comingBlocks({ upcoming: coming, sample }: Home): readonly ViewBlock[] {
  const title = header("Coming ex dates");
  if (sample) return [title, ...small("No live data yet. Sample data is not shown on Slack.")];
  if (coming === null) return [title, ...small("The list of splits hasn't been read yet.")];
  const { rows, total } = coming;
  const more = total - rows.length;
  return [
    title,
    ...(total === 0 ? small("The source lists no reverse splits with an ex date from today.") : []),
    ...rows.map((row, index): ViewBlock => {
      if (row.isWatched) return section(mrkdwn(rowText(row, WATCHED)));
      return rowWithButton(row, button("Watch", `watch ${row.ticker}`), `run:watch:${index}`);
    }),
    ...(more > 0 ? small(`And ${formatCount(more, "more ex date")}: /splits calendar`) : []),
  ];
}

function ruleBlocks({ rules, paused }: Home): readonly ViewBlock[] {
  const more = rules.length - MAX_RULES;
  return [
    header("Your rules"),
    ...small(
      rules.length === 0
        ? "None. Rules send you alerts beyond your watchlist, such as all splits of an exchange or above a ratio."
        : "You get alerts that match these rules as direct messages, in addition to your watchlist.",
    ),
    ...(paused === null ? [] : small(`⚠️ Alerts to you are paused: ${paused}.`)),
    ...rules.slice(0, MAX_RULES).map(ruleBlock),
    ...(more > 0
      ? small(`And ${formatCount(more, "more rule")}: /splits subscriptions in your direct messages here`)
      : []),
    { type: "actions", elements: [editButton(null, "New rule", "edit:new:0")] },
  ];
}

function ruleBlock(rule: Rule, index: number): ViewBlock {
  const text = mrkdwn(rowText({ title: `Rule ${rule.number}`, detail: describeRule({ ...rule, mention: null }) }));
  return { type: "section", text, accessory: editButton(rule.number, "Edit", `edit:own:${index}`) };
}

/** State of the data. */
function statusBlocks({ status }: Home): readonly Block[] {
  const sign = status.tone === "good" ? "" : "⚠️ ";
  const lines = [status.title, ...status.lines]
    .slice(0, MAX_STATUS_LINES)
    .map((line) => inert(line, MAX_STATUS_LINE_LENGTH));
  return context([mrkdwn(`${sign}${lines.join("\n")}`)]);
}

function linkBlocks({ calendar }: Home): readonly Block[] {
  const follow = calendar === null ? [] : [linked("Follow all ex dates in your own calendar", calendar)];
  return context([
    mrkdwn([...follow, "More about the data: /splits status", "All commands: /splits help"].join(" · ")),
  ]);
}

function rowWithButton(row: Row | TickerRow, press: ReturnType<typeof button>, actionId: string): ViewBlock {
  return { type: "section", text: mrkdwn(rowText(row)), accessory: buttonElement(press, actionId) };
}

function rowText({ title, detail, badges = [] }: Row, mark = ""): string {
  const marks = badges.map((badge) => ` \`${inert(badge, 40)}\``).join("");
  return [`*${inert(title, 200)}*${marks}${mark}`, inert(detail, MAX_ROW_LENGTH)]
    .filter((line) => line !== "")
    .join("\n");
}

function small(text: string): readonly Block[] {
  return context([plain(plainText(text, LIMITS.contextElement))]);
}
