import { filesUnavailableText } from "../../../messages/calendar/calendar-answer.ts";
import type { Button, Card, Fact, Quote, Row, Tone } from "../../../messages/message.ts";
import { type Block, type ButtonElement, context, header, LIMITS, mrkdwn, plain, section, sections } from "./blocks.ts";
import { cleaned, inert, linked, oneLine, plainText, safeUrl } from "./text.ts";

/** Where a card's texts would not fit, less and less of them is shown: the whole is a click away. */
const SHARES = [1, 0.5, 0.25, 0.1] as const;

/** How much of each part is shown when there is room. Usual cards need a fraction of it. */
const ROOM = { lines: 2_500, facts: 3_000, rows: 5_500, quotes: 2_000, marks: 1_000, title: 600, footer: 300 } as const;
const MAX_LABEL_LENGTH = 60;

const SIGNS: Readonly<Record<Tone, string>> = {
  new: "🆕",
  change: "🔄",
  warning: "⚠️",
  due: "⏰",
  good: "✅",
  bad: "❌",
  plain: "",
};

/** How a button is told from another one when it is pressed: the first part of its name says what it does. */
export const ACTION = { run: "run", share: "share", edit: "edit", home: "home" } as const;

/** Finds all elements of these kinds. */
export function actionPattern(...kinds: readonly (typeof ACTION)[keyof typeof ACTION][]): RegExp {
  return new RegExp(`^(?:${kinds.join("|")}):`);
}

/** Names a button by what it does and its number among those; no name may stand in a message twice. */
export type ActionIdOf = (action: "run" | "edit", index: number) => string;

/** A card's blocks: they fit into one message by themselves. */
export function cardBlocks(card: Card, actionName: ActionIdOf): readonly Block[] {
  const tries = SHARES.map((share) => blocksWith(card, share, actionName));
  return tries.find((blocks) => fits(blocks)) ?? tries.at(-1) ?? [];
}

/** Room for a mention, a divider and a button to share is left in a message of one card. */
const RESERVED_BLOCKS = 4;
const RESERVED_JSON_LENGTH = 1_000;

function fits(blocks: readonly Block[]): boolean {
  return blocks.length <= LIMITS.blocks - RESERVED_BLOCKS && jsonLength(blocks) <= LIMITS.json - RESERVED_JSON_LENGTH;
}

export function jsonLength(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).length;
}

/** The title with its badges, as the notification line has it. */
export function headline({ badges, title }: Card): string {
  return oneLine([...badges.map((badge) => `[${badge}]`), title].join(" "), 1_000);
}

function blocksWith(card: Card, share: number, actionName: ActionIdOf): readonly Block[] {
  const room = (part: keyof typeof ROOM): number => Math.floor(ROOM[part] * share);
  return [
    ...titleBlocks(card, room("title")),
    ...lineBlocks(card.lines, room("lines")),
    ...pictureBlocks(card),
    ...sections(within(card.facts.map(factLine), room("facts"))),
    ...sections(within(card.rows.map(rowText), room("rows"))),
    ...sections(within(card.quotes.map(quoteLine), room("quotes"))),
    ...context(within(card.warnings.map(markLine), room("marks")).slice(0, LIMITS.contextElements).map(mrkdwn)),
    ...fileBlocks(card),
    ...buttonBlocks(card, share, actionName),
    ...footerBlocks(card, room("footer")),
  ];
}

function titleBlocks(card: Card, room: number): readonly Block[] {
  const title = headline(card);
  const full = `${SIGNS[card.tone]} ${title}`.trim() || "splitwatch";
  const short = plainText(full, LIMITS.header);
  // What a header cannot hold stands below it, and the header is its beginning.
  return short.endsWith("…") && !full.endsWith("…")
    ? [header(short), section(plain(plainText(title, Math.max(room, LIMITS.header))))]
    : [header(short)];
}

function lineBlocks(lines: readonly string[], room: number): readonly Block[] {
  const texts = lines.map((line) => cleaned(line, room)).filter((line) => line !== "");
  return texts.length === 0 || room === 0 ? [] : [section(plain(plainText(texts.join("\n"), room)))];
}

/** Slack fetches the picture itself, so it shows one only where it can reach it. */
function pictureBlocks({ picture }: Card): readonly Block[] {
  const address = picture?.link ?? null;
  if (picture === undefined || address === null || !address.startsWith("https:")) return [];
  return [{ type: "image", image_url: address, alt_text: plainText(picture.alt, LIMITS.alt) || picture.name }];
}

/** An answer that only one person sees can carry no files. */
function fileBlocks({ files = [] }: Card): readonly Block[] {
  const words = filesUnavailableText(files);
  return words === null ? [] : context([plain(plainText(words, LIMITS.contextElement))]);
}

type Write = (most: number) => string;

/** The lines that fit into `room` together; the last of them is cut, or said to be missing. */
function within(lines: readonly Write[], room: number): readonly string[] {
  const written: string[] = [];
  let left = Math.min(room, LIMITS.section * 10);
  for (const [index, write] of lines.entries()) {
    const fair = Math.max(left - 60, 0) / (lines.length - index);
    const line = write(Math.max(Math.floor(Math.min(LIMITS.section, Math.max(fair, Math.min(left / 2, 600)))), 40));
    if (line.length > left) return [...written, `… and ${lines.length - index} more`];
    if (line !== "") written.push(line);
    left -= line.length + 1;
  }
  return written;
}

function factLine({ label, value, was, link }: Fact): Write {
  return (most) => {
    const name = inert(label, MAX_LABEL_LENGTH);
    const each = Math.max(Math.floor((most - name.length - addressLength(link)) / (was === undefined ? 1 : 2)) - 8, 12);
    const now = linked(inert(value, each), link);
    const before = was === undefined ? "" : `${inert(was, each)} → `;
    return `${name === "" ? "" : `*${name}:* `}${before}${was === undefined || now === "" ? now : `*${now}*`}`;
  };
}

function rowText({ title, detail, link, badges = [] }: Row): Write {
  return (most) => {
    const marks =
      badges.length === 0 ? "" : `${inert(badges.map((badge) => `[${badge}]`).join(" "), MAX_LABEL_LENGTH)} `;
    const each = Math.max(Math.floor((most - marks.length - addressLength(link)) / 2) - 4, 12);
    const name = inert(title, each);
    const head = name === "" ? "" : `*${linked(name, link)}*`;
    return [`${marks}${head}`.trim(), inert(detail, each)].filter((line) => line !== "").join("\n");
  };
}

function quoteLine({ text, source, link }: Quote): Write {
  return (most) => {
    const from = inert(source, MAX_LABEL_LENGTH) || "source";
    const said = inert(text, Math.max(most - from.length - addressLength(link) - 10, 12));
    return said === "" ? "" : `“${said}” — ${linked(from, link)}`;
  };
}

function markLine(mark: string): Write {
  return (most) => {
    const text = inert(mark, Math.min(most, LIMITS.contextElement) - 10);
    return text === "" ? "" : `⚠️ ${text}`;
  };
}

function addressLength(link: string | undefined): number {
  const address = safeUrl(link);
  return address === null ? 0 : address.length + 3;
}

function buttonBlocks({ buttons, editableRules = [] }: Card, share: number, actionName: ActionIdOf): readonly Block[] {
  const most = Math.max(Math.floor(LIMITS.buttons * share), 5);
  const running = buttons
    .filter(({ command }) => command.length <= LIMITS.buttonValue * share)
    .map((button, index) => buttonElement(button, actionName(ACTION.run, index)));
  const editing = editableRules.map((number, index) => {
    return editButton(number, editableRules.length === 1 ? "Edit" : `Edit ${number}`, actionName(ACTION.edit, index));
  });
  // Of many rules, what changes them and what removes them stand in rows of their own.
  const rows = editableRules.length === 1 ? [[...running, ...editing]] : [editing, running];
  return rows.flatMap((row) => (row.length === 0 ? [] : [{ type: "actions", elements: row.slice(0, most) }]));
}

/** Opens the form of a rule; null: of a new one. */
export function editButton(number: number | null, label: string, actionId: string): ButtonElement {
  return { type: "button", text: plain(label), action_id: actionId, value: String(number ?? NEW_RULE) };
}

export const NEW_RULE = "new";

export function buttonElement({ label, command, style }: Button, actionId: string): ButtonElement {
  return {
    type: "button",
    text: plain(plainText(label.replace(/\s+/g, " "), LIMITS.buttonText) || "…"),
    action_id: actionId,
    value: command,
    ...(style === "normal" ? {} : { style }),
  };
}

/** The small print, and where the whole of it can be read. */
function footerBlocks({ footer, link }: Card, room: number): readonly Block[] {
  const address = safeUrl(link);
  const host = address === null || link === null ? "" : inert(new URL(link).host, MAX_LABEL_LENGTH);
  const small = footer === null ? "" : inert(footer, room);
  return context([
    ...(host === "" ? [] : [mrkdwn(linked(`Open on ${host}`, link))]),
    ...(small === "" ? [] : [mrkdwn(small)]),
  ]);
}
