import type { Home, TickerRow } from "../../../commands/home.ts";
import type { Rule } from "../../../domain/settings/rule.ts";
import { A_TICKER } from "../../../messages/example-tickers.ts";
import { formatCount } from "../../../messages/format.ts";
import { button, type Card, type Row } from "../../../messages/message.ts";
import { describeRule } from "../../../messages/rule-text.ts";
import { type Block, context, header, LIMITS, mrkdwn, plain, section } from "../block-kit/blocks.ts";
import { buttonElement, cardBlocks, editButton } from "../block-kit/card.ts";
import { inert, linked, plainText } from "../block-kit/text.ts";
import { HOME_ACTION } from "./actions.ts";
import { settingsBlocks } from "./settings.ts";
import type { HomeTab, ViewBlock } from "./view-blocks.ts";

const MAX_RULES = 8;
const WATCHED = " · ★ watched";
const MAX_ROW_LENGTH = 600;
const MAX_STATUS_LINES = 6;
const MAX_STATUS_LINE_LENGTH = 300;
/** Of what the last thing that somebody did here came to. */
const MAX_NOTICE_BLOCKS = 25;

/**
 * Somebody's home. `notice`: what their last press came to; `home` null: it could not be read. Slack keeps what was
 * entered under a block's id, so that an id of its own (`stamp`) makes it show what is set.
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
    ...wayOut(home),
  ];
}

/** What `watch` says of a ticker stands below already. */
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
    ...(total === 0 ? small("Empty so far. What happens to the tickers here is told to you in a direct message.") : []),
    ...rows.map((row, index): ViewBlock => {
      const shown = sample ? { ...row, detail: "" } : row;
      return besides(shown, button("Unwatch", `unwatch ${row.ticker}`), `run:unwatch:${index}`);
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
        placeholder: plain(`${A_TICKER}, BRK.B, then Enter`),
        dispatch_action_config: { trigger_actions_on: ["on_enter_pressed"] },
      },
    },
  ];
}

function comingBlocks({ upcoming: coming, sample }: Home): readonly ViewBlock[] {
  const title = header("Coming ex dates");
  if (sample) return [title, ...small("The data is an invented sample, which is not shown on Slack.")];
  if (coming === null) return [title, ...small("No list of splits has been read yet.")];
  const { rows, total } = coming;
  const more = total - rows.length;
  return [
    title,
    ...(total === 0 ? small("The source lists no reverse splits with an ex date from today.") : []),
    ...rows.map((row, index): ViewBlock => {
      if (row.isWatched) return section(mrkdwn(rowText(row, WATCHED)));
      return besides(row, button("Watch", `watch ${row.ticker}`), `run:watch:${index}`);
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
        ? "None. A rule tells you in direct messages of more than your watchlist: of an exchange, or of steep ratios."
        : "What they match is told to you in direct messages, besides your watchlist.",
    ),
    ...(paused === null ? [] : small(`⚠️ Nothing is sent to you at the moment: ${paused}.`)),
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

/** How much of what stands below can be relied on. */
function statusBlocks({ status }: Home): readonly Block[] {
  const sign = status.tone === "good" ? "" : "⚠️ ";
  const lines = [status.title, ...status.lines]
    .slice(0, MAX_STATUS_LINES)
    .map((line) => inert(line, MAX_STATUS_LINE_LENGTH));
  return context([mrkdwn(`${sign}${lines.join("\n")}`)]);
}

function wayOut({ calendar }: Home): readonly Block[] {
  const follow = calendar === null ? [] : [linked("Follow all ex dates in your own calendar", calendar)];
  return context([
    mrkdwn([...follow, "More about the data: /splits status", "All that you can ask for: /splits help"].join(" · ")),
  ]);
}

function besides(row: Row | TickerRow, press: ReturnType<typeof button>, actionId: string): ViewBlock {
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
